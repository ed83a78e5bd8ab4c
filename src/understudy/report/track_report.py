"""The history of a track as one self-contained HTML file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from understudy.report.charts import check_installed
from understudy.report.comparisons import verdict
from understudy.report.data_formats import json_text
from understudy.report.figure import apart
from understudy.report.grid import printable, shown_p
from understudy.report.page import DrawnFigure, render_page
from understudy.report.sheets import as_text
from understudy.report.summary import BETTER, WORSE, direction
from understudy.report.track_charts import track_figures
from understudy.report.track_sheets import history_data, history_sheets
from understudy.report.track_tables import explanations, headlines, how_tested, other_than_previous
from understudy.wording import number_of

if TYPE_CHECKING:
    from understudy.comparing.results import PairResult
    from understudy.tracking.history import History, HistoryStep, MetricHistory


@dataclass(frozen=True)
class _Test:
    """A test in a cell of the table."""

    kind: str  # better, worse or same
    sign: str
    change: float
    p: str
    against: str

    @classmethod
    def of(cls, pair: PairResult | None) -> _Test | None:
        if pair is None:
            return None
        found = verdict(pair)
        kind = found if found in ("better", "worse") else "same"
        sign = {"better": BETTER, "worse": WORSE}.get(found, "≠" if pair.significant else "=")
        return cls(kind, sign, pair.difference, shown_p(pair.corrected, pair.p_is_bound), pair.second)


@dataclass(frozen=True)
class _Row:
    """A run in the table."""

    step: HistoryStep
    is_best: bool
    previous: _Test | None
    best: _Test | None


@dataclass(frozen=True)
class _Part:
    """One metric on one test set, ready to be shown."""

    key: str
    title: str
    header: str
    confidence: str
    headline: list[str]
    rows: list[_Row]
    steps: bool  # whether runs have training steps
    tests: bool  # whether there is anything to compare
    bests: bool  # whether the best run before is ever another than the run before
    notes: list[str]
    signature: str


def track_report(history: History, *, title: str | None = None, digits: int = 2) -> str:
    """The whole page."""
    check_installed()
    charts = [DrawnFigure.of(figure) for figure in track_figures(history)]
    several = len({metric.test_set.name for metric in history.metrics}) > 1
    titles = [
        f"{metric.title}, {printable(metric.test_set.name)}" if several else metric.title
        for metric in history.metrics
    ]
    keys = apart([f"runs by {each}" for each in titles])
    parts = [
        _part(key, each, metric) for key, each, metric in zip(keys, titles, history.metrics, strict=True)
    ]
    sets = {metric.test_set.name: metric.test_set for metric in history.metrics}
    return render_page(
        "track.html",
        digits=digits,
        charts=charts,
        drawn=charts,
        title=title or _title(history),
        facts=[
            number_of(len(history.runs), "run"),
            *(f"{printable(each.name)}: {each.in_words()}" for each in sets.values()),
            f"significant: p ≤ {history.plan.significance:g}",
        ],
        headlines=[line for part in parts for line in part.headline],
        parts=parts,
        cautions=history.cautions,
        method=_method(history),
        json=json_text(history_data(history)),
        tsv=as_text(history_sheets(history), "tsv"),
    )


def _title(history: History) -> str:
    days = [f"{run.date:%Y-%m-%d}" for run in history.runs]
    span = min(days) if min(days) == max(days) else f"{min(days)} to {max(days)}"
    return f"{number_of(len(history.runs), 'run')}, {span}"


def _part(key: str, title: str, metric: MetricHistory) -> _Part:
    steps = metric.steps
    return _Part(
        key,
        title,
        f"{metric.title} {direction(metric.comparison)}",
        f"{steps[0].result.interval.confidence:.0%} CI",
        headlines(metric),
        [
            _Row(
                step,
                len(steps) > 1 and step.run.name in metric.best,
                _Test.of(step.previous),
                _Test.of(step.best),
            )
            for step in steps
        ],
        any(step.run.step is not None for step in steps),
        len(steps) > 1,
        any(map(other_than_previous, steps)),
        explanations(metric),
        metric.signature,
    )


def _method(history: History) -> list[str]:
    """How the numbers were made."""
    found = [f"{metric.title}: {how_tested(metric)}." for metric in history.metrics]
    return [
        "Every run is compared with the run before it by a paired test on the same segments, and with the run that has "
        "the best score before it.",
        *dict.fromkeys(found),
        "Only runs with the same references and the same signature are compared. Others are separate series.",
        "The best run is selected by its score, so its score is too high on average. p-values of comparisons with it "
        "are therefore multiplied by the number of runs that it was selected from, and then corrected for the number "
        "of runs."
        if history.plan.correct != "none"
        else "p-values are not corrected for the number of tests, nor for the selection of the best run.",
        "Corrected p-values depend on the number of runs: with more runs, a change must be larger to be significant.",
    ]
