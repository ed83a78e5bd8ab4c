"""Wilcoxon's signed-rank test (1945) and the estimate that belongs to it: the pseudo-median of the differences.

That is the median of the means of all pairs of differences, a difference with itself included (Hodges & Lehmann 1963).
Its interval holds every shift of the differences that the test would not reject. Differences of 0 are left out by the
test, so they are by the estimate.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.arrays import Floats
from understudy.resampling import student

_STEPS = (
    60  # of halving the range in which a mean of two differences is sought: beyond what a float tells apart
)


def signed_rank_p(differences: Floats) -> float:
    """The p-value of the test, two-sided; 1 where nothing differs."""
    from scipy.stats import wilcoxon

    nonzero = differences[differences != 0]
    return float(wilcoxon(nonzero).pvalue) if len(nonzero) else 1.0


def pseudo_median(differences: Floats, confidence: float) -> tuple[float, float, float]:
    """The estimate, and the bounds of its interval.

    >>> pseudo_median(np.array([1.0, 2.0, 4.0, 0.0]), 0.5)  # of 1, 1.5, 2, 2.5, 3 and 4
    (2.25, 1.5, 3.0)
    """
    ordered = np.sort(differences[differences != 0])
    count = len(ordered)
    if count == 0:
        return 0.0, 0.0, 0.0
    means = count * (count + 1) // 2
    # By the normal approximation of how many means are below the true one: between which ranks they bound it.
    spread = math.sqrt(count * (count + 1) * (2 * count + 1) / 24)
    below = max(1, math.floor(means / 2 - student.bound((1 - confidence) / 2, math.inf) * spread + 0.5))
    middle = [_mean_of_rank(ordered, rank) for rank in {(means + 1) // 2, means // 2 + 1}]
    bounds = _mean_of_rank(ordered, below), _mean_of_rank(ordered, means + 1 - below)
    return sum(middle) / len(middle), *bounds


def _mean_of_rank(ordered: Floats, rank: int) -> float:
    """The mean of two differences that is so many-th, from the smallest: n (n + 1) / 2 of them are too many to list."""
    places = np.arange(len(ordered))

    def up_to(value: float) -> int:
        """How many means are no larger."""
        partners = np.searchsorted(ordered, 2 * value - ordered, side="right")
        return int(np.maximum(partners - places, 0).sum())

    low, high = float(ordered[0]), float(ordered[-1])
    for _ in range(_STEPS):
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        low, high = (low, middle) if up_to(middle) >= rank else (middle, high)
    return low if up_to(low) >= rank else high
