"""PairMetric: the base of metrics that give values to pairs of texts, such as learned models.

The corpus score is the mean of the segment scores. With several references, each value of a segment is the best one
(or the mean) over its references.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.errors import BadSegment
from understudy.metrics.base.averages import SCORE_UNIT, average_columns, averaged, mean_of
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.parameters import param
from understudy.metrics.base.statistics import Statistics
from understudy.neural.pairs import Pair


@dataclass(frozen=True, kw_only=True, repr=False)
class PairMetric(Metric):
    """A metric whose statistics are values of pairs. A subclass gives the values: on the scale of scores, or as
    fractions if the metric is reported in percent.
    """

    multi: str = param(
        "max", "value of a segment with several references", choices=("max", "mean"), key="multi"
    )

    below_zero: ClassVar[bool] = True

    @property
    @abstractmethod
    def values(self) -> tuple[str, ...]:
        """The names of the values of a pair."""

    @abstractmethod
    def values_of(self, pairs: Sequence[Pair], threads: int) -> Floats:
        """The values [pairs, values]."""

    @property
    def reported(self) -> str:
        """The value that is the score."""
        return self.values[0]

    @property
    def uses_models(self) -> bool:
        return True

    @property
    def full_marks(self) -> bool:
        return False  # nothing guarantees that a model prefers the reference

    @property
    def columns(self) -> tuple[str, ...]:
        return average_columns(*self.values)

    def count(self, hypotheses: Column, references: References, threads: int) -> NDArray[np.int64]:
        pairs, starts = self.pairs(hypotheses, references)
        values = self.values_of(pairs, threads)
        for number, row in zip(*np.nonzero(~np.isfinite(values)), strict=True):
            raise BadSegment.at(
                f"{self.spec} has no {self.values[row]} for ",
                int(np.searchsorted(starts, number, side="right")) - 1,
                f": got {values[number, row]}. Is the model damaged, or its data type too small?",
            )
        if self.multi != "mean":
            return self.rows(self.best_of_segments(values, starts))
        counts = np.diff([*starts, len(pairs)])
        return self.rows(np.add.reduceat(values, starts) / counts[:, None])

    def best_of_segments(self, values: Floats, starts: Sequence[int]) -> Floats:
        """The best of the values of each segment, each value by itself."""
        best = np.minimum if self.higher_is_better is False else np.maximum
        return np.asarray(best.reduceat(values, starts))

    @staticmethod
    def rows(values: Floats) -> NDArray[np.int64]:
        """Rows of statistics, from the values [segments, values] of segments."""
        return averaged(list(values.T / SCORE_UNIT))

    def score(self, statistics: Statistics) -> Floats:
        return self._mean(statistics, self.reported)

    def detail(self, totals: Statistics) -> dict[str, Any]:
        return {name: self._mean(totals, name).item() for name in self.values}

    def _mean(self, statistics: Statistics, name: str) -> Floats:
        return (100 if self.percent else 1) * SCORE_UNIT * mean_of(statistics, name)

    def pairs(self, hypotheses: Column, references: References) -> tuple[list[Pair], list[int]]:
        """The pairs of all segments, one segment after another, and where those of each segment start."""
        pairs: list[Pair] = []
        starts: list[int] = []
        for row in range(len(hypotheses)):
            starts.append(len(pairs))
            source = (
                references.sources[row] if self.reads_sources and references.sources is not None else None
            )
            answers: Sequence[str | None] = references[row] if self.reads_references else [None]
            pairs += [Pair(hypotheses[row] or "", answer, source) for answer in answers]
        return pairs, starts
