"""Pairwise and aggregated utilities: BLEU and chrF, which count whole sets at once, and what all metrics take."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import pytest

from reference.aggregation import aggregated_bleu, aggregated_chrf
from reference.bleu import TextbookBLEU
from reference.chrf import TextbookCHRF
from understudy import BLEU, CHRF, TER, Metric, ParsedColumn, metric, parse
from understudy.errors import UnderstudyError
from understudy.metrics.base import utilities
from understudy.metrics.base.candidate_sets import CandidateSets, as_candidate_sets
from understudy.metrics.base.metric_names import METRICS_BY_NAME
from understudy.metrics.base.utilities import counted_pairs, group_utilities

WORDS = (
    *("the", "a", "cat", "dog", "sat", "on", "mat", ".", ",", "it's", '"hi"', "3.5", "1,000", "&amp;", "(x)"),
    *("Zürich", "ÉTÉ", "İstanbul", "über", "中文", "a-b", "x\u00a0y", "\U0001f600"),
    *("internationalization", "Donaudampfschifffahrtsgesellschaft"),
)

COUNTED_AS_SETS = [
    BLEU(tokenize="13a"),
    BLEU(tokenize="13a", lowercase=True),
    BLEU(tokenize="char", brevity="average"),
    BLEU(tokenize="none", smooth="chen-cherry-5"),
    BLEU(tokenize="13a", max_order=1),
    BLEU(tokenize="intl", weights=(0.4, 0.3, 0.2, 0.1), smooth="floor"),
    metric("bleu:nltk"),
    metric("bleu:nltk,smooth=chen-cherry-6"),
    metric("bleu:mteval-v13a"),
    metric("bleu:sentence-bleu"),
    metric("round-trip-bleu:tokenize=13a"),
    CHRF(),
    CHRF(lowercase=True, whitespace=True),
    CHRF(word_order=2),
    CHRF(word_order=3, char_order=0),
    CHRF(word_order=2, average="eps", beta=1.5),
    CHRF(char_order=1),
]
every_one = pytest.mark.parametrize("law_of", COUNTED_AS_SETS, ids=lambda law_of: law_of.spec)


def texts(generator: random.Random, most: int) -> list[str]:
    """Up to so many texts, of which some are empty, some of one word, some alike, and some repeat words often."""
    found = []
    for _ in range(generator.randint(1, most)):
        words = generator.choices(WORDS, k=generator.choice([0, 1, 2, 3, 5, 9, 40]))
        found.append(" ".join(words))
        if generator.random() < 0.5:
            found.append(" ".join([*words, generator.choice(WORDS)]))
    return found


# --- exact pairs --------------------------------------------------------------------------------------------


@every_one
def test_sets_score_as_pairs_do(law_of: Metric) -> None:
    generator = random.Random(8)
    for threads in (1, 2, 3):
        for _ in range(6):
            candidates = [texts(generator, 10) for _ in range(generator.randint(1, 9))]
            for references in (None, [texts(generator, 6) for _ in candidates]):
                sets = as_candidate_sets(candidates, references)
                assert np.array_equal(law_of.scores_of_pairs(sets, threads), counted_pairs(law_of, sets, 1))


@every_one
@pytest.mark.parametrize("themselves", [True, False])
def test_a_large_set_scores_as_pairs_do(law_of: Metric, themselves: bool) -> None:
    """Large enough for rare n-grams to be listed and frequent ones to be bits, and for threads to share it."""
    generator = random.Random(5)
    candidates = texts(generator, 1) * 2
    while len(candidates) < 170:
        candidates += texts(generator, 9)
    sets = as_candidate_sets(candidates, None if themselves else [*candidates[5:], "a dog ."])
    expected = counted_pairs(law_of, sets, 2)
    for threads in (1, 3):
        assert np.array_equal(law_of.scores_of_pairs(sets, threads), expected)


def test_counts_of_an_ngram_are_clipped_by_both_texts() -> None:
    found = BLEU(tokenize="none", max_order=1, smooth="none").pairwise(["a a a b", "a b b", "b"])
    assert found.round(4).tolist() == [
        [100.0, 50.0, 25.0],
        [round(100 * 2 / 3 * math.exp(1 - 4 / 3), 4), 100.0, 33.3333],
        [round(100 * math.exp(1 - 4), 4), round(100 * math.exp(1 - 3), 4), 100.0],
    ]


def test_means_in_parts_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = random.Random(2)
    candidates = [texts(generator, 9) for _ in range(12)]
    references = [texts(generator, 5) for _ in range(12)]
    weights = [[generator.random() for _ in one] for one in references]
    whole = CHRF().expected_utility(candidates, references, weights=weights)
    for most in (1, 7, 40, 200):
        monkeypatch.setattr(utilities, "_SCORES_AT_ONCE", most)
        assert all(
            map(np.array_equal, CHRF().expected_utility(candidates, references, weights=weights), whole)
        )
        monkeypatch.setattr(utilities, "_PAIRS_AT_ONCE", most)
        parts = TER().pairwise(candidates[:3], references[:3])
        monkeypatch.undo()
        assert all(map(np.array_equal, parts, TER().pairwise(candidates[:3], references[:3])))


def test_a_mean_is_rounded_once() -> None:
    generator = random.Random(4)
    references = [text for _ in range(30) for text in texts(generator, 9)]
    scores = CHRF().pairwise(WORDS, references)
    expected = [math.fsum(row) / len(references) for row in scores]
    assert CHRF().expected_utility(WORDS, references).tolist() == expected
    weights = np.array([generator.choice([0.1, 1e-9, 3.0, 1e5]) for _ in references])
    expected = [math.fsum(row) / math.fsum(weights) for row in scores * weights]
    assert CHRF().expected_utility(WORDS, references, weights=weights).tolist() == expected


# --- aggregated references ----------------------------------------------------------------------------------

AGGREGATED = {
    "chrf": (CHRF(), TextbookCHRF()),
    "chrf++": (CHRF(word_order=2, whitespace=True), TextbookCHRF(word_order=2, whitespace=True)),
    "eps": (CHRF(average="eps", lowercase=True), TextbookCHRF(average="eps", lowercase=True)),
    "bleu": (BLEU(tokenize="none"), TextbookBLEU(smooth="exp", effective_order=True)),
    "average": (
        BLEU(tokenize="none", brevity="average", smooth="add-k"),
        TextbookBLEU(smooth="add-k", effective_order=True),
    ),
    "arithmetic": (
        BLEU(tokenize="none", average="arithmetic", brevity_steepness=0.5),
        TextbookBLEU(smooth="exp", effective_order=True, average="arithmetic", brevity_steepness=0.5),
    ),
    "nltk": (metric("bleu:nltk"), TextbookBLEU(empty_order="count-one")),
}


def aggregated(textbook: Any, hypothesis: str, references: list[str], weights: Any) -> float:
    if isinstance(textbook, TextbookCHRF):
        return aggregated_chrf(textbook, hypothesis, references, weights)
    split = [reference.split() for reference in references]
    return 100 * aggregated_bleu(textbook, hypothesis.split(), split, weights)


@pytest.mark.parametrize("name", AGGREGATED)
def test_aggregated_references_have_mean_counts(name: str) -> None:
    law_of, textbook = AGGREGATED[name]
    generator = random.Random(name)
    candidates = [texts(generator, 5) for _ in range(7)]
    for references in (None, [texts(generator, 7) for _ in candidates]):
        weights = [
            [generator.choice([0, 0.3, 1, 2.5]) + 0.1 * (not i) for i in range(len(one))]
            for one in references or candidates
        ]
        for used in (None, weights):
            found = law_of.expected_utility(
                candidates, references, aggregated=True, weights=used, threads=generator.randint(1, 3)
            )
            for i, of_one in enumerate(found):
                expected = [
                    aggregated(textbook, text, (references or candidates)[i], used and used[i])
                    for text in candidates[i]
                ]
                assert of_one.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("law_of", [CHRF(word_order=2), BLEU(tokenize="13a")], ids=["chrf++", "bleu"])
def test_groups_are_aggregated_one_by_one(law_of: Metric) -> None:
    generator = random.Random(1)
    candidates = [[*texts(generator, 5), "a cat", "a dog", "the cat"] for _ in range(6)]
    others = [[*texts(generator, 7), "a mat", "the mat", "on"] for _ in candidates]
    for references in (others, None):
        of_each = references or candidates
        groups = [[0, 1, 2, *generator.choices([0, 1, 2], k=len(one) - 3)] for one in of_each]
        weights = [[generator.choice([1, 0.25]) for _ in one] for one in of_each]
        for used in (None, weights):
            found = group_utilities(law_of, candidates, references, groups=groups, weights=used)
            for i, matrix in enumerate(found):
                assert matrix.shape == (len(candidates[i]), 3)
                for group in range(3):
                    members = [r for r, number in enumerate(groups[i]) if number == group]
                    expected = law_of.expected_utility(
                        candidates[i],
                        [of_each[i][r] for r in members],
                        weights=used and [used[i][r] for r in members],
                        aggregated=True,
                    )
                    assert matrix[:, group] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("law_of", [CHRF(word_order=2), BLEU(tokenize="13a")], ids=["chrf++", "bleu"])
def test_the_order_of_aggregated_references_makes_no_difference(law_of: Metric) -> None:
    generator = random.Random(6)
    candidates, references = texts(generator, 9), [text for _ in range(9) for text in texts(generator, 9)]
    expected = law_of.expected_utility(candidates, references, aggregated=True)
    generator.shuffle(references)
    assert np.array_equal(law_of.expected_utility(candidates, references, aggregated=True), expected)


def test_an_aggregate_is_not_the_mean() -> None:
    """The aggregate of one and three words has two of them, which no reference has."""
    plain = BLEU(tokenize="none", max_order=1, smooth="none")
    found = plain.expected_utility(["a a"], ["a a a", "a"])
    assert found.tolist() == pytest.approx([(100 * math.exp(1 - 3 / 2) + 50) / 2])
    assert plain.expected_utility(["a a"], ["a a a", "a"], aggregated=True).tolist() == pytest.approx([100])


# --- what is taken and what is refused ------------------------------------------------------------------------


def test_columns_of_any_kind() -> None:
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    candidates, references = ["the cat", "a dog", ""], ["a cat", "the dog"]
    expected = CHRF().pairwise(candidates, references)
    for kind in (tuple, np.array, pandas.Series, pyarrow.array, iter, lambda x: pyarrow.chunked_array([x])):
        assert np.array_equal(CHRF().pairwise(kind(candidates), kind(references)), expected)
    for kind in (pandas.Series, pyarrow.array, iter, lambda x: [np.array(one) for one in x]):
        found, alone = CHRF().pairwise(kind([candidates, ["a"]]), kind([references, ["a"]]))
        assert np.array_equal(found, expected)
        assert alone.tolist() == [[100.0]]


def test_a_reference_per_segment() -> None:
    found = CHRF().pairwise([["a cat", "the cat"], ["a dog"]], ["the cat", "a dog"])
    expected = CHRF().segments(["a cat", "the cat", "a dog"], ["the cat", "the cat", "a dog"])
    assert [matrix.tolist() for matrix in found] == [expected[:2, None].tolist(), [[100.0]]]


def test_trees_are_kept() -> None:
    law_of = metric("hwcm")
    if law_of.missing:
        pytest.skip(law_of.missing)
    candidates, references = ["The dog barked .", "A dog slept .", "Cats sleep ."], ["The dog slept ."]
    expected = law_of.pairwise(candidates, references)
    parsed, other = parse(candidates), parse(references)
    assert np.array_equal(law_of.pairwise(parsed, other), expected)
    nested = law_of.pairwise([parsed, parsed[:1]], [other, other])
    assert np.array_equal(nested[0], expected)
    assert np.array_equal(nested[1], expected[:1])
    given = ParsedColumn.from_brackets(
        ["(S (NP (PRP I)) (VP (VBD slept)))", "(S (NP (PRP We)) (VP (VBD slept)))"]
    )
    assert metric("stm").pairwise(given).tolist() == [[100.0, 100.0], [100.0, 100.0]]


def test_a_metric_is_fitted_on_all_references() -> None:
    nist = metric("nist:tokenize=13a")
    candidates, references = [["a cat sat", "the cat"], ["a dog"]], [["the cat sat"], ["a dog sat", "dogs"]]
    fitted = nist.fit([text for one in references for text in one])
    for found, expected in zip(
        nist.pairwise(candidates, references), fitted.pairwise(candidates, references), strict=True
    ):
        assert np.array_equal(found, expected)


@dataclass(frozen=True, kw_only=True, repr=False)
class _Halved(BLEU):
    """BLEU that scores in its own way, and must not get BLEU's scores."""

    name: ClassVar[str] = "halved"

    def score(self, statistics: Any) -> Any:
        return super().score(statistics) / 2


METRICS_BY_NAME.pop("halved")


def test_a_metric_derived_from_bleu_keeps_its_own_scores() -> None:
    texts = ["the cat sat on the mat", "a cat sat on the mat"]
    halved = _Halved(tokenize="13a")
    assert np.array_equal(halved.pairwise(texts), BLEU(tokenize="13a").pairwise(texts) / 2)
    with pytest.raises(UnderstudyError, match="halved cannot aggregate"):
        halved.expected_utility(texts, aggregated=True)


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a string": (lambda: CHRF().pairwise("a"), "candidates: got a single str, expected a list"),
    "nothing": (lambda: CHRF().pairwise([]), r"candidates: the list is empty\."),
    "an empty column": (lambda: CHRF().pairwise(np.array([], str)), r"candidates: there are none\."),
    "a number": (lambda: CHRF().pairwise(5), r"candidates: got int"),
    "numbers": (lambda: CHRF().pairwise(["a", 5]), r"candidates: text 2 is int \('5'\), expected a string\."),
    "no text": (lambda: CHRF().pairwise(["a"], ["a", None]), "references: text 2 is None, expected a string"),
    "no candidates": (
        lambda: CHRF().pairwise([["a"], []]),
        r"candidates: segment 2 has none, expected at least one",
    ),
    "a text among lists": (
        lambda: CHRF().pairwise([["a"], "b"]),
        r"candidates: segment 2 is str \('b'\), expected a list of texts\.",
    ),
    "a number in a list": (
        lambda: CHRF().pairwise([["a"], ["b", 3]]),
        "candidates: text 2 of segment 2 is int",
    ),
    "a surrogate": (lambda: CHRF().pairwise(["a\ud800"]), r"candidates: text 1 has a lone surrogate"),
    "lists of references alone": (
        lambda: CHRF().pairwise(["a"], [["b"]]),
        "references: got a list per segment, but candidates are the texts of one segment",
    ),
    "another number of segments": (
        lambda: CHRF().pairwise([["a"]], ["b", "c"]),
        "candidates have 1 segment, references have 2",
    ),
    "threads": (lambda: CHRF().pairwise(["a"], threads=0), "threads=0: expected an integer"),
    "Chinese": (
        lambda: BLEU().pairwise(["我们今天去公园玩"] * 3),
        "references: Chinese text, which the default",
    ),
    "too few weights": (
        lambda: CHRF().expected_utility(["a", "b"], weights=[1]),
        "weights: got 1 number, expected 2, one per reference",
    ),
    "weights of no list": (lambda: CHRF().expected_utility([["a"]], weights=3), "weights: got int"),
    "too few lists of weights": (
        lambda: CHRF().expected_utility([["a"], ["b"]], weights=[[1]]),
        "weights: got 1 lists, expected 2",
    ),
    "weights below 0": (
        lambda: CHRF().expected_utility(["a"], weights=[-1]),
        "weights: expected finite numbers",
    ),
    "no number": (
        lambda: CHRF().expected_utility(["a"], weights=[math.nan]),
        "weights: expected finite numbers",
    ),
    "words": (
        lambda: CHRF().expected_utility(["a"], weights=["x"]),
        "weights: expected numbers, one per ref",
    ),
    "no weight": (
        lambda: CHRF().expected_utility([["a"], ["b"]], weights=[[1], [0]]),
        "weights of segment 2: all are 0",
    ),
    "a gap between groups": (
        lambda: group_utilities(CHRF(), [["a"], ["b", "c"]], groups=[[0], [0, 2]]),
        "groups of segment 2: group 1 has no reference with a weight above 0",
    ),
    "half a group": (lambda: group_utilities(CHRF(), ["a"], groups=[0.5]), "groups: expected integers"),
    "TER": (
        lambda: TER().expected_utility(["a"], aggregated=True),
        "ter cannot aggregate references. Metrics that can: bleu, chrf, round-trip-bleu",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_it_is_refused(what: str) -> None:
    refused, message = REFUSED[what]
    with pytest.raises(UnderstudyError, match=message) as caught:
        refused()
    assert "\n" not in str(caught.value)


def test_pairs_are_listed_candidate_by_candidate() -> None:
    sets: CandidateSets = as_candidate_sets([["a", "b"], ["c"]], [["d"], ["e", "f"]])
    assert [rows.tolist() for rows in sets.pairs(0, 4)] == [[0, 1, 2, 2], [0, 0, 1, 2]]
    assert [rows.tolist() for rows in sets.pairs(1, 3)] == [[1, 2], [0, 1]]
