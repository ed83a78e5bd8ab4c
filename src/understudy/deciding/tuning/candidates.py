"""Candidates: n-best lists whose features are scaled and whose statistics are counted, once for all of tuning."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy.arrays import Floats
from understudy.deciding.tuning.objective import Objective


@dataclass(frozen=True, eq=False)
class Candidates:
    """The candidates of all segments, those of a segment side by side."""

    objective: Objective
    offsets: NDArray[np.int64]  # [segments + 1]
    features: Floats  # [names, candidates], divided by `scales`
    scales: Floats  # [names]: powers of 2, so that dividing is exact
    counts: tuple[NDArray[Any], ...]  # of each metric [candidates, K]
    segment_worth: Floats | None = None  # [candidates]: the objective at segment level, higher is better

    @classmethod
    def of(
        cls,
        objective: Objective,
        offsets: NDArray[np.int64],
        features: Floats,
        counts: tuple[NDArray[Any], ...],
        segment_worth: Floats | None = None,
    ) -> Candidates:
        """Candidates with features [candidates, names] as they are in the files."""
        scales = _scales(offsets, features)
        scaled = np.ascontiguousarray((features / scales).T)
        return cls(objective, offsets, scaled, scales, counts, segment_worth)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def among(self, segments: NDArray[np.intp]) -> Candidates:
        """Only these segments, with the same scales."""
        sizes = np.diff(self.offsets)[segments]
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        rows = np.repeat(self.offsets[:-1][segments] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return Candidates(
            self.objective,
            offsets,
            np.ascontiguousarray(self.features[:, rows]),
            self.scales,
            tuple(of_metric[rows] for of_metric in self.counts),
            None if self.segment_worth is None else self.segment_worth[rows],
        )

    @cached_property
    def varies(self) -> NDArray[np.bool_]:
        """Whether a feature differs between candidates of any segment. If it does not, its weight has no effect."""
        starts = self.offsets[:-1]
        lowest = np.minimum.reduceat(self.features, starts, axis=1)
        return np.asarray((np.maximum.reduceat(self.features, starts, axis=1) > lowest).any(axis=1))

    def chosen(self, weights: Floats) -> NDArray[np.int64]:
        """The candidate of every segment with the highest model score; of equal scores, the first."""
        found = np.empty(len(self), dtype=np.int64)
        _core.best_candidates(self.features, self.offsets, weights, found)
        return found

    def value(self, weights: Floats) -> float:
        """The objective of the candidates that these weights select."""
        rows = self.chosen(weights)
        sums = [of_metric[rows].sum(axis=0) for of_metric in self.counts]
        return float(self.objective.value(sums))

    def worth(self, weights: Floats) -> float:
        """The same on a scale where higher is better."""
        return float(self.objective.worth(self.value(weights)))


def _scales(offsets: NDArray[np.int64], features: Floats) -> Floats:
    """The standard deviation of each feature within segments, rounded to a power of 2. Random directions and starting
    points then vary all features alike, whatever their units.
    """
    sizes = np.diff(offsets)
    means = np.add.reduceat(features, offsets[:-1], axis=0) / sizes[:, np.newaxis]
    spread = np.abs(features - np.repeat(means, sizes, axis=0))
    largest = spread.max(axis=0)
    scale = np.where(largest > 0, largest, 1.0)
    deviations = scale * np.sqrt(((spread / scale) ** 2).mean(axis=0))
    return np.asarray(2.0 ** np.round(np.log2(np.where(largest > 0, deviations, 1.0))))
