"""Kendall's tau: concordant minus discordant pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from understudy._core import ORDER_COLUMNS, count_orders
from understudy.arrays import Floats
from understudy.resampling.rankings import pairs_of, tau_b
from understudy.resampling.two_way_samples import Draws, grouped
from understudy.trusting.coefficients.estimators import GroupedEstimator, with_both


class Orders:
    """Pair orders by human and metric scores within each group. The result for the last samples is kept for other
    variants of tau.
    """

    def __init__(self, human: Floats, metric: Floats, grouping: str, *, threads: int = 1) -> None:
        self.grouping, self.threads, self._shape = grouping, threads, human.shape
        self._human, self._metric = (grouped(scores, grouping) for scores in with_both(human, metric))
        self._last: tuple[Draws, NDArray[np.int64]] | None = None

    def counts(self, draws: Draws) -> NDArray[np.int64]:
        """[samples or 1, groups, ORDER_COLUMNS], the metric being the first score: see
        core/agreement/rank_agreement.h.
        """
        if self._last is None or self._last[0] is not draws:
            weights = draws.member_counts(self.grouping, self._shape)
            shape = (1 if weights is None else len(weights), len(self._human), ORDER_COLUMNS)
            rows = np.empty(shape, dtype=np.int64)
            count_orders(self._metric, self._human, weights, rows, threads=self.threads)
            self._last = (draws, rows)
        return self._last[1]


class Kendall(GroupedEstimator):
    """Tau-b, in every group."""

    def __init__(
        self,
        human: Floats,
        metric: Floats,
        grouping: str,
        *,
        threads: int = 1,
        orders: Orders | None = None,
    ) -> None:
        super().__init__(human, metric, grouping, threads=threads)
        self.orders = orders or Orders(human, metric, grouping, threads=threads)

    def of_groups(self, draws: Draws) -> Floats:
        return tau_b(self.orders.counts(draws))


class KendallC(Kendall):
    """Tau-c: 2 (C - D) / (n² (k - 1) / k), where k is the number of distinct human or metric scores, whichever is
    smaller (Stuart 1953).
    """

    def of_groups(self, draws: Draws) -> Floats:
        counts = self.orders.counts(draws)
        more, *_ = pairs_of(counts)
        drawn, fewest = counts[..., 0].astype(np.float64), counts[..., 5:7].min(axis=-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            found = 2 * more / (drawn**2 * (fewest - 1) / fewest)
        return np.asarray(np.where(fewest > 1, found, np.nan))
