"""Why two specs disagree: the steps lead from one score to the other, and name what is to blame."""

from __future__ import annotations

import math
from itertools import pairwise, permutations

import pytest

from material.golden import GOLDEN
from material.shared import needs
from understudy import BLEU, errors
from understudy.comparing.explanation import Explanation, explain
from understudy.metrics.base.registry import metric as metric_of
from understudy.metrics.base.registry import metrics, other_spec

EDGE = GOLDEN / "inputs" / "edge"

HYPOTHESES = ["The cat sat on the mat.", "GRÖSSE über 3.5%", "It's raining, isn't it?", "x", ""]
REFERENCES = [
    ["the cat sat on a mat.", "A cat was on the mat."],
    ["Grösse über 3.5 %"],
    ["It is raining, isn't it?", "it rains"],
    ["x"],
    ["nothing"],
]


def contributions(found: Explanation) -> dict[str, float]:
    return {",".join(step.changes): step.contribution for step in found.steps}


PAIRS = [
    (f"{name}:{first}", f"{name}:{second}")
    for name, known in metrics().items()
    for first, second in permutations(known.presets, 2)
] + [
    ("bleu:smooth=floor,smooth_value=0.01", "bleu:tokenize=intl,smooth=add-k,smooth_value=2"),
    ("bleu:max_order=2,weights=0.3/0.7,lowercase=true", "bleu:max_order=3,brevity=average"),
    ("ter:normalized=true,asian_support=true", "ter:tokenize=13a,max_shift_size=0"),
    ("chrf:lowercase=true,word_order=2", "chrf:beta=3,char_order=4"),
    ("wer", "wer:ref_length=average,lowercase=true"),
    ("nist", "nist:tokenize=intl,lowercase=true"),
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_steps_lead_from_one_score_to_the_other(first: str, second: str) -> None:
    one, other = metric_of(first), metric_of(second)
    if lack := one.missing or other.missing:
        pytest.skip(lack)
    references = REFERENCES if one.reads_references else None
    found = explain(HYPOTHESES, references, first, against=second)
    assert found.first_score == one.corpus(HYPOTHESES, references).value
    assert found.second_score == other.corpus(HYPOTHESES, references).value
    assert found.steps == [] or found.steps[-1].spec == found.second
    scores = [found.first_score, *(step.score for step in found.steps)]
    assert [step.contribution for step in found.steps] == [
        after - before for before, after in pairwise(scores)
    ]
    assert scores[-1] == found.second_score
    assert math.fsum(step.contribution for step in found.steps) == pytest.approx(found.difference, abs=1e-12)
    changed = [name for step in found.steps for name in step.changes]
    assert sorted(changed) == sorted(
        name for name in one.parameters() if getattr(one, name) != getattr(other, name)
    )


def test_case_and_tokens_come_first_and_a_number_comes_with_its_method() -> None:
    found = explain(
        HYPOTHESES, REFERENCES, "chrf:average=eps,char_order=3,lowercase=true", against="chrf:word_order=2"
    )
    assert [list(step.changes) for step in found.steps] == [
        ["lowercase"],
        ["char_order"],
        ["word_order"],
        ["average"],
    ]
    found = explain(HYPOTHESES, REFERENCES, "bleu:smooth=floor,smooth_value=0.5,max_order=2", against="bleu")
    assert [list(step.changes) for step in found.steps] == [["max_order"], ["smooth", "smooth_value"]]
    assert found.steps[1].changes["smooth_value"] == ("0.5", "default")


def test_ascii_lower_casing_is_to_blame() -> None:
    """mteval folds A to Z only, sacreBLEU all letters."""
    found = explain(
        ["CAFÉS ÜBER dem See sind heute zu"],
        ["cafés über dem See sind heute zu"],
        "bleu:lowercase=true",
        against="mteval-v13a",
    )
    assert found.difference < 0
    assert contributions(found)["lowercase"] == found.difference
    assert found.steps[0].changed["matches_1"] == (7, 5)
    (parting,) = found.partings
    assert parting.first.tokens[:2] == ["cafés", "über"]
    assert parting.second.tokens[:2] == ["cafÉs", "Über"]


def test_the_rule_for_empty_orders_is_to_blame() -> None:
    found = explain(["x y"], ["x y"], against="bleu:mteval-v13a")
    assert (found.first_score, found.second_score) == pytest.approx((0, 100))
    assert contributions(found) == {
        "lowercase": 0,
        "effective_order": 0,
        "empty_order": found.difference,
        "no_match": 0,
    }
    assert found.steps[2].changed["precisions_4"] == (0.0, 100.0)


@needs(EDGE)
def test_the_known_difference_on_the_golden_texts() -> None:
    hypotheses, references = (
        (EDGE / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")
        for name in ("sys-Y.en", "refA.en")
    )
    found = explain(hypotheses, references, "bleu:lowercase=true", against="mteval-v13a")
    assert found.difference == pytest.approx(-0.34, abs=0.005)
    assert contributions(found)["lowercase"] == found.difference
    assert "GRÖSSE" in found.partings[1].hypothesis or "GRÖSSE" in found.partings[0].hypothesis


def test_what_matches_on_one_side_only() -> None:
    found = explain(HYPOTHESES, REFERENCES, against="lowercase=true", segments=10)
    assert [parting.number for parting in found.partings] == [1, 2]
    assert found.parted == 2
    first = found.partings[0]
    assert first.first.tokens == ["The", "cat", "sat", "on", "the", "mat", "."]
    assert first.second.references[1] == ["a", "cat", "was", "on", "the", "mat", "."]
    assert first.first.only_here == []
    assert first.second.only_here == ["the cat", "the cat sat", "the cat sat on"]
    assert first.second.score == pytest.approx(BLEU(lowercase=True).segments(HYPOTHESES, REFERENCES)[0])
    assert explain(HYPOTHESES, REFERENCES, against="lowercase=true", segments=1).parted == 2


def test_matches_are_clipped_by_the_reference_that_has_most() -> None:
    found = explain(["The the THE"], [["the x the", "the"]], against="lowercase=true,max_order=1")
    assert found.partings[0].second.only_here == ["the"]
    assert found.steps[0].changed["matches_1"] == (1, 2)


def test_equal_specs_say_so() -> None:
    found = explain(HYPOTHESES, REFERENCES, "bleu", against="sacrebleu")
    assert str(found) == "Both specs set the same parameters (bleu): there is no difference to explain."
    assert (found.steps, found.partings, found.difference) == ([], [], 0)


def test_metrics_without_words_part_too() -> None:
    found = explain(HYPOTHESES, REFERENCES, "chrf", against="chrf++")
    assert found.partings[0].first.tokens == []
    assert found.partings[0].first.score != found.partings[0].second.score


@pytest.mark.parametrize(
    ("metric", "against", "says"),
    [
        ("bleu", "chrf", "'bleu' and 'chrf' are different metrics"),
        ("ter", "bleu:nltk", "understudy score -m ter -m bleu:nltk"),
        ("bleu", "mteval", "Did you mean 'mteval-v13a'"),
        ("bleu", "bleu:nothing", "unknown preset 'nothing'"),
        ("bleu", "tokenzie=intl", "Did you mean 'tokenize'"),
    ],
)
def test_what_cannot_be_explained_is_refused(metric: str, against: str, says: str) -> None:
    with pytest.raises(errors.BadParameter, match=says):
        other_spec(metric_of(metric), against)
