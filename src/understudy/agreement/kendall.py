"""Kendall's tau: how many more pairs people and metric order alike than differently."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from understudy._core import ORDER_COLUMNS, count_orders
from understudy.agreement.draws import Draws, grouped
from understudy.agreement.estimators import GroupedEstimator, with_both
from understudy.comparison.evidence import Floats


class Orders:
    """How people and metric order the members of each group. What the last samples gave is kept, for the next
    kind of tau.
    """

    def __init__(self, human: Floats, metric: Floats, grouping: str, *, threads: int = 1) -> None:
        self.grouping, self.threads, self._shape = grouping, threads, human.shape
        self._human, self._metric = (grouped(scores, grouping) for scores in with_both(human, metric))
        self._last: tuple[Draws, NDArray[np.int64]] | None = None

    def counts(self, draws: Draws) -> NDArray[np.int64]:
        """[samples or 1, groups, ORDER_COLUMNS], the metric being the first score; see core/rank_agreement.h."""
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
        return self.tau_b(self.orders.counts(draws))

    @staticmethod
    def tau_b(counts: NDArray[np.int64]) -> Floats:
        """(C - D) / sqrt((pairs - ties of h) (pairs - ties of m)) (Kendall 1945)."""
        more, pairs, ties_metric, ties_human = _parts(counts)
        with np.errstate(invalid="ignore", divide="ignore"):
            found = more / np.sqrt(pairs - ties_metric) / np.sqrt(pairs - ties_human)
        return np.asarray(np.where((pairs > ties_metric) & (pairs > ties_human), found, np.nan))

    @staticmethod
    def tau_c(counts: NDArray[np.int64]) -> Floats:
        """2 (C - D) / (n² (k - 1) / k), k being how many different scores there are, of people or of the metric,
        whichever has fewer (Stuart 1953).
        """
        more, *_ = _parts(counts)
        drawn, fewest = counts[..., 0].astype(np.float64), counts[..., 5:7].min(axis=-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            found = 2 * more / (drawn**2 * (fewest - 1) / fewest)
        return np.asarray(np.where(fewest > 1, found, np.nan))


class KendallC(Kendall):
    """Tau-c."""

    def of_groups(self, draws: Draws) -> Floats:
        return self.tau_c(self.orders.counts(draws))


def _parts(counts: NDArray[np.int64]) -> tuple[Floats, Floats, Floats, Floats]:
    """C - D, all pairs, pairs that the metric ties, pairs that people tie."""
    drawn, discordant, ties_metric, ties_human, ties_both = (counts[..., column] for column in range(5))
    pairs = drawn * (drawn - 1) // 2
    more = pairs - ties_metric - ties_human + ties_both - 2 * discordant
    more_than_differ, all_pairs, metric, human = (
        part.astype(np.float64) for part in (more, pairs, ties_metric, ties_human)
    )
    return more_than_differ, all_pairs, metric, human
