"""What would a metric get that knows nothing? The same coefficient, with its scores dealt out at random."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from understudy.agreement.coefficients import Asked, estimate
from understudy.agreement.draws import grouped
from understudy.agreement.estimators import with_both
from understudy.agreement.pairing import Pairing
from understudy.agreement.soft_pairwise_accuracy import SoftPairwiseAccuracy
from understudy.agreement.system_level import SystemEstimator
from understudy.comparison.evidence import Floats
from understudy.comparison.samples import SEED
from understudy.comparison.significance import ROUNDING
from understudy.errors import BadParameter

DEALS = 8  # a deal of many translations differs little from the next

# From so many deals on, the p-value counts them. Fewer are taken to be normal, as means over many translations are.
RANKED = 100


@dataclass(frozen=True)
class Chance:
    """What random scores get: on average, and at best but for one in twenty times."""

    mean: float
    upper: float  # 95 % of deals get no more
    p_value: float  # of a deal that gets at least as much as the metric
    deals: int
    undefined: int  # deals in which the coefficient is not defined


def chances(
    pairing: Pairing, asked: Sequence[Asked], *, deals: int = DEALS, seed: int = SEED, threads: int = 1
) -> list[Chance]:
    """The coefficients of the metric's own scores, dealt out anew: among the translations of a segment if they are
    grouped by segment, of a system if by system, else among all. Of systems, their scores change hands.
    """
    if deals < 1:
        raise BadParameter(f"deals={deals}: expected at least 1.")
    values = np.empty((len(asked), deals))
    orders = np.array([_order(pairing, seed, deal) for deal in range(deals)])
    one_by_one = []
    for number, one in enumerate(asked):
        found = _all_deals(pairing, one, orders, threads) if one.level == "system" else None
        if found is None:
            one_by_one.append(number)
        else:
            values[number] = found
    for deal in range(deals if one_by_one else 0):
        dealt: dict[tuple[str, str], Pairing] = {}
        for number in one_by_one:
            one = asked[number]
            key = (one.level, one.grouping)
            if key not in dealt:
                dealt[key] = (
                    _of_systems(pairing, orders[deal])
                    if one.level == "system"
                    else _of_segments(pairing, one, _generator(seed, deal))
                )
            values[number, deal] = _value(dealt[key], one, seed, threads)
    return [
        _chance(of_one, _value(pairing, one, seed, threads))
        for one, of_one in zip(asked, values, strict=True)
    ]


def _value(pairing: Pairing, asked: Asked, seed: int, threads: int) -> float:
    estimator = estimate(pairing, asked, seed=seed, threads=threads)
    if isinstance(estimator, SoftPairwiseAccuracy):  # to the digit what a deal gives that changes nothing
        return float(estimator.dealt(np.arange(len(pairing.systems))[np.newaxis])[0])
    return estimator.value


def _chance(values: Floats, seen: float) -> Chance:
    known = values[~np.isnan(values)]
    undefined = len(values) - len(known)
    if np.isnan(seen) or len(known) < 2:
        return Chance(np.nan, np.nan, np.nan, len(values), undefined)
    mean = float(known.mean())
    if len(known) >= RANKED:
        at_least = int((known >= seen - ROUNDING).sum())
        return Chance(
            mean, float(np.quantile(known, 0.95)), (at_least + 1) / (len(known) + 1), len(values), undefined
        )
    # How far one more deal may be from these, by Student's t.
    from scipy.stats import t as student

    spread = float(known.std(ddof=1)) * math.sqrt(1 + 1 / len(known))
    upper = mean + float(student.ppf(0.95, len(known) - 1)) * spread
    if spread <= ROUNDING:
        return Chance(mean, upper, 1.0 if seen <= mean + ROUNDING else 0.0, len(values), undefined)
    p_value = float(student.sf((seen - mean) / spread, len(known) - 1))
    return Chance(mean, upper, p_value, len(values), undefined)


def _generator(seed: int, deal: int) -> np.random.Generator:
    """The same deal whatever else is asked for."""
    return np.random.default_rng([seed, deal])


def _order(pairing: Pairing, seed: int, deal: int) -> NDArray[np.intp]:
    return _generator(seed, deal).permutation(len(pairing.systems))


def _all_deals(pairing: Pairing, asked: Asked, orders: NDArray[np.intp], threads: int) -> Floats | None:
    """A coefficient of systems in all deals at once; None if it cannot be computed so."""
    estimator = estimate(pairing, asked, threads=threads)  # nothing is drawn for what is asked of it here
    if isinstance(estimator, SystemEstimator):
        human, metric = pairing.system_scores
        return estimator.of_scores(*with_both(np.tile(human, (len(orders), 1)), metric[orders]))
    return estimator.dealt(orders) if isinstance(estimator, SoftPairwiseAccuracy) else None


def _of_systems(pairing: Pairing, order: NDArray[np.intp]) -> Pairing:
    return replace(
        pairing,
        metric=None if pairing.metric is None else pairing.metric[order],
        metric_systems=pairing.system_scores[1][order],
        metric_of_samples=None,
    )


def _of_segments(pairing: Pairing, asked: Asked, generator: np.random.Generator) -> Pairing:
    if pairing.human is None or pairing.metric is None:
        return pairing
    # Only among translations that have both scores, so that no deal has fewer of them.
    groups = grouped(pairing.metric, asked.grouping)
    both = ~np.isnan(grouped(pairing.human, asked.grouping)) & ~np.isnan(groups)
    order = np.argsort(generator.random(groups.shape), axis=1)
    dealt = groups.copy()
    # The places of those that have both, in order; and the same in random order.
    places = np.nonzero(both)
    mixed = order[np.take_along_axis(both, order, axis=1)]
    dealt[places] = groups[places[0], mixed]
    return replace(pairing, metric=_ungrouped(dealt, asked.grouping, pairing.metric.shape))


def _ungrouped(groups: Floats, grouping: str, shape: tuple[int, ...]) -> Floats:
    return np.ascontiguousarray(groups.T) if grouping == "segment" else groups.reshape(shape)
