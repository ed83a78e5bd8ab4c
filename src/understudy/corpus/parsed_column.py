"""Text segments with their trees.

Trees are stored as text: Penn brackets for constituents, CoNLL-U token lines for dependencies. A segment may have
several trees (one per sentence), or none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column, TreeReading
from understudy.errors import BadInput

GIVEN = "given"  # unknown parser

BRACKETS = TreeReading.brackets()
_DEPENDENCIES = TreeReading.dependencies()
# CoNLL-U lines that are not part of a tree: comments, multi-word tokens (1-2) and empty nodes (8.1).
_BESIDE_TREES = r"(?m)^(?:#|\d+[-.]).*\n?"
_FORMS = {
    BRACKETS: "Expected a tree such as (S (NP (PRP I)) (VP (VBD slept))).",
    _DEPENDENCIES: "See https://universaldependencies.org/format.html.",
}

Place = Callable[[int, int], str]  # from segment and byte offset to a location in messages


def _in_segment(segment: int, offset: int) -> str:
    return f"segment {segment + 1}, byte {offset + 1}"


class ParsedColumn(Column):
    """A text column with trees: word-based metrics read the text, syntax-based metrics the trees.

    >>> parsed = ParsedColumn.from_brackets(["(S (NP (PRP I)) (VP (VBD slept)) (. .))"])
    >>> parsed[0]
    'I slept .'
    """

    constituents: Column | None
    dependencies: Column | None
    origin: str  # the parser, as in signatures
    schemes: Mapping[str, str]  # the annotation scheme by kind of tree, if not part of `origin`

    def __init__(
        self,
        text: Column,
        *,
        constituents: Column | None = None,
        dependencies: Column | None = None,
        origin: str = GIVEN,
        schemes: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(text)
        self.constituents = constituents
        self.dependencies = dependencies
        self.origin = origin
        self.schemes = schemes or {}

    @classmethod
    def from_brackets(
        cls, segments: Column | Iterable[str], origin: str = GIVEN, *, place: Place = _in_segment
    ) -> ParsedColumn:
        """Constituency trees, one string of Penn brackets per segment."""
        trees = segments if isinstance(segments, Column) else Column.from_strings(segments)
        return cls(_text_of(trees, BRACKETS, place), constituents=trees, origin=origin)

    @classmethod
    def from_conllu(
        cls, segments: Iterable[str], origin: str = GIVEN, *, place: Place = _in_segment
    ) -> ParsedColumn:
        """Dependency trees, one CoNLL-U string per segment."""
        written = list(segments)
        text = _text_of(Column.from_strings(written), _DEPENDENCIES, place)
        trees = Column.from_strings(re.sub(_BESIDE_TREES, "", trees) for trees in written)
        return cls(text, dependencies=trees, origin=origin)

    @overload
    def __getitem__(self, index: int) -> str | None: ...
    @overload
    def __getitem__(self, index: slice) -> ParsedColumn: ...
    def __getitem__(self, index: int | slice) -> str | ParsedColumn | None:
        if isinstance(index, int):
            return super().__getitem__(index)
        return ParsedColumn(
            super().__getitem__(index),
            constituents=None if self.constituents is None else self.constituents[index],
            dependencies=None if self.dependencies is None else self.dependencies[index],
            origin=self.origin,
            schemes=self.schemes,
        )

    def taken(self, rows: NDArray[np.int64]) -> ParsedColumn:
        """These rows, each as often as given."""
        return ParsedColumn(
            super().taken(rows),
            constituents=None if self.constituents is None else self.constituents.taken(rows),
            dependencies=None if self.dependencies is None else self.dependencies.taken(rows),
            origin=self.origin,
            schemes=self.schemes,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle and copy: a plain column would lose its trees."""
        kept = (Column(self), self.constituents, self.dependencies, self.origin, dict(self.schemes))
        return _restored, kept

    @staticmethod
    def picked(columns: Sequence[ParsedColumn], picks: Sequence[tuple[int, int] | None]) -> ParsedColumn:
        """Rows of several columns, each given as column and row number; None for a row without text."""

        def of(sides: Sequence[Column | None]) -> Column | None:
            given = [side for side in sides if side is not None]
            if len(given) < len(sides):
                return None
            return Column.from_strings(None if pick is None else given[pick[0]][pick[1]] for pick in picks)

        text = of(columns)
        assert text is not None, "columns are text"
        origins = list(dict.fromkeys(column.origin for column in columns))
        return ParsedColumn(
            text,
            constituents=of([column.constituents for column in columns]),
            dependencies=of([column.dependencies for column in columns]),
            origin="+".join(origins),
            schemes=columns[0].schemes,
        )


def _restored(
    text: Column,
    constituents: Column | None,
    dependencies: Column | None,
    origin: str,
    schemes: Mapping[str, str],
) -> ParsedColumn:
    return ParsedColumn(
        text, constituents=constituents, dependencies=dependencies, origin=origin, schemes=schemes
    )


class BadTree(NamedTuple):
    """The error for the first malformed tree, with its location."""

    segment: int
    offset: int  # in bytes
    what: str


def first_bad(trees: Column, reading: TreeReading) -> BadTree | None:
    bad = _core.check_trees(trees, reading)
    return None if bad is None else BadTree(bad[0], *bad[2:])


def _text_of(trees: Column, reading: TreeReading, place: Place) -> Column:
    bad = first_bad(trees, reading)
    if bad is not None:
        raise BadInput(f"{place(bad.segment, bad.offset)}: {bad.what}. {_FORMS[reading]}")
    return _core.text_of_trees(trees, reading)
