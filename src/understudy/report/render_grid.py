"""Grids in a format for people: as a table in the terminal, in Markdown or in LaTeX."""

from __future__ import annotations

from collections.abc import Iterable

from understudy.report.grid import Grid


def drawn(grids: Iterable[Grid], format: str, *, width: int | None = None, styled: bool = False) -> list[str]:
    """Each of them as text. `width` and `styled` are for the terminal."""
    if format == "markdown":
        from understudy.report.markdown import markdown

        return [markdown(grid) for grid in grids]
    if format == "latex":
        from understudy.report.latex import latex

        return [latex(grid) for grid in grids]
    from understudy.report.terminal import draw

    return [draw(grid, width=width, styled=styled) for grid in grids]
