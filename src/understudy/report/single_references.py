"""System scores with each reference alone, for the references study, in all formats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from understudy.report.grid import Grid, GridColumn, printable
from understudy.report.sheets import Sheet
from understudy.report.summary import direction
from understudy.wording import listed

if TYPE_CHECKING:
    from understudy.studies.references_study import ReferencesStudy


def as_grid(study: ReferencesStudy, digits: int = 2) -> Grid | None:
    """A row for every reference, and a last one for all of them; None if there are no two."""
    if not study.alone:
        return None
    header = f"{study.metric} {direction(study)}"
    every = study.steps[-1]
    notes = [
        "Lead: difference between the first and second system. Kendall's tau: with the ranking by all references."
    ]
    if study.left_out:
        left_out = listed([printable(name) for name in study.left_out])
        notes.append(f"Not scored alone, because it is missing for some segments: {left_out}.")
    return Grid(
        [
            GridColumn(
                ("whole", "reference"),
                [*(printable(alone.reference) for alone in study.alone), f"all {every.references}"],
                numeric=False,
            ),
            GridColumn(
                ("first",),
                [
                    printable(" = ".join(first))
                    for first in [*(alone.first for alone in study.alone), study.first]
                ],
                numeric=False,
            ),
            GridColumn(("lead",), [*(f"{alone.lead:.{digits}f}" for alone in study.alone), ""]),
            GridColumn(("Kendall's", "tau"), [*(f"{alone.tau:.2f}" for alone in study.alone), ""]),
            *(
                GridColumn(
                    (printable(system), header),
                    [
                        f"{scores[system]:.{digits}f}"
                        for scores in [*(a.scores for a in study.alone), every.scores]
                    ],
                )
                for system in every.scores
            ),
        ],
        notes,
    )


def as_sheet(studies: Sequence[ReferencesStudy]) -> Sheet:
    """A row for every metric, reference and system."""
    rows = [
        (study.spec, alone.reference, " = ".join(alone.first), alone.lead, alone.tau, system, score)
        for study in studies
        for alone in study.alone
        for system, score in alone.scores.items()
    ]
    columns = ("metric", "reference", "first", "lead", "tau", "system", "value")
    return Sheet("whole references", columns, rows)
