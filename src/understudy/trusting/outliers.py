"""Outliers: systems that dominate a correlation, and coefficients without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.choices import SEED
from understudy.trusting.coefficients.by_name import CoefficientSpec, agreement, coefficient_named
from understudy.trusting.paired_scores import PairedScores

# "we use 2.5" (Mathur, Baldwin & Cohn 2020, section 4.2, after Leys et al. 2013)
_CUTOFF = 2.5

# What makes the deviations of normal scores their standard deviation: of the median one, and of the mean one.
_MEDIAN_TO_SD = 1.483
_MEAN_TO_SD = 1.2533


@dataclass(frozen=True)
class WithoutSystems:
    """A coefficient with all systems and without some."""

    asked: CoefficientSpec
    systems: tuple[str, ...]  # that are left out
    with_them: float
    without_them: float

    @property
    def sentence(self) -> str:
        """As Callison-Burch, Osborne & Koehn 2006 put it.

        >>> WithoutSystems(CoefficientSpec("r2", "system"), ("Systran",), 0.14, 0.87).sentence
        'R² = 0.87 without Systran, 0.14 with it.'
        """
        title = coefficient_named(self.asked.coefficient, self.asked.level).title
        names = " and ".join(
            [", ".join(self.systems[:-1]), self.systems[-1]] if len(self.systems) > 1 else self.systems
        )
        them = "it" if len(self.systems) == 1 else "them"
        return f"{title} = {_said(self.without_them)} without {names}, {_said(self.with_them)} with {them}."


def outliers(scores: Floats, cutoff: float = _CUTOFF) -> NDArray[np.bool_]:
    """Which human scores of systems are outliers: |s - median| / (1.483 MAD) > cutoff, where MAD is the median of
    |s - median| (Mathur, Baldwin & Cohn 2020, section 4.2).

    Where more than half of the systems have the same score, MAD is 0 and every other one would be an outlier. Then the
    mean of |s - median| stands for it, with its own factor; where that is 0, nothing is an outlier.

    >>> outliers(np.array([0.1, 0.2, 0.3, 0.2, -5.0])).tolist()
    [False, False, False, False, True]
    """
    known = scores[~np.isnan(scores)]
    if not len(known):
        return np.zeros(len(scores), dtype=bool)
    away = np.abs(scores - np.median(known))
    spread = _MEDIAN_TO_SD * np.nanmedian(away)
    if spread == 0:
        spread = _MEAN_TO_SD * np.nanmean(away)
    if spread == 0:
        return np.zeros(len(scores), dtype=bool)
    return np.asarray(np.nan_to_num(away) / spread > cutoff)


def without(
    pairing: PairedScores, asked: CoefficientSpec, systems: Sequence[str], *, seed: int = SEED
) -> WithoutSystems:
    """A coefficient with and without some systems."""
    kept = [number for number, name in enumerate(pairing.systems) if name not in set(systems)]
    whole, rest = (
        agreement(each, asked, seed=seed).value for each in (pairing, chosen_systems(pairing, kept))
    )
    return WithoutSystems(asked, tuple(systems), whole, rest)


def leave_one_out(pairing: PairedScores, asked: CoefficientSpec) -> list[WithoutSystems]:
    """Without each system in turn."""
    return [without(pairing, asked, [system]) for system in pairing.systems]


def chosen_systems(pairing: PairedScores, numbers: Sequence[int]) -> PairedScores:
    """The pairing of some of its systems."""
    rows = np.array(numbers, dtype=np.intp)
    whole = pairing.metric_of_samples
    return replace(
        pairing,
        systems=tuple(pairing.systems[number] for number in numbers),
        human=None if pairing.human is None else pairing.human[rows],
        metric=None if pairing.metric is None else pairing.metric[rows],
        human_systems=None if pairing.human_systems is None else pairing.human_systems[rows],
        metric_systems=None if pairing.metric_systems is None else pairing.metric_systems[rows],
        metric_of_samples=None if whole is None else lambda weights: whole(weights)[:, rows],
        compared=None if pairing.compared is None else pairing.compared[rows],
    )


def _said(value: float) -> str:
    return "undefined" if np.isnan(value) else f"{value:.2f}"
