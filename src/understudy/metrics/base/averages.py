"""Means of what segments score, as sums of whole numbers.

Where a corpus score is by definition the mean of its segments' scores, these are what is added up. Sums of floats
depend on the order of adding; so a value is kept as whole units of 2^-31 and a rest in units of 2^-62, in two columns.
Both sums are exact, and a corpus has the same digits however it is cut into parts. A single value from 2^-9 up comes
back with all its digits, a smaller one to 2e-19. Of a value below 0 the units are the next lower ones.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy.metrics.base.statistics import Statistics

Floats = NDArray[np.float64]

# As core/support/fixed_point.h has it, for metrics whose core makes the values.
_UNIT = 2.0**-_core.WHOLE_BITS
_REST = 2.0**-_core.WHOLE_AND_REST_BITS


def average_columns(*names: str) -> tuple[str, ...]:
    """The columns of some values: two for each, and the number of segments."""
    return (*(column for name in names for column in (name, f"{name}_rest")), "segments")


def averaged(values: Sequence[Floats]) -> NDArray[np.int64]:
    """The rows of segments that have these values."""
    columns = []
    for value in values:
        units = np.floor(value / _UNIT)  # exact, as all that follows but the last rounding
        columns += [units, np.floor((value - units * _UNIT) / _REST)]
    return np.stack([*columns, np.ones(len(values[0]))], axis=-1).astype(np.int64)


def mean_of(statistics: Statistics, name: str) -> Floats:
    """The mean of a value over the segments of each row; of a single segment, its value."""
    total = statistics[name] * _UNIT + statistics[f"{name}_rest"] * _REST
    return np.asarray(total / np.maximum(statistics["segments"], 1))
