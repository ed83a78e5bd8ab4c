"""Text segments with their trees.

A segment's trees are text, too: Penn brackets for constituents, the word lines of CoNLL-U for dependencies. A
segment may have several (one for each of its sentences), or none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, overload

from understudy import _core
from understudy._core import Column, TreeReading
from understudy.errors import BadInput

GIVEN = "given"  # who parsed it is not known

BRACKETS = TreeReading.brackets()
DEPENDENCIES = TreeReading.dependencies()
# What a tree in CoNLL-U is not made of: comments, multi-word tokens (1-2) and empty nodes (8.1).
_BESIDE_TREES = r"(?m)^(?:#|\d+[-.]).*\n?"
_FORMS = {
    BRACKETS: "A tree is written like (S (NP (PRP I)) (VP (VBD slept))).",
    DEPENDENCIES: "A word is a line of ten columns with tabs, see https://universaldependencies.org/format.html",
}

Place = Callable[[int, int], str]  # of a segment and an offset in its bytes: how messages name it


def _in_segment(segment: int, offset: int) -> str:
    return f"segment {segment + 1}, byte {offset + 1}"


class ParsedColumn(Column):
    """A column of text that knows its trees: metrics of words read the text, those of syntax the trees.

    >>> parsed = ParsedColumn.from_brackets(["(S (NP (PRP I)) (VP (VBD slept)) (. .))"])
    >>> parsed[0]
    'I slept .'
    """

    constituents: Column | None
    dependencies: Column | None
    origin: str  # who parsed it, as in signatures
    schemes: Mapping[
        str, str
    ]  # by which scheme the trees of a kind are made, where that is not part of `origin`

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
        cls, segments: Iterable[str], origin: str = GIVEN, *, place: Place = _in_segment
    ) -> ParsedColumn:
        """Constituents, each segment's as Penn brackets."""
        trees = Column.from_strings(segments)
        return cls(_text_of(trees, BRACKETS, place), constituents=trees, origin=origin)

    @classmethod
    def from_conllu(
        cls, segments: Iterable[str], origin: str = GIVEN, *, place: Place = _in_segment
    ) -> ParsedColumn:
        """Dependencies, each segment's as CoNLL-U."""
        written = list(segments)
        text = _text_of(Column.from_strings(written), DEPENDENCIES, place)
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

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle and copy: a column alone would come back without its trees."""
        kept = (Column(self), self.constituents, self.dependencies, self.origin, dict(self.schemes))
        return _restored, kept

    @staticmethod
    def picked(columns: Sequence[ParsedColumn], picks: Sequence[tuple[int, int] | None]) -> ParsedColumn:
        """Rows of several columns, each as the number of a column and of a row in it; None for a row without text."""

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
    """What is wrong with the first text that is no tree, and where."""

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
