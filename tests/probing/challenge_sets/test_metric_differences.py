"""Differences between metrics on the same pairs: McNemar's exact test, whole segments, correction, error rates."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from understudy.probing.challenge_sets.results import ChallengeResults
from understudy.probing.challenge_sets.run import probe_pairs
from understudy.resampling.multiple_testing import corrected


def compared(
    *metrics: list[int], phenomena: list[str] | None = None, segments: list[int] | None = None, **plan: Any
) -> ChallengeResults:
    """Metrics that are right (1) or wrong (0) on pairs."""
    count = len(metrics[0])
    kinds, places = phenomena or ["p"] * count, segments or list(range(count))
    pairs = [{"good": "a", "bad": "b", "phenomenon": p, "seg": s} for p, s in zip(kinds, places, strict=True)]
    scores = {f"m{n}": (right, [0.5] * count) for n, right in enumerate(metrics)}
    return probe_pairs(pairs, scores=scores, **plan)


FIRST = [1] * 12 + [0] * 3 + [1] * 5
SECOND = [0] * 12 + [1] * 3 + [1] * 5


def test_a_phenomenon_is_tested_by_mcnemar() -> None:
    found = compared(FIRST, SECOND).differences[1]
    assert (found.phenomenon, found.test, found.only_first, found.only_second) == ("p", "mcnemar", 12, 3)
    assert found.uncorrected == pytest.approx(binomtest(12, 15).pvalue, rel=1e-9)
    assert found.difference == pytest.approx(9 / 20)


def test_with_one_metric_there_are_no_differences() -> None:
    assert compared(FIRST).differences == ()


def test_metrics_that_agree_do_not_differ() -> None:
    assert {found.p_value for found in compared(FIRST, FIRST).differences} == {1.0}


def test_pairs_of_a_segment_are_exchanged_together() -> None:
    segments = [place // 3 for place in range(20)]
    found = compared(FIRST, SECOND, segments=segments).differences[1]
    by_segment = np.bincount(segments, weights=np.array(FIRST) - np.array(SECOND))
    flips = [abs(np.dot(signs, by_segment)) for signs in product((-1, 1), repeat=len(by_segment))]
    assert found.test == "permutation"
    assert found.uncorrected == pytest.approx(np.mean(np.array(flips) >= abs(by_segment.sum())), abs=1e-12)


def test_the_mean_over_phenomena_is_tested_by_exchanging_segments() -> None:
    """Beside all exchanges of the segments that differ."""
    phenomena = ["p"] * 4 + ["q"] * 8
    segments = [0, 1, 2, 3, 0, 1, 2, 3, 4, 5, 6, 7]
    first, second = [1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 0, 1], [0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 0, 1]
    found = compared(first, second, phenomena=phenomena, segments=segments, samples=40_000).differences[0]
    weights = np.array([1 / 8] * 4 + [1 / 16] * 8)
    by_segment = np.bincount(segments, weights=weights * (np.array(first) - np.array(second)))
    flips = [abs(np.dot(signs, by_segment)) for signs in product((-1, 1), repeat=8)]
    assert found.phenomenon is None
    assert found.difference == pytest.approx(by_segment.sum())
    assert found.uncorrected == pytest.approx(np.mean(np.array(flips) >= by_segment.sum() - 1e-12), abs=0.01)


@pytest.mark.parametrize("method", ["holm", "bh", "none"])
def test_phenomena_and_means_are_corrected_separately(method: str) -> None:
    phenomena = ["p"] * 10 + ["q"] * 10
    third = [1, 0] * 10
    found = compared(FIRST, SECOND, third, phenomena=phenomena, correct=method).differences
    for family in (found[:3], found[3:]):
        expected = corrected(np.array([each.uncorrected for each in family]), method)
        assert [each.p_value for each in family] == expected.tolist()


def test_significant_is_at_most_the_level() -> None:
    at_level = compared(FIRST, SECOND, significance=0.04).differences[1]
    below = compared(FIRST, SECOND, significance=0.03).differences[1]
    assert (at_level.significant, below.significant) == (True, False)  # p = 0.035


def test_true_null_hypotheses_are_rejected_at_the_level() -> None:
    """Two metrics that are right independently, with accuracy 0.7: at most 7.5% of 400 mean differences."""
    generator = np.random.default_rng(8)
    phenomena = ["p"] * 20 + ["q"] * 40
    rejected = 0
    for _ in range(400):
        first, second = (generator.random((2, 60)) < 0.7).astype(int).tolist()
        found = compared(first, second, phenomena=phenomena, samples=400)
        rejected += found.differences[0].uncorrected <= 0.05
    assert 0.025 <= rejected / 400 <= 0.075
