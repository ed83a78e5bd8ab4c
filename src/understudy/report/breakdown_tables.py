"""A breakdown by itself, without the comparison that it belongs to, in all formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from understudy.choices import TOP
from understudy.report.breakdowns import as_data, as_grids, breakdown_sheets, most_different
from understudy.report.charts import bucket_figures
from understudy.report.data_formats import DATA_FORMATS, data_text
from understudy.report.figure import Figure
from understudy.report.grid import Grid
from understudy.report.render_grid import drawn

if TYPE_CHECKING:
    from understudy.breakdown.results import Breakdown


def render(
    breakdown: Breakdown,
    format: str = "table",
    *,
    top: int = TOP,
    digits: int = 2,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """For programs everything; for people the buckets, and those n-grams and segments that differ most."""
    if format in DATA_FORMATS:
        return data_text(breakdown, format, as_data, breakdown_sheets)
    return "\n\n".join(drawn(grids(breakdown, digits, top=top), format, width=width, styled=styled))


def grids(breakdown: Breakdown, digits: int = 2, *, top: int = TOP) -> list[Grid]:
    """Buckets, then n-grams, then segments."""
    if not breakdown.metrics:  # nothing says which segments differ most
        return []
    shown = most_different(breakdown, breakdown.metrics[0], breakdown.baseline, top)
    return as_grids(shown, breakdown.metrics, breakdown.baseline, digits)


def figures(breakdown: Breakdown) -> list[Figure]:
    """A figure per bucketing."""
    return bucket_figures(
        breakdown.bucketings, list(breakdown.segments[0].outputs) if breakdown.segments else []
    )
