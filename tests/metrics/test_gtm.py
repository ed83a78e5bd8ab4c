"""GTM against the textbook on hostile words, and what its numbers mean."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from reference import gtm as textbook
from reference.hostile_words import pairs
from understudy import GTM, UnderstudyError, metric
from understudy._core import LENGTH_UNITS

EXAMPLES, PAIRS = 300, 48
CELLS = 900  # of the largest table of words by words that the textbook is asked to fill
EXPONENTS = (1.0, 1.5, 2.0, 7.0)


def gtm(exponent: float = 2.0) -> GTM:
    return GTM.preset("gtm-1.4", exponent=exponent)


def test_hostile_text():
    compared = 0

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(pairs(PAIRS, most_references=4))
    def compare(made):
        nonlocal compared
        made = [(h, r) for h, r in made if (len(h) + 1) * (sum(map(len, r)) + 1) <= CELLS]
        if not made:
            return
        exponent = EXPONENTS[compared % len(EXPONENTS)]
        rows = gtm(exponent).statistics(
            [" ".join(h) for h, _ in made], [[" ".join(r) for r in rs] for _, rs in made]
        )
        measures = gtm(exponent).measures(rows)
        for i, (hypothesis, references) in enumerate(made):
            expected = textbook.sizes(hypothesis, references, exponent)
            assert measures["f"][i] == pytest.approx(expected.f, rel=1e-12), (hypothesis, references)
            assert measures["precision"][i] == pytest.approx(expected.precision, rel=1e-12)
            assert measures["recall"][i] == pytest.approx(expected.recall, rel=1e-12)
            taken = textbook.run_lengths(
                hypothesis, references, min(Fraction(len(hypothesis)), expected.reference)
            )
            assert rows["runs"][i] == len(taken)
            assert Fraction(int(rows["matches"][i]), LENGTH_UNITS) == sum(taken)
        compared += len(made)

    compare()
    assert compared >= 10_000


@pytest.mark.parametrize("kinds", [2, 9, 60])
def test_longer_segments(kinds):
    generator = random.Random(kinds)
    hypothesis = [f"w{generator.randrange(kinds)}" for _ in range(110)]
    references = [[f"w{generator.randrange(kinds)}" for _ in range(size)] for size in (90, 130)]
    expected = textbook.sizes(hypothesis, references, 2.0)
    ours = gtm().segments([" ".join(hypothesis)], [[" ".join(reference) for reference in references]])
    assert ours[0] == pytest.approx(100 * expected.f, rel=1e-12)


@pytest.mark.parametrize("kinds", [1, 2, 300, 5_000])
def test_very_long_segments(kinds):
    """Where runs do not count, GTM counts the words that both have."""
    generator = random.Random(kinds)
    texts = [[f"w{generator.randrange(kinds)}" for _ in range(size)] for size in (5_000, 4_500)]
    common = sum((Counter(texts[0]) & Counter(texts[1])).values())
    row = gtm(1.0).statistics([" ".join(texts[0])], [" ".join(texts[1])])
    assert row["matches"][0] == row["size"][0] == common * LENGTH_UNITS
    assert row["size_rest"][0] == 0


def test_runs_of_known_lengths():
    """Blocks of different words, in another order: every block is one run."""
    generator = random.Random(5)
    lengths = [generator.randrange(2, 80) for _ in range(120)]
    blocks = [[f"b{b}w{w}" for w in range(length)] for b, length in enumerate(lengths)]
    turned = blocks[::-1]  # so that no two blocks that were neighbors are so still
    row = gtm(3.0).statistics([" ".join(map(" ".join, turned))], [" ".join(map(" ".join, blocks))])
    assert row["runs"][0] == len(blocks)
    size = sum(length**3 for length in lengths) ** (1 / 3)
    assert (row["size"][0] + row["size_rest"][0] / 2**32) / LENGTH_UNITS == pytest.approx(size, rel=1e-14)


def test_words_of_several_references_count_up_to_their_mean_length():
    score = gtm().corpus(["a b c d"], [["a b", "c d x"]])
    assert score.detail["ref_length"] == 2.5
    assert score.detail["matches"] == 2.5
    assert score.detail["size"] == pytest.approx(math.sqrt(2**2 + 0.5**2), rel=1e-15)
    assert score.detail["precision"] == pytest.approx(100 * math.sqrt(4.25) / 4)
    assert score.detail["recall"] == pytest.approx(100 * math.sqrt(4.25) / 2.5)


def test_no_run_crosses_from_one_reference_to_the_next():
    assert (
        gtm().corpus(["a b c d"], [["a b", "c d"]]).detail["runs"] == 1
    )  # the second is beyond the mean length
    assert gtm().corpus(["b c"], [["a b", "c d"]]).detail["runs"] == 2


def test_the_last_of_equally_long_runs_is_taken_first():
    """So the order of references can matter, and does here."""
    hypothesis = "y z q x y"
    one = gtm().statistics([hypothesis], [["x y z k k", "x y k k k"]])
    other = gtm().statistics([hypothesis], [["x y k k k", "x y z k k"]])
    assert int(one["runs"][0]) == 2
    assert one["size"][0] != other["size"][0]


def test_nothing_matches_nothing():
    for hypothesis, references in (("", ["a b"]), ("a b", [""]), ("", [""]), ("", ["", "a"])):
        assert gtm().corpus([hypothesis], [references]).value == 0


def test_a_large_exponent_leaves_the_longest_run():
    score = gtm(1e6).corpus(["a b c d e"], ["c d e a b"])
    assert score.detail["size"] == pytest.approx(3, rel=1e-5)


def test_sums_do_not_depend_on_the_parts():
    generator = random.Random(7)
    texts = [
        [" ".join(generator.choices("abcde", k=generator.randrange(12))) for _ in range(999)]
        for _ in range(2)
    ]
    whole = gtm(1.5).statistics(*texts)
    parts = [gtm(1.5).statistics(texts[0][i : i + 37], texts[1][i : i + 37]) for i in range(0, 999, 37)]
    generator.shuffle(parts)
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    assert np.array_equal(total.sum().array, whole.sum().array)
    assert float(gtm(1.5).score(total.sum())) == gtm(1.5).corpus_score(whole).value


@pytest.mark.parametrize("measure", ["f", "precision", "recall"])
def test_the_measure_is_the_score(measure):
    score = GTM(measure=measure).corpus(["the old cat"], ["the cat sat on the mat"])
    assert score.value == score.detail[measure]
    assert f"|measure:{measure}|" in str(score.signature)


def test_exponents():
    assert metric("gtm:exponent=3") == GTM(exponent=3) == GTM(exponent=3.0)
    assert GTM(exponent=3).label == "GTM-3"
    for exponent in (0.5, -1, math.inf, math.nan):
        with pytest.raises(UnderstudyError, match="expected a number of at least 1"):
            GTM(exponent=exponent)


def test_rounding_never_passes_the_best_score():
    """The mean of these lengths is no whole number of words, and all of it is matched."""
    words = [f"w{i}" for i in range(29)]
    references = [" ".join(words[:length]) for length in (16, 29, 2, 4, 3)]
    metric = GTM(measure="recall", exponent=1)
    assert metric.corpus([" ".join(words)], [references]).value == 100
