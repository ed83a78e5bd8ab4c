"""Cohen's kappa (Cohen 1960) of two judges, and its mean over all pairs of judges (Light 1971)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy.arrays import Floats
from understudy.choices import CONFIDENCE, SEED
from understudy.judging.agreement.bootstrap import SAMPLES, bootstrapped, share
from understudy.judging.agreement.fleiss import kappa_of
from understudy.judging.agreement.reliability_data import NO_OVERLAP, ReliabilityData
from understudy.judging.cluster_sums import sums_by
from understudy.judging.estimates import Estimate
from understudy.judging.judgments import Places, combined
from understudy.resampling.two_way_samples import over_groups

CHANCE_IS_CERTAIN = (
    "the two judges gave one and the same value to all items, so agreement by chance is certain"
)
CELLS_AT_ONCE = 2**16  # categories of pairs of judges that are counted together


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
    segments: those of a pair of its segments, those of the mean of all.

    >>> data = ReliabilityData.of(judge=[0, 1, 0, 1, 0, 1], unit=[0, 0, 1, 1, 2, 2], value=[1, 1, 2, 2, 1, 2])
    >>> round(cohen_kappa(data).mean.value, 4)
    0.4
    """
    compared = data.pairable
    if not compared.units:
        return CohenKappa(Estimate.absent(NO_OVERLAP), ())
    tables = _Tables.of(compared)
    how: dict[str, Any] = {"samples": samples, "seed": seed, "confidence": confidence}
    mean = bootstrapped(tables.mean_kappa, compared.clusters, CHANCE_IS_CERTAIN, **how)
    pairs = tuple(
        PairKappa(first, second, units, bootstrapped(kappa, clusters, CHANCE_IS_CERTAIN, **how))
        for first, second, units, clusters, kappa in tables.each()
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
        )

    def mean_kappa(self, weights: Floats) -> Floats:
        """[samples]: over the pairs of judges that have a kappa in the sample."""
        at_once = max(1, CELLS_AT_ONCE // self.categories)
        kappas = [
            self._kappas(weights, range(start, min(start + at_once, len(self.judges))))
            for start in range(0, len(self.judges), at_once)
        ]
        return over_groups(np.concatenate(kappas).T, None)

    def each(self) -> Iterator[tuple[int, int, int, int, Any]]:
        """Every pair of judges with the number of its units and clusters, and its kappa as a function of weights."""
        order = np.argsort(self.pair, kind="stable")
        bounds = np.searchsorted(self.pair[order], np.arange(len(self.judges) + 1))
        for number, (first, second) in enumerate(self.judges):
            rows = order[bounds[number] : bounds[number + 1]]
            cluster = combined(self.cluster[rows])
            clusters = int(cluster.max()) + 1
            alone = _Tables(
                np.zeros(len(rows), dtype=np.int64),
                ((first, second),),
                cluster,
                self.one[rows],
                self.other[rows],
                self.categories,
                clusters,
            )
            yield (
                first,
                second,
                len(rows),
                clusters,
                lambda weights, table=alone: table._kappas(weights, range(1))[0],
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
        expected = share((of_one * of_other).sum(axis=1), number**2)
        return kappa_of(share(agreed, number), expected)
