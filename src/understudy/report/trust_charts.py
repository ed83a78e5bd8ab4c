"""Figures of `trust`. Those of systems are in `understudy.report.system_charts`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from understudy.report.agreement_details import height, title
from understudy.report.ceilings import ceiling_in_words
from understudy.report.figure import (
    INK,
    MOST_COLORS,
    PALETTE,
    SHOWN,
    Figure,
    Row,
    apart,
    chart,
    color,
    count,
    counts,
    line_height,
    names,
)
from understudy.report.grid import printable
from understudy.report.system_charts import normalized_scores, regression, several_measures

if TYPE_CHECKING:
    from understudy.trusting.by_order import AgreementByOrder
    from understudy.trusting.coefficients.by_name import CoefficientSpec
    from understudy.trusting.noticeable_difference import NoticeableDifference
    from understudy.trusting.results import MetricTrust, Trust

# Of more metrics than these only some are drawn one by one: those computed here, then those that agree best.
DRAWN = 6
_DRAWN_OF_SEVERAL = 3  # for each measure, if people have several


def trust_figures(found: Sequence[Trust], *, by_length: Sequence[AgreementByOrder] = ()) -> list[Figure]:
    """All figures for which there are data. Systems have the color of their type."""
    drawn: list[Figure] = []
    several = len(found) > 1
    keys = apart([trust.human.name for trust in found])
    for key, trust in zip(keys, found, strict=True):
        prefix, suffix = (f"{key}-", f" ({printable(trust.human.name)})") if several else ("", "")
        drawn += [_forest(trust, asked, prefix, suffix) for asked in main_coefficients(trust)]
        metrics = drawn_metrics(trust, _DRAWN_OF_SEVERAL if several else DRAWN)
        kinds = {system: kind for kind, systems in trust.kinds.members.items() for system in systems}
        for name, metric in _named(metrics):
            if metric.regression is not None:
                drawn.append(regression(f"{prefix}{name}-regression", trust, metric, kinds))
            if metric.noticed is not None:
                drawn.append(
                    _noticed(f"{prefix}{name}-noticeable-difference", metric, metric.noticed, suffix)
                )
        drawn += _without_each(trust, metrics, prefix, suffix)
    if several:
        for name, metric in _named(drawn_metrics(found[0], DRAWN)):
            drawn += several_measures(f"{name}-measures", found, metric.name)
    drawn += normalized_scores(found, drawn_metrics(found[0], DRAWN))
    drawn += _lengths(by_length)
    return [figure for figure in drawn if figure.rows]


def _named(metrics: Sequence[MetricTrust]) -> list[tuple[str, MetricTrust]]:
    return list(zip(apart([metric.name for metric in metrics]), metrics, strict=True))


def main_coefficients(trust: Trust) -> list[CoefficientSpec]:
    """At each level, the coefficient that ranks metrics, or else the first one."""
    found = []
    for level in trust.plan.levels:
        of_level = [one for one in trust.asked if one.level == level]
        chosen = trust.plan.ranked_by(level, len(trust.systems))
        if of_level:
            found.append(chosen if chosen in of_level else of_level[0])
    return found


def of_level(asked: CoefficientSpec) -> str:
    """The title of a coefficient with its level."""
    return f"{asked.level.capitalize()}-level {title(asked)}"


def drawn_metrics(trust: Trust, most: int) -> list[MetricTrust]:
    """As many metrics as can be drawn one by one, in the order in which they were given."""
    asked = main_coefficients(trust)
    chosen = sorted(trust.metrics, key=lambda metric: (not metric.signature, -height(metric, asked[0])))
    kept = {metric.name for metric in chosen[:most]}
    return [metric for metric in trust.metrics if metric.name in kept]


# --- one function per figure -------------------------------------------------------------------------------


def _forest(trust: Trust, asked: CoefficientSpec, prefix: str, suffix: str) -> Figure:
    rows: list[Row] = []
    for metric in sorted(trust.metrics, key=lambda metric: -height(metric, asked)):
        agreed = metric.of(asked)
        if agreed is None or math.isnan(agreed.value):
            continue
        interval, chance = agreed.agreement.interval, agreed.chance
        bounds = (agreed.value, agreed.value) if interval is None else (interval.low, interval.high)
        by_chance = "" if agreed.above_chance else "; not significantly above the permutation baseline"
        rows.append(
            {
                "metric": printable(metric.name),
                "value": agreed.value,
                "low": bounds[0],
                "high": bounds[1],
                "chance": _known(chance.mean),
                "chance_upper": _known(chance.upper),
                SHOWN: f"{printable(metric.name)}: {agreed.value:.3f}, {bounds[0]:.3f} to {bounds[1]:.3f}; "
                f"permuted {chance.mean:.3f}, 95th percentile {chance.upper:.3f}{by_chance}",
            }
        )

    rows += _of_one_judge(trust, asked)

    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        base = chart(rows).encode(y=names("metric", width))
        x = alt.X("low:Q", title=title(asked), scale=alt.Scale(zero=False))
        luck = base.mark_rule(color=PALETTE[7], strokeWidth=3, opacity=0.55, aria=False).encode(
            x="chance:Q", x2="chance_upper:Q"
        )
        bars = base.mark_rule(color=PALETTE[5], strokeWidth=6, opacity=0.6, strokeCap="round").encode(
            x=x, x2="high:Q", description=f"{SHOWN}:N"
        )
        points = base.mark_point(color=INK, filled=True, size=60, opacity=1).encode(
            x="value:Q", description=f"{SHOWN}:N"
        )
        return (luck + bars + points).properties(height=line_height(count(rows, "metric")))

    caption = (
        f"Dot: coefficient. Wide bar: {trust.plan.confidence:.0%} CI, bootstrap resamples of {trust.over}. Thin gray "
        "bar: permutation baseline, from the mean to the 95th percentile."
    )
    name = f"{prefix}{asked.coefficient}-of-{asked.level}s"
    return Figure(name, "forest", f"{of_level(asked)}{suffix}", caption, rows, draw)


def _of_one_judge(trust: Trust, asked: CoefficientSpec) -> list[Row]:
    """A row for the ceiling, below the metrics."""
    from understudy.trusting.human_ceiling import ONE_JUDGE

    found = None if trust.ceiling is None else trust.ceiling.of(asked)
    if found is None or trust.ceiling is None:
        return []
    low, high = (found.value,) * 2 if found.interval is None else (found.interval.low, found.interval.high)
    return [
        {
            "metric": ONE_JUDGE,
            "value": found.value,
            "low": low,
            "high": high,
            "chance": None,
            "chance_upper": None,
            SHOWN: f"{ONE_JUDGE}: {found.value:.3f}, {low:.3f} to {high:.3f}; {ceiling_in_words(trust.ceiling)}",
        }
    ]


def _without_each(trust: Trust, metrics: Sequence[MetricTrust], prefix: str, suffix: str) -> list[Figure]:
    """R² of systems without each of them in turn."""
    order = np.argsort(-np.nan_to_num(trust.human_systems, nan=-np.inf), kind="stable")
    rows = [
        {
            "system": printable(trust.systems[number]),
            "metric": printable(metric.name),
            "r2_without": each.without_them,
            "r2": each.with_them,
            SHOWN: f"{printable(metric.name)}: {printable(each.sentence)}",
        }
        for number in order
        for metric in metrics
        for each in metric.without_each
        if each.systems == (trust.systems[number],) and math.isfinite(each.with_them + each.without_them)
    ]
    whole = list({row["metric"]: {"metric": row["metric"], "r2": row["r2"]} for row in rows}.values())

    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        of_metric = color("metric", rows, width, beside="system")
        dots = (
            chart(rows)
            .mark_point(filled=True, size=60, opacity=0.9)
            .encode(
                y=names("system", width),
                x=alt.X("r2_without:Q", title="R² without the system", scale=alt.Scale(zero=False)),
                color=of_metric,
                description=f"{SHOWN}:N",
            )
        )
        lines = (
            chart(whole)
            .mark_rule(strokeDash=[4, 3], opacity=0.8, aria=False)
            .encode(x="r2:Q", color=of_metric)
        )
        return (lines + dots).properties(height={"step": 20})

    caption = (
        "Dots: R² without one system (leave-one-out). Dashed line: R² with all systems. A dot far from the line marks "
        "a system with a large effect. Systems are ordered by human score."
    )
    return [
        Figure(f"{prefix}without-each", "without", f"R² without each system{suffix}", caption, rows, draw)
    ]


def _noticed(name: str, metric: MetricTrust, found: NoticeableDifference, suffix: str) -> Figure:
    shown = printable(metric.name)
    rows: list[Row] = [
        {"difference": float(difference), "agree": float(agree), "fitted": float(fitted)}
        for difference, agree, fitted in zip(found.differences, found.agree, found.fitted, strict=True)
    ]
    marks = [
        {
            "difference": difference,
            "share": max(shares),
            "text": f"{' and '.join(f'{share:.0%}' for share in shares)}: {difference:.3g}",
            SHOWN: f"At differences of at least {difference:.3g} {shown}, humans agree in {max(shares):.0%} of pairs",
        }
        for difference, shares in thresholds_by_difference(found).items()
    ]

    def draw(rows: list[Row], width: int) -> Any:  # noqa: ARG001
        import altair as alt

        x = alt.X("difference:Q", title=f"difference in {shown}", scale=alt.Scale(zero=True, nice=False))
        percent = alt.Axis(format="%", tickCount=5)
        y = alt.Y("fitted:Q", title="human agreement", scale=alt.Scale(domain=[0, 1]), axis=percent)
        steps = chart(rows).mark_line(interpolate="step-after", color=PALETTE[0], strokeWidth=2, aria=False)
        pairs = chart(rows).mark_point(filled=True, size=22, opacity=0.35, color=PALETTE[0], aria=False)
        layers = steps.encode(x=x, y=y) + pairs.encode(x=x, y="agree:Q")
        if marks:
            thresholds = chart(marks)
            layers += thresholds.mark_rule(color=PALETTE[3], strokeDash=[4, 3]).encode(
                x="difference:Q", y="share:Q", y2=alt.datum(0), description=f"{SHOWN}:N"
            )
            layers += thresholds.mark_text(
                align={"expr": "datum.difference > domain('x')[1] * 0.7 ? 'right' : 'left'"},
                dx={"expr": "datum.difference > domain('x')[1] * 0.7 ? -6 : 6"},
                dy=12,
                color=INK,
                fontSize=11,
                aria=False,
            ).encode(x="difference:Q", y="share:Q", text="text:N")
        return layers.properties(height=200)

    return Figure(
        name,
        "noticed",
        f"Human agreement by difference in {shown}{suffix}",
        "Each dot is a system pair: human scores prefer the same system as the metric (top) or the other (bottom). "
        "Line: share of agreement, by isotonic regression.",
        rows,
        draw,
    )


def thresholds_by_difference(found: NoticeableDifference) -> dict[float, list[float]]:
    """The thresholds, with all shares that one difference is enough for."""
    shares: dict[float, list[float]] = {}
    for each in found.thresholds:
        if each.difference is not None:
            shares.setdefault(each.difference, []).append(each.share)
    return shares


def _lengths(by_length: Sequence[AgreementByOrder]) -> list[Figure]:
    """A figure for each coefficient and what was varied, a line for each metric."""
    together: dict[tuple[str, str], list[AgreementByOrder]] = {}
    for each in by_length:
        if each.lengths:
            together.setdefault((of_level(each.asked), each.parameter), []).append(each)
    drawn = []
    for name, ((coefficient, parameter), metrics) in zip(
        apart([f"{coefficient} by {parameter}" for coefficient, parameter in together]),
        together.items(),
        strict=True,
    ):
        rows = [
            {
                "metric": printable(each.metric),
                "length": length,
                "value": value,
                "low": _known(low),
                "high": _known(high),
                SHOWN: f"{printable(each.metric)}, {parameter} {length}: {value:.3f}, {low:.3f} to {high:.3f}",
            }
            for each in metrics
            for length, value, low, high in zip(each.lengths, each.values, each.lows, each.highs, strict=True)
            if not math.isnan(value)
        ]
        if rows:
            heading = f"{coefficient} by {parameter}"
            drawn.append(_length_figure(name, heading, rows, coefficient, parameter))
    return drawn


def _length_figure(name: str, heading: str, rows: list[Row], coefficient: str, parameter: str) -> Figure:
    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        x = counts("length").title(parameter)
        base = chart(rows).encode(x=x, detail="metric:N")
        if count(rows, "metric") <= MOST_COLORS:
            base = base.encode(color("metric", rows, width))
        y = alt.Y("low:Q", title=coefficient, scale=alt.Scale(zero=False))
        bands = base.mark_area(opacity=0.15, aria=False).encode(y=y, y2="high:Q")
        lines = base.mark_line(strokeWidth=2, aria=False).encode(y="value:Q")
        points = base.mark_point(filled=True, size=45, opacity=1).encode(
            y="value:Q", description=f"{SHOWN}:N"
        )
        return (bands + lines + points).properties(height=230)

    caption = "Each line is a metric with its CI, by maximum n-gram order or tree depth."
    return Figure(name, "lengths", heading, caption, rows, draw)


def _known(value: float) -> float | None:
    """Charts have no NaN."""
    return value if math.isfinite(value) else None
