"""Floating-point scores: the largest accepted values, and tolerance for rounding.

Scores that differ only by rounding are ties: (0.1 + 0.2) + 0.3 is not (0.3 + 0.2) + 0.1 in floating point.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LARGEST_EXACT = 2**53  # integers up to here, and their sums, are exact as floats
LARGEST_EXACT_SINGLE = 2**24  # the same of floats in single precision
LARGEST_SCORE = 1e100  # whose square, and sums of squares, are still numbers
# Two scores that a sum in another order would tell apart are not different: so far apart, in parts of their size.
ROUNDING = 1e-11


def ties_kept(means: Floats) -> Floats:
    """Means of which those that the order of summation makes different are one.

    >>> len(set(ties_kept(np.array([(0.1 + 0.2) + 0.3, (0.3 + 0.2) + 0.1])).tolist()))
    1
    """
    known = ~np.isnan(means)
    distinct, which = np.unique(means[known], return_inverse=True)
    if not len(distinct):
        return means
    apart = np.diff(distinct, prepend=-np.inf) > ROUNDING * np.abs(distinct).max()
    first = distinct[apart][np.cumsum(apart) - 1]
    found = means.copy()
    found[known] = first[which]
    return found


def rounded(means: Floats) -> Floats:
    """Round many resamples at once, to a number of digits that no sum has lost."""
    unit = ROUNDING * np.nanmax(np.abs(means), initial=0.0)
    return np.asarray(np.round(means / unit) * unit if unit > 0 else means)


def untied(first: Floats, second: Floats) -> Floats:
    """First minus second; 0 where they differ by rounding only.

    >>> untied(np.array([0.1 + 0.2, 2.0]), np.array([0.3, 1.0])).tolist()
    [0.0, 1.0]
    """
    size = np.maximum(1.0, np.maximum(np.abs(first), np.abs(second)))
    return np.where(np.abs(first - second) <= ROUNDING * size, 0.0, first - second)


def scaled_weights(weights: Floats, largest: Floats) -> Floats:
    """Weights divided by a power of 2 close to the largest of those they are added to. No ratio changes, and sums of
    very large or very small ones neither overflow nor lose digits.

    >>> scaled_weights(np.array([1e308, 5e307]), np.array(1e308)).round(3).tolist()
    [0.556, 0.278]
    """
    return np.asarray(np.ldexp(weights, -np.frexp(largest)[1]))


@contextmanager
def one_blas_thread() -> Iterator[None]:
    """Matrix products by one thread, as on the command line: their last digits depend on how work is divided."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1, user_api="blas"):
        yield
