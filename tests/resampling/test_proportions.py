"""Intervals of shares beside statsmodels, exact tests beside scipy and brute force, and coverage in simulations."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, norm, t

from understudy.metrics.base.score import Interval
from understudy.resampling.proportions import mean_share_interval, sampled_sign_flip_p, sign_flip_p, wilson


@pytest.mark.parametrize(("right", "count"), [(0, 1), (1, 1), (0, 20), (7, 20), (20, 20), (399, 500)])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_wilson_is_that_of_statsmodels(right: int, count: int, confidence: float) -> None:
    proportion = pytest.importorskip("statsmodels.stats.proportion")
    expected = proportion.proportion_confint(right, count, 1 - confidence, method="wilson")
    found = wilson(right / count, count, confidence)
    assert (found.low, found.high) == pytest.approx(expected, abs=1e-12)


def bounds(interval: Interval) -> tuple[float, float]:
    return interval.low, interval.high


def test_one_observation_per_cluster_gives_wilson() -> None:
    successes = np.array([True] * 13 + [False] * 7)
    found = mean_share_interval(successes, np.zeros(20, dtype=np.intp), np.arange(20), 0.95)
    assert bounds(found) == pytest.approx(bounds(wilson(0.65, 20, 0.95)), abs=1e-12)


def test_identical_observations_of_a_cluster_count_as_one() -> None:
    """Their variance is estimated from 20 clusters, hence Student's t and n - 1."""
    successes = np.repeat([True] * 13 + [False] * 7, 5)
    found = mean_share_interval(successes, np.zeros(100, dtype=np.intp), np.arange(100) // 5, 0.95)
    effective = 19 * (norm.ppf(0.975) / t.ppf(0.975, 19)) ** 2
    assert bounds(found) == pytest.approx(bounds(wilson(0.65, effective, 0.95)), abs=1e-12)


def test_observations_of_a_cluster_that_differ_count_no_more_than_independent_ones() -> None:
    successes = np.tile([True, False], 20)
    found = mean_share_interval(successes, np.zeros(40, dtype=np.intp), np.arange(40) // 2, 0.95)
    alone = wilson(0.5, 40, 0.95)
    assert found.low <= alone.low < alone.high <= found.high


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_without_variance_the_clusters_count(share: float) -> None:
    successes = np.full(30, bool(share))
    found = mean_share_interval(successes, np.zeros(30, dtype=np.intp), np.arange(30) // 3, 0.95)
    assert found == wilson(share, 10, 0.95)


@pytest.mark.parametrize(
    ("strata", "segments", "alike", "accuracies"),
    [
        (1, 60, 0.0, (0.8, 0.8)),
        (6, 8, 0.4, (0.6, 0.9)),  # a small set: few segments, each with every phenomenon
        (20, 60, 0.3, (0.4, 0.99)),
        (10, 40, 0.0, (0.97, 0.97)),  # some phenomena without any error
    ],
)
def test_intervals_of_means_cover_the_true_mean(
    strata: int, segments: int, alike: float, accuracies: tuple[float, float]
) -> None:
    """Correlated observations with known shares: between 92.5% and 98.5% of 400 intervals at 95%."""
    generator = np.random.default_rng(5)
    true = np.linspace(*accuracies, strata)
    stratum, segment = np.repeat(np.arange(strata), segments), np.tile(np.arange(segments), strata)
    covered = 0
    for _ in range(400):
        effects = generator.normal(size=segments)[segment] * np.sqrt(alike)
        noise = generator.normal(size=len(segment)) * np.sqrt(1 - alike)
        successes = effects + noise < norm.ppf(true)[stratum]
        found = mean_share_interval(successes, stratum, segment, 0.95)
        covered += found.low <= true.mean() <= found.high
    assert 0.925 <= covered / 400 <= 0.985


# --- exact tests ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("first", "second"), [(0, 0), (1, 0), (5, 5), (12, 3), (300, 250), (900, 20)])
def test_signs_are_tested_as_by_mcnemar(first: int, second: int) -> None:
    contingency = pytest.importorskip("statsmodels.stats.contingency_tables")
    differences = np.array([1] * first + [-1] * second + [0] * 7)
    expected = contingency.mcnemar([[3, first], [second, 4]], exact=True).pvalue if first + second else 1.0
    assert sign_flip_p(differences) == pytest.approx(expected, rel=1e-9)
    if first + second:
        assert sign_flip_p(differences) == pytest.approx(binomtest(first, first + second).pvalue, rel=1e-9)


@settings(deadline=None)
@given(st.lists(st.integers(-4, 4), max_size=9))
def test_every_sign_flip(differences: list[int]) -> None:
    flipped = [sum(signs * np.array(differences)) for signs in product((-1, 1), repeat=len(differences))]
    expected = np.mean(np.abs(flipped) >= abs(sum(differences)))
    assert sign_flip_p(np.array(differences, dtype=np.int64)) == pytest.approx(expected, abs=1e-12)


def test_sampled_signs_approach_the_exact_test() -> None:
    differences = np.array([3] * 4 + [1] * 20 + [-1] * 12 + [-2] * 5)
    exact = sign_flip_p(differences)
    assert sampled_sign_flip_p(differences / 7, 100_000, 1) == pytest.approx(exact, abs=0.005)


def test_sampled_signs_without_a_difference() -> None:
    assert sampled_sign_flip_p(np.zeros(5), 100, 1) == 1.0


def test_sampled_signs_are_those_of_the_seed() -> None:
    differences = np.arange(-3.0, 6.0)
    assert sampled_sign_flip_p(differences, 500, 1) == sampled_sign_flip_p(differences, 500, 1)
    assert sampled_sign_flip_p(differences, 500, 1) != sampled_sign_flip_p(differences, 500, 2)


def test_true_null_hypotheses_are_rejected_at_the_level() -> None:
    """Two metrics of the same accuracy, right on different pairs, which are clustered by segment: at most 7% of 600."""
    generator = np.random.default_rng(3)
    rejected = 0
    for _ in range(600):
        by_segment = generator.integers(-3, 4, size=30)
        rejected += sign_flip_p(by_segment) <= 0.05
    assert 0.02 <= rejected / 600 <= 0.07
