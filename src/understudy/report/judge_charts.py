"""Figures of judgments: systems with their intervals, and the BLEU report's figures of adjacent systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from understudy.judging.estimates import Absent, Estimate
from understudy.report.figure import (
    INK,
    PALETTE,
    SHOWN,
    Figure,
    Row,
    apart,
    chart,
    interval_bars,
    line_height,
    names,
)
from understudy.report.grid import printable

if TYPE_CHECKING:
    from understudy.judging.analysis.adjacent_systems import AdjacentPair
    from understudy.judging.results import JudgeResults

_PART = "figures"
_MOST_UPRIGHT = 6  # pairs beside each other, as in the report; more are one below the other


def judge_figures(found: JudgeResults) -> list[Figure]:
    """Means and adjacent systems of every question; strengths of rankings."""
    figures = []
    confidence = found.plan.confidence
    for name, each in zip(apart([each.name for each in found.questions]), found.questions, strict=True):
        means = [(mean.system, mean.mean) for mean in each.means]
        title = f"Mean {printable(each.name)}"
        figures += _bars(f"{name}-means", title, "mean", means, confidence)
        if not isinstance(each.adjacent, Absent):
            figures += adjacent_figure(
                each.adjacent,
                name=f"{name}-adjacent",
                title=f"{printable(each.name)}: differences between adjacent systems",
                confidence=confidence,
            )
    if found.rankings is not None and not isinstance(found.rankings.strengths, Absent):
        ranked = sorted(
            ((one.system, one.strength) for one in found.rankings.strengths.systems),
            key=lambda item: -(item[1].value or 0.0),
        )
        figures += _bars("strengths", "Bradley-Terry strengths", "log strength", ranked, confidence)
    return figures


def adjacent_figure(
    pairs: Sequence[AdjacentPair], *, name: str, title: str, confidence: float
) -> list[Figure]:
    """The mean difference of each system from its neighbor below, with the t interval by judge and segment: figures 3
    and 4 of Papineni et al. (2001). None if no two neighbors were compared.
    """
    rows = [
        {
            "systems": f"{printable(pair.better)} - {printable(pair.worse)}",
            "difference": pair.difference,
            "low": (of := pair.by_judge_and_segment) and of.interval.low,
            "high": of and of.interval.high,
            SHOWN: _said(pair),
        }
        for pair in pairs
        if pair.difference is not None
    ]
    if not rows:
        return []
    caption = (
        f"Mean difference between a judge's ratings of the same segment. Bar: {confidence:.0%} confidence interval "
        "(Student's t). Adjacent systems, the worst pair first."
    )

    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        upright = len(rows) <= _MOST_UPRIGHT
        value, end = (alt.Y, "y2") if upright else (alt.X, "x2")
        low = value("low:Q", title="mean difference")
        mean, zero = value("difference:Q"), value("zero:Q")
        pairs = (
            {"x": alt.X("systems:N", title=None, sort=None, axis=alt.Axis(labelAngle=-35, ticks=False))}
            if upright
            else {"y": names("systems", width)}
        )
        side = "y" if upright else "x"
        base = chart(rows).encode(**pairs, description=f"{SHOWN}:N")
        line = chart([{"zero": 0}]).mark_rule(color=INK, opacity=0.5).encode(**{side: zero})
        bars = base.mark_rule(color=PALETTE[5], strokeWidth=6, opacity=0.55, strokeCap="round").encode(
            **{side: low, end: "high:Q"}
        )
        points = base.mark_point(color=INK, filled=True, size=70, opacity=1).encode(**{side: mean})
        return (line + bars + points).properties(height=230 if upright else line_height(len(rows)))

    return [Figure(name, _PART, title, caption, rows, draw)]


def _said(pair: AdjacentPair) -> str:
    interval = pair.by_judge_and_segment and pair.by_judge_and_segment.interval
    bounds = f", {interval.low:+.3g} to {interval.high:+.3g}" if interval else ""
    return f"{printable(pair.better)} minus {printable(pair.worse)}: {pair.difference:+.3g}{bounds}"


def _bars(
    name: str, title: str, axis: str, values: Sequence[tuple[str, Estimate]], confidence: float
) -> list[Figure]:
    rows = []
    for system, estimate in values:
        if estimate.value is None:
            continue
        interval, value = estimate.interval, estimate.value
        low, high = (value, value) if interval is None else (interval.low, interval.high)
        said = f"{printable(system)}: {value:.4g}, {low:.4g} to {high:.4g}"
        rows.append({"system": printable(system), "score": value, "low": low, "high": high, SHOWN: said})
    if not rows:
        return []

    def draw(rows: list[Row], width: int) -> Any:
        return interval_bars(rows, width, field="system", title=axis)

    caption = f"Dot: {axis}. Bar: {confidence:.0%} confidence interval."
    return [Figure(name, _PART, title, caption, rows, draw)]
