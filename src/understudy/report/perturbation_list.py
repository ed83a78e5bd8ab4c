"""The perturbations as a table: what `understudy probe --list` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from understudy.report.grid import Grid, GridColumn
from understudy.report.render_grid import drawn

if TYPE_CHECKING:
    from understudy.probing.perturbations.results import PerturbationFacts


def render(
    facts: Sequence[PerturbationFacts],
    left_out: Mapping[str, str],
    *,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """A row per perturbation, errors first."""
    rows = sorted(facts, key=lambda each: each.harmless)
    grid = Grid(
        [
            GridColumn(("perturbation",), [each.name for each in rows], numeric=False),
            GridColumn(("group",), [each.group for each in rows], numeric=False),
            GridColumn(("kind",), ["harmless" if each.harmless else "error" for each in rows], numeric=False),
            GridColumn(("graded",), ["yes" if each.graded else "no" for each in rows], numeric=False),
            GridColumn(("needs",), [each.needs for each in rows], numeric=False),
            GridColumn(("description",), [each.description for each in rows], numeric=False, prose=True),
        ],
        [f"Not available: {name}: {reason.rstrip('.')}." for name, reason in left_out.items()],
    )
    (table,) = drawn([grid], "table", width=width, styled=styled)
    return table
