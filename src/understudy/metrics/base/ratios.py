"""Ratios whose denominator may be 0."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def ratio_or_zero(part: NDArray[Any], whole: NDArray[Any]) -> NDArray[np.float64]:
    """The parts divided by the wholes; 0 if the whole is 0.

    >>> ratio_or_zero(np.array([1, 0]), np.array([4, 0])).tolist()
    [0.25, 0.0]
    """
    return np.asarray(np.divide(part, whole, out=np.zeros(np.shape(whole)), where=whole > 0))
