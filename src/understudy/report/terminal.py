"""A grid as aligned columns, for terminals, pipes and log files.

Nothing is ever cut off. In a terminal that is too narrow the columns continue in a further block below, with
the first column repeated; in a pipe a row is always one line.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from understudy.report.grid import Grid, GridColumn, marks_of

_GAP = "  "
_NARROWEST_PROSE = 24
_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


def draw(grid: Grid, *, width: int | None = None, styled: bool = False) -> str:
    """The grid as text, as wide as it needs to be or folded to `width`; `styled` sets the best cells in bold.

    >>> print(draw(Grid([GridColumn(("system",), ["nmt"], numeric=False), GridColumn(("BLEU ↑",), ["9.1"])])))
    system  BLEU ↑
    --------------
    nmt        9.1
    """
    marked = [_with_marks(column) for column in grid.columns]
    columns = [_wrapped(column, marked, width) for column in marked]
    blocks = [_block(block, styled) for block in _folded(columns, width)]
    notes = grid.notes if width is None else [_sentence(note, width) for note in grid.notes]
    below = [*notes, *(f"{label}{_GAP}{signature}" for label, signature in grid.signatures)]
    return "\n".join("\n\n".join(blocks).splitlines() + ([""] if below else []) + below)


def _with_marks(column: GridColumn) -> GridColumn:
    """Marks as letters, in a column of their own within the column: numbers stay one below the other."""
    marks, longest = marks_of(column)
    if not longest:
        return column
    cells = [cell + mark.ljust(longest) for cell, mark in zip(column.cells, marks, strict=True)]
    header = tuple(line + " " * longest for line in column.header)
    return column._replace(header=header, cells=cells, marks=())


def _sentence(note: str, width: int) -> str:
    import textwrap

    return "\n".join(textwrap.wrap(note, width, break_long_words=False, break_on_hyphens=False))


def display_width(text: str) -> int:
    """The terminal cells a text takes: two for East Asian wide characters, none for combining marks.

    >>> display_width("abc"), display_width("翻訳"), display_width("e\\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(_cells(character) for character in text)


def _cells(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _width_of(column: GridColumn) -> int:
    lines = [line for text in (*column.header, *column.cells) for line in text.split("\n")]
    return max(map(display_width, lines))


def _wrapped(column: GridColumn, columns: Sequence[GridColumn], width: int | None) -> GridColumn:
    """Prose gets the room that the other columns leave."""
    if width is None or not column.prose:
        return column
    import textwrap

    taken = sum(_width_of(other) + len(_GAP) for other in columns if other is not column)
    room = max(width - taken, _NARROWEST_PROSE)
    # At spaces only: what looks like a long word is usually something to copy.
    wrapper = textwrap.TextWrapper(room, break_long_words=False, break_on_hyphens=False)
    cells = ["\n".join(wrapper.wrap(cell)) for cell in column.cells]
    return GridColumn(column.header, cells, numeric=False)


def _folded(columns: Sequence[GridColumn], width: int | None) -> list[list[GridColumn]]:
    """The columns in blocks that fit the width, each block beginning with the first column."""
    first, *others = columns
    blocks = [[first]]
    used = _width_of(first)
    for column in others:
        needed = len(_GAP) + _width_of(column)
        if width is not None and used + needed > width and len(blocks[-1]) > 1:
            blocks.append([first])
            used = _width_of(first)
        blocks[-1].append(column)
        used += needed
    return blocks


def _block(columns: list[GridColumn], styled: bool) -> str:
    widths = [_width_of(column) for column in columns]
    block = Grid(columns)
    lines = [_line(cells, columns, widths) for cells in block.header_rows()]
    lines.append("-" * (sum(widths) + len(_GAP) * (len(widths) - 1)))
    for row in range(block.rows):
        parts = [column.cells[row].split("\n") for column in columns]
        for i in range(max(map(len, parts))):
            cells = [part[i] if i < len(part) else "" for part in parts]
            best = [styled and row in column.best for column in columns]
            lines.append(_line(cells, columns, widths, best))
    return "\n".join(lines)


def _line(cells: list[str], columns: list[GridColumn], widths: list[int], best: Sequence[bool] = ()) -> str:
    shown = []
    for i, (cell, column, width) in enumerate(zip(cells, columns, widths, strict=True)):
        padding = " " * (width - display_width(cell))
        text = f"{_BOLD}{cell}{_PLAIN}" if best and best[i] else cell
        shown.append(padding + text if column.numeric else text + padding)
    return _GAP.join(shown).rstrip()
