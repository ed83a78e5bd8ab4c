"""The permutation baseline: a coefficient after random permutation of the metric's scores.

At system level, scores are permuted among systems. With up to 8 systems, all permutations are enumerated, and the
p-value is exact. At segment level, scores are permuted among translations, a few times.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import ROUNDING, Floats
from understudy.choices import SEED
from understudy.errors import BadParameter
from understudy.resampling.two_way_samples import grouped
from understudy.trusting.coefficients.by_name import CoefficientSpec, estimate
from understudy.trusting.coefficients.estimators import with_both
from understudy.trusting.coefficients.soft_pairwise_accuracy import SoftPairwiseAccuracy
from understudy.trusting.coefficients.system_level import SystemEstimator
from understudy.trusting.paired_scores import PairedScores

DEALS = 8  # a deal of many translations differs little from the next

_ALL_ORDERS = 8  # systems: with so many, their scores are permuted in all 40,320 orders

# From so many deals on, the p-value at the segment level counts them. Fewer are taken to be normal, as means over many
# translations are.
RANKED = 100

# R² of random scores is skewed, as χ² is. Its fourth root is near to normal (Hawkins & Wixley 1986).
_TO_NORMAL = {"r2": 0.25}

_ORDERS_AT_ONCE = 2**13


@dataclass(frozen=True)
class PermutationBaseline:
    """The permutation baseline: mean and 95th percentile of a coefficient with permuted scores."""

    mean: float
    upper: float  # 95 % of deals get no more
    p_value: float  # of a deal that gets at least as much as the metric
    deals: int
    undefined: int  # deals in which the coefficient is not defined
    exact: bool = False  # whether these are all deals there are


def chances(
    pairing: PairedScores,
    asked: Sequence[CoefficientSpec],
    *,
    deals: int = DEALS,
    seed: int = SEED,
    threads: int = 1,
) -> list[PermutationBaseline]:
    """The coefficients after random permutation of the metric's scores: within segments for group-by-item, within
    systems for group-by-system, otherwise among all translations. At system level, system scores are permuted: in all
    orders if there are at most `_ALL_ORDERS` systems, whatever `deals` is.
    """
    if deals < 1:
        raise BadParameter(f"deals={deals}: expected at least 1.")
    of_systems = _system_chances(
        pairing, [one for one in asked if one.level == "system"], deals, seed, threads
    )
    of_segments = _segment_chances(
        pairing, [one for one in asked if one.level == "segment"], deals, seed, threads
    )
    found = of_systems | of_segments
    return [found[one] for one in asked]


# --- systems ------------------------------------------------------------------------------------------------


def _system_chances(
    pairing: PairedScores, asked: Sequence[CoefficientSpec], deals: int, seed: int, threads: int
) -> dict[CoefficientSpec, PermutationBaseline]:
    if not asked:
        return {}
    systems = len(pairing.systems)
    exact = systems <= _ALL_ORDERS
    orders = _all_orders(systems) if exact else _random_orders(systems, deals, seed)
    unchanged = np.arange(systems)[np.newaxis]
    found = {}
    for one in asked:
        estimator = estimate(pairing, one, threads=threads)  # nothing is drawn for what is asked of it here
        assert isinstance(estimator, SystemEstimator | SoftPairwiseAccuracy)
        values = np.concatenate(
            [
                _in_orders(pairing, estimator, orders[start : start + _ORDERS_AT_ONCE])
                for start in range(0, len(orders), _ORDERS_AT_ONCE)
            ]
        )
        seen = float(_in_orders(pairing, estimator, unchanged)[0])
        found[one] = _counted(values, seen, exact=exact)
    return found


@cache
def _all_orders(systems: int) -> NDArray[np.intp]:
    return np.array(list(permutations(range(systems))), dtype=np.intp)


def _random_orders(systems: int, deals: int, seed: int) -> NDArray[np.intp]:
    return np.random.default_rng(seed).permuted(np.tile(np.arange(systems), (deals, 1)), axis=1)


def _in_orders(
    pairing: PairedScores, estimator: SystemEstimator | SoftPairwiseAccuracy, orders: NDArray[np.intp]
) -> Floats:
    """A coefficient [deals] if systems had the metric's scores of others, in these orders [deals, systems]."""
    if isinstance(estimator, SoftPairwiseAccuracy):
        return estimator.permuted(orders)
    human, metric = pairing.system_scores
    return estimator.of_scores(*with_both(np.tile(human, (len(orders), 1)), metric[orders]))


def _counted(values: Floats, seen: float, *, exact: bool) -> PermutationBaseline:
    """All orders there are have that of the metric itself among them; to random ones it is added."""
    known = values[~np.isnan(values)]
    undefined = len(values) - len(known)
    if np.isnan(seen) or not len(known):
        return PermutationBaseline(np.nan, np.nan, np.nan, len(values), undefined, exact)
    at_least = int((known >= seen - ROUNDING).sum())
    p_value = at_least / len(known) if exact else (at_least + 1) / (len(known) + 1)
    mean = float(known.mean())
    if abs(mean) < ROUNDING:  # over all orders a correlation is 0, and should not be shown as -0.000
        mean = 0.0
    return PermutationBaseline(mean, float(np.quantile(known, 0.95)), p_value, len(values), undefined, exact)


# --- segments -----------------------------------------------------------------------------------------------


def _segment_chances(
    pairing: PairedScores, asked: Sequence[CoefficientSpec], deals: int, seed: int, threads: int
) -> dict[CoefficientSpec, PermutationBaseline]:
    values = np.empty((len(asked), deals))
    for deal in range(deals if asked else 0):
        permuted: dict[str, PairedScores] = {}
        for number, one in enumerate(asked):
            if one.grouping not in permuted:
                permuted[one.grouping] = _of_segments(pairing, one, _generator(seed, deal))
            values[number, deal] = _value(permuted[one.grouping], one, seed, threads)
    return {
        one: _counted(of_one, seen, exact=False)
        if deals >= RANKED
        else _assumed_normal(of_one, seen, _TO_NORMAL.get(one.coefficient, 1.0))
        for one, of_one in zip(asked, values, strict=True)
        for seen in (_value(pairing, one, seed, threads),)
    }


def _value(pairing: PairedScores, asked: CoefficientSpec, seed: int, threads: int) -> float:
    return estimate(pairing, asked, seed=seed, threads=threads).value


def _assumed_normal(values: Floats, seen: float, power: float) -> PermutationBaseline:
    """How far one more deal may be from these, by Student's t of this power of them."""
    from scipy.stats import t as student

    known = values[~np.isnan(values)]
    undefined = len(values) - len(known)
    if np.isnan(seen) or len(known) < 2:
        return PermutationBaseline(np.nan, np.nan, np.nan, len(values), undefined)
    normal, above = (known, seen) if power == 1 else (known**power, seen**power)
    middle = float(normal.mean())
    spread = float(normal.std(ddof=1)) * math.sqrt(1 + 1 / len(known))
    if spread <= ROUNDING:
        p_value = 1.0 if above <= middle + ROUNDING else 0.0
    else:
        p_value = float(student.sf((above - middle) / spread, len(known) - 1))
    upper = middle + float(student.ppf(0.95, len(known) - 1)) * spread
    return PermutationBaseline(
        float(known.mean()), upper if power == 1 else upper ** (1 / power), p_value, len(values), undefined
    )


def _generator(seed: int, deal: int) -> np.random.Generator:
    """The same deal whatever else is asked for."""
    return np.random.default_rng([seed, deal])


def _of_segments(
    pairing: PairedScores, asked: CoefficientSpec, generator: np.random.Generator
) -> PairedScores:
    if pairing.human is None or pairing.metric is None:
        return pairing
    human, metric = pairing.segment_scores
    # Only among translations that have both scores, so that no deal has fewer of them.
    groups = grouped(metric, asked.grouping)
    both = ~np.isnan(grouped(human, asked.grouping)) & ~np.isnan(groups)
    order = np.argsort(generator.random(groups.shape), axis=1)
    permuted = groups.copy()
    # The places of those that have both, in order; and the same in random order.
    places = np.nonzero(both)
    mixed = order[np.take_along_axis(both, order, axis=1)]
    permuted[places] = groups[places[0], mixed]
    return replace(pairing, metric=_ungrouped(permuted, asked.grouping, metric.shape))


def _ungrouped(groups: Floats, grouping: str, shape: tuple[int, ...]) -> Floats:
    return np.ascontiguousarray(groups.T) if grouping == "segment" else groups.reshape(shape)
