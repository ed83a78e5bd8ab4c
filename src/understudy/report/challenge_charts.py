"""Figures of challenge sets: accuracy by phenomenon, and costs by severity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from understudy.report.figure import (
    INK,
    MOST_COLORS,
    PALETTE,
    SHOWN,
    Figure,
    Row,
    chart,
    color,
    count,
    names,
)
from understudy.report.grid import printable
from understudy.report.probe_wording import percent

if TYPE_CHECKING:
    from understudy.probing.challenge_sets.results import ChallengeResults


def challenge_figures(found: ChallengeResults) -> list[Figure]:
    """Accuracy by phenomenon; if there are severities, by severity."""
    rows: list[Row] = []
    for each in found.phenomena:
        label = printable(found.labels[each.metric])
        rows.append(
            {
                "phenomenon": printable(each.phenomenon),
                "metric": label,
                "accuracy": 100 * each.accuracy,
                "low": 100 * each.interval.low,
                "high": 100 * each.interval.high,
                "pairs": each.pairs,
                SHOWN: f"{printable(each.phenomenon)}, {label}: {percent(each.accuracy)} of {each.pairs:,} pairs",
            }
        )
    figures = [
        _dots(
            "accuracy",
            "Accuracy by phenomenon",
            f"Share of pairs in which the good translation scores better. Line: {found.plan.confidence:.0%} confidence "
            "interval.",
            rows,
            field="phenomenon",
        )
    ]
    by_severity: list[Row] = [
        {
            "severity": printable(each.severity),
            "metric": printable(found.labels[each.metric]),
            "accuracy": 100 * each.accuracy,
            "low": 100 * each.accuracy,
            "high": 100 * each.accuracy,
            "pairs": each.pairs,
            SHOWN: f"{printable(each.severity)}, {printable(found.labels[each.metric])}: {percent(each.accuracy)}",
        }
        for each in found.severities
    ]
    if by_severity:
        caption = "Share of pairs in which the good translation scores better."
        figures.append(_dots("severities", "Accuracy by severity", caption, by_severity, field="severity"))
    return figures


def _dots(name: str, title: str, caption: str, rows: list[Row], *, field: str) -> Figure:
    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        base = chart(rows).encode(y=names(field, width), description=f"{SHOWN}:N")
        if count(rows, "metric") <= MOST_COLORS:
            base = base.encode(
                yOffset=alt.YOffset("metric:N", sort=None), color=color("metric", rows, width, beside=field)
            )
        half = chart([{"half": 50}]).mark_rule(color=INK, opacity=0.5, aria=False).encode(x="half:Q")
        x = alt.X("low:Q", title="accuracy (%)", scale=alt.Scale(domain=[0, 100]))
        lines = base.mark_rule(strokeWidth=4, opacity=0.4, strokeCap="round").encode(x=x, x2="high:Q")
        points = base.mark_point(filled=True, size=50, opacity=1).encode(x="accuracy:Q")
        if count(rows, "metric") > MOST_COLORS:
            points = points.encode(color=alt.value(PALETTE[0]))
        metrics = min(count(rows, "metric"), MOST_COLORS)
        return (half + lines + points).properties(height=count(rows, field) * (10 + 10 * metrics))

    return Figure(name, name, title, caption, rows, draw)
