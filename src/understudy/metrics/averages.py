"""Sums of scores as whole numbers, for metrics whose corpus score is the mean of their segments'.

Floating-point sums depend on the order of adding, and so on how a corpus was cut into parts. Here a score is cut
off at 2^-60: its units of 2^-30 and what is left below them are summed apart, both exactly, for up to 2^33 segments.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_BITS = 30


def as_whole_numbers(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """The scores [...] as pairs of whole numbers [..., 2], which add up exactly.

    >>> as_whole_numbers(np.array([0.5, 1.0]))
    array([[ 536870912,          0],
           [1073741824,          0]])
    """
    scaled = np.asarray(scores, dtype=np.float64) * 2.0**_BITS
    units = np.floor(scaled)
    return np.stack([units, np.rint((scaled - units) * 2.0**_BITS)], axis=-1).astype(np.int64)


def as_scores(units: NDArray[np.int64], rest: NDArray[np.int64]) -> NDArray[np.float64]:
    """The sums that such numbers stand for.

    >>> pairs = as_whole_numbers(np.array([0.1, 0.2, 0.3])).sum(axis=0)
    >>> print(as_scores(*pairs))
    0.6
    """
    return np.asarray(units * 2.0**-_BITS + rest * 2.0 ** (-2 * _BITS), dtype=np.float64)
