"""The renderings of each type of result, in one table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from understudy.breakdown.results import Breakdown
from understudy.comparing.explanation import Explanation
from understudy.comparing.results import Comparison
from understudy.deciding.results import Decision
from understudy.deciding.tuning.results import Tuning
from understudy.judging.results import JudgeResults
from understudy.probing.challenge_sets.results import ChallengeResults
from understudy.probing.results import Probe
from understudy.report import (
    agreements,
    breakdown_tables,
    breakdowns,
    challenge_charts,
    challenge_report,
    challenge_sheets,
    challenge_tables,
    comparison_sheets,
    comparisons,
    decision_tables,
    explanations,
    group_scores,
    html_report,
    judge_charts,
    judge_sheets,
    judge_tables,
    probe_charts,
    probe_report,
    probe_sheets,
    probe_tables,
    result_charts,
    scores,
    spans,
    tables_page,
    task_tables,
    track_charts,
    track_report,
    track_sheets,
    track_tables,
    trust_charts,
    trust_report,
    tunings,
)
from understudy.report.agreement_details import DIGITS
from understudy.report.figure import Figure
from understudy.report.grid import Grid
from understudy.report.sheets import Sheet
from understudy.scoring.group_scores import GroupScores
from understudy.scoring.run import Scores
from understudy.tracking.checking import TrackCheck
from understudy.tracking.history import History
from understudy.tracking.track import TrackedRuns
from understudy.trusting.results import Trust
from understudy.trusting.sets.results import SetsTrust
from understudy.trusting.spans.results import SpanAgreement


@dataclass(frozen=True)
class Renderer:
    """The renderings of one type of result."""

    digits: int  # decimal places, unless others are asked for
    data: Callable[[Any], dict[str, Any]]
    sheets: Callable[[Any], list[Sheet]]
    render: Callable[..., str]  # of a result, a format, and how
    shown: Callable[[Any, int], list[Grid]]  # at the end of a line of Python
    page: Callable[..., str]  # the report
    figures: Callable[..., list[Figure]]


def renderer_of(result: object) -> Renderer:
    """The renderings of a result."""
    return next(renderer for kind, renderer in _RENDERERS.items() if isinstance(result, kind))


_RENDERERS: dict[type, Renderer] = {
    Scores: Renderer(
        digits=2,
        data=scores.as_data,
        sheets=scores.as_sheets,
        render=scores.render,
        shown=lambda found, digits: [scores.as_grid(found, digits)],
        page=tables_page.scores_page,
        figures=result_charts.score_figures,
    ),
    GroupScores: Renderer(
        digits=2,
        data=group_scores.as_data,
        sheets=group_scores.as_sheets,
        render=group_scores.render,
        shown=lambda found, digits: [group_scores.as_grid(found, digits)],
        page=tables_page.group_scores_page,
        figures=result_charts.group_figures,
    ),
    Comparison: Renderer(
        digits=2,
        data=comparisons.as_data,
        sheets=comparison_sheets.all_sheets,
        render=comparisons.render,
        shown=comparisons.shown,
        page=html_report.report_of,
        figures=html_report.figures_of,
    ),
    Breakdown: Renderer(
        digits=2,
        data=breakdowns.as_data,
        sheets=breakdowns.breakdown_sheets,
        render=breakdown_tables.render,
        shown=lambda found, digits: breakdown_tables.grids(found, digits)[:1],
        page=tables_page.breakdown_page,
        figures=breakdown_tables.figures,
    ),
    Explanation: Renderer(
        digits=2,
        data=explanations.as_data,
        sheets=explanations.as_sheets,
        render=explanations.render,
        shown=lambda found, digits: explanations.as_grids(found, digits)[:1],
        page=tables_page.explanation_page,
        figures=result_charts.explanation_figures,
    ),
    Trust: Renderer(
        digits=DIGITS,
        data=lambda found: agreements.whole_data([found]),
        sheets=lambda found: agreements.as_sheets([found]),
        render=agreements.render,
        shown=agreements.shown,
        page=lambda found, **how: trust_report.trust_report([found], **how),
        figures=lambda found, **how: trust_charts.trust_figures([found], **how),
    ),
    SetsTrust: Renderer(
        digits=DIGITS,
        data=task_tables.as_data,
        sheets=task_tables.as_sheets,
        render=task_tables.render,
        shown=lambda found, digits: task_tables.as_grids(found, digits)[:1],
        page=tables_page.sets_page,
        figures=result_charts.sets_figures,
    ),
    SpanAgreement: Renderer(
        digits=DIGITS,
        data=spans.as_data,
        sheets=spans.as_sheets,
        render=spans.render,
        shown=lambda found, digits: spans.as_grids(found, digits)[:1],
        page=tables_page.spans_page,
        figures=result_charts.span_figures,
    ),
    JudgeResults: Renderer(
        digits=2,
        data=judge_sheets.as_data,
        sheets=judge_sheets.as_sheets,
        render=judge_tables.render,
        shown=lambda found, digits: [grid for _, grid in judge_tables.as_grids(found, digits)[:1]],
        page=tables_page.judgments_page,
        figures=judge_charts.judge_figures,
    ),
    Probe: Renderer(
        digits=2,
        data=probe_sheets.as_data,
        sheets=probe_sheets.as_sheets,
        render=probe_tables.render,
        shown=probe_tables.shown,
        page=probe_report.probe_report,
        figures=probe_charts.probe_figures,
    ),
    ChallengeResults: Renderer(
        digits=DIGITS,
        data=challenge_sheets.as_data,
        sheets=challenge_sheets.as_sheets,
        render=challenge_tables.render,
        shown=lambda found, digits: [grid for _, grid in challenge_tables.as_grids(found, digits)[:1]],
        page=challenge_report.challenge_report,
        figures=challenge_charts.challenge_figures,
    ),
    Decision: Renderer(
        digits=2,
        data=decision_tables.as_data,
        sheets=decision_tables.as_sheets,
        render=decision_tables.render,
        shown=decision_tables.as_grids,
        page=tables_page.decision_page,
        figures=decision_tables.figures,
    ),
    Tuning: Renderer(
        digits=2,
        data=tunings.as_data,
        sheets=tunings.as_sheets,
        render=tunings.render,
        shown=tunings.as_grids,
        page=tables_page.tuning_page,
        figures=tunings.figures,
    ),
    History: Renderer(
        digits=2,
        data=track_sheets.history_data,
        sheets=track_sheets.history_sheets,
        render=track_tables.render_history,
        shown=track_tables.history_grids,
        page=track_report.track_report,
        figures=track_charts.track_figures,
    ),
    TrackedRuns: Renderer(
        digits=2,
        data=track_sheets.runs_data,
        sheets=track_sheets.runs_sheets,
        render=track_tables.render_runs,
        shown=lambda found, _digits: [track_tables.runs_grid(found)],
        page=tables_page.runs_page,
        figures=lambda _found: [],
    ),
    TrackCheck: Renderer(
        digits=2,
        data=lambda found: track_sheets.check_data(found, track_tables.check_in_words(found)),
        sheets=track_sheets.check_sheets,
        render=track_tables.render_check,
        shown=lambda found, digits: [track_tables.check_grid(found, digits)],
        page=tables_page.check_page,
        figures=lambda _found: [],
    ),
}
