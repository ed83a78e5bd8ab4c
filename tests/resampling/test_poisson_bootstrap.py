"""Sums that do not depend on order, and the Poisson bootstrap: against exact arithmetic, chances and known truth."""

from __future__ import annotations

import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from understudy._core import Column, name_hashes, poisson_weights
from understudy.errors import BadInput, LengthMismatch
from understudy.resampling.evidence import Evidence
from understudy.resampling.exact_sums import WHOLE, digits_of, exact_products, exact_sums_of, sums_of
from understudy.resampling.intervals import interval_of
from understudy.resampling.poisson_bootstrap import PoissonTotals, poisson_scores, totals_of
from understudy.resampling.samples import bootstrap_scores
from understudy.scoring.counted_systems import count_systems

EXAMPLES = Path(__file__).parents[2] / "examples"
MASK = 2**64 - 1


def numbers(seed: int) -> np.ndarray:
    """Of all sizes, with and without sign, and some that have no bits to spare."""
    generator = np.random.default_rng(seed)
    drawn = generator.normal(size=(300, 3)) * 10.0 ** generator.integers(-300, 290, size=(300, 3))
    drawn[:4] = [
        [0.0, -0.0, 5e-324],
        [-5e-324, 2.0**-1022, 1.0],
        [0.1, -0.1, 1e16],
        [2.0**53 + 2, 1 / 3, -1 / 3],
    ]
    return drawn


@pytest.mark.parametrize("seed", range(3))
def test_digits_add_up_exactly_in_any_order_and_in_any_parts(seed):
    table = numbers(seed)
    order = np.random.default_rng(seed + 9).permutation(len(table))
    totals = PoissonTotals(0, 0)
    for part in np.array_split(table[order], 7):
        totals.add([part], None)
    found = totals_of(totals.sums, 0)[0]
    assert found.tolist() == [math.fsum(column) for column in table.T]
    exact = exact_sums_of({position: digits.sum(axis=0) for position, digits in digits_of(table).items()})
    assert exact == [sum(map(Fraction, column)) for column in table.T.tolist()]
    assert np.array_equal(sums_of(digits_of(table)), table)


def test_what_is_not_a_number_is_refused():
    with pytest.raises(BadInput, match="not a finite number"):
        digits_of(np.array([1.0, math.inf]))


@pytest.mark.parametrize("largest", [100, 2**22, 2**45])
def test_products_are_exact_whatever_the_size(largest):
    generator = np.random.default_rng(largest)
    weights = generator.integers(0, 9, size=(200, 11)).astype(np.float32)
    digits = generator.integers(-largest, largest, size=(200, 4))
    expected = [
        [sum(int(w) * int(d) for w, d in zip(ws, ds, strict=True)) for ds in digits.T] for ws in weights.T
    ]
    assert exact_products(weights, digits, float(weights.sum(axis=0).max())).tolist() == expected


def mixed(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def weight_by_hand(name: str, sample: int, seed: int) -> int:
    """From the definition, in Python's integers."""
    golden = 0x9E3779B97F4A7C15
    number = 0xCBF29CE484222325
    for byte in name.encode():
        number = ((number ^ byte) * 0x100000001B3) & MASK
    state = mixed(mixed(number) ^ mixed((seed + golden) & MASK))
    bits = mixed((state + (sample // 2 + 1) * golden) & MASK)
    uniform = Fraction(bits >> 32 if sample % 2 == 0 else bits & (2**32 - 1), 2**32)
    weight, chance = 0, Fraction(math.exp(-1))
    at_most = chance
    while uniform >= at_most and weight < 12:
        weight += 1
        chance /= weight
        at_most += chance
    return weight


def weights_of(names: list[str], samples: int, seed: int) -> np.ndarray:
    weights = np.empty((len(names), samples), np.float32)
    poisson_weights(name_hashes(Column.from_strings(names)), weights, seed=seed)
    return weights


def test_weights_are_as_defined():
    names = ["", "1", "2", "segment 17", "é", "名"]
    for seed in (0, 1, 12345, MASK):
        expected = [[weight_by_hand(name, sample, seed) for sample in range(101)] for name in names]
        assert weights_of(names, 101, seed).tolist() == expected
    assert np.array_equal(weights_of(names, 50, 3), weights_of(names, 101, 3)[:, :50])


def test_weights_have_the_chances_of_the_poisson_distribution_and_are_independent():
    weights = weights_of([str(i) for i in range(2000)], 1000, 1)
    shares = np.bincount(weights.astype(int).ravel(), minlength=6) / weights.size
    expected = [math.exp(-1) / math.factorial(k) for k in range(6)]
    assert np.abs(shares[:6] - expected).max() < 5 * 0.5 / math.sqrt(weights.size)
    for table in (weights, weights.T):  # between samples of a segment, and between segments
        z = (table - table.mean(axis=1, keepdims=True)) / table.std(axis=1, keepdims=True)
        correlations = (z @ z.T / z.shape[1])[np.triu_indices(len(z), 1)]
        assert np.abs(correlations).max() < 6 / math.sqrt(z.shape[1])
        assert abs(correlations.std() * math.sqrt(z.shape[1]) - 1) < 0.02


@pytest.fixture(scope="module")
def population() -> Evidence:
    return count_systems(
        [str(EXAMPLES / "system-strong.en")], [str(EXAMPLES / "reference-1.en")], ["bleu"]
    ).evidence[0]


def drawn_from(population: Evidence, segments: int, generator: np.random.Generator) -> Evidence:
    from dataclasses import replace

    return replace(
        population, counts=population.counts[generator.integers(population.segments, size=segments)]
    )


def coverages(
    population: Evidence, segments: int, sets: int, samples: int = 200
) -> tuple[float, float, float]:
    """How often the intervals of Poisson and of usual samples contain the population's score, and how wide the former
    are in comparison.
    """
    truth, generator = population.scores[0], np.random.default_rng(5)
    names, covered, widths = [str(i) for i in range(segments)], np.zeros(2), np.zeros(2)
    for seed in range(sets):
        sampled = drawn_from(population, segments, generator)
        both = (poisson_scores(sampled, names, samples, seed), bootstrap_scores([sampled], samples, seed)[0])
        for index, drawn in enumerate(both):
            interval = interval_of(drawn[:, 0], 0.95)
            covered[index] += interval.low <= truth <= interval.high
            widths[index] += interval.high - interval.low
    return covered[0] / sets, covered[1] / sets, widths[0] / widths[1]


def test_intervals_cover_the_truth_as_often_as_those_of_usual_samples(population):
    poisson, usual, width = coverages(population, segments=150, sets=400)
    assert abs(poisson - usual) < 0.03
    assert 0.90 < poisson < 0.985
    assert abs(width - 1) < 0.03


def test_empty_samples_are_left_out(population):
    from dataclasses import replace

    one = replace(population, counts=population.counts[1:2])
    drawn = poisson_scores(one, ["x"], 1000, 1)
    assert 550 < len(drawn) < 710  # 1 - 1/e of them
    assert set(drawn[:, 0]) == {one.scores[0]}


def test_names_are_checked(population):
    with pytest.raises(LengthMismatch, match="got 2 names, expected one for each of 60 segments"):
        poisson_scores(population, ["a", "b"], 10, 1)
    with pytest.raises(BadInput, match="two segments have the same name"):
        poisson_scores(population, ["a"] * 60, 10, 1)
    assert np.array_equal(
        poisson_scores(population, range(60), 9, 1),
        poisson_scores(population, list(map(str, range(60))), 9, 1),
    )


def test_whole_numbers_stay_whole():
    totals = PoissonTotals(3, 1)
    totals.add([np.array([[2**60], [2**60]])], name_hashes(Column.from_strings(["a", "b"])))
    assert totals.sums[0, WHOLE][0, 0] == 2**61
