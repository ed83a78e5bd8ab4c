"""The common interface of coefficients: their value in any sample, and the translations they use."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from understudy.arrays import Floats
from understudy.resampling.two_way_samples import WHOLE, Draws, grouped, over_groups


class Estimator(ABC):
    """A coefficient of given scores, for any sample of them."""

    @abstractmethod
    def values(self, draws: Draws) -> Floats:
        """The coefficient in every sample [samples]; NaN if it is undefined."""

    @property
    def value(self) -> float:
        """The coefficient without resampling."""
        return float(self.values(WHOLE)[0])

    @property
    def undefined(self) -> str | None:
        """Why it is undefined, if for a reason specific to this coefficient."""
        return None


class GroupedEstimator(Estimator):
    """A coefficient within groups, averaged over the groups in which it is defined.

    Scores are [systems, segments]; higher is better. Translations without both scores are excluded.
    """

    def __init__(self, human: Floats, metric: Floats, grouping: str, *, threads: int = 1) -> None:
        self.human, self.metric = with_both(human, metric)
        self.grouping, self.threads = grouping, threads
        self._fixed: Floats | None = None

    @abstractmethod
    def of_groups(self, draws: Draws) -> Floats:
        """The coefficient in every group [samples or 1, groups]."""

    def values(self, draws: Draws) -> Floats:
        return over_groups(self.group_values(draws), draws.outer(self.grouping))

    def group_values(self, draws: Draws) -> Floats:
        """As `of_groups`, computed once where no group is another in another sample."""
        changes = {"segment": draws.systems, "system": draws.segments}.get(self.grouping, draws)
        if changes is not None and draws is not WHOLE:
            return self.of_groups(draws)
        if self._fixed is None:
            self._fixed = self.of_groups(WHOLE)
        return self._fixed

    @property
    def groups_human(self) -> Floats:
        return grouped(self.human, self.grouping)

    @property
    def groups_metric(self) -> Floats:
        return grouped(self.metric, self.grouping)


def with_both(human: Floats, metric: Floats) -> tuple[Floats, Floats]:
    """The scores of translations that have both; NaN elsewhere."""
    missing = np.isnan(human) | np.isnan(metric)
    return np.where(missing, np.nan, human), np.where(missing, np.nan, metric)


def undefined_because(human: Floats, metric: Floats) -> str:
    """Why a coefficient of these two vectors is undefined.

    >>> undefined_because(np.array([1.0, 1.0]), np.array([1.0, 2.0]))
    'all 2 human scores are equal'
    """
    known = ~np.isnan(human) & ~np.isnan(metric)
    count = int(known.sum())
    if count < 2:
        return f"only {count} with both scores, expected at least 2" if count else "none with both scores"
    if np.ptp(human[known]) == 0:
        return f"all {count:,} human scores are equal"
    if np.ptp(metric[known]) == 0:
        return f"all {count:,} metric scores are equal"
    return "no pair is comparable"
