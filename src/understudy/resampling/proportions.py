"""Shares of segments: confidence intervals, and an exact test of the difference between two shares.

Formulas: Wilson's interval (1927) of a share; for the mean of several shares, the square-and-add rule with correlations
(Newcombe 1998; Zou and Donner 2008); McNemar's exact test (1947).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import ROUNDING, Floats
from understudy.metrics.base.score import Interval
from understudy.resampling.student import bound


def wilson(share: float, count: float, confidence: float) -> Interval:
    """Wilson's score interval of a share of `count` independent observations, which need not be a whole number.

    >>> found = wilson(0.9, 10, 0.95)
    >>> round(found.low, 3), round(found.high, 3)
    (0.596, 0.982)
    """
    z = bound((1 - confidence) / 2, math.inf)
    shrink = 1 + z * z / count
    center = (share + z * z / (2 * count)) / shrink
    reach = z / shrink * math.sqrt(share * (1 - share) / count + (z / (2 * count)) ** 2)
    # The bound of a share of 0 or 1 is that share, which the formula misses by rounding.
    low = 0.0 if share == 0 else max(0.0, center - reach)
    return Interval(low, 1.0 if share == 1 else min(1.0, center + reach), confidence)


def effective_count(successes: NDArray[np.bool_], clusters: NDArray[np.intp]) -> float:
    """The number of independent observations with the same standard error of the share: fewer than there are if
    observations of a cluster are alike, never more. If all observations are the same, the number of clusters.
    """
    deviations = successes - successes.mean()
    alone = float(np.dot(deviations, deviations))
    if alone == 0:
        return float(len(np.unique(clusters)))
    together = np.bincount(clusters, weights=deviations)
    return len(successes) / max(1.0, float(np.dot(together, together)) / alone)


def mean_interval(shares: Floats, intervals: list[Interval], correlations: Floats) -> Interval:
    """The interval of the mean of several shares, from their intervals and the correlations of their errors."""
    below = shares - np.array([interval.low for interval in intervals])
    above = np.array([interval.high for interval in intervals]) - shares
    mean, count = float(shares.mean()), len(shares)
    low, high = (math.sqrt(max(0.0, reach @ correlations @ reach)) / count for reach in (below, above))
    return Interval(max(0.0, mean - low), min(1.0, mean + high), intervals[0].confidence)


def sign_flip_p(differences: NDArray[np.int64]) -> float:
    """The two-sided p-value of a sum of integers, exact under random signs. If all of them are -1, 0 or 1, it is
    McNemar's exact test, which is the binomial test of the signs.

    >>> round(sign_flip_p(np.array([1, 1, 1, 1, 1, -1, 0])), 5)
    0.21875
    """
    sizes, counts = np.unique(np.abs(differences[differences != 0]), return_counts=True)
    distribution = np.ones(1)  # of the sum, in steps of 1 from its least value on
    for size, count in zip(sizes.tolist(), counts.tolist(), strict=True):
        steps = np.zeros(2 * size * count + 1)
        steps[:: 2 * size] = _binomial(count)
        distribution = np.convolve(distribution, steps)
    reach = (len(distribution) - 1) // 2
    extreme = np.abs(np.arange(-reach, reach + 1)) >= abs(int(differences.sum()))
    found = math.fsum(distribution[extreme])
    return 1.0 if found > 1 - ROUNDING else found


def _binomial(count: int) -> Floats:
    """The probability of each number of heads in so many tosses of a coin."""
    from scipy.special import gammaln

    heads = np.arange(count + 1)
    logs = gammaln(count + 1) - gammaln(heads + 1) - gammaln(count - heads + 1)
    return np.asarray(np.exp(logs - count * math.log(2)))
