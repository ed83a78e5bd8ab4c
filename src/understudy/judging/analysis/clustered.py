"""The standard error of a mean whose values come in clusters that are independent of each other."""

from __future__ import annotations

import math

import numpy as np

from understudy.arrays import ROUNDING, Floats
from understudy.judging.judgments import Places, combined


def clustered_error(values: Floats, cluster: Places) -> tuple[float, int] | None:
    """Of the mean of the values, with its degrees of freedom: clusters less 1. None of one cluster.

    The variance is G / (G - 1) times the sum over clusters of squared sums of deviations, by the squared number of
    values; without clusters of several values, the usual one of a mean.

    >>> error, degrees = clustered_error(np.array([1.0, 2.0, 4.0]), np.array([0, 1, 2]))
    >>> round(error, 4), degrees
    (0.8819, 2)
    """
    which = combined(cluster)
    clusters = int(which.max(initial=-1)) + 1
    if clusters < 2:
        return None
    if (
        np.ptp(values) <= ROUNDING * np.abs(values).max()
    ):  # means of equal values need not be equal to the last digit
        return 0.0, clusters - 1
    sums = np.bincount(which, values - values.mean())
    variance = clusters / (clusters - 1) * float(np.dot(sums, sums)) / len(values) ** 2
    return math.sqrt(variance), clusters - 1
