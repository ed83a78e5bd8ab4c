"""Results in Python: as text in a console, as HTML in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape

from understudy.report.grid import Grid, GridColumn, marks_of
from understudy.report.terminal import draw

_WIDTH = 100  # letters in a line of text
_MOST_ROWS = 30  # of more, the first are shown


def as_text(grids: Sequence[Grid]) -> str:
    """The tables with their notes and without signatures, one below the other."""
    parts = []
    for grid in map(_first_rows, grids):
        table = draw(replace(grid, notes=[], signatures=[]), width=_WIDTH)
        parts.append("\n".join([table, *grid.notes]))
    return "\n\n".join(parts)


def as_html(grids: Sequence[Grid]) -> str:
    """The tables with their notes and signatures. Whatever names and texts hold is shown, never obeyed."""
    return "".join(_html(_first_rows(grid)) for grid in grids)


def _first_rows(grid: Grid) -> Grid:
    if grid.rows <= _MOST_ROWS:
        return grid
    columns = [
        column._replace(cells=column.cells[:_MOST_ROWS], marks=column.marks[:_MOST_ROWS])
        for column in grid.columns
    ]
    return replace(
        grid, columns=columns, notes=[f"{_MOST_ROWS} of {grid.rows:,} rows are shown.", *grid.notes]
    )


def _html(grid: Grid) -> str:
    header = "".join(
        f"<th {_aligned(column)}>{'<br>'.join(map(escape, column.header))}</th>" for column in grid.columns
    )
    rows = "".join(
        f"<tr>{''.join(_cell(column, row) for column in grid.columns)}</tr>" for row in range(grid.rows)
    )
    notes = [escape(note) for note in grid.notes]
    notes += [f"{escape(label)}: <code>{escape(signature)}</code>" for label, signature in grid.signatures]
    below = f"<p style='font-size:smaller'>{'<br>'.join(notes)}</p>" if notes else ""
    return f"<table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>{below}"


def _cell(column: GridColumn, row: int) -> str:
    text, mark = escape(column.cells[row]), escape(marks_of(column)[0][row])
    shown = f"<b>{text}</b>" if row in column.best else text
    return f"<td {_aligned(column)}>{shown}{f'<sup>{mark}</sup>' if mark else ''}</td>"


def _aligned(column: GridColumn) -> str:
    return f"style='text-align:{'right' if column.numeric else 'left'}'"
