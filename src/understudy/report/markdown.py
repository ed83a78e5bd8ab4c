"""A grid as a GitHub-flavoured Markdown table."""

from __future__ import annotations

import re
from collections.abc import Iterable

from understudy.report.grid import Grid


def markdown(grid: Grid) -> str:
    """The table, its notes, and its signatures as a list.

    >>> from understudy.report.grid import GridColumn
    >>> print(markdown(Grid([GridColumn(("system",), ["a|b"], numeric=False), GridColumn(("BLEU",), ["9"])])))
    | system | BLEU |
    | :--- | ---: |
    | a\\|b | 9 |
    """
    lines = [
        _row("<br>".join(_escaped(line) for line in column.header) for column in grid.columns),
        _row("---:" if column.numeric else ":---" for column in grid.columns),
    ]
    for row in range(grid.rows):
        cells = ((_escaped(column.cells[row]), row in column.best) for column in grid.columns)
        lines.append(_row(f"**{cell}**" if best else cell for cell, best in cells))
    for note in grid.notes:
        lines += ["", _escaped(note)]
    if grid.signatures:
        lines.append("")
    lines += [f"- {_escaped(label)}: `{signature}`" for label, signature in grid.signatures]
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_|<>\[\]])", r"\\\1", text)
