"""Human and metric scores of systems: figures 5-7 of the BLEU report, 2-4 of Callison-Burch et al. 2006."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from understudy.report.figure import (
    INK,
    MOST_COLORS,
    NARROW,
    NUMBERS,
    PALETTE,
    SHOWN,
    WIDE,
    Figure,
    Row,
    chart,
    color,
    names,
)
from understudy.report.grid import printable
from understudy.report.label_layout import Place, places

if TYPE_CHECKING:
    from understudy.arrays import Floats
    from understudy.trusting.results import MetricTrust, Trust

_FIELD = 260  # pixels: the height of the field of points
_ROOM = 0.08  # beside the outermost points, as a share of their range
_LINE_POINTS = 41  # of a line and its band
_LETTERS = {WIDE: 24, NARROW: 14}  # of a name beside its point
_NO_KIND = "no type"
_UNLIKE = 4  # ranges of which one is so many times the other cannot share an axis


@dataclass(frozen=True)
class _Field:
    """Where the systems are that have names: the ranges of both axes, and what else is drawn between them."""

    named: list[Row]
    others: list[Row]
    lines: list[Row]
    x: tuple[float, float]
    y: tuple[float, float]

    @classmethod
    def of(cls, named: list[Row], others: Sequence[Row] = ()) -> _Field:
        rows = [*named, *others]
        x, y = (_range([row[axis] for row in rows]) for axis in ("metric", "human"))
        return cls(named, list(others), [], x, y)

    def line(self, intercept: float, slope: float) -> list[Row]:
        """Points of a line, as far as it is in the field. That charts cut it off would need ids in pages."""
        crossings = sorted((y - intercept) / slope for y in self.y) if slope else self.x
        ends = max(self.x[0], crossings[0]), min(self.x[1], crossings[1])
        return [
            {"metric": x, "human": intercept + slope * x} for x in np.linspace(*ends, _LINE_POINTS).tolist()
        ]

    def placed(self, labels: Sequence[str], width: int) -> list[Place]:
        size = (width - NUMBERS, _FIELD)

        def pixels(rows: Sequence[Row]) -> list[tuple[float, float]]:
            return [
                (
                    size[0] * (row["metric"] - self.x[0]) / (self.x[1] - self.x[0]),
                    size[1] * (self.y[1] - row["human"]) / (self.y[1] - self.y[0]),
                )
                for row in rows
            ]

        return places(pixels(self.named), labels, size, others=pixels(self.others), lines=pixels(self.lines))


def regression(name: str, trust: Trust, metric: MetricTrust, kinds: Mapping[str, str]) -> Figure:
    """Human scores against metric scores, with regression line and confidence band (figures 5 and 6 of the BLEU
    report).
    """
    line = metric.regression
    assert line is not None
    rows = _points(trust, metric)
    for row in rows:
        if kinds:
            row["system type"] = kinds.get(row["system"], _NO_KIND)
            row[SHOWN] += f" ({row['system type']})"
        row["system"] = printable(row["system"])
    field = _Field.of(rows)
    sign = -1.0 if metric.lower_is_better else 1.0
    at = np.linspace(*field.x, _LINE_POINTS)
    bounds = zip(
        at, *(np.clip(bound, *field.y) for bound in line.band(sign * at, trust.plan.confidence)), strict=True
    )
    band = [{"metric": float(x), "low": float(low), "high": float(high)} for x, low, high in bounds]
    drawn_line = field.line(line.intercept, sign * line.slope)
    field = replace(field, lines=drawn_line)
    labels, key = _labels(field)
    people, shown = printable(trust.human.name), printable(metric.name)
    people_title = f"human scores: {people}"

    def draw(rows: list[Row], width: int) -> Any:
        x, y = _x(field, shown), _y(field, people_title)
        layers = (
            chart(drawn_line).mark_line(color=INK, opacity=0.6, strokeWidth=1.5, aria=False).encode(x=x, y=y)
        )
        if not math.isnan(band[0]["low"]):  # two systems have a line, but nothing to judge it by
            area = chart(band).mark_area(color=PALETTE[5], opacity=0.22, aria=False)
            layers = area.encode(x=x, y=_y(field, people_title, "low"), y2="high:Q") + layers
        points = chart(rows).mark_point(filled=True, size=60, opacity=0.9, color=PALETTE[0])
        points = points.encode(x=x, y=y, description=f"{SHOWN}:N")
        if kinds:
            all_kinds = dict.fromkeys([*kinds.values(), *(row["system type"] for row in rows)])
            points = points.encode(color=color("system type", rows, width, values=list(all_kinds)))
        return (layers + points + _label_layers(field, labels(width), (x, y), width)).properties(
            height=_FIELD
        )

    slope = sign * line.slope
    equation = f"{people} = {line.intercept:.4g} {'-' if slope < 0 else '+'} {abs(slope):.4g} · {shown}"
    caption = (
        f"{equation}, R² = {line.r2:.3f}. Band: {trust.plan.confidence:.0%} confidence band of the regression line, "
        f"{line.points} systems.{key}"
    )
    return Figure(name, "regression", f"{people} against {shown}", caption, rows, draw)


def several_measures(name: str, found: Sequence[Trust], metric_name: str) -> list[Figure]:
    """One metric against several human scores (figures 2-4 of Callison-Burch et al. 2006)."""
    from understudy.errors import BadInput
    from understudy.trusting.regression import normalized, regress

    parts = [(trust, metric) for trust in found for metric in trust.metrics if metric.name == metric_name][
        :MOST_COLORS
    ]
    scores = [trust.human_systems for trust, _ in parts]
    shared = _alike(scores)
    rows: list[Row] = []
    for trust, metric in parts:
        of_measure = _points(trust, metric)
        if not shared:
            on_range = normalized({"": trust.human_systems})[""]
            for row in of_measure:
                row["human"] = float(on_range[trust.systems.index(row["system"])])
        rows += [
            {"measure": printable(trust.human.name), **row}
            for row in of_measure
            if math.isfinite(row["human"])
        ]
    if not rows or len({row["measure"] for row in rows}) < 2:
        return []
    for row in rows:
        row["system"] = printable(row["system"])
    # A system has the same place on the metric's axis for every measure: it is named once.
    first = rows[0]["measure"]
    field = _Field.of(
        [row for row in rows if row["measure"] == first], [row for row in rows if row["measure"] != first]
    )
    lines: list[Row] = []
    for measure in dict.fromkeys(row["measure"] for row in rows):
        of_measure = [row for row in rows if row["measure"] == measure]
        try:
            fit = regress(*(np.array([row[axis] for row in of_measure]) for axis in ("human", "metric")))
        except BadInput:
            continue
        lines += [{"measure": measure, **point} for point in field.line(fit.intercept, fit.slope)]
    field = replace(field, lines=lines)
    labels, key = _labels(field)
    shown = printable(metric_name)
    of_people = "human scores" if shared else "human scores, scaled to the range of each measure"

    def draw(rows: list[Row], width: int) -> Any:
        x, y = _x(field, shown), _y(field, of_people)
        of_measure = color("measure", rows, width)
        points = (
            chart(rows)
            .mark_point(filled=True, size=60, opacity=0.9)
            .encode(x=x, y=y, color=of_measure, description=f"{SHOWN}:N")
        )
        fits = chart(lines).mark_line(strokeWidth=1.5, opacity=0.7, aria=False)
        layers = fits.encode(x=x, y=y, color=of_measure) + points
        return (layers + _label_layers(field, labels(width), (x, y), width)).properties(height=_FIELD)

    measures = " and ".join(dict.fromkeys(row["measure"] for row in rows))
    r2 = ", ".join(
        f"{printable(trust.human.name)} {metric.regression.r2:.3f}"
        for trust, metric in parts
        if metric.regression
    )
    caption = f"One dot per system and measure. R²: {r2}. System names are next to the dots of the first measure.{key}"
    return [Figure(name, "measures", f"{measures} against {shown}", caption, rows, draw)]


def normalized_scores(found: Sequence[Trust], metrics: Sequence[MetricTrust]) -> list[Figure]:
    """Scaled human and metric scores, with systems ordered by human score (figure 7 of the BLEU report)."""
    from understudy.trusting.regression import normalized

    systems = found[0].systems
    measures: dict[str, Floats] = {}
    for trust in found:
        by_system = dict(zip(trust.systems, trust.human_systems.tolist(), strict=True))
        measures[f"human: {printable(trust.human.name)}"] = np.array(
            [by_system.get(system, math.nan) for system in systems]
        )
    people = list(measures)
    measures |= {printable(metric.name): metric.system_scores[1] for metric in metrics}
    chosen = dict(list(measures.items())[:MOST_COLORS])
    order = np.argsort(-np.nan_to_num(measures[people[0]], nan=-np.inf), kind="stable")
    rows = [
        {
            "measure": measure,
            "system": printable(systems[number]),
            "place": place,
            "score": float(values[number]),
            SHOWN: f"{measure}: {printable(systems[number])} at {values[number]:.2f} of the range",
        }
        for measure, values in normalized(chosen).items()
        for place, number in enumerate(order, start=1)
        if math.isfinite(values[number])
    ]
    if not rows:
        return []
    drawn = list(dict.fromkeys(row["measure"] for row in rows))
    of_people = [measure for measure in drawn if measure in people]
    colors = [INK, *reversed(PALETTE)][: len(of_people)] + list(PALETTE)

    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        base = chart(rows).encode(
            y=names("system", width),
            x=alt.X("score:Q", title="scaled score: worst system 0, best system 1"),
            color=color("measure", rows, width, colors=colors, beside="system"),
        )
        heavy = {
            "condition": {"test": alt.FieldOneOfPredicate("measure", of_people), "value": 3},
            "value": 1.4,
        }
        lines = base.mark_line(aria=False).encode(order="place:Q", strokeWidth=heavy)
        points = base.mark_point(filled=True, size=45, opacity=1).encode(description=f"{SHOWN}:N")
        return (lines + points).properties(height={"step": 24})

    caption = (
        "Thick lines: human scores; thin lines: metrics. Systems are ordered by human score. Each measure is scaled "
        "from its worst to its best system; error rates are reversed."
    )
    return [Figure("normalized", "normalized", "Scaled human and metric scores", caption, rows, draw)]


# --- points and their names --------------------------------------------------------------------------------


def _points(trust: Trust, metric: MetricTrust) -> list[Row]:
    """The systems that both have scored, from the best to the worst by people."""
    people, shown = printable(trust.human.name), printable(metric.name)
    rows = [
        {
            "system": system,
            "metric": own,
            "human": human,
            SHOWN: f"{printable(system)}: {shown} {own:.3f}, {people} {human:.3f}",
        }
        for system, own, human in zip(
            trust.systems, metric.own_scores.tolist(), trust.human_systems.tolist(), strict=True
        )
        if math.isfinite(own) and math.isfinite(human)
    ]
    return sorted(rows, key=lambda row: -row["human"])


def _labels(field: _Field) -> tuple[Any, str]:
    """What stands beside the points at a width, and the key to it: their names if those find room at all widths, else
    numbers, which are explained.
    """
    systems = [row["system"] for row in field.named]

    def cut(width: int) -> list[str]:
        most = _LETTERS.get(width, _LETTERS[WIDE])
        return [name if len(name) <= most else f"{name[: most - 1]}…" for name in systems]

    if all(
        len(set(cut(width))) == len(systems) and all(place.free for place in field.placed(cut(width), width))
        for width in _LETTERS
    ):
        return cut, ""
    numbers = [str(number) for number in range(1, len(systems) + 1)]
    key = ", ".join(f"{number} = {system}" for number, system in zip(numbers, systems, strict=True))
    return lambda _width: numbers, f" Numbered by human score: {key}."


def _label_layers(field: _Field, labels: Sequence[str], axes: tuple[Any, Any], width: int) -> Any:
    """The names of points, and lines that lead to those that stand farther away."""
    texts = [
        {
            **{at: row[at] for at in ("metric", "human")},
            "label": label,
            "dx": place.dx,
            "dy": place.dy,
            "align": place.align,
            "far": place.far,
        }
        for row, label, place in zip(field.named, labels, field.placed(labels, width), strict=True)
    ]
    x, y = axes
    named = chart(texts).mark_text(
        baseline="middle",
        fontSize=11,
        color=INK,
        aria=False,
        dx={"expr": "datum.dx"},
        dy={"expr": "datum.dy"},
        align={"expr": "datum.align"},
    )
    layers = named.encode(x=x, y=y, text="label:N")
    if leading := [text for text in texts if text["far"]]:
        rules = chart(leading).mark_rule(
            color=INK,
            opacity=0.35,
            aria=False,
            x2Offset={"expr": "datum.dx * 0.9"},
            y2Offset={"expr": "datum.dy * 0.9"},
        )
        layers = rules.encode(x=x, y=y, x2="metric:Q", y2="human:Q") + layers
    return layers


def _x(field: _Field, title: str) -> Any:
    import altair as alt

    return alt.X("metric:Q", title=title, scale=alt.Scale(domain=list(field.x), nice=False, zero=False))


def _y(field: _Field, title: str, name: str = "human") -> Any:
    import altair as alt

    return alt.Y(f"{name}:Q", title=title, scale=alt.Scale(domain=list(field.y), nice=False, zero=False))


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    room = _ROOM * (high - low) or abs(high) * _ROOM or 1.0
    return low - room, high + room


def _alike(scores: Sequence[Floats]) -> bool:
    """Whether measures are on scales so alike that they can share an axis."""
    ends = [(float(np.nanmin(each)), float(np.nanmax(each))) for each in scores]
    spreads = [high - low for low, high in ends]
    overlap = max(low for low, _ in ends) <= min(high for _, high in ends)
    return overlap and max(spreads) <= _UNLIKE * min(spreads)
