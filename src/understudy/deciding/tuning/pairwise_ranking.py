"""Pairwise ranking optimization, PRO (Hopkins & May 2011): a classifier of which of two candidates is better.

The weights of a logistic regression on feature differences are the weights of the model. Pairs are sampled within
segments, and those with the largest differences in the objective, at segment level, are kept.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from understudy._core import exp
from understudy.arrays import ROUNDING, Floats
from understudy.deciding.tuning.candidates import Candidates
from understudy.deciding.tuning.restrictions import Restrictions
from understudy.errors import BadInput
from understudy.resampling.randomness import generator

_SAMPLED = 5000  # pairs per segment
_KEPT = 50  # of these
_THRESHOLD = 5.0  # difference of a pair, in percentage points; other metrics have no threshold
_PENALTY = 1.0  # of the squared weights, halved: keeps the weights of separable pairs finite


def ranked(
    candidates: Candidates,
    start: Floats,
    restrictions: Restrictions,
    *,
    number: int,
    interpolation: float,
    seed: int,
) -> Floats:
    """The weights from one sample of pairs. `interpolation` is the share of the new weights, the rest is that of
    `start`.
    """
    from scipy.optimize import minimize

    pairs = _sampled(candidates, generator(seed, "restart", number))
    if len(pairs) == 0:
        raise BadInput(
            "no two candidates of a segment differ enough in the objective at segment level. Use --method mert."
        )
    movable = restrictions.movable & candidates.varies
    differences = (candidates.features[:, pairs[:, 0]] - candidates.features[:, pairs[:, 1]]).T
    fixed = differences @ np.where(movable, 0.0, start)  # what weights that stay as they are contribute
    differences = np.ascontiguousarray(differences[:, movable])

    def loss(weights: Floats) -> tuple[float, Floats]:
        """The negative log-likelihood that the first of each pair is better, and its gradient."""
        margins = differences @ weights + fixed
        small = exp(-np.abs(margins))
        wrong = np.where(margins > 0, small, 1.0) / (1.0 + small)  # the probability of the wrong order
        total = np.sum(np.maximum(-margins, 0.0) + np.log1p(small))
        gradient = _PENALTY * weights - wrong @ differences
        return float(total + _PENALTY / 2 * np.dot(weights, weights)), gradient

    ranges = list(zip(restrictions.low[movable], restrictions.high[movable], strict=True))
    begin = restrictions.clipped(np.zeros(len(movable)))[movable]
    found = minimize(loss, begin, jac=True, method="L-BFGS-B", bounds=ranges)
    weights = np.where(movable, 0.0, start)
    weights[movable] = found.x
    return _interpolated(weights, start, restrictions, interpolation)


def _sampled(candidates: Candidates, random: np.random.Generator) -> NDArray[np.int64]:
    """Pairs of candidates [pairs, 2], the better one first."""
    worth = candidates.segment_worth
    assert worth is not None, "counted at segment level"
    metrics = candidates.objective.metrics
    threshold = _THRESHOLD if all(metric.percent for metric in metrics) else 0.0
    least = max(threshold, ROUNDING * float(np.abs(worth).max(initial=1.0)))
    kept = []
    for begin, end in zip(candidates.offsets[:-1], candidates.offsets[1:], strict=True):
        count = int(end - begin)
        if count < 2:
            continue
        drawn = begin + random.integers(count, size=(_SAMPLED, 2))
        differences = worth[drawn[:, 0]] - worth[drawn[:, 1]]
        enough = np.flatnonzero(np.abs(differences) > least)
        order = enough[np.argsort(-np.abs(differences[enough]), kind="stable")][:_KEPT]
        chosen = drawn[order]
        better_last = differences[order] < 0
        chosen[better_last] = chosen[better_last, ::-1]
        kept.append(chosen)
    return np.concatenate(kept) if kept else np.empty((0, 2), dtype=np.int64)


def _interpolated(weights: Floats, start: Floats, restrictions: Restrictions, share: float) -> Floats:
    """A mixture of both, of equal size if the scale is free."""
    if share == 1:
        return weights
    if restrictions.free_scale:
        weights, start = (each / max(float(np.abs(each).sum()), 1e-300) for each in (weights, start))
    return restrictions.clipped(share * weights + (1 - share) * start)
