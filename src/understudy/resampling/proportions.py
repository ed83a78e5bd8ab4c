"""Shares of segments: confidence intervals, and an exact test of the difference between two shares.

Intervals are Wilson's (1927). If observations are clustered or stratified, they have the effective number of
observations in place of their number (Korn and Graubard 1998; Dean and Pagano 2015).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import ROUNDING, Floats, ties_kept
from understudy.metrics.base.score import Interval
from understudy.resampling.significance_tests import p_value
from understudy.resampling.student import bound


def wilson(share: float, count: float, confidence: float) -> Interval:
    """Wilson's score interval of a share of `count` independent observations, which need not be an integer.

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


def mean_share_interval(
    successes: NDArray[np.bool_], strata: NDArray[np.intp], clusters: NDArray[np.intp], confidence: float
) -> Interval:
    """The interval of the mean of the shares of several strata, or of the share of one. Observations of the same
    cluster may be alike, also across strata. Strata and clusters are numbered from 0.

    With one stratum and one observation per cluster, it is Wilson's. Otherwise the variance is that of the sums of
    clusters, but not less than that of independent observations.
    """
    sizes = np.bincount(strata)
    shares = np.bincount(strata, successes) / sizes
    mean, count = float(shares.mean()), int(clusters.max()) + 1
    independent = float((shares * (1 - shares) / sizes).sum()) / len(shares) ** 2
    if count == len(successes):
        return _wilson_of_variance(mean, independent, count, confidence)
    influences = (successes - shares[strata]) / (len(shares) * sizes[strata])
    by_cluster = np.bincount(clusters, influences).astype(np.float64)
    return clustered_interval(mean, by_cluster, confidence, least_variance=independent)


def clustered_interval(
    share: float, influences: Floats, confidence: float, *, least_variance: float = 0.0
) -> Interval:
    """Wilson's interval of a share with the variance that these influences of clusters give, and with Student's t in
    place of the normal distribution: with few clusters, the variance is not known well (Korn and Graubard 1998).
    """
    clusters = len(influences)
    variance = float(np.dot(influences, influences)) * clusters / max(1, clusters - 1)
    tail = (1 - confidence) / 2
    wider = (bound(tail, max(1.0, clusters - 1.0)) / bound(tail, math.inf)) ** 2
    return _wilson_of_variance(share, wider * max(variance, least_variance), clusters, confidence)


def _wilson_of_variance(share: float, variance: float, clusters: int, confidence: float) -> Interval:
    """With the number of independent observations that have this variance. If there is none to estimate, all
    observations of a cluster may be alike.
    """
    spread = share * (1 - share)
    count = spread / variance if variance > 0 and spread > 0 else clusters
    return wilson(share, count, confidence)


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


def sampled_sign_flip_p(differences: Floats, samples: int, seed: int) -> float:
    """The same of any numbers, from random signs: (c + 1) / (n + 1), where c of n sums are at least as extreme. Numbers
    of the same size are drawn together.
    """
    distinct, counts = np.unique(ties_kept(np.abs(differences)), return_counts=True)
    generator = np.random.default_rng(seed)
    drawn = np.zeros(samples)
    for size, count in zip(distinct.tolist(), counts.tolist(), strict=True):
        if size > 0:
            drawn += size * (2 * generator.binomial(count, 0.5, samples) - count)
    return p_value(drawn, float(differences.sum()), float(np.abs(differences).sum()))


def _binomial(count: int) -> Floats:
    """The probability of each number of heads in so many tosses of a coin."""
    from scipy.special import gammaln

    heads = np.arange(count + 1)
    logs = gammaln(count + 1) - gammaln(heads + 1) - gammaln(count - heads + 1)
    return np.asarray(np.exp(logs - count * math.log(2)))
