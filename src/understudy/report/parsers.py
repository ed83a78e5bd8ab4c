"""Parser sensitivity of scores, as table, Markdown, LaTeX, JSON, TSV or CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from understudy.report.data_formats import DATA_FORMATS, data_text
from understudy.report.grid import HIGHER, Grid, GridColumn, printable
from understudy.report.render_grid import drawn
from understudy.report.sheets import Sheet
from understudy.version import __version__

if TYPE_CHECKING:
    from understudy.studies.parser_sensitivity import ParserSensitivity


def render(
    found: Sequence[ParserSensitivity],
    format: str = "table",
    *,
    digits: int = 2,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """Parser sensitivity in one of the formats of `understudy.report.scores`."""
    if format in DATA_FORMATS:
        return data_text(found, format, _as_data, _as_sheets)
    grids = [as_grid(each, digits) for each in found]
    return "\n\n".join(drawn(grids, format, width=width, styled=styled))


def _as_data(found: Sequence[ParserSensitivity]) -> dict[str, Any]:
    return {"understudy": __version__, "parsers": [asdict(each) for each in found]}


def _as_sheets(found: Sequence[ParserSensitivity]) -> list[Sheet]:
    """A row per metric, parser and system."""
    rows = [
        (each.metric, parser, system, value)
        for each in found
        for parser, scores in each.scores.items()
        for system, value in scores.items()
    ]
    return [Sheet("parsers", ("metric", "parser", "system", "value"), rows)]


def as_grid(found: ParserSensitivity, digits: int = 2) -> Grid:
    """A row per system and a column per parser."""
    columns = [GridColumn(("system",), [printable(system) for system in found.systems], numeric=False)]
    columns += [
        GridColumn(
            (f"{found.metric} {HIGHER}", printable(parser)),
            [f"{value:.{digits}f}" for value in scores.values()],
        )
        for parser, scores in found.scores.items()
    ]
    return Grid(columns, notes=[printable(str(found))])
