"""Means of segment scores, stored as sums of integers.

Used where the corpus score is defined as the mean of the segment scores. Sums of floats depend on the order of
addition. A value is therefore stored in two columns: an integer number of units of 2^-31, and a remainder in units of
2^-62. Both sums are exact, so the corpus score has the same digits however the corpus is split. A single value of at
least 2^-9 is restored exactly, a smaller one to within 2e-19. Negative values are rounded down to the next unit.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy.arrays import Floats
from understudy.metrics.base.statistics import Statistics

# The same constants as in core/support/fixed_point.h, for metrics whose values the core computes.
_UNIT = 2.0**-_core.WHOLE_BITS
_REST = 2.0**-_core.WHOLE_AND_REST_BITS

# Scores that are not fractions are divided by this before summation. A power of two keeps the sums exact and as far
# from overflow as fractions.
SCORE_UNIT = 128.0


def average_columns(*names: str) -> tuple[str, ...]:
    """The columns for these values: two per value, and the number of segments."""
    return (*(column for name in names for column in (name, f"{name}_rest")), "segments")


def averaged(values: Sequence[Floats]) -> NDArray[np.int64]:
    """One row per segment, from the segments' values."""
    columns = []
    for value in values:
        units = np.floor(value / _UNIT)  # exact, as is everything after it except the last rounding
        columns += [units, np.floor((value - units * _UNIT) / _REST)]
    return np.stack([*columns, np.ones(len(values[0]))], axis=-1).astype(np.int64)


def mean_of(statistics: Statistics, name: str) -> Floats:
    """The mean of a value over the segments of each row; of a single segment, its value."""
    total = statistics[name] * _UNIT + statistics[f"{name}_rest"] * _REST
    return np.asarray(total / np.maximum(statistics["segments"], 1))
