"""The verb trust with a combination of metrics that is learned from the judgments."""

from __future__ import annotations

import html
import json
from typing import Any

import numpy as np
import pytest

from material.judged_examples import EXAMPLES, JUDGMENTS, REFERENCE, SYSTEMS, written
from understudy import UnderstudyError, score, trust
from understudy.corpus.judgments import read_judgments
from understudy.report.agreements import render
from understudy.report.trust_report import trust_report
from understudy.trusting.combinations.combining import Combination
from understudy.trusting.metric_scores import score_systems
from understudy.trusting.plan import TrustPlan


def test_a_combination_stands_beside_its_parts(tmp_path):
    pytest.importorskip("sklearn", reason="learning needs scikit-learn")
    documents = [line.split("\t")[1] for line in (EXAMPLES / "documents.tsv").read_text().splitlines()[1:]]
    asked: dict[str, Any] = {"measure": "adequacy", "samples": 50}
    found = trust(
        JUDGMENTS,
        SYSTEMS,
        REFERENCE,
        ["bleu", "ter"],
        learn=Combination("ridge", documents=documents),
        **asked,
    )
    assert [each.name for each in found.metrics] == ["BLEU", "TER", "learned (ridge)"]
    learned = found.metrics[2]
    assert np.array_equal(learned.pairing.metric, found.learning.predictions)
    assert set(found.learning.weights) == {"bleu", "ter"}
    assert any("no translation of the same document" in note for note in found.notes)
    assert found.notes.count("reference-2.en has human scores but no BLEU, TER scores; excluded.") == 1
    model = tmp_path / "both.json"
    found.learning.model.save(model)
    scores = score(SYSTEMS, REFERENCE, [f"learned:model={model}"])
    assert {system.name for system in scores.systems} == {path.name for path in SYSTEMS}
    without = trust(JUDGMENTS, SYSTEMS, REFERENCE, ["bleu", "ter"], learn="ridge", **asked)
    assert any("Without document labels" in note for note in without.notes)


def test_progress_is_told_of_all_that_takes_time():
    pytest.importorskip("sklearn", reason="learning needs scikit-learn")
    segments: list[int] = []
    done: list[int] = []
    plan: Any = {"samples": 10, "coefficients": ("pearson:segment",)}
    documents = [str(number % 10) for number in range(60)]
    trust(
        JUDGMENTS, SYSTEMS, REFERENCE, measure="fluency", samples=10, level="system", progress=segments.append
    )
    assert sum(segments) == 60
    scored = score_systems(SYSTEMS, REFERENCE, ["bleu", "ter"])
    trust(
        read_judgments(JUDGMENTS, "fluency"),
        scored,
        learn=Combination("ridge", documents=documents),
        progress=done.append,
        **plan,
    )
    assert sum(done) == TrustPlan(**plan).steps(2, learning=True) == 3 + 11


def test_a_combination_may_learn_who_translated(tmp_path):
    pytest.importorskip("sklearn", reason="learning needs scikit-learn")
    systems = [*SYSTEMS, EXAMPLES / "reference-2.en"]
    asked: dict[str, Any] = {"measure": "adequacy", "samples": 20, "level": "system"}
    found = trust(
        JUDGMENTS, systems, REFERENCE, ["bleu", "chrf"], learn="svm", kinds=["human:reference-2.en"], **asked
    )
    assert found.metrics[-1].name == "learned (svm)"
    accuracy = found.learning.model.trained_on.out_of_fold
    said = (
        "svm separates human (reference-2.en) from machine translations with an out-of-fold balanced accuracy of "
        f"{accuracy:.3f} (chance level: 0.5)."
    )
    assert said in found.notes
    assert said in render(found)
    assert said in html.unescape(trust_report([found]))
    learned = json.loads(render(found, "json"))["measures"][0]["learned"]
    assert learned["trained_on"]["quality"] == "balanced accuracy"
    assert learned["trained_on"]["out_of_fold"] == accuracy
    with pytest.raises(UnderstudyError, match="no system has the type 'human'"):
        trust(JUDGMENTS, systems, REFERENCE, learn="svm", **asked)
    with pytest.raises(UnderstudyError, match="unknown method 'rigde'"):
        trust(JUDGMENTS, systems, REFERENCE, learn="rigde", **asked)
    with pytest.raises(UnderstudyError, match="document labels cover 3 segments"):
        trust(JUDGMENTS, systems, REFERENCE, learn=Combination("ridge", documents=["a", "b", "c"]), **asked)
    human = written(tmp_path / "h.tsv", "system\tscore\nsystem-weak.en\t1\nsystem-strong.en\t2\n")
    with pytest.raises(UnderstudyError, match="a learned combination needs segment scores"):
        trust(human, systems, REFERENCE, learn="ridge")
