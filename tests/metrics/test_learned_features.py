"""The metric of learned feature weights, and the file that they are kept in."""

from __future__ import annotations

import builtins
import dataclasses
import json

import numpy as np
import pytest

from material.learned_models import FEATURES, ORDERS, WEIGHTS, feature_model
from reference import match_features as textbook
from understudy import LearnedFeatures, UnderstudyError, compare, decide, metric, score
from understudy.metrics.base.feature_model import FeatureModel
from understudy.metrics.base.learned_model import segment_choices

HYPOTHESES = ["the cat the cat sat", "a b", "", "no words in common"]
REFERENCES = [
    ["the cat sat", "a cat"],
    ["a b", "a a b"],
    ["it rained", "rain"],
    ["nothing like this", "here"],
]
KNOWN = metric(f"learned-features:model={FEATURES}")


def by_hand(hypothesis: str, references: list[str]) -> float:
    found = textbook.features(
        textbook.ngrams, hypothesis.split(), [each.split() for each in references], len(ORDERS)
    )
    whole = sum(
        weight * share
        for of_order, shares in zip(ORDERS, textbook.shares(found, len(ORDERS)), strict=True)
        for weight, share in zip(of_order, shares, strict=True)
    )
    single = sum(value * WEIGHTS.get((kind, " ".join(part)), 0.0) for (_, kind, part), value in found.items())
    return 50 + 10 * (whole + single)


def test_a_segment_is_the_weighted_sum_of_its_features():
    expected = [by_hand(*each) for each in zip(HYPOTHESES, REFERENCES, strict=True)]
    assert KNOWN.segments(HYPOTHESES, REFERENCES) == pytest.approx(expected, abs=1e-12)
    whole = KNOWN.corpus(HYPOTHESES, REFERENCES)
    assert whole.value == pytest.approx(np.mean(expected), abs=1e-12)
    assert len({round(value, 6) for value in expected}) == len(expected)


def test_equal_weights_of_matches_are_the_plain_metric(tmp_path):
    """The arithmetic mean of clipped precisions, which is HWCM and STM; on trees that are given."""
    from understudy import ParsedColumn

    trees = ParsedColumn.from_brackets(["(S (NP (PRON)) (VP (V) (NP (PRON))))", "(S (VP (V)))"])
    others = ParsedColumn.from_brackets(["(S (NP (PRON)) (VP (V) (NP (ART) (N))))", "(S (VP (V) (NP (N))))"])
    plain = metric("stm:max_depth=3,strict=true")
    model = dataclasses.replace(
        feature_model("stm:max_depth=3", "subtrees"),
        metric=dataclasses.replace(
            feature_model().metric,
            spec="stm:max_depth=3",
            choices=segment_choices(metric("stm:max_depth=3")),
            of_input=dict(plain.statistics(trees, others).of_input),
        ),
        center=0.0,
        scale=100.0,
        orders=((1 / 3, 0.0, 0.0),) * 3,
        buckets=np.array([], dtype=np.int64),
        weights=np.array([]),
    )
    model.save(tmp_path / "stm.json")
    learned = LearnedFeatures(model=str(tmp_path / "stm.json"))
    assert learned.segments(trees, others) == pytest.approx(plain.segments(trees, others), abs=1e-12)
    assert "unparsed" in learned.columns
    other = dataclasses.replace(model.metric, of_input={"trees": "another"})
    dataclasses.replace(model, metric=other).save(tmp_path / "other.json")
    learned = LearnedFeatures(model=str(tmp_path / "other.json"))
    with pytest.raises(UnderstudyError, match=r"was trained on stm:max_depth=3 with trees:"):
        learned.segments(trees, others)


def test_the_signature_names_the_file_and_the_metric():
    signature = str(KNOWN.corpus(HYPOTHESES, REFERENCES).signature)
    assert (
        f"model:{feature_model().digest}|features:ngrams|method:ridge|of:bleu:max_order=2(case=mixed;"
        in signature
    )
    assert "tok=13a" in signature


def test_files_round_trip_and_are_the_same_every_time(tmp_path):
    model = feature_model()
    model.save(tmp_path / "one.json")
    read = FeatureModel.load(tmp_path / "one.json")
    assert read.text() == model.text() == (tmp_path / "one.json").read_text()
    assert read.digest == json.loads(model.text())["digest"] == model.digest


def test_other_verbs_take_it():
    systems = {"a": HYPOTHESES, "b": [references[0] for references in REFERENCES]}
    assert len(score(systems, REFERENCES, [KNOWN]).systems) == 2
    assert len(compare(systems, REFERENCES, metrics=[KNOWN], samples=20).pairs) == 1
    assert len(decide([["the cat sat", "the cat"], ["it", "it rains"]], metrics=[KNOWN]).texts) == 2


DAMAGE = [
    (lambda text: text[:-40], "invalid JSON"),
    (lambda text: text.replace("-2.0", "-2.5"), "content has changed since it was written"),
    (lambda text: text.replace("understudy feature weights", "weights"), "is not a file of feature weights"),
    (lambda text: text.replace('"version": 1', '"version": 9'), "format version 9, expected 1"),
    (lambda _: "[]", "is not a file of feature weights"),
    (lambda text: text.replace('  "digest"', '  "more": 1,\n  "digest"'), "'more' is unknown"),
    (lambda text: text.replace('  "bits": 28,\n', ""), "'bits' is missing"),
]


@pytest.mark.parametrize(("damage", "said"), DAMAGE)
def test_damaged_files_are_refused(tmp_path, damage, said):
    path = tmp_path / "damaged.json"
    path.write_text(damage(feature_model().text()))
    with pytest.raises(UnderstudyError, match=said) as error:
        LearnedFeatures(model=str(path))
    assert "\n" not in str(error.value)


CHANGES = [
    ({"bits": 40}, "'bits' is 40, expected 8 to 32"),
    ({"buckets": [1, 1], "weights": [0.0, 1.0]}, "expected ascending buckets"),
    ({"buckets": [1, 2], "weights": [1.0]}, "with a weight each"),
    ({"buckets": [2**28], "weights": [1.0]}, "'buckets' is"),
    ({"weights": [1e9, 1, 1, 1]}, "a list of numbers from -1000 to 1000"),
    ({"scale": 0}, "'scale' is 0, expected a value above 0"),
    ({"orders": []}, "'orders' has 0 entries"),
    ({"orders": [{"matched": 1e9, "extra": 0, "missed": 0}]}, "a weight in 'orders' is above 1000"),
    ({"largest": [1]}, "'largest' is"),
    ({"center": "0"}, "'center' is"),
]


@pytest.mark.parametrize(("change", "said"), CHANGES)
def test_files_written_by_others_are_checked(tmp_path, change, said):
    """Even if their digest is right."""
    from understudy.metrics.base import feature_model as module

    content = {**json.loads(feature_model().text()), **change}
    content.pop("digest")
    path = tmp_path / "other.json"
    path.write_text(json.dumps({**content, "digest": module._digest(content)}))
    with pytest.raises(UnderstudyError, match=said):
        LearnedFeatures(model=str(path))


def test_a_file_of_other_settings_is_refused(tmp_path):
    model = feature_model()
    changed = dataclasses.replace(model.metric, choices={**model.metric.choices, "tok": "intl"})
    dataclasses.replace(model, metric=changed).save(tmp_path / "intl.json")
    with pytest.raises(UnderstudyError, match="was trained on bleu:max_order=2 with tok:intl"):
        LearnedFeatures(model=str(tmp_path / "intl.json"))
    for spec in ("bleu", "chrf"):
        other = dataclasses.replace(model.metric, spec=spec, choices=segment_choices(metric(spec)))
        dataclasses.replace(model, metric=other).save(tmp_path / "other.json")
        with pytest.raises(UnderstudyError, match="has weights of 2 orders of"):
            LearnedFeatures(model=str(tmp_path / "other.json")).segments(["a"], ["a"])


def test_no_file_is_said():
    with pytest.raises(UnderstudyError, match="no model file given"):
        LearnedFeatures().segments(["a"], ["a"])
    with pytest.raises(UnderstudyError, match=r"nowhere\.json"):
        LearnedFeatures(model="nowhere.json")


def test_it_scores_without_scikit_learn(monkeypatch):
    imported = builtins.__import__

    def without(name, *args, **options):
        if name.partition(".")[0] in ("sklearn", "scipy"):
            raise ImportError(name)
        return imported(name, *args, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    assert KNOWN.corpus(HYPOTHESES, REFERENCES).value != 0
