"""Candidates of an n-best list as read, and the columns they become."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

import numpy as np

from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.files import shown
from understudy.corpus.nbest import NBest
from understudy.corpus.numbers import is_number
from understudy.errors import BadInput

NumberedLines = Iterable[tuple[int, str]]

TEXT_NAMES = ("text", "hypothesis", "hyp", "candidate", "translation")
SEGMENT_NAMES = ("segment", "segment_id", "seg_id", "id")


@dataclass(frozen=True)
class Layout:
    """The names of the features of a line, in order; `groups` are the names with several values."""

    names: tuple[str, ...] = ()
    groups: tuple[tuple[str, int], ...] = ()


_NOTHING = Layout()


class Row(NamedTuple):
    """One candidate as read."""

    line: int
    segment: int | None  # as numbered in the file; None continues the current one
    text: str
    layout: Layout = _NOTHING
    values: tuple[float, ...] = ()
    score: float | None = None
    weight: float | None = None
    alignment: str | None = None


class NewSegment(NamedTuple):
    """The beginning of a segment, for formats that do not number candidates."""

    line: int
    segment: int | None = None


Rows = Iterator[Row | NewSegment]


def segment_number(text: str, at: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise BadInput(f"{at}: got {text[:40]!r}, expected the number of the segment.")
    return int(text)


def number_in(text: str, what: str, at: str) -> float:
    if not is_number(text):
        raise BadInput(f"{at}: {what} is {text[:40]!r}, expected a number.")
    return float(text)


def layout_of(values: dict[str, list[float]], at: str, unnamed: str = "") -> tuple[Layout, tuple[float, ...]]:
    names: list[str] = []
    groups = []
    for name, numbers in values.items():
        if not numbers:
            raise BadInput(f"{at}: feature '{name}' has no value.")
        several = len(numbers) > 1 or name == unnamed
        names += [f"{name}_{k}" for k in range(1, len(numbers) + 1)] if several else [name]
        if several:
            groups.append((name, len(numbers)))
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadInput(f"{at}: feature '{twice}' is repeated.")
    return Layout(tuple(names), tuple(groups)), tuple(chain.from_iterable(values.values()))


@dataclass
class NBestColumns:
    """Columns that grow row by row. All rows of a file have the same columns, except features with one value."""

    path: str
    first: int = 0  # the position of the first segment
    texts: list[str] = field(default_factory=list)
    _segments: array[int] = field(default_factory=lambda: array("q"))
    _lines: array[int] = field(default_factory=lambda: array("q"))
    _blocks: list[tuple[Layout, int]] = field(default_factory=list)  # a layout, and the first row that has it
    _values: array[float] = field(default_factory=lambda: array("d"))
    _scores: array[float] = field(default_factory=lambda: array("d"))
    _weights: array[float] = field(default_factory=lambda: array("d"))
    _alignments: list[str] = field(default_factory=list)
    _names: dict[str, int] = field(default_factory=dict)
    _groups: dict[str, int] | None = None  # features with several values; None before the first row
    _has: dict[str, bool] = field(default_factory=dict)  # which columns rows have, from the first one on

    def following(self, first: int) -> NBestColumns:
        """Columns for the next part of the file, whose first segment is at this position."""
        return NBestColumns(self.path, first, _groups=self._groups, _has=self._has)

    def add(self, row: Row, segment: int) -> None:
        if not self._blocks or row.layout != self._blocks[-1][0]:
            self._add_layout(row)
        for name, column, value in (
            ("score", self._scores, row.score),
            ("weight", self._weights, row.weight),
            ("alignment", self._alignments, row.alignment),
        ):
            if self._has.setdefault(name, value is not None) != (value is not None):
                which = "no" if value is None else "an" if name == "alignment" else "a"
                raise BadInput(
                    f"{self._at(row.line)}: the candidate has {which} {name}, unlike those before."
                )
            if value is not None:
                column.append(value)  # type: ignore[arg-type]
        self.texts.append(row.text)
        self._segments.append(segment - self.first)
        self._lines.append(row.line)
        self._values.extend(row.values)

    def _add_layout(self, row: Row) -> None:
        """A feature with one value may be missing in a line (0), a feature with several may not."""
        layout = row.layout
        if self._has.setdefault("features", bool(layout.names)) != bool(layout.names):
            raise BadInput(
                f"{self._at(row.line)}: the candidate has {'' if layout.names else 'no '}features, unlike those before."
            )
        groups = dict(layout.groups)
        before = groups if self._groups is None else self._groups
        for name, size in before.items():
            if groups.get(name, 0) != size:
                raise BadInput(
                    f"{self._at(row.line)}: feature '{name}' has {groups.get(name, 0)} values, expected {size} as "
                    "before."
                )
        if len(groups) > len(before):
            name = next(name for name in groups if name not in before)
            raise BadInput(
                f"{self._at(row.line)}: feature '{name}' has {groups[name]} values, expected at most one as before."
            )
        self._groups = groups
        for name in layout.names:
            self._names.setdefault(name, len(self._names))
        self._blocks.append((layout, len(self.texts)))

    def _at(self, line: int) -> str:
        return f"{shown(self.path)}, line {line}"

    def finished(self, last: int) -> NBest:
        """The columns, with segments up to the last one."""
        features = self._matrix()
        names = tuple(self._names)
        for what, column in (
            *((f"feature '{name}'", features[:, k]) for k, name in enumerate(names)),
            ("the score", np.array(self._scores, dtype=np.float64)),
            ("the weight", np.array(self._weights, dtype=np.float64)),
        ):
            wrong = ~np.isfinite(column)
            if what == "the weight":
                wrong |= column < 0
            for row in np.flatnonzero(wrong)[:1].tolist():
                expected = "at least 0" if what == "the weight" else "a finite number"
                raise BadInput(f"{self._at(self._lines[row])}: {what} is {column[row]}, expected {expected}.")
        counts = np.bincount(np.array(self._segments, dtype=np.int64), minlength=last + 1 - self.first)
        return NBest(
            texts=Column.from_strings(self.texts),
            offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            features=features,
            feature_names=names,
            scores=np.array(self._scores) if self._scores else None,
            weights=np.array(self._weights) if self._weights else None,
            alignments=Column.from_strings(self._alignments) if self._alignments else None,
            origin=shown(self.path),
        )

    def _matrix(self) -> Floats:
        values = np.array(self._values, dtype=np.float64)
        matrix = np.zeros((len(self.texts), len(self._names)))
        taken = 0
        ends = [start for _, start in self._blocks[1:]] + [len(self.texts)]
        for (layout, start), end in zip(self._blocks, ends, strict=True):
            columns = [self._names[name] for name in layout.names]
            size = (end - start) * len(columns)
            matrix[start:end, columns] = values[taken : taken + size].reshape(end - start, len(columns))
            taken += size
        return matrix
