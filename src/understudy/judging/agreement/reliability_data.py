"""Reliability data: the values that judges gave to the same units, in columns sorted by unit.

A unit is a text that was judged, or, in rankings, a pair of texts that were compared. Units of one segment are
resampled together.

Which text of a pair comes first is arbitrary, and the agreement expected by chance must not depend on it. Outcomes of
comparisons are therefore mirrored: by chance, "better" is as frequent as "worse".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from understudy.arrays import Floats, ties_kept
from understudy.judging.analysis.comparisons import Comparisons
from understudy.judging.cluster_sums import sums_by
from understudy.judging.judgments import Places, Ratings, combined

NO_OVERLAP = "no item was judged by two judges"


@dataclass(frozen=True, eq=False)
class ReliabilityData:
    """One row per judge and unit. Units and clusters are numbered without gaps; judges keep their numbers."""

    judge: Places
    unit: Places
    cluster: Places  # what is resampled: the segment
    value: Floats
    mirrored: bool = False  # values are outcomes of comparisons: -1, 0 or 1

    @classmethod
    def of(
        cls,
        judge: ArrayLike,
        unit: ArrayLike,
        value: ArrayLike,
        cluster: ArrayLike | None = None,
        *,
        mirrored: bool = False,
    ) -> ReliabilityData:
        """Of rows in any order. Of several values that a judge gave a unit, the first counts; the others are about
        self-agreement. Without clusters, units are resampled.
        """
        judges, units = np.asarray(judge, dtype=np.int64), np.asarray(unit, dtype=np.int64)
        _, first = np.unique(combined(units, judges), return_index=True)  # sorted by unit, then by judge
        clusters = units if cluster is None else np.asarray(cluster, dtype=np.int64)
        values = ties_kept(np.asarray(value, dtype=np.float64)[first])
        return cls(judges[first], combined(units[first]), combined(clusters[first]), values, mirrored)

    @classmethod
    def of_ratings(cls, ratings: Ratings) -> ReliabilityData:
        """Of texts: an answer credited to several systems counts once."""
        once = ratings.answers
        return cls.of(once.judge, once.unit, once.value, once.segment)

    @classmethod
    def of_comparisons(cls, comparisons: Comparisons) -> ReliabilityData:
        """Of pairs of different texts: -1, 0 or 1 for worse, tied and better."""
        judged, pair = comparisons.of_texts()
        return cls.of(judged.judge, pair, judged.outcome, judged.segment, mirrored=True)

    def rows(self, chosen: Any) -> ReliabilityData:
        """Those rows, by number or by a mask."""
        return ReliabilityData(
            self.judge[chosen],
            combined(self.unit[chosen]),
            combined(self.cluster[chosen]),
            self.value[chosen],
            self.mirrored,
        )

    @property
    def pairable(self) -> ReliabilityData:
        """Without units that only one judge judged."""
        kept = self.sizes[self.unit] > 1
        return self if kept.all() else self.rows(kept)

    @cached_property
    def sizes(self) -> Places:
        """The number of judges of each unit."""
        return np.bincount(self.unit)

    @property
    def units(self) -> int:
        return len(self.sizes)

    @cached_property
    def clusters(self) -> int:
        return int(self.cluster.max(initial=-1)) + 1

    @cached_property
    def starts(self) -> Places:
        """The first row of each unit."""
        return np.cumsum(self.sizes) - self.sizes

    @cached_property
    def cluster_of_unit(self) -> Places:
        return self.cluster[self.starts]

    @cached_property
    def category(self) -> Places:
        """The place of each value among the distinct values, or among the outcomes of a comparison."""
        return (self.value + 1).astype(np.int64) if self.mirrored else combined(self.value)

    @cached_property
    def categories(self) -> int:
        return 3 if self.mirrored else int(self.category.max(initial=-1)) + 1

    def marginals(self, counted: Floats, axis: int = 0) -> Floats:
        """What is counted by category, without regard to which text of a pair comes first."""
        return (counted + np.flip(counted, axis)) / 2 if self.mirrored else counted

    def unit_sums(self, of_rows: Floats) -> Floats:
        """The sum over the rows of each unit [..., units] of what every row has [..., rows]."""
        return np.add.reduceat(of_rows, self.starts, axis=-1)

    def cluster_sums(self, of_units: Floats) -> Floats:
        """The sum over the units of each cluster."""
        return np.asarray(np.bincount(self.cluster_of_unit, of_units, self.clusters), dtype=np.float64)

    @cached_property
    def equal_pairs(self) -> Floats:
        """Of each unit, the sum over values of the squared number of judges who gave it: ordered pairs of judges who
        agree, and each judge with itself.
        """
        cell = self.unit * self.categories + self.category  # sorted by unit
        cells, counts = np.unique(cell, return_counts=True)
        squares = np.bincount(cells // self.categories, counts.astype(np.float64) ** 2, self.units)
        return np.asarray(squares, dtype=np.float64)

    def by_category(self, of_rows: Floats) -> Callable[[Floats], Floats]:
        """The function that makes of weights [samples, clusters] the sums [categories, samples] of what rows have."""
        return sums_by(self.category, self.cluster, of_rows, (self.categories, self.clusters))
