"""Means of what segments score, as sums of whole numbers.

Where a corpus score is by definition the mean of its segments' scores, these are what is added up. Sums of floats
depend on the order of adding; so a value is kept as whole units of 2^-31 and a rest in units of 2^-62, in two columns.
Both sums are exact for as many segments as fit into memory, and a corpus has the same digits however it is cut into
parts. A single value from 2^-9 up comes back with all its digits, a smaller one to 2e-19.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from understudy.metrics.statistics import Statistics

UNITS = 2.0**31  # of the first column in 1, and of the second in a unit of the first

Floats = NDArray[np.float64]


def average_columns(*names: str) -> tuple[str, ...]:
    """The columns of some values: the number of segments, and two for each value."""
    return ("segments", *(column for name in names for column in (name, f"{name}_rest")))


def averaged(values: Sequence[Floats]) -> NDArray[np.int64]:
    """The rows of segments that have these values, numbers from 0 to 1."""
    columns = [np.ones(len(values[0]))]
    for value in values:
        scaled = value * UNITS  # exact, as all that follows but the last rounding
        whole = np.floor(scaled)
        columns += [whole, np.floor((scaled - whole) * UNITS)]
    return np.stack(columns, axis=-1).astype(np.int64)


def mean_of(statistics: Statistics, name: str) -> Floats:
    """The mean of a value over the segments of each row."""
    total = statistics[name] / UNITS + statistics[f"{name}_rest"] / UNITS**2
    return np.asarray(total / np.maximum(statistics["segments"], 1))
