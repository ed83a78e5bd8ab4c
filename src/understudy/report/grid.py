"""Grid: the contents of a table, independent of its format."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from understudy.corpus.test_sets.test_set import NamedSet

HIGHER, LOWER, CLOSER = "↑", "↓", "→"  # in headers: which way is better


def arrow(higher_is_better: bool | None, target: float | None) -> str:
    """Which way is better: up, down, or towards a number.

    >>> arrow(True, None), arrow(None, 100)
    ('↑', '→ 100')
    """
    if higher_is_better is None:
        return f"{CLOSER} {target:g}"
    return HIGHER if higher_is_better else LOWER


class GridColumn(NamedTuple):
    """A column of cells that are ready to be shown."""

    header: tuple[str, ...]  # lines, from the top
    cells: list[str]
    numeric: bool = True  # to the right, else to the left
    best: frozenset[int] = frozenset()  # the rows that deserve to stand out
    prose: bool = False  # may be wrapped
    marks: tuple[
        str, ...
    ] = ()  # behind each cell, such as a sign for a significant difference; empty: none has any


@dataclass(frozen=True)
class Grid:
    """Columns of equal length, what to say below them, and signatures, each with the name of its column."""

    columns: list[GridColumn]
    notes: list[str] = field(default_factory=list)
    signatures: list[tuple[str, str]] = field(default_factory=list)
    caption: str = ""  # for tables that stand by themselves, as in a paper
    cited: NamedSet | None = None  # the test set that is named below it, for the citation in a paper

    def __post_init__(self) -> None:
        """Sentences may name systems, which are called as their files are, or labels: whatever people write."""
        object.__setattr__(self, "notes", list(map(printable, self.notes)))
        signatures = [(printable(label), printable(signature)) for label, signature in self.signatures]
        object.__setattr__(self, "signatures", signatures)
        object.__setattr__(self, "caption", printable(self.caption))

    @property
    def rows(self) -> int:
        return len(self.columns[0].cells)

    def header_rows(self) -> list[list[str]]:
        """The headers line by line, all of the same height."""
        height = max(len(column.header) for column in self.columns)
        return [
            [column.header[line] if line < len(column.header) else "" for column in self.columns]
            for line in range(height)
        ]


def marks_of(column: GridColumn) -> tuple[list[str], int]:
    """A mark for every cell, and how long the longest is."""
    marks = list(column.marks) or [""] * len(column.cells)
    return marks, max(map(len, marks), default=0)


def printable(name: str) -> str:
    r"""A name on one line: what would break a table or steer a terminal is shown as an escape.

    >>> printable("ü\tb")
    'ü\\tb'
    """
    if name.isprintable():
        return name
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in name)


def shown_p(p: float, bound: bool = False) -> str:
    """Digits as far as they mean anything. `bound`: p is at most this.

    >>> shown_p(0.0341), shown_p(0.00004), shown_p(1.0), shown_p(0.012, bound=True)
    ('0.034', '<0.001', '1.000', '≤0.012')
    """
    if p < 0.001:
        return "<0.001"
    return f"≤{math.ceil(p * 1000 - 1e-6) / 1000:.3f}" if bound else f"{p:.3f}"
