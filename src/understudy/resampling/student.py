"""Student's t distribution with any degrees of freedom; with infinitely many, the normal distribution.

scipy.stats has it as well, but takes a second to import.
"""

from __future__ import annotations

from typing import overload

import numpy as np

from understudy.arrays import Floats


def two_sided_p(statistics: Floats, degrees: Floats | float) -> Floats:
    """The probability of a t at least this far from 0.

    >>> two_sided_p(np.array([2.0930, np.inf]), 19.0).round(4).tolist()
    [0.05, 0.0]
    """
    from scipy.special import ndtr, stdtr

    below = -np.abs(statistics)
    finite = np.where(np.isinf(degrees), 1.0, degrees)
    return np.asarray(2 * np.where(np.isinf(degrees), ndtr(below), stdtr(finite, below)))


@overload
def bound(level: float, degrees: float) -> float: ...
@overload
def bound(level: float | Floats, degrees: Floats) -> Floats: ...
def bound(level: float | Floats, degrees: float | Floats) -> float | Floats:
    """The value that t exceeds with probability `level`, one-sided.

    >>> round(bound(0.05, 19), 3), round(bound(0.025, np.inf), 2)
    (1.729, 1.96)
    """
    from scipy.special import ndtri, stdtrit

    finite = np.where(np.isinf(degrees), 1.0, degrees)
    found = -np.where(np.isinf(degrees), ndtri(level), stdtrit(finite, level))
    return found if found.ndim else float(found)
