"""The figures of a track: every metric over time, with confidence intervals and significant changes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from understudy.report.comparisons import verdict
from understudy.report.figure import (
    INK,
    LETTER,
    NUMBERS,
    PALETTE,
    SHOWN,
    WIDE,
    Figure,
    Row,
    apart,
    chart,
    color,
)
from understudy.report.grid import printable

if TYPE_CHECKING:
    from understudy.tracking.history import History, HistoryStep, MetricHistory

_HEIGHT = 240
_LABELS = {True: 10, False: 6}  # names of runs that find room below a wide and a narrow chart
_NAME = 14  # letters of a run's name below the chart
_SERIES, _CHANGE = "series", "change"
_CHANGES = ("not significant", "better", "worse", "differs")  # of the test with the run before
_SHAPES = ("circle", "triangle-up", "triangle-down", "diamond")
_FILLS = (INK, PALETTE[2], PALETTE[3], PALETTE[6])


def track_figures(history: History) -> list[Figure]:
    """A figure per test set and metric. Runs with unlike signatures are separate series in it."""
    groups: dict[tuple[str, str], list[MetricHistory]] = {}
    for metric in history.metrics:
        groups.setdefault((metric.test_set.name, metric.label), []).append(metric)
    several = len({test_set for test_set, _ in groups}) > 1
    titles = [f"{label}, {printable(name)}" if several else label for name, label in groups]
    return [
        _over_time(name, title, group)
        for name, title, group in zip(apart(titles), titles, groups.values(), strict=True)
    ]


def _over_time(name: str, title: str, group: Sequence[MetricHistory]) -> Figure:
    runs = sorted({step.run for metric in group for step in metric.steps}, key=lambda run: (run.date, run.id))
    by_step = all(map(_in_order_of_steps, group))
    place = {run.id: number for number, run in enumerate(runs, start=1)}
    rows = [
        _row(metric, step, step.run.step if by_step else place[step.run.id])
        for metric in group
        for step in metric.steps
    ]
    names = [printable(run.name) for run in runs]
    label = group[0].label
    confidence = f"{group[0].steps[0].result.interval.confidence:.0%}"

    def draw(rows: list[Row], width: int) -> Any:
        return _drawn(rows, width, label, [] if by_step else names)

    tested = any(len(metric.steps) > 1 for metric in group)
    marks = (
        " Triangle: significantly better (up) or worse (down) than the run before, after correction."
        if tested
        else ""
    )
    unlike = " Lines connect runs with the same signature." if len(group) > 1 else ""
    caption = f"Dot: score. Bar: {confidence} confidence interval.{marks}{unlike}"
    return Figure(f"{name}-over-time", "history", f"{title} over time", caption, rows, draw)


def _in_order_of_steps(metric: MetricHistory) -> bool:
    """Not so if another run of the test set has no training step: changes are then from date to date."""
    steps = [step.run.step for step in metric.steps if step.run.step is not None]
    return len(steps) == len(metric.steps) and steps == sorted(steps)


def _row(metric: MetricHistory, step: HistoryStep, place: int | None) -> Row:
    change = "not significant" if step.previous is None else verdict(step.previous)
    interval = step.result.interval
    name = printable(step.run.name)
    note = f" ({printable(step.run.note)})" if step.run.note else ""
    told = "" if step.previous is None else f"; {step.previous.difference:+.2f}, {change}"
    return {
        "place": place,
        "run": name,
        "date": step.run.date.isoformat(),
        "score": step.result.score,
        "low": interval.low,
        "high": interval.high,
        _CHANGE: change if change in _CHANGES else _CHANGES[0],
        _SERIES: metric.title,
        SHOWN: f"{name}, {step.run.day}{note}: {step.result.score:.2f}, {interval.low:.2f} to "
        f"{interval.high:.2f}{told}",
    }


def _drawn(rows: list[Row], width: int, title: str, names: Sequence[str]) -> Any:
    import altair as alt

    several = len({row[_SERIES] for row in rows}) > 1
    places = [row["place"] for row in rows]
    room = max(1, max(places) - min(places)) * 0.04
    x = alt.X(
        "place:Q",
        title=None if names else "training step",
        axis=_axis(names, width),
        scale=alt.Scale(domain=[min(places) - room, max(places) + room], nice=False, zero=False),
    )
    y = alt.Y("score:Q", title=title, scale=alt.Scale(zero=False))
    of_series = color(_SERIES, rows, width) if several else alt.value(PALETTE[0])
    base = chart(rows)
    lines = base.mark_line(strokeWidth=1.5, opacity=0.7, aria=False).encode(x=x, y=y, color=of_series)
    thickness = 5 if len(rows) <= 40 else 2
    bars = base.mark_rule(strokeWidth=thickness, opacity=0.35, strokeCap="round", aria=False).encode(
        x=x, y=alt.Y("low:Q", title=title, scale=alt.Scale(zero=False)), y2="high:Q", color=of_series
    )
    layers = bars + lines
    for change, shape, fill in zip(_CHANGES, _SHAPES, _FILLS, strict=True):
        drawn = [row for row in rows if row[_CHANGE] == change]
        if drawn:
            plain = change == _CHANGES[0]
            size = (45 if len(rows) <= 40 else 16) if plain else 130
            points = chart(drawn).mark_point(filled=True, opacity=1, size=size, shape=shape, color=fill)
            layers += points.encode(x=x, y=y, description=f"{SHOWN}:N")
    return layers.properties(height=_HEIGHT)


def _axis(names: Sequence[str], width: int) -> Any:
    """The names of runs, or of as many as find room; the steps where there are no names."""
    import altair as alt

    if not names:
        return alt.Axis(tickMinStep=1, format=",d", grid=False)
    cut = [name if len(name) <= _NAME else f"{name[: _NAME - 1]}…" for name in names]
    every = math.ceil(len(names) / _LABELS[width >= WIDE])
    shown = list(range(1, len(names) + 1, every))
    wide = max(map(len, cut)) * LETTER > 0.85 * (width - NUMBERS) / len(shown)
    texts = ", ".join("'" + name.replace("\\", "\\\\").replace("'", "\\'") + "'" for name in cut)
    return alt.Axis(
        values=shown,
        tickCount=len(shown),  # Vega would leave some out for the number that all charts have
        labelExpr=f"[{texts}][datum.value - 1]",
        labelAngle=-35 if wide else 0,
        labelLimit=0,
        labelOverlap=False,
        grid=False,
    )
