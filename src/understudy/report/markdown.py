"""A grid as a GitHub-flavoured Markdown table."""

from __future__ import annotations

import re
from collections.abc import Iterable

from understudy.report.grid import Grid, GridColumn, marks_of


def markdown(grid: Grid) -> str:
    """The table, its notes, and its signatures as a list.

    >>> from understudy.report.grid import GridColumn
    >>> print(markdown(Grid([GridColumn(("system",), ["a|b"], numeric=False), GridColumn(("BLEU",), ["9"])])))
    | system | BLEU |
    | :--- | ---: |
    | a\\|b | 9 |
    """
    lines = [
        _row("<br>".join(escaped(line) for line in column.header) for column in grid.columns),
        _row("---:" if column.numeric else ":---" for column in grid.columns),
    ]
    for row in range(grid.rows):
        lines.append(_row(_cell(column, row) for column in grid.columns))
    for note in grid.notes:
        lines += ["", escaped(note)]
    if grid.signatures:
        lines.append("")
    lines += [f"- {escaped(label)}: `{signature}`" for label, signature in grid.signatures]
    return "\n".join(lines)


def _cell(column: GridColumn, row: int) -> str:
    cell, mark = escaped(column.cells[row]), marks_of(column)[0][row]
    return (f"**{cell}**" if row in column.best else cell) + (f" {mark}" if mark else "")


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def escaped(text: str) -> str:
    """The text as Markdown shows it unchanged."""
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", text)
