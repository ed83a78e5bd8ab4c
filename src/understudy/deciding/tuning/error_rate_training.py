"""Minimum error rate training (Och 2003): line searches along features and random directions, from many starts."""

from __future__ import annotations

import numpy as np

from understudy.arrays import Floats
from understudy.deciding.tuning.candidates import Candidates
from understudy.deciding.tuning.line_search import intervals_along
from understudy.deciding.tuning.restrictions import Restrictions
from understudy.resampling.randomness import generator

_MOST_SWEEPS = 50
_TOLERANCE = 0.001  # percentage points; a sweep that gains less is the last one


def trained(
    candidates: Candidates,
    start: Floats,
    restrictions: Restrictions,
    *,
    number: int,
    directions: int,
    seed: int,
) -> Floats:
    """The weights that one run of the search ends with. Run 0 begins at `start`, the others at random weights."""
    random = generator(seed, "restart", number)
    weights = start
    if number > 0:
        reach = 1.0 if restrictions.free_scale else 2 * max(float(np.abs(start).max()), 0.5)
        weights = restrictions.clipped(np.where(candidates.varies, restrictions.drawn(random, reach), start))
    search = _Search(candidates, restrictions, weights)
    least = _TOLERANCE * candidates.objective.point
    for _ in range(_MOST_SWEEPS):
        before, gained = search.weights, search.worth
        for direction in _directions(candidates, restrictions, random, directions):
            search.along(direction)
        if np.any(search.weights != before):
            search.along(search.weights - before)  # where the whole sweep went (Powell 1964)
        if not search.worth - gained > least:
            break
    return search.weights


def _directions(
    candidates: Candidates, restrictions: Restrictions, random: np.random.Generator, count: int
) -> Floats:
    """Each feature that matters, in random order; then random directions."""
    features = np.flatnonzero(restrictions.movable & candidates.varies)
    axes = np.eye(len(restrictions.low))[random.permutation(features)]
    others = random.standard_normal((count, len(restrictions.low)))
    others[:, ~(restrictions.movable & candidates.varies)] = 0.0
    return np.concatenate([axes, others]) if len(features) > 1 else axes


class _Search:
    """Weights, and what the objective is worth with them, which only rises."""

    def __init__(self, candidates: Candidates, restrictions: Restrictions, weights: Floats) -> None:
        self.candidates, self.restrictions = candidates, restrictions
        self.weights, self.worth = weights, candidates.worth(weights)

    def along(self, direction: Floats) -> None:
        """Move to the best step along the direction, if it is better."""
        direction = direction / np.abs(direction).sum()
        least, most = self.restrictions.steps(self.weights, direction)
        if not least < most:
            return
        found = intervals_along(self.candidates, self.weights, direction, least=least, most=most)
        step, best = found.best_step()
        if not best > self.worth:
            return
        moved = self.restrictions.clipped(self.weights + step * direction)
        if self.restrictions.free_scale:
            moved = moved / _power_of_2(float(np.abs(moved).sum()))
        worth = self.candidates.worth(moved)  # not as the line search has it: rounding can change a choice
        if worth > self.worth:
            self.weights, self.worth = moved, worth


def _power_of_2(size: float) -> float:
    """Dividing by it is exact, and leaves weights of about 1."""
    return 2.0 ** float(np.round(np.log2(size))) if size > 0 else 1.0
