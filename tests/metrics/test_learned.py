"""The metric that a learned combination is, and the file that it is kept in."""

from __future__ import annotations

import dataclasses
import gzip
import json
import os
from pathlib import Path

import numpy as np
import pytest

from material.learned_models import FITTED, FOLDER, MODELS, PLAIN, TRAINED_ON, part
from understudy import Learned, UnderstudyError, compare, metric, score
from understudy.corpus.segment_label_files import called_documents, read_labels
from understudy.metrics.base.learned_model import LearnedModel, Part
from understudy.scoring.counted_systems import count_systems
from understudy.trusting.combinations.features import Feature, Target
from understudy.trusting.combinations.learning import learn

EXAMPLES = Path(__file__).parents[2] / "examples"
REFERENCE = EXAMPLES / "reference-1.en"
FILES = {
    name: EXAMPLES / f"{name}.en"
    for name in ("system-weak", "system-medium", "system-strong", "system-rulebased", "reference-2")
}
HYPOTHESES = ["the cat sat on a mat", "it rains", "no words in common"]
REFERENCES = [["the cat sat on the mat"], ["it rained"], ["nothing like this here"]]


# --- scores ---------------------------------------------------------------------------------------------------


def test_a_segment_is_the_weighted_sum_of_its_parts():
    bleu, chrf, ter = (metric(spec).segments(HYPOTHESES, REFERENCES) for spec in ("bleu", "chrf", "ter"))
    expected = -2 + 0.5 * (bleu - 25) / 10 + 1.0 * (chrf - 50) / 20 + 0.25 * (-ter + 60) / 30
    learned = Learned(model=PLAIN)
    assert learned.segments(HYPOTHESES, REFERENCES) == pytest.approx(expected, abs=1e-12)
    whole = learned.corpus(HYPOTHESES, REFERENCES)
    assert whole.value == pytest.approx(expected.mean(), abs=1e-12)
    assert whole.value == pytest.approx(learned.mean(HYPOTHESES, REFERENCES).value, abs=1e-12)
    assert whole.detail["parts"] == pytest.approx(
        {"bleu": bleu.mean(), "chrf": chrf.mean(), "ter": -ter.mean()}
    )
    assert sum(whole.detail["contributions"].values()) - 2 == pytest.approx(whole.value)
    assert whole.fraction is None


def test_parts_that_need_a_fit_are_fitted_on_all_references():
    learned = Learned(model=FITTED)
    assert learned.needs_fit
    assert not Learned(model=PLAIN).needs_fit
    nist = metric("nist")
    whole = learned.fit(REFERENCES).statistics(HYPOTHESES[:1], REFERENCES[:1])
    expected = nist.fit(REFERENCES).segments(HYPOTHESES[:1], REFERENCES[:1])
    assert learned.detail(whole.sum())["parts"]["nist"] == pytest.approx(expected[0])
    alone = learned.statistics(HYPOTHESES[:1], REFERENCES[:1])
    assert learned.detail(alone.sum())["parts"]["nist"] != pytest.approx(expected[0])


def test_parts_of_trees_say_who_parsed_and_what_was_not(tmp_path):
    hwcm = metric("hwcm")
    if hwcm.missing:
        pytest.skip(hwcm.missing)
    origin = hwcm.statistics(HYPOTHESES, REFERENCES).of_input
    model = LearnedModel(
        "ridge", 0.1, (part("hwcm", 40, 20, 1, dict(origin)), part("bleu", 20, 10, 1)), 0, TRAINED_ON
    )
    model.save(tmp_path / "trees.json")
    learned = Learned(model=str(tmp_path / "trees.json"))
    counted = learned.statistics(["the cat sat .", "it rains"], [["the cat sat ."], ["it rained"]])
    assert counted.of_input == origin
    assert counted.unparsed == 0
    assert "unparsed" in counted.columns
    assert f"trees:{origin['trees']}" in str(learned.corpus(HYPOTHESES, REFERENCES).signature)
    other = dataclasses.replace(model, parts=(part("hwcm", 40, 20, 1, {"trees": "another"}), model.parts[1]))
    other.save(tmp_path / "trees.json")
    with pytest.raises(
        UnderstudyError, match=r"trained on hwcm with trees:another, but this text has trees:"
    ):
        Learned(model=str(tmp_path / "trees.json")).corpus(HYPOTHESES, REFERENCES)


def test_parts_that_look_at_documents_are_given_them(tmp_path):
    model = LearnedModel("ridge", 0.1, (part("wnm", 40, 20, 1, {"docs": "given"}),), 0, TRAINED_ON)
    model.save(tmp_path / "documents.json")
    learned = Learned(model=str(tmp_path / "documents.json"))
    assert learned.reads_documents
    documents = ["a", "a", "b"]
    expected = metric("wnm").segments(HYPOTHESES, REFERENCES, documents=documents)
    found = learned.segments(HYPOTHESES, REFERENCES, documents=documents)
    assert found == pytest.approx((expected - 40) / 20)
    with pytest.raises(UnderstudyError, match=r"docs:given, but this text has docs:none"):
        learned.segments(HYPOTHESES, REFERENCES)


def test_the_signature_names_the_model_and_the_choices_of_its_parts():
    signature = str(Learned(model=PLAIN).corpus(HYPOTHESES, REFERENCES).signature)
    model = LearnedModel.load(PLAIN)
    assert f"|model:{model.digest}|method:ridge|parts:bleu(case=mixed;eff=yes;tok=13a" in signature
    assert ")+chrf(" in signature
    assert signature.startswith("nrefs:1|")
    heavier = dataclasses.replace(model, intercept=-2.5)
    assert heavier.digest != model.digest


def test_a_metric_stays_what_it_was_when_its_file_changes(tmp_path):
    path = tmp_path / "model.json"
    LearnedModel.load(FITTED).save(path)
    learned = Learned(model=str(path))
    before = learned.corpus(HYPOTHESES, REFERENCES)
    path.unlink()
    assert learned.fit(REFERENCES).corpus(HYPOTHESES, REFERENCES) == before


def test_without_a_file_there_is_nothing_to_count():
    assert "learned:model=FILE" in Learned().missing
    with pytest.raises(UnderstudyError, match=r"learned: no model file given. Use learned:model=FILE"):
        Learned().corpus(HYPOTHESES, REFERENCES)


# --- from learning to the command line ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def learned():
    """People told from machines in the examples, by metrics of every kind."""
    pytest.importorskip("sklearn")
    counted = count_systems(FILES, [REFERENCE], ["bleu", "chrf", "ter", "nist", "length-ratio"])
    features = [
        Feature.of_evidence(evidence, references)
        for evidence, references in zip(counted.evidence, counted.references, strict=True)
    ]
    target = Target.human_or_machine(list(FILES), ["reference-2"], counted.segments)
    return learn(features, target, called_documents(read_labels(EXAMPLES / "documents.tsv")), folds=3)


@pytest.fixture
def saved(learned, tmp_path):
    learned.model.save(tmp_path / "model.json")
    return f"learned:model={tmp_path / 'model.json'}"


def test_the_metric_scores_as_the_model_predicted(learned, saved):
    for threads in (1, 2):
        found = score(FILES, [REFERENCE], [saved], level="segment", threads=threads)
        scores = np.stack([system.segments[0] for system in found.systems])
        assert np.abs(scores - learned.in_sample).max() < 1e-9
    whole = score(FILES, [REFERENCE], [saved])
    means = [system.scores[0].value for system in whole.systems]
    assert means == pytest.approx(learned.in_sample.mean(axis=1), abs=1e-9)


def test_what_it_was_learned_from_is_kept(learned):
    trained = learned.model.trained_on
    assert (trained.kind, trained.measure) == ("human-or-machine", "reference-2")
    assert (trained.systems, trained.segments, trained.translations, trained.documents) == (5, 60, 300, 6)
    assert (trained.by, trained.references, trained.folds) == ("document", (1, 1), 3)
    assert trained.quality == "balanced accuracy"
    assert trained.out_of_fold > 0.5
    assert [part.spec for part in learned.model.parts] == ["bleu", "chrf", "ter", "nist", "length-ratio"]


def test_systems_are_compared_by_it(saved):
    files = {name: FILES[name] for name in ("system-strong", "system-weak")}
    found = compare(files, [REFERENCE], [saved], samples=200)
    scores = score(files, [REFERENCE], [saved])
    pair = found.pairs[0]
    expected = scores[pair.first].scores[0].value - scores[pair.second].scores[0].value
    assert pair.metric == saved
    assert pair.difference == pytest.approx(expected, abs=1e-9)
    assert pair.better == "system-strong"


def test_a_combination_cannot_be_part_of_another(saved):
    with pytest.raises(UnderstudyError, match=r"cannot be part of another"):
        Feature("x", np.zeros((1, 1)), metric(saved))


# --- the file -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
def test_the_files_of_these_tests_are_as_they_would_be_written(name):
    written = (FOLDER / name).read_text(encoding="utf-8")
    assert written == MODELS[name].text(), "run: python tests/material/learned_models.py"


def test_a_file_comes_back_as_it_was_written(tmp_path):
    model = MODELS["learned.json"]
    for path in (tmp_path / "a.json", tmp_path / "ä b,c.json"):
        model.save(path)
        assert LearnedModel.load(path) == model
        assert path.read_bytes() == model.text().encode()
        assert metric(Learned(model=str(path)).spec) == Learned(model=str(path))
    packed = tmp_path / "model.json.gz"
    packed.write_bytes(gzip.compress(model.text().encode()))
    assert LearnedModel.load(packed).digest == model.digest


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    with pytest.raises(UnderstudyError, match=r"model.json' cannot be written"):
        MODELS["learned.json"].save(tmp_path / "nowhere" / "model.json")
    foreign = Part("COMET", 0.5, 0.1, 1.0, None, {})
    model = dataclasses.replace(MODELS["learned.json"], parts=(foreign,))
    with pytest.raises(UnderstudyError, match=r"'COMET'.*scores come from a file"):
        model.save(tmp_path / "model.json")
    assert os.listdir(tmp_path) == []


def changed(**changes):
    return lambda content: {**content, **changes}


def changed_part(**changes):
    return lambda content: {**content, "parts": [{**content["parts"][0], **changes}, *content["parts"][1:]]}


def changed_training(**changes):
    return lambda content: {**content, "trained_on": {**content["trained_on"], **changes}}


DAMAGED = {
    "another format": (changed(format="pickle"), 'expected "format"'),
    "a newer version": (changed(version=2), "version 2, expected 1"),
    "no intercept": (
        lambda content: {k: v for k, v in content.items() if k != "intercept"},
        "'intercept' is missing",
    ),
    "something unknown": (changed(kernel="rbf"), "'kernel' is unknown"),
    "a weight that is text": (changed_part(weight="1"), "'weight' is \"1\", expected a number"),
    "a weight that is true": (changed_part(weight=True), "expected a number"),
    "no scale": (changed_part(scale=0), "the scale of bleu is 0"),
    "a huge mean": (changed_part(mean=10**400), "expected a number"),
    "no parts": (changed(parts=[]), "'parts' is empty"),
    "parts that are none": (changed(parts=[1]), "'parts' is [1], expected a list of objects"),
    "an unknown part": (changed_part(spec="bleau"), "unknown metric 'bleau'"),
    "a part of the future": (changed_part(spec="bleu:color=red"), "unknown parameter 'color'"),
    "another tokenizer": (
        changed_part(choices={**MODELS["learned.json"].parts[0].choices, "tok": "14"}),
        "trained on bleu with tok:14, but this version computes it with tok:13a",
    ),
    "choices that are a list": (changed_part(choices=["tok"]), "'choices' is"),
    "an unknown kind": (changed_training(kind="dreams"), "'kind' is 'dreams'"),
    "less than no systems": (
        changed_training(systems=-1),
        "'systems' is -1, expected an integer of at least 0",
    ),
    "references of one number": (
        changed_training(references=[1]),
        "'references' is [1], expected two integers",
    ),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_file_is_refused(case, tmp_path):
    change, said = DAMAGED[case]
    path = tmp_path / "model.json"
    path.write_text(json.dumps(change(json.loads(MODELS["learned.json"].text()))), encoding="utf-8")
    with pytest.raises(UnderstudyError) as caught:
        metric(f"learned:model={path}")
    assert said in str(caught.value)
    assert "model.json" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "content", [b"", b"weights", b"[1]", b'{"version": 1}', b"\xff\xfe", b'{"a": NaN}', b"[" * 100_000]
)
def test_what_is_no_model_is_refused(content, tmp_path):
    (tmp_path / "model.json").write_bytes(content)
    with pytest.raises(UnderstudyError, match=r"model.json' is not a learned combination") as caught:
        LearnedModel.load(tmp_path / "model.json")
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UnderstudyError, match=r"no such file: '.*nothing.json'"):
        metric(f"learned:model={tmp_path / 'nothing.json'}")
