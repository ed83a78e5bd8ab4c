"""Exact line search: the objective of every interval of steps along a direction (Och 2003).

The choice of a segment changes only at the corners of its upper envelope. Between two corners of any segments, all
choices and so the objective are constant. Each corner changes the corpus statistics by one row minus another, so a
cumulative sum over all corners in order gives the statistics of every interval.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy import _core
from understudy.arrays import ROUNDING, Floats
from understudy.deciding.tuning.candidates import Candidates

# Corners closer than this, relative to their size, are one: no weights fit between them.
_CLOSE = 1e-10
_BEYOND = 1.0  # the step into an unbounded interval, from its only end


@dataclass(frozen=True, eq=False)
class Intervals:
    """Intervals of steps along a direction, in order, and the objective within each."""

    low: Floats
    high: Floats
    values: Floats
    worth: Floats  # the values on a scale where higher is better

    def best_step(self) -> tuple[float, float]:
        """The middle of the best interval, and what the objective is worth there. Neighboring intervals of the same
        value are one plateau; of several, the widest is chosen, and of equally wide ones the first. An unbounded one
        has no middle: the step goes 1 beyond its end, or stays where it is if there is none.
        """
        best = float(self.worth.max())
        if best == -np.inf:
            return 0.0, best
        is_best = self.worth >= best - ROUNDING * max(1.0, abs(best))
        edges = np.flatnonzero(np.diff(np.concatenate([[False], is_best, [False]]).astype(np.int8)))
        firsts, lasts = edges[::2], edges[1::2] - 1
        low, high = self.low[firsts], self.high[lasts]
        widest = int(np.argmax(high - low))
        return _middle(float(low[widest]), float(high[widest])), best


def intervals_along(
    candidates: Candidates,
    weights: Floats,
    direction: Floats,
    *,
    least: float = -np.inf,
    most: float = np.inf,
) -> Intervals:
    """The objective of weights + step × direction, for all steps between `least` and `most`."""
    steps, chosen = _core.upper_envelopes(candidates.features, candidates.offsets, weights, direction)
    corners = np.flatnonzero(np.isfinite(steps))
    order = corners[np.argsort(steps[corners], kind="stable")]
    edges = steps[order]
    low = np.maximum(np.concatenate([[-np.inf], edges]), least)
    high = np.minimum(np.concatenate([edges, [np.inf]]), most)
    with np.errstate(invalid="ignore"):
        wide = high - low > _CLOSE * np.maximum(1.0, np.minimum(np.abs(low), np.abs(high)))
    if not wide.any():  # a range that a single step fits
        wide[np.searchsorted(edges, least, side="right")] = True
    sums = []
    first = chosen[~np.isfinite(steps)]
    for rows in candidates.counts:
        of_intervals = np.empty((len(edges) + 1, rows.shape[1]), dtype=rows.dtype)
        of_intervals[0] = rows[first].sum(axis=0)
        np.subtract(rows[chosen[order]], rows[chosen[order - 1]], out=of_intervals[1:])
        np.cumsum(of_intervals, axis=0, out=of_intervals)
        sums.append(of_intervals[wide])
    values = candidates.objective.value(sums)
    return Intervals(low[wide], high[wide], values, np.asarray(candidates.objective.worth(values)))


def _middle(low: float, high: float) -> float:
    """
    >>> _middle(1.0, 2.0), _middle(-np.inf, 2.0), _middle(-1.0, np.inf), _middle(-np.inf, np.inf)
    (1.5, 1.0, 0.0, 0.0)
    """
    if np.isfinite(low) and np.isfinite(high):
        return (low + high) / 2
    if np.isfinite(low):
        return low + _BEYOND
    return high - _BEYOND if np.isfinite(high) else 0.0
