"""Rows of statistics in little memory: integers in the narrowest type that holds them.

Counts of a segment seldom exceed a few thousand, so two bytes hold what a sum needs eight for. Nothing is rounded:
rows are widened again before anything is computed with them. Counts that are not integers keep eight bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.metrics.base.statistics import Statistics

_TYPES = (np.uint8, np.int16, np.int32)


class CompactRows:
    """The statistics of one run by one metric, added part by part.

    >>> from understudy import BLEU
    >>> rows = CompactRows()
    >>> rows.add(BLEU().statistics(["a b c"], ["a b d"]))
    >>> rows.add(BLEU().statistics(["d e"], ["d e"]))
    >>> len(rows), int(rows.sum()["match_1"])
    (2, 4)
    """

    def __init__(self) -> None:
        self._parts: list[NDArray[Any]] = []
        self._empty: Statistics | None = None  # everything but the rows

    @classmethod
    def of(cls, statistics: Statistics) -> CompactRows:
        rows = cls()
        rows.add(statistics)
        return rows

    def add(self, part: Statistics) -> None:
        """The next part. It must fit those before, as in `Statistics.concatenate`."""
        empty = replace(part, array=part.array[:0].copy())
        self._empty = empty if self._empty is None else Statistics.concatenate([self._empty, empty])
        self._parts.append(_narrowed(part.array))

    def __len__(self) -> int:
        return self.empty.segments

    @property
    def empty(self) -> Statistics:
        """The statistics without their rows: columns, references and what the input adds to the signature."""
        assert self._empty is not None, "there is at least one part"
        return self._empty

    @property
    def dtype(self) -> np.dtype[Any]:
        return np.result_type(*self._parts)

    def parts(self) -> Iterator[Statistics]:
        """The rows, as they were added."""
        for part in self._parts:
            yield replace(self.empty, array=part.astype(self.empty.array.dtype), segments=len(part))

    def sum(self) -> Statistics:
        """What `Statistics.sum` of all rows is, to the last digit."""
        if np.issubdtype(self.dtype, np.integer):
            total = np.sum([part.sum(axis=0, dtype=np.int64) for part in self._parts], axis=0)
        else:  # the order of summation matters
            total = np.concatenate(self._parts).sum(axis=0)
        return replace(self.empty, array=total)

    def sizes(self) -> NDArray[np.float64]:
        """The sums of absolute values, by column."""
        return np.asarray(
            np.sum([np.abs(part.astype(np.float64)).sum(axis=0) for part in self._parts], axis=0)
        )

    def fill(self, target: NDArray[Any]) -> None:
        """Write the rows into an array [segments, K]."""
        start = 0
        for part in self._parts:
            target[start : start + len(part)] = part
            start += len(part)


def common_type(runs: Sequence[CompactRows]) -> np.dtype[Any]:
    """The type that holds the rows of all runs exactly."""
    return np.result_type(*(run.dtype for run in runs))


def _narrowed(rows: NDArray[Any]) -> NDArray[Any]:
    if not np.issubdtype(rows.dtype, np.integer):
        return rows
    low, high = rows.min(initial=0), rows.max(initial=0)
    for kind in _TYPES:
        limits = np.iinfo(kind)
        if limits.min <= low and high <= limits.max:
            return rows.astype(kind)
    return rows
