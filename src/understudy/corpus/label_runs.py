"""Labels of segments that are equal in runs, such as the names of documents: kept once per run."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import overload


class LabelRuns(Sequence[str]):
    """A sequence with as many entries as there are segments, and the memory of its runs.

    >>> runs = LabelRuns([("news", 2), ("talks", 1)])
    >>> len(runs), runs[1], runs[1:3]
    (3, 'news', ('news', 'talks'))
    """

    def __init__(self, runs: Iterable[tuple[str, int]]) -> None:
        self._labels: list[str] = []
        self._ends = array("q")
        for label, count in runs:
            if count:
                self._labels.append(label)
                self._ends.append(len(self) + count)

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[str, ...]: ...
    def __getitem__(self, index: int | slice) -> str | tuple[str, ...]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            return tuple(self._between(start, stop)) if step == 1 else tuple(self)[index]
        if not -len(self) <= index < len(self):
            raise IndexError(f"entry {index} of {len(self)} labels")
        return self._labels[bisect_right(self._ends, index % len(self))]

    def __iter__(self) -> Iterator[str]:
        return self._between(0, len(self))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(map(str.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment]  # as that of a list

    def _between(self, start: int, stop: int) -> Iterator[str]:
        run = bisect_right(self._ends, start)
        while start < stop:
            end = min(self._ends[run], stop)
            for _ in range(start, end):
                yield self._labels[run]
            start, run = end, run + 1
