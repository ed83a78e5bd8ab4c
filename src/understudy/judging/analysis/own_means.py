"""What each judge said of each translation, once: the judge's own mean where one judged it several times. Hidden
repeats are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from understudy.arrays import Floats
from understudy.judging.judgments import Places, Ratings, combined


@dataclass(frozen=True, eq=False)
class OwnMeans:
    """One row per judge, system and segment."""

    judge: Places
    system: Places
    segment: Places
    value: Floats

    @classmethod
    def of(cls, ratings: Ratings) -> OwnMeans:
        rows = ratings.first
        key = combined(rows.judge, rows.system, rows.segment)
        _, example, counts = np.unique(key, return_index=True, return_counts=True)
        value = rows.value[example]
        if len(example) < len(key):
            value = np.bincount(key, rows.value) / counts
        return cls(rows.judge[example], rows.system[example], rows.segment[example], value)

    def __len__(self) -> int:
        return len(self.value)

    def segment_means(self, systems: int, segments: int) -> Floats:
        """The mean over judges of every translation [systems, segments]; NaN: nobody judged it."""
        cell, count = self.system * segments + self.segment, systems * segments
        number = np.bincount(cell, minlength=count)
        total = np.bincount(cell, self.value, count)
        return np.where(number > 0, total / np.maximum(number, 1), np.nan).reshape(systems, segments)
