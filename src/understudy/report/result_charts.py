"""Figures of results that are mainly tables: scores, explanations, test sets and error spans."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from understudy.report.figure import (
    PALETTE,
    SHOWN,
    Figure,
    Row,
    apart,
    chart,
    count,
    interval_bars,
    line_height,
    names,
)
from understudy.report.grid import printable

if TYPE_CHECKING:
    from understudy.comparing.explanation import Explanation
    from understudy.metrics.base.metric import Metric
    from understudy.metrics.base.score import Score
    from understudy.scoring.group_scores import GroupScores
    from understudy.scoring.run import Scores
    from understudy.trusting.sets.results import SetsTrust
    from understudy.trusting.spans.results import SpanAgreement


def score_figures(scores: Scores) -> list[Figure]:
    """A figure per metric: the scores, with their intervals if there are any; or where segment scores lie."""
    figures = []
    for index, name in enumerate(apart([metric.spec for metric in scores.metrics])):
        metric = scores.metrics[index]
        if scores.level == "segment":
            import numpy as np

            rows = [
                _row("system", system.name, *np.quantile(system.segments[index], (0.5, 0.25, 0.75)).tolist())
                for system in scores.systems
            ]
            title = f"Segment {metric.label}"
            caption = "Dot: median segment score. Bar: first to third quartile."
            figures.append(_bars(f"{name}-scores", title, caption, rows, field="system", axis=metric.label))
        else:
            named = [(system.name, system.scores[index]) for system in scores.systems]
            figures.append(_scores_of(metric, name, named, field="system"))
    return figures


def group_figures(found: GroupScores) -> list[Figure]:
    """A figure per metric: the scores of all groups, with their intervals if there are any."""
    labels = [", ".join("null" if value is None else str(value) for value in group) for group in found]
    return [
        _scores_of(
            found.metrics[index],
            name,
            [(label, scores[index]) for label, scores in zip(labels, found.groups.values(), strict=True)],
            field="group",
        )
        for index, name in enumerate(apart([metric.spec for metric in found.metrics]))
    ]


def _scores_of(metric: Metric, name: str, named: Sequence[tuple[str, Score]], *, field: str) -> Figure:
    rows = []
    for label, score in named:
        bounds = () if score.interval is None else (score.interval.low, score.interval.high)
        rows.append(_row(field, label, score.value, *bounds))
    interval = named[0][1].interval
    caption = "Dot: score."
    if interval is not None:
        caption = f"Dot: score. Bar: {interval.confidence:.0%} confidence interval."
    return _bars(f"{name}-scores", metric.label, caption, rows, field=field, axis=metric.label)


def explanation_figures(explanation: Explanation) -> list[Figure]:
    """What each step contributes to the difference."""
    rows = [
        {
            "step": f"{number}. {', '.join(step.changes)}",
            "contribution": step.contribution,
            SHOWN: f"{', '.join(step.changes)}: {step.contribution:+.2f}",
        }
        for number, step in enumerate(explanation.steps, start=1)
    ]

    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        return (
            chart(rows)
            .mark_bar(color=PALETTE[0])
            .encode(
                y=names("step", width),
                x=alt.X("contribution:Q", title=f"contribution to the difference in {explanation.label}"),
                description=f"{SHOWN}:N",
            )
            .properties(height=line_height(count(rows, "step")))
        )

    title = f"{explanation.label}: from {printable(explanation.first)} to {printable(explanation.second)}"
    caption = "Contribution of each parameter to the difference, changed one at a time."
    return [Figure("steps", "figures", title, caption, rows, draw)] if rows else []


def sets_figures(trust: SetsTrust) -> list[Figure]:
    """A figure per coefficient and test set: what each metric has."""
    tasks = [*trust.tasks, *trust.parts]
    titles = [
        " ".join(filter(None, (task.of_set, task.label, f"{task.asked.level} level", task.asked.coefficient)))
        for task in tasks
    ]
    figures = []
    for name, title, task in zip(apart(titles), titles, tasks, strict=True):
        rows = [
            _row("metric", metric, value)
            for metric, value in task.ranked.values.items()
            if not math.isnan(value)
        ]
        caption = "Dot: coefficient."
        if rows:
            axis = task.asked.coefficient
            figures.append(_bars(name, printable(title), caption, rows, field="metric", axis=axis))
    return figures


def span_figures(found: SpanAgreement) -> list[Figure]:
    """F1 of characters: of all errors, and by severity."""
    beside = [each for each in (found.one_rater, found.everything) if each is not None]
    figures = []
    for kind, title in (("all", "F1"), ("major", "F1 of major errors"), ("minor", "F1 of minor errors")):
        values = [(each.name, each.of("f1", kind)) for each in (*found.predictors, *beside)]
        rows = [
            _row(
                "spans of",
                name,
                value.value,
                *((value.interval.low, value.interval.high) if value.interval else ()),
            )
            for name, value in values
            if not math.isnan(value.value)
        ]
        if rows:
            caption = f"Dot: F1. Bar: {found.confidence:.0%} confidence interval."
            figures.append(_bars(f"f1-{kind}", title, caption, rows, field="spans of", axis="F1"))
    return figures


def _row(field: str, name: str, value: float, low: float | None = None, high: float | None = None) -> Row:
    """Without an interval the bar has no length."""
    low, high = value if low is None else low, value if high is None else high
    bounds = f", {low:.4g} to {high:.4g}" if low != high else ""
    shown = f"{printable(name)}: {value:.4g}{bounds}"
    return {field: printable(name), "score": value, "low": low, "high": high, SHOWN: shown}


def _bars(name: str, title: str, caption: str, rows: list[Row], *, field: str, axis: str) -> Figure:
    def draw(rows: list[Row], width: int) -> Any:
        return interval_bars(rows, width, field=field, title=axis)

    return Figure(name, "figures", title, caption, rows, draw)
