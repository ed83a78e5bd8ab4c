"""Results that are mainly tables, as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from understudy.choices import TOP
from understudy.report import (
    breakdown_tables,
    decision_tables,
    explanations,
    group_scores,
    judge_charts,
    judge_sheets,
    judge_tables,
    result_charts,
    scores,
    spans,
    task_tables,
    track_sheets,
    track_tables,
    tunings,
)
from understudy.report.breakdowns import as_data, breakdown_sheets
from understudy.report.charts import check_installed
from understudy.report.data_formats import json_text
from understudy.report.grid import Grid, printable
from understudy.report.page import DrawnFigure, render_page
from understudy.report.sheets import Sheet, as_text

if TYPE_CHECKING:
    from understudy.breakdown.results import Breakdown
    from understudy.comparing.explanation import Explanation
    from understudy.deciding.results import Decision
    from understudy.deciding.tuning.results import Tuning
    from understudy.judging.results import JudgeResults
    from understudy.report.figure import Figure
    from understudy.scoring.group_scores import GroupScores
    from understudy.scoring.run import Scores
    from understudy.tracking.checking import TrackCheck
    from understudy.tracking.track import TrackedRuns
    from understudy.trusting.sets.results import SetsTrust
    from understudy.trusting.spans.results import SpanAgreement


def scores_page(found: Scores, *, title: str | None = None, digits: int = 2) -> str:
    """The scores of all systems by all metrics."""
    names = [printable(system.name) for system in found.systems]
    return _page(
        "Scores",
        title or (", ".join(names) if len(names) <= 3 else f"Scores of {len(names)} systems"),
        [("Scores", scores.as_grid(found, digits))],
        figures=result_charts.score_figures(found),
        data=scores.as_data(found),
        sheets=scores.as_sheets(found),
        digits=digits,
    )


def group_scores_page(found: GroupScores, *, title: str | None = None, digits: int = 2) -> str:
    """The scores of all groups by all metrics."""
    return _page(
        "Scores",
        title or f"Scores by {printable(', '.join(found.by))}",
        [("Scores", group_scores.as_grid(found, digits))],
        figures=result_charts.group_figures(found),
        data=group_scores.as_data(found),
        sheets=group_scores.as_sheets(found),
        digits=digits,
    )


def explanation_page(found: Explanation, *, title: str | None = None, digits: int = 2) -> str:
    """The steps from one spec to the other, and the segments where they differ."""
    grids = explanations.as_grids(found, digits)
    return _page(
        "Differences between two specs",
        title or f"{found.first} and {found.second}",
        list(zip(("Steps", "Segments"), grids, strict=False)),
        figures=result_charts.explanation_figures(found),
        data=explanations.as_data(found),
        sheets=explanations.as_sheets(found),
        digits=digits,
    )


def breakdown_page(found: Breakdown, *, title: str | None = None, digits: int = 2, top: int = TOP) -> str:
    """Where systems differ."""
    systems = list(found.segments[0].outputs) if found.segments else []
    tables = breakdown_tables.grids(found, digits, top=top)
    return _page(
        "Breakdown",
        title or ", ".join(map(printable, systems)) or "Breakdown",
        [(f"Table {number}", grid) for number, grid in enumerate(tables, start=1)],
        figures=breakdown_tables.figures(found),
        data=as_data(found),
        sheets=breakdown_sheets(found),
        digits=digits,
    )


def sets_page(found: SetsTrust, *, title: str | None = None, digits: int = 3) -> str:
    """Metrics in several test sets."""
    grids = task_tables.as_grids(found, digits)
    return _page(
        "Agreement with human scores",
        title or f"{len(found.metrics)} metrics on {', '.join(printable(each.name) for each in found.sets)}",
        [(f"Table {number}", grid) for number, grid in enumerate(grids, start=1)],
        figures=result_charts.sets_figures(found),
        data=task_tables.as_data(found),
        sheets=task_tables.as_sheets(found),
        digits=digits,
        facts=[task_tables.headline(each) for each in found.sets],
    )


def spans_page(found: SpanAgreement, *, title: str | None = None, digits: int = 3) -> str:
    """Agreement with human error spans."""
    grids = spans.as_grids(found, digits)
    return _page(
        "Agreement with human error spans",
        title or printable(found.human.name),
        [(f"Table {number}", grid) for number, grid in enumerate(grids, start=1)],
        figures=result_charts.span_figures(found),
        data=spans.as_data(found),
        sheets=spans.as_sheets(found),
        digits=digits,
        facts=[spans.headline(found)],
    )


def judgments_page(found: JudgeResults, *, title: str | None = None, digits: int = 2) -> str:
    """Judgments of people."""
    return _page(
        "Human evaluation",
        title or printable(found.name),
        judge_tables.as_grids(found, digits, details=True),
        figures=judge_charts.judge_figures(found),
        data=judge_sheets.as_data(found),
        sheets=judge_sheets.as_sheets(found),
        digits=digits,
        facts=[judge_tables.headline(found), printable(found.methods)],
    )


def decision_page(found: Decision, *, title: str | None = None, digits: int = 2) -> str:
    """What was chosen among candidates, with examples."""
    tables = list(zip(("Choices", "Places"), decision_tables.as_grids(found, digits), strict=True))
    if (shown := decision_tables.examples(found, digits)) is not None:
        tables.append(("Examples", shown))
    return _page(
        "Decision",
        title or f"Candidates chosen by {printable(found.utility_is)}",
        tables,
        figures=decision_tables.figures(found),
        data=decision_tables.data_of_page(found),
        sheets=decision_tables.as_sheets(found),
        digits=digits,
        facts=[decision_tables.headline(found)],
    )


def tuning_page(found: Tuning, *, title: str | None = None, digits: int = 2) -> str:
    """Tuned weights, and the check on held-out segments."""
    return _page(
        "Tuned weights",
        title or printable(found.objective),
        list(zip(("Weights", "Objective"), tunings.as_grids(found, digits), strict=True)),
        figures=tunings.figures(found),
        data=tunings.as_data(found),
        sheets=tunings.as_sheets(found),
        digits=digits,
        facts=[tunings.headline(found), found.verdict(digits)],
    )


def runs_page(found: TrackedRuns, *, title: str | None = None, digits: int = 2) -> str:
    """The runs of a track."""
    return _page(
        "Track",
        title or printable(found.track),
        [("Runs", track_tables.runs_grid(found))],
        figures=[],
        data=track_sheets.runs_data(found),
        sheets=track_sheets.runs_sheets(found),
        digits=digits,
    )


def check_page(check: TrackCheck, *, title: str | None = None, digits: int = 2) -> str:
    """A run and its baseline."""
    sentence = track_tables.check_in_words(check)
    return _page(
        "Check of a run",
        title or printable(check.run),
        [("Tests", track_tables.check_grid(check, digits))],
        figures=[],
        data=track_sheets.check_data(check, sentence),
        sheets=track_sheets.check_sheets(check),
        digits=digits,
        facts=[sentence],
    )


def _page(
    kind: str,
    title: str,
    tables: Sequence[tuple[str, Grid]],
    *,
    figures: Sequence[Figure],
    data: dict[str, Any],
    sheets: Sequence[Sheet],
    digits: int,
    facts: Sequence[str] = (),
) -> str:
    check_installed()
    return render_page(
        "tables.html",
        digits=digits,
        charts=(charts := [DrawnFigure.of(figure) for figure in figures]),
        drawn=charts,
        kind=kind,
        title=title,
        facts=facts,
        tables=tables,
        json=json_text(data),
        tsv=as_text(sheets, "tsv"),
    )
