"""Correlations of scores: Pearson's r, its square, Spearman's rho, and Pearson over differences within segments."""

from __future__ import annotations

import numpy as np

from understudy._core import multiply_ranks
from understudy.arrays import Floats
from understudy.resampling.two_way_samples import Draws, grouped
from understudy.trusting.coefficients.estimators import Estimator, GroupedEstimator, with_both

# A spread that is this much smaller than the scores themselves is rounding: the scores are all the same.
_NO_SPREAD = 1e-13


class Pearson(GroupedEstimator):
    """r = cov(h, m) / (sd(h) sd(m)), within each group (Pearson 1895)."""

    def __init__(
        self,
        human: Floats,
        metric: Floats,
        grouping: str,
        *,
        threads: int = 1,
        products: Products | None = None,
    ) -> None:
        super().__init__(human, metric, grouping, threads=threads)
        self._products = products or Products(human, metric, grouping)

    def of_groups(self, draws: Draws) -> Floats:
        count, human, metric, human_squares, metric_squares, products = self._products.sums(draws)
        return _correlation(
            count * products - human * metric,
            _spread(count * human_squares, human**2),
            _spread(count * metric_squares, metric**2),
        )


class SquaredPearson(Pearson):
    """R² = r²: the share of the variance of human scores explained by linear regression on the metric."""

    def of_groups(self, draws: Draws) -> Floats:
        return np.asarray(super().of_groups(draws) ** 2)


class Spearman(GroupedEstimator):
    """Pearson's r of ranks; ties have their mean rank (Spearman 1904)."""

    def of_groups(self, draws: Draws) -> Floats:
        weights = draws.member_counts(self.grouping, self.human.shape)
        human, metric = self.groups_human, self.groups_metric
        sums = np.empty((1 if weights is None else len(weights), len(human), 3))
        multiply_ranks(metric, human, weights, sums, threads=self.threads)
        return _correlation(sums[..., 2], sums[..., 0], sums[..., 1])


class PearsonOfDifferences(Estimator):
    """Pairwise difference Pearson (DiIanni & Deutsch 2025): r of the score differences between all translation pairs
    within a segment, over all segments.

    Every pair counts in both orders, so that the order of systems has no effect. The mean difference is then 0, and r =
    sum(dh dm) / sqrt(sum(dh²) sum(dm²)).
    """

    def __init__(self, human: Floats, metric: Floats, *, products: Products | None = None) -> None:
        self._products = products or Products(human, metric, "segment")

    def values(self, draws: Draws) -> Floats:
        count, human, metric, human_squares, metric_squares, products = self._products.sums(draws)
        # The sum over pairs of dh dm is n sum(h m) - sum(h) sum(m).
        by_segment = (
            count * products - human * metric,
            _spread(count * human_squares, human**2),
            _spread(count * metric_squares, metric**2),
        )
        outer = draws.outer("segment")
        return _correlation(
            *(part.sum(axis=1) if outer is None else _weighted(part, outer) for part in by_segment)
        )


class Products:
    """Sums of scores, of their squares and of their products, in groups of any sample.

    From every group's scores one of them is taken away: sums of squares of large numbers would leave nothing of small
    differences, and equal scores become exactly 0. What the last samples gave is kept, for the next coefficient.
    """

    def __init__(self, human: Floats, metric: Floats, grouping: str) -> None:
        self.grouping = grouping
        known = ~np.isnan(human) & ~np.isnan(metric)
        h, m = (_moved(scores, grouping) for scores in with_both(human, metric))
        self._last: tuple[Draws, tuple[Floats, ...]] | None = None
        self._columns = (known.astype(np.float64), h, m, h * h, m * m, h * m)

    def sums(self, draws: Draws) -> tuple[Floats, ...]:
        if self._last is None or self._last[0] is not draws:
            self._last = (draws, tuple(draws.sums(column, self.grouping) for column in self._columns))
        return self._last[1]


def _moved(scores: Floats, grouping: str) -> Floats:
    groups = np.sort(grouped(scores, grouping), axis=1)  # NaN comes last
    middles = (~np.isnan(groups)).sum(axis=1, keepdims=True) // 2
    middle = np.take_along_axis(groups, np.minimum(middles, groups.shape[1] - 1), axis=1)
    if grouping == "none":
        return np.asarray(np.nan_to_num(scores - middle[0, 0]))
    return np.asarray(np.nan_to_num(scores - (middle.T if grouping == "segment" else middle)))


def _weighted(values: Floats, weights: Floats) -> Floats:
    return np.asarray(weights @ values[0] if len(values) == 1 else (weights * values).sum(axis=1))


def _spread(squares: Floats, square: Floats) -> Floats:
    """n sum(x²) - sum(x)², or 0 if that is nothing but rounding."""
    found = squares - square
    return np.asarray(np.where(found > _NO_SPREAD * squares, found, 0.0))


def _correlation(products: Floats, first: Floats, second: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):
        found = products / np.sqrt(first) / np.sqrt(second)
    return np.asarray(np.where((first > 0) & (second > 0), np.clip(found, -1.0, 1.0), np.nan))
