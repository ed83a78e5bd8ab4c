"""The figures of a comparison: Vega-Lite charts, made with altair and drawn by vl-convert, without any network.

In a page they are SVG as text: it opens at once, prints, follows the page's colours and needs no script. (Vega itself
inside the page would be 0.9 MB more, seconds of bundling for every report, and the right to run code made of strings.)
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from understudy.errors import MissingExtra

if TYPE_CHECKING:
    import altair

    from understudy.comparison.breakdown import Breakdown, Bucketing
    from understudy.comparison.results import Comparison, MetricComparison, SystemResult

WIDE, NARROW = 500, 326  # pixels: half of a page beside another figure, and the screen of a phone
MOST_COLOURS = 8  # more than that nobody can tell apart
# Okabe and Ito's colours, which the colour-blind can tell apart, without those that vanish on white or on black.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#8C6BB1", "#8A8A8A")
INK = "#1b1f24"  # of axes and text; in a page it becomes the page's own
FONT = "Arial, Liberation Sans, Helvetica, sans-serif"  # of equal widths: text takes the room that was left for it
SHOWN = "shown"  # the field with what a mark says to who points at it

Row = dict[str, Any]


@dataclass(frozen=True)
class Figure:
    """A chart at any width, and the data behind it."""

    name: str  # also of its files, such as bleu-intervals
    part: str  # of the page: the name of a metric, or buckets
    title: str
    caption: str
    rows: list[Row]
    draw: Callable[[list[Row], int], Any]

    def chart(self, width: int = WIDE) -> Any:
        return _styled(self.draw(self.rows, width), width)

    def svg(self, width: int = WIDE) -> str:
        """As a file of its own, in dark on white."""
        written = io.StringIO()
        self.chart(width).save(written, format="svg")
        return written.getvalue()

    def svg_for_page(self, width: int) -> str:
        """As a part of a page, in the page's colours."""
        drawn = self.svg(width).replace(INK, "currentColor")
        drawn = re.sub(r'<rect [^>]*fill="white"/>', "", drawn, count=1)
        # What a mark says stands in its label; nobody needs to hear how the chart is built.
        return drawn.replace("<svg ", '<svg role="img" ', 1)

    def png(self) -> bytes:
        written = io.BytesIO()
        self.chart(WIDE).save(written, format="png", scale_factor=2)
        return written.getvalue()

    def csv(self) -> str:
        """The data behind it."""
        written = io.StringIO()
        fields = [field for field in self.rows[0] if field != SHOWN]
        table = csv.DictWriter(written, fields, extrasaction="ignore", lineterminator="\n")
        table.writeheader()
        table.writerows(self.rows)
        return written.getvalue()

    def spec(self) -> str:
        """The chart as Vega-Lite, to be changed elsewhere."""
        return str(self.chart().to_json(indent=None))


def check_installed() -> None:
    """Refuses to begin what could not be finished."""
    try:
        import altair  # noqa: F401
        import jinja2  # noqa: F401
        import vl_convert  # noqa: F401
    except ImportError:
        raise MissingExtra.of("reports and figures", "altair, vl-convert and jinja2", "report") from None


def figures(comparison: Comparison, breakdown: Breakdown | None = None) -> list[Figure]:
    """All figures that there is data for. A system has the same colour in all of them."""
    order = [system.name for system in ranked(comparison.metrics[0])]
    found = []
    for name, metric in zip(names_of(comparison), comparison.metrics, strict=True):
        found.append(_intervals(name, metric))
        if any("precisions" in system.detail for system in metric.systems):
            found.append(_precisions(name, metric, order))
        if any(len(system.run_scores) > 1 for system in metric.systems):
            found.append(_runs(name, metric))
    bucketings = breakdown.bucketings if breakdown else []
    names = _apart([f"{bucketing.metric} by {bucketing.title}" for bucketing in bucketings])
    return found + [_buckets(*named, order) for named in zip(names, bucketings, strict=True)]


def names_of(comparison: Comparison) -> list[str]:
    """A name for each metric that can be part of a file's name and of an address."""
    return _apart([metric.spec for metric in comparison.metrics])


def _apart(titles: Sequence[str]) -> list[str]:
    """Titles as names of files, with numbers where they would be the same."""
    plain = [re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") for title in titles]
    return [
        name if plain.count(name) == 1 else f"{name}-{number}" for number, name in enumerate(plain, start=1)
    ]


def ranked(metric: MetricComparison) -> list[SystemResult]:
    """The systems from best to worst where they are ranked, else as they were given."""
    if metric.clusters is None:
        return metric.systems
    by_name = {system.name: system for system in metric.systems}
    return [by_name[name] for cluster in metric.clusters for name in cluster]


# --- one function per figure -------------------------------------------------------------------------------


def _intervals(name: str, metric: MetricComparison) -> Figure:
    confidence = f"{metric.systems[0].interval.confidence:.0%}"
    rows = [
        {
            "system": system.name,
            "score": system.score,
            "low": system.interval.low,
            "high": system.interval.high,
            SHOWN: f"{system.name}: {system.score:.2f}, {system.interval.low:.2f} to {system.interval.high:.2f}",
        }
        for system in ranked(metric)
    ]

    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        base = _chart(rows).encode(y=_names("system", rows, width), description=f"{SHOWN}:N")
        score = alt.X("low:Q", title=metric.label, scale=alt.Scale(zero=False))
        bars = base.mark_rule(color=PALETTE[5], strokeWidth=6, opacity=0.55, strokeCap="round").encode(
            x=score, x2="high:Q"
        )
        points = base.mark_point(color=INK, filled=True, size=70, opacity=1).encode(x="score:Q")
        return (bars + points).properties(height={"step": 26})

    caption = (
        f"The dot is the score, the bar its {confidence} interval. Bars of two systems may overlap though their "
        "difference is real: that is decided segment by segment, see the pairs."
    )
    return Figure(
        f"{name}-intervals", name, f"{metric.label} with {confidence} intervals", caption, rows, draw
    )


def _precisions(name: str, metric: MetricComparison, order: Sequence[str]) -> Figure:
    by_name = {system.name: system for system in metric.systems}
    rows = [
        {
            "system": system,
            "n": f"{n}-grams",
            "precision": precision,
            SHOWN: f"{system}: {precision:.1f} % of its {n}-grams",
        }
        for system in order
        for n, precision in enumerate(by_name[system].detail.get("precisions", ()), start=1)
    ]
    caption = "The share of a system's n-grams that its references have: modified precision."

    def draw(rows: list[Row], width: int) -> Any:
        if _count(rows, "system") > MOST_COLOURS:
            return _dots(rows, width, group="n", value="precision", title="modified precision (%)")
        import altair as alt

        return (
            _chart(rows)
            .mark_bar()
            .encode(
                x=alt.X("n:N", title=None, sort=None, axis=alt.Axis(labelAngle=0, ticks=False)),
                xOffset=alt.XOffset("system:N", sort=None),
                y=alt.Y("precision:Q", title="modified precision (%)", scale=alt.Scale(domain=[0, 100])),
                color=_colour("system", rows, width),
                description=f"{SHOWN}:N",
            )
            .properties(height=230)
        )

    return Figure(
        f"{name}-precisions", name, f"{metric.label}: precision by length of n-gram", caption, rows, draw
    )


def _runs(name: str, metric: MetricComparison) -> Figure:
    rows = [
        {"system": system.name, "run": run, "score": score, SHOWN: f"{system.name}, run {run}: {score:.2f}"}
        for system in ranked(metric)
        for run, score in enumerate(system.run_scores, start=1)
    ]

    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        return (
            _chart(rows)
            .mark_tick(color=PALETTE[0], thickness=3, size=18, opacity=0.9)
            .encode(
                y=_names("system", rows, width),
                x=alt.X("score:Q", title=metric.label, scale=alt.Scale(zero=False)),
                description=f"{SHOWN}:N",
            )
            .properties(height={"step": 26})
        )

    caption = "Each stroke is a training run."
    return Figure(f"{name}-runs", name, f"{metric.label} of every run", caption, rows, draw)


def _buckets(name: str, bucketing: Bucketing, order: Sequence[str]) -> Figure:
    rows = [
        {
            "bucket": bucket.label,
            bucketing.unit: bucket.segments,
            "system": system,
            "score": score,
            SHOWN: f"{system}, {bucket.label} ({bucket.segments:,} {bucketing.unit}): {score:.2f}",
        }
        for bucket in bucketing.buckets
        for system in order
        if math.isfinite(score := bucket.scores.get(system, math.nan))
    ]

    def draw(rows: list[Row], width: int) -> Any:
        if _count(rows, "system") > MOST_COLOURS:
            return _dots(rows, width, group="bucket", value="score", title=bucketing.metric)
        import altair as alt

        return (
            _chart(rows)
            .mark_bar()
            .encode(
                y=_names("bucket", rows, width),
                yOffset=alt.YOffset("system:N", sort=None),
                x=alt.X("score:Q", title=bucketing.metric),
                color=_colour("system", rows, width),
                description=f"{SHOWN}:N",
            )
            .properties(height=max(80, _count(rows, "bucket") * (10 + 11 * _count(rows, "system"))))
        )

    caption = ", ".join(f"{bucket.label}: {bucket.segments:,}" for bucket in bucketing.buckets)
    title = f"{bucketing.metric} by {bucketing.title}"
    return Figure(name, "buckets", title, f"{bucketing.unit.capitalize()}: {caption}.", rows, draw)


# --- parts of figures --------------------------------------------------------------------------------------


def _dots(rows: list[Row], width: int, *, group: str, value: str, title: str) -> Any:
    """A line for each system: what bars become when there are too many systems for colours."""
    import altair as alt

    return (
        _chart(rows)
        .mark_point(filled=True, size=60, opacity=0.9)
        .encode(
            y=_names("system", rows, width),
            x=alt.X(f"{value}:Q", title=title, scale=alt.Scale(zero=False)),
            color=_colour(group, rows, width),
            description=f"{SHOWN}:N",
        )
        .properties(height={"step": 20})
    )


def _chart(rows: list[Row]) -> Any:
    import altair as alt

    return alt.Chart({"values": rows})


def _names(field: str, rows: Sequence[Row], width: int) -> altair.Y:
    import altair as alt

    room = width * 0.36
    longest = max(len(str(row[field])) for row in rows)
    axis = alt.Axis(
        labelLimit=min(room, 9 * longest + 8), ticks=False, domain=False, labelPadding=6, grid=True
    )
    return alt.Y(f"{field}:N", title=None, sort=None, axis=axis)


def _colour(field: str, rows: Sequence[Row], width: int) -> altair.Color:
    import altair as alt

    room = 8 * max(len(str(row[field])) for row in rows) + 40
    columns = max(1, min(width // room, _count(rows, field)))
    legend = alt.Legend(title=None, orient="top", columns=columns, labelLimit=width // columns - 40)
    return alt.Color(f"{field}:N", sort=None, scale=alt.Scale(range=list(PALETTE)), legend=legend)


def _styled(chart: Any, width: int) -> Any:
    import altair as alt

    quiet = {"labelColor": INK, "titleColor": INK, "gridColor": INK, "gridOpacity": 0.12, "domain": False}
    return (
        chart.properties(
            width=width,
            autosize=alt.AutoSizeParams(type="fit-x", contains="padding"),
            background="white",
            padding=4,
        )
        .configure(font=FONT)
        .configure_axis(
            **quiet,
            tickColor=INK,
            tickOpacity=0.3,
            titleFontWeight="normal",
            titleFontSize=12,
            labelFontSize=11,
        )
        .configure_axisX(tickCount=5)
        .configure_legend(labelColor=INK, titleColor=INK, labelFontSize=12, symbolType="circle")
        .configure_view(stroke=None)
    )


def _count(rows: Sequence[Row], field: str) -> int:
    return len({row[field] for row in rows})


def files(drawn: Sequence[Figure]) -> Iterator[tuple[str, bytes]]:
    """Every figure as files for papers and slides: their names and what is in them."""
    for figure in drawn:
        yield f"{figure.name}.svg", figure.svg().encode()
        yield f"{figure.name}.png", figure.png()
        yield f"{figure.name}.csv", figure.csv().encode()
