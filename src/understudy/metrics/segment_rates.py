"""Corpus scores that are means of segments' rates: how such a mean is a sum of counts like any other.

A rate is kept as whole numbers in two columns, so that sums do not depend on how a corpus is cut into parts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy.metrics.statistics import Statistics

COLUMNS = (
    "rate",  # in units of 2^-24
    "rate_rest",  # what that leaves, in units of 2^-53
    "segments",
)


def mean_rate(statistics: Statistics) -> NDArray[np.float64]:
    """The mean of the rates that the statistics sum up; of a single segment, its rate."""
    whole = statistics["rate"] * 2.0**-_core.WHOLE_BITS
    rest = statistics["rate_rest"] * 2.0**-_core.WHOLE_AND_REST_BITS
    return np.asarray((whole + rest) / np.maximum(statistics["segments"], 1))
