"""The history of a track, its runs and the result of a check, for programs: full precision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from understudy.report.json_values import plain
from understudy.report.sheets import Sheet
from understudy.version import __version__

if TYPE_CHECKING:
    from understudy.comparing.results import PairResult
    from understudy.tracking.checking import TrackCheck
    from understudy.tracking.history import History, HistoryStep
    from understudy.tracking.records import TrackedRun, TrackedSet
    from understudy.tracking.track import TrackedRuns

_OF_PAIR = (
    *("second", "difference", "low", "high", "p_value", "corrected", "p_is_bound", "significant"),
    *("better", "effect_size", "smallest_detectable"),
)
_OF_RUN = ("test_set", "run", "date", "step", "note", "tags")


def _pair(pair: PairResult | None) -> dict[str, Any]:
    """A test by the names of its columns."""
    if pair is None:
        return dict.fromkeys(_OF_PAIR)
    own = {"low": pair.interval.low, "high": pair.interval.high}
    return {name: own[name] if name in own else getattr(pair, name) for name in _OF_PAIR}


def _run(run: TrackedRun) -> dict[str, Any]:
    return {
        "test_set": run.test_set,
        "run": run.name,
        "date": run.date.isoformat(),
        "step": run.step,
        "note": run.note,
        "tags": list(run.tags),
        "fingerprint": run.fingerprint,
        "understudy": run.version,
        "text_kept": run.has_text,
    }


def _test_set(test_set: TrackedSet) -> dict[str, Any]:
    return {name: value for name, value in vars(test_set).items() if name != "id"}


# --- history -------------------------------------------------------------------------------------------------


def history_data(history: History) -> dict[str, Any]:
    """The result as JSON values."""
    return {
        "understudy": __version__,
        "track": history.track,
        "plan": plain(vars(history.plan)),
        "cautions": history.cautions,
        "metrics": [
            {
                "test_set": _test_set(metric.test_set),
                "metric": metric.label,
                "spec": metric.spec,
                "signature": metric.signature,
                "samples": metric.plan.samples,
                "test": metric.plan.test,
                "runs": [plain(_step(step)) for step in metric.steps],
            }
            for metric in history.metrics
        ],
    }


def _step(step: HistoryStep) -> dict[str, Any]:
    return {
        **_run(step.run),
        "score": step.result.score,
        "low": step.result.interval.low,
        "high": step.result.interval.high,
        "confidence": step.result.interval.confidence,
        "previous": None if step.previous is None else _pair(step.previous),
        "best": None if step.best is None else {**_pair(step.best), "candidates": step.candidates},
    }


def history_sheets(history: History) -> list[Sheet]:
    """A row per metric and run."""
    columns = (
        *("metric", *_OF_RUN, "score", "low", "high", "confidence"),
        *(f"{kind}_{name}" for kind in ("previous", "best") for name in _OF_PAIR),
        *("candidates", "segments", "signature"),
    )
    rows = [
        (
            metric.spec,
            *_row(step.run),
            step.result.score,
            step.result.interval.low,
            step.result.interval.high,
            step.result.interval.confidence,
            *_pair(step.previous).values(),
            *_pair(step.best).values(),
            step.candidates,
            metric.test_set.segments,
            metric.signature,
        )
        for metric in history.metrics
        for step in metric.steps
    ]
    return [Sheet("history", columns, rows)]


def _row(run: TrackedRun) -> tuple[Any, ...]:
    return (run.test_set, run.name, run.date.isoformat(), run.step, run.note, " ".join(run.tags))


# --- runs ----------------------------------------------------------------------------------------------------


def runs_data(found: TrackedRuns) -> dict[str, Any]:
    return {
        "understudy": __version__,
        "track": found.track,
        "test_sets": [_test_set(each) for each in found.test_sets],
        "runs": [
            {**_run(run), "metrics": specs} for run, specs in zip(found.runs, found.metrics, strict=True)
        ],
    }


def runs_sheets(found: TrackedRuns) -> list[Sheet]:
    rows = [
        (*_row(run), ", ".join(specs), run.fingerprint, run.version, run.has_text)
        for run, specs in zip(found.runs, found.metrics, strict=True)
    ]
    return [Sheet("runs", (*_OF_RUN, "metrics", "fingerprint", "understudy", "text_kept"), rows)]


# --- check ---------------------------------------------------------------------------------------------------


def check_data(check: TrackCheck, sentence: str) -> dict[str, Any]:
    return {
        "understudy": __version__,
        "track": check.track,
        "passed": check.passed,
        "sentence": sentence,
        "run": check.run,
        "baseline": check.baseline,
        "test_set": _test_set(check.test_set),
        "margin": check.margin,
        "untested": check.untested,
        "cautions": check.cautions,
        "plan": plain({**vars(check.plan), "baseline": check.baseline}),
        "metrics": [
            {
                "metric": metric.comparison.label,
                "spec": metric.comparison.spec,
                "signature": metric.comparison.signature,
                "worse": metric.worse,
                "candidates": metric.candidates,
                "scores": {system.name: plain(system.score) for system in metric.comparison.systems},
                **plain(_pair(metric.pair)),
            }
            for metric in check.metrics
        ],
    }


def check_sheets(check: TrackCheck) -> list[Sheet]:
    rows = []
    for metric in check.metrics:
        scores = {system.name: system.score for system in metric.comparison.systems}
        rows.append(
            (
                *(metric.comparison.spec, check.run, scores[metric.pair.first], scores[metric.pair.second]),
                *_pair(metric.pair).values(),
                *(metric.candidates, metric.worse, check.margin, metric.comparison.signature),
            )
        )
    columns = (
        *("metric", "run", "score", "second_score", *_OF_PAIR),
        *("candidates", "worse", "margin", "signature"),
    )
    return [Sheet("check", columns, rows)]
