"""The history of a track, its runs and the result of a check, as tables, Markdown, LaTeX, JSON, TSV or CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from understudy.report.comparisons import plan_in_words, verdict
from understudy.report.data_formats import DATA_FORMATS, data_text
from understudy.report.grid import Grid, GridColumn, printable, shown_p
from understudy.report.render_grid import drawn
from understudy.report.summary import direction
from understudy.report.track_sheets import (
    check_data,
    check_sheets,
    history_data,
    history_sheets,
    runs_data,
    runs_sheets,
)
from understudy.wording import digits_for, listed, number_of

if TYPE_CHECKING:
    from understudy.comparing.results import PairResult
    from understudy.tracking.checking import CheckedMetric, TrackCheck
    from understudy.tracking.history import History, HistoryStep, MetricHistory
    from understudy.tracking.records import TrackedRun
    from understudy.tracking.track import TrackedRuns

_TAGS_LISTED = 6
_CHANGES_LISTED = 4


def render_history(
    history: History,
    format: str = "table",
    *,
    digits: int = 2,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """A table per metric: every run with its score and interval, its change, and the test of it."""
    if format in DATA_FORMATS:
        return data_text(history, format, history_data, history_sheets)
    return "\n\n".join(drawn(history_grids(history, digits), format, width=width, styled=styled))


def render_runs(
    found: TrackedRuns,
    format: str = "table",
    *,
    digits: int = 2,  # noqa: ARG001
    width: int | None = None,
    styled: bool = False,
) -> str:
    if format in DATA_FORMATS:
        return data_text(found, format, runs_data, runs_sheets)
    return "\n\n".join(drawn([runs_grid(found)], format, width=width, styled=styled))


def render_check(
    check: TrackCheck,
    format: str = "table",
    *,
    digits: int = 2,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """One sentence that states what was tested, and a table of the tests."""
    if format in DATA_FORMATS:
        return data_text(check, format, lambda each: check_data(each, check_in_words(each)), check_sheets)
    grid = check_grid(check, digits)
    if format == "table":
        table = drawn([replace(grid, notes=grid.notes[1:])], format, width=width, styled=styled)[0]
        return f"{grid.notes[0]}\n\n{table}"
    return "\n\n".join(drawn([grid], format, width=width, styled=styled))


# --- history -------------------------------------------------------------------------------------------------


def history_grids(history: History, digits: int = 2) -> list[Grid]:
    several = len({metric.test_set.name for metric in history.metrics}) > 1
    grids = []
    for metric in history.metrics:
        where = [f"Test set {metric.test_set.name}."] if several else []
        notes = [*where, *_notes(metric), *(history.cautions if metric is history.metrics[0] else ())]
        grids.append(
            Grid(_history_columns(metric, digits), notes, signatures=[(metric.title, metric.signature)])
        )
    return grids


def _history_columns(metric: MetricHistory, digits: int) -> list[GridColumn]:
    steps = metric.steps
    runs = [step.run for step in steps]
    confidence = f"{steps[0].result.interval.confidence:.0%} CI"
    best = {step.run.name for step in steps if step.run.name in metric.best}
    columns = [
        *_about(runs),
        GridColumn(
            (f"{metric.title} {direction(metric.comparison)}",),
            [f"{step.result.score:.{digits}f}" for step in steps],
            best=frozenset(row for row, run in enumerate(runs) if run.name in best and len(runs) > 1),
        ),
        GridColumn(
            (confidence,),
            [
                f"{step.result.interval.low:.{digits}f} to {step.result.interval.high:.{digits}f}"
                for step in steps
            ],
        ),
    ]
    if len(steps) < 2:
        return columns
    columns += _tests([step.previous for step in steps], digits)
    if any(other_than_previous(step) for step in steps):
        columns.append(
            GridColumn(
                ("best", "before"),
                ["" if step.best is None else printable(step.best.second) for step in steps],
                numeric=False,
            )
        )
        columns += _tests([step.best for step in steps], digits)
    return columns


def other_than_previous(step: HistoryStep) -> bool:
    """Whether the best run before it is not the run before it."""
    return step.best is not None and step.previous is not None and step.best.second != step.previous.second


def _about(runs: Sequence[TrackedRun]) -> list[GridColumn]:
    columns = [
        GridColumn(("run",), [printable(run.name) for run in runs], numeric=False),
        GridColumn(("date (UTC)",), [run.day for run in runs], numeric=False),
    ]
    if any(run.step is not None for run in runs):
        columns.append(GridColumn(("step",), ["" if run.step is None else f"{run.step:,}" for run in runs]))
    if any(run.note for run in runs):
        columns.append(
            GridColumn(("note",), [printable(run.note) for run in runs], numeric=False, prose=True)
        )
    return columns


def _tests(pairs: Sequence[PairResult | None], digits: int) -> list[GridColumn]:
    """Empty in the row of the first run, which has none before it."""
    return [
        GridColumn(("change",), ["" if pair is None else f"{pair.difference:+.{digits}f}" for pair in pairs]),
        GridColumn(
            ("p",), ["" if pair is None else shown_p(pair.corrected, pair.p_is_bound) for pair in pairs]
        ),
        GridColumn(("verdict",), ["" if pair is None else verdict(pair) for pair in pairs], numeric=False),
    ]


def _notes(metric: MetricHistory) -> list[str]:
    return [f"{metric.test_set.in_words()}; {how_tested(metric)}.", *explanations(metric), *headlines(metric)]


def how_tested(metric: MetricHistory) -> str:
    return plan_in_words(metric.plan, max(1, len(metric.steps) - 1))


def explanations(metric: MetricHistory) -> list[str]:
    """What the tests of the table are."""
    tests = len(metric.steps) - 1
    apart = [] if metric.part is None else [f"Runs with another signature of {metric.label} are separate."]
    if tests < 1:
        return apart
    corrected = metric.plan.correct != "none"
    family = f" p-values are corrected for {number_of(tests, 'test')}." if corrected and tests > 1 else ""
    if not corrected and tests > 1:
        family = f" p-values are not corrected for the {tests} tests."
    found = [*apart, f"change: difference from the run before.{family}"]
    if any(other_than_previous(step) for step in metric.steps):
        selection = (
            " Its p-values are also multiplied by the number of runs that the best was selected from."
            if corrected
            else " Its p-values do not allow for the selection of the best: some are too small."
        )
        found.append(f"best before: the run with the best score before this one.{selection}")
    return found


def headlines(metric: MetricHistory) -> list[str]:
    """The significant changes, in one sentence."""
    tests = len(metric.steps) - 1
    if tests < 1:
        return []
    changes = metric.changes
    steps = number_of(tests, "change")
    if not changes:
        return [
            f"{metric.title}: none of {steps} from one run to the next is significant."
            if tests > 1
            else f"{metric.title}: the change is not significant."
        ]
    told = [_change(step) for step in changes[:_CHANGES_LISTED]]
    more = [f"{len(changes) - len(told)} more"] if len(changes) > len(told) else []
    are = "is" if len(changes) == 1 else "are"
    return [f"{metric.title}: {len(changes)} of {steps} {are} significant: {listed([*told, *more])}."]


def _change(step: HistoryStep) -> str:
    pair = step.previous
    assert pair is not None, "only changes are told"
    places = digits_for(abs(pair.difference))
    return f"{printable(step.run.name)} ({pair.difference:+.{places}f}, {verdict(pair)})"


# --- runs ----------------------------------------------------------------------------------------------------


def runs_grid(found: TrackedRuns) -> Grid:
    runs = found.runs
    columns = _about(runs)
    columns.append(GridColumn(("test set",), [printable(run.test_set) for run in runs], numeric=False))
    if any(run.tags for run in runs):
        tags = [", ".join(map(printable, run.tags[:_TAGS_LISTED])) for run in runs]
        columns.append(GridColumn(("tags",), tags, numeric=False))
    columns.append(GridColumn(("metrics",), [", ".join(specs) for specs in found.metrics], numeric=False))
    if any(run.has_text for run in runs):
        columns.append(GridColumn(("text",), ["kept" if run.has_text else "" for run in runs], numeric=False))
    return Grid(columns, [f"{each.name}: {each.identified()}." for each in found.test_sets])


# --- check ---------------------------------------------------------------------------------------------------


def check_grid(check: TrackCheck, digits: int = 2) -> Grid:
    metrics = check.metrics
    confidence = f"{metrics[0].pair.interval.confidence:.0%} CI"
    scores = [{system.name: system.score for system in metric.comparison.systems} for metric in metrics]
    columns = [
        GridColumn(
            ("metric",),
            [f"{metric.comparison.label} {direction(metric.comparison)}" for metric in metrics],
            numeric=False,
        ),
        GridColumn(
            (printable(check.run),),
            [f"{of[metric.pair.first]:.{digits}f}" for of, metric in zip(scores, metrics, strict=True)],
        ),
        GridColumn(("baseline",), [printable(metric.pair.second) for metric in metrics], numeric=False),
        GridColumn(
            ("score",),
            [f"{of[metric.pair.second]:.{digits}f}" for of, metric in zip(scores, metrics, strict=True)],
        ),
        GridColumn(("difference",), [f"{metric.pair.difference:+.{digits}f}" for metric in metrics]),
        GridColumn(
            (confidence,),
            [
                f"{metric.pair.interval.low:+.{digits}f} to {metric.pair.interval.high:+.{digits}f}"
                for metric in metrics
            ],
        ),
        GridColumn(("p",), [shown_p(metric.pair.corrected, metric.pair.p_is_bound) for metric in metrics]),
        GridColumn(("verdict",), [verdict(metric.pair) for metric in metrics], numeric=False),
        GridColumn(("check",), ["failed" if metric.worse else "passed" for metric in metrics], numeric=False),
    ]
    signatures = [(metric.comparison.label, metric.comparison.signature) for metric in metrics]
    return Grid(columns, [check_in_words(check), *_check_notes(check)], signatures)


def _check_notes(check: TrackCheck) -> list[str]:
    """What was not tested, and what limits the conclusions."""
    left_out = (
        [f"Not tested: {listed(check.untested)}, which the run or its baseline does not have."]
        if check.untested
        else []
    )
    return [*left_out, *check.cautions]


def check_in_words(check: TrackCheck) -> str:
    """The result in one sentence that states what was tested."""
    result = "passed" if check.passed else "failed"
    told = check.failures or check.metrics
    than = "; ".join(_against(metric) for metric in told)
    loss = "significantly worse" + (f" by more than {check.margin:g}" if check.margin else "")
    verb = "is" if check.failures else "is not"
    return printable(
        f"{result}: {check.run} {verb} {loss} than {_baseline(check)} ({than}); {_how_checked(check)}."
    )


def _baseline(check: TrackCheck) -> str:
    names = {metric.pair.second for metric in check.metrics}
    if check.baseline == "best":
        earlier = max(metric.candidates for metric in check.metrics)
        return f"the best of {number_of(earlier, 'earlier run')}"
    (name,) = names
    return f"{name}, the run before" if check.baseline == "last" else name


def _against(metric: CheckedMetric) -> str:
    from understudy.comparing.results import p_in_words

    pair = metric.pair
    places = digits_for(abs(pair.difference))
    low, high = (f"{bound:+.{places}f}" for bound in (pair.interval.low, pair.interval.high))
    name = f" vs. {pair.second}" if metric.candidates > 1 else ""
    return (
        f"{pair.difference:+.{places}f} {metric.comparison.quantity}{name}, {pair.interval.confidence:.0%} CI {low} to "
        f"{high}, {p_in_words(pair)}"
    )


def _how_checked(check: TrackCheck) -> str:
    candidates = max(metric.candidates for metric in check.metrics)
    family = [number_of(len(check.metrics), "metric")] if len(check.metrics) > 1 else []
    family += [f"the selection from {candidates} runs"] if candidates > 1 else []
    test = plan_in_words(check.plan, 1)
    if family and check.plan.correct != "none":
        of_metrics = "Holm" if check.plan.correct == "holm" else "Benjamini-Hochberg"
        methods = [of_metrics] if len(check.metrics) > 1 else []
        methods += ["Bonferroni"] if candidates > 1 else []
        test += (
            f", {listed([f'{how}-corrected for {what}' for how, what in zip(methods, family, strict=True)])}"
        )
    elif family:
        test += f", not corrected for {listed(family)}"
    where = f"test set {check.test_set.name}, {number_of(check.test_set.segments, 'segment')}"
    return f"{test}, alpha {check.plan.significance:g}, {where}"
