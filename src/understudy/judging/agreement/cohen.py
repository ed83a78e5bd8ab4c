"""Cohen's kappa (Cohen 1960) of two judges, and its mean over all pairs of judges (Light 1971)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy.arrays import Floats
from understudy.choices import CONFIDENCE, SEED
from understudy.judging.agreement.bootstrap import SAMPLES, around, check_sampling, share
from understudy.judging.agreement.fleiss import KAPPAS, kappa_of
from understudy.judging.agreement.reliability_data import NO_OVERLAP, ReliabilityData
from understudy.judging.cluster_sums import sums_by
from understudy.judging.estimates import Estimate
from understudy.judging.judgments import Places, combined
from understudy.resampling.samples import bootstrap_weights
from understudy.resampling.two_way_samples import over_groups

CHANCE_IS_CERTAIN = (
    "the two judges gave one and the same value to all items, so agreement by chance is certain"
)
CELLS_AT_ONCE = 2**14  # categories of pairs of judges that are counted together


@dataclass(frozen=True)
class PairKappa:
    """Two judges, by number."""

    first: int
    second: int
    units: int  # that both judged
    kappa: Estimate


@dataclass(frozen=True)
class CohenKappa:
    """The mean over pairs of judges who have a kappa, each pair counting once, and every pair."""

    mean: Estimate
    pairs: tuple[PairKappa, ...]


def cohen_kappa(
    data: ReliabilityData,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> CohenKappa:
    """Kappa of values as names, of every pair of judges who judged the same units, with bootstrap intervals over
    segments.

    >>> data = ReliabilityData.of(judge=[0, 1, 0, 1, 0, 1], unit=[0, 0, 1, 1, 2, 2], value=[1, 1, 2, 2, 1, 2])
    >>> round(cohen_kappa(data).mean.value, 4)
    0.4
    """
    compared = data.pairable
    if not compared.units:
        return CohenKappa(Estimate.absent(NO_OVERLAP), ())
    check_sampling(samples, confidence)
    tables, clusters = _Tables.of(compared), compared.clusters
    seen = tables.kappas(np.ones((1, clusters)))[:, 0]
    parts = bootstrap_weights(clusters, samples, seed) if clusters > 1 else ()
    drawn = np.concatenate([np.empty((len(seen), 0)), *(tables.kappas(part) for part in parts)], axis=1)

    def estimate(value: float, in_samples: Floats, of_clusters: int) -> Estimate:
        if np.isnan(value):
            return Estimate.absent(CHANCE_IS_CERTAIN)
        return around(value, in_samples, of_clusters, confidence, KAPPAS)

    mean = estimate(float(over_groups(seen[np.newaxis], None)[0]), over_groups(drawn.T, None), clusters)
    pairs = tuple(
        PairKappa(*judges, units, estimate(value, in_samples, of_clusters))
        for judges, units, of_clusters, value, in_samples in zip(
            tables.judges,
            tables.units.tolist(),
            tables.clusters_of_pairs.tolist(),
            seen.tolist(),
            drawn,
            strict=True,
        )
    )
    return CohenKappa(mean, pairs)


@dataclass(frozen=True, eq=False)
class _Tables:
    """The contingency tables of all pairs of judges, one row for every unit that two judges judged."""

    pair: Places
    judges: tuple[tuple[int, int], ...]  # of each pair
    cluster: Places
    one: Places  # category of the first judge
    other: Places
    categories: int
    clusters: int
    marginals: Callable[[Floats, int], Floats]

    @classmethod
    def of(cls, data: ReliabilityData) -> _Tables:
        rows = []
        for size in np.unique(data.sizes).tolist():
            first, second = np.triu_indices(size, 1)
            starts = data.starts[data.sizes == size][:, np.newaxis]
            rows.append(np.stack([(starts + first).ravel(), (starts + second).ravel()]))
        one, other = np.concatenate(rows, axis=1)
        pair = combined(data.judge[one], data.judge[other])
        _, example = np.unique(pair, return_index=True)
        judges = tuple(
            zip(data.judge[one[example]].tolist(), data.judge[other[example]].tolist(), strict=True)
        )
        return cls(
            pair,
            judges,
            data.cluster[one],
            data.category[one],
            data.category[other],
            data.categories,
            data.clusters,
            data.marginals,
        )

    @property
    def units(self) -> Places:
        """That both judges of a pair judged."""
        return np.bincount(self.pair)

    @property
    def clusters_of_pairs(self) -> Places:
        _, example = np.unique(combined(self.pair, self.cluster), return_index=True)
        return np.bincount(self.pair[example])

    def kappas(self, weights: Floats) -> Floats:
        """Of all pairs of judges [pairs, samples]; NaN: not defined in a sample."""
        at_once = max(1, CELLS_AT_ONCE // self.categories)
        return np.concatenate(
            [
                self._kappas(weights, range(start, min(start + at_once, len(self.judges))))
                for start in range(0, len(self.judges), at_once)
            ]
        )

    def _kappas(self, weights: Floats, pairs: range) -> Floats:
        """Of these pairs [pairs, samples]."""
        rows = (self.pair >= pairs.start) & (self.pair < pairs.stop)
        pair, cluster = self.pair[rows] - pairs.start, self.cluster[rows]
        one, other = self.one[rows], self.other[rows]

        def counted(row: Places, height: int, chosen: Any = slice(None)) -> Floats:
            ones = np.ones(len(row[chosen]))
            return sums_by(row[chosen], cluster[chosen], ones, (height, self.clusters))(weights)

        count = len(pairs)
        shape = (count, self.categories, len(weights))
        number = counted(pair, count)
        agreed = counted(pair, count, one == other)
        of_one = counted(pair * self.categories + one, count * self.categories).reshape(shape)
        of_other = counted(pair * self.categories + other, count * self.categories).reshape(shape)
        by_chance = self.marginals(of_one, 1) * self.marginals(of_other, 1)
        expected = share(by_chance.sum(axis=1), number**2)
        return kappa_of(share(agreed, number), expected)
