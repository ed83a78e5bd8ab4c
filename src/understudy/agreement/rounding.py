"""Scores that differ by rounding alone are ties: (0.1 + 0.2) + 0.3 is not (0.3 + 0.2) + 0.1 in floating point."""

from __future__ import annotations

import numpy as np

from understudy.comparison.evidence import Floats
from understudy.comparison.significance import ROUNDING


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
    """Of many samples at once: to a number of digits that no sum has lost."""
    unit = ROUNDING * np.nanmax(np.abs(means), initial=0.0)
    return np.asarray(np.round(means / unit) * unit if unit > 0 else means)
