"""Figure, and the axes, colors and style shared by all charts."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from understudy.report.compact_svg import compact_svg

if TYPE_CHECKING:
    import altair

WIDE, NARROW = 500, 326  # pixels: half of a page beside another figure, and the screen of a phone
MOST_COLORS = 8  # more than that nobody can tell apart
# Okabe and Ito's colors, which the color-blind can tell apart, without those that vanish on white or on black.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#8C6BB1", "#8A8A8A")
INK = "#1b1f24"  # of axes and text; in a page it becomes the page's own
_FONT = "Arial, Liberation Sans, Helvetica, sans-serif"  # of equal widths: text takes the room that was left for it
_MANY = 30  # with more names one below the other, they stand closer together
NUMBERS = 62  # pixels: what an axis of numbers takes
_NAME_PADDING = 6  # between a name and the field of the chart
LETTER = 6.2  # pixels: the mean width of one in a label
SHOWN = "shown"  # the field with what a mark says to who points at it

_LONGEST_NAME = 100  # of a figure: file systems take 255 bytes, and there are endings

_NOT_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")

Row = dict[str, Any]


@dataclass(frozen=True)
class Figure:
    """A chart at any width, and the data behind it."""

    name: str  # also of its files, such as bleu-intervals
    part: str  # of the page: the name of a metric, buckets, references; in the report of trust, what is shown
    title: str
    caption: str
    rows: list[Row]
    draw: Callable[[list[Row], int], Any]
    drawn: list[Row] | None = None  # those of the rows that the chart shows; None: all

    def vega_lite(self, width: int = WIDE) -> dict[str, Any]:
        """The chart for Vega-Lite."""
        from altair.utils.schemapi import debug_mode

        rows = self.rows if self.drawn is None else self.drawn
        # Checking it and its parts against Vega-Lite's schema takes as long as drawing it; a test does.
        with debug_mode(False):
            chart = _styled(self.draw(rows, width), width).to_dict(validate=False)
        return dict(_without_control_characters(chart))

    def svg(self, width: int = WIDE) -> str:
        """As a file of its own, in dark on white."""
        return _drawn(self.vega_lite(width))

    def svg_for_page(self, width: int, vega_lite: dict[str, Any] | None = None) -> str:
        """As a part of a page, in the page's colors; drawn of the chart at that width, where it is made already."""
        drawn = _drawn(vega_lite or self.vega_lite(width)).replace(INK, "currentColor")
        drawn = re.sub(r'<rect [^>]*fill="white"/>', "", drawn, count=1)
        # What a mark says stands in its label; nobody needs to hear how the chart is built.
        return compact_svg(drawn).replace("<svg ", f'<svg role="img" aria-label="{escape(self.title)}" ', 1)

    def png(self) -> bytes:
        import vl_convert

        return bytes(
            vl_convert.vegalite_to_png(self.vega_lite(), vl_version=_vega_lite_version(), scale=2, ppi=72)
        )

    def csv(self) -> str:
        """The data behind it: all rows, also those that are not drawn."""
        written = io.StringIO()
        fields = [field for field in self.rows[0] if field != SHOWN]
        table = csv.DictWriter(written, fields, extrasaction="ignore", lineterminator="\n")
        table.writeheader()
        table.writerows(self.rows)
        return written.getvalue()


def _without_control_characters(value: Any) -> Any:
    """The chart with control pictures (U+2400 ...) instead of characters that XML does not allow, on which the program
    that draws it would end the process.
    """
    if isinstance(value, str):
        return _NOT_XML.sub(lambda match: chr(0x2400 + ord(match[0])) if match[0] < " " else "\ufffd", value)
    if isinstance(value, dict):
        return {
            _without_control_characters(key): _without_control_characters(item) for key, item in value.items()
        }
    if isinstance(value, list):
        return [_without_control_characters(item) for item in value]
    return value


def _drawn(vega_lite: dict[str, Any]) -> str:
    import vl_convert

    return str(vl_convert.vegalite_to_svg(vega_lite, vl_version=_vega_lite_version()))


def _vega_lite_version() -> str:
    """The one that altair writes for, as vl-convert names it: 6.1."""
    import altair

    major, minor, *_ = altair.SCHEMA_VERSION.removeprefix("v").split(".")
    return f"{major}.{minor}"


# --- parts of figures --------------------------------------------------------------------------------------


def dots(rows: list[Row], width: int, *, group: str, value: str, title: str) -> Any:
    """A line for each system: what bars become when there are too many systems for colors."""
    import altair as alt

    return (
        chart(rows)
        .mark_point(filled=True, size=60, opacity=0.9)
        .encode(
            y=names("system", width),
            x=alt.X(f"{value}:Q", title=title, scale=alt.Scale(zero=False)),
            color=color(group, rows, width, beside="system"),
            description=f"{SHOWN}:N",
        )
        .properties(height={"step": 20})
    )


def interval_bars(rows: list[Row], width: int, *, field: str, title: str) -> Any:
    """A line for each name: a dot for the score, a bar from `low` to `high`."""
    import altair as alt

    base = chart(rows).encode(y=names(field, width), description=f"{SHOWN}:N")
    bars = base.mark_rule(color=PALETTE[5], strokeWidth=6, opacity=0.55, strokeCap="round").encode(
        x=alt.X("low:Q", title=title, scale=alt.Scale(zero=False)), x2="high:Q"
    )
    points = base.mark_point(color=INK, filled=True, size=70, opacity=1).encode(x="score:Q")
    return (bars + points).properties(height=line_height(count(rows, field)))


def spans(rows: list[Row], width: int, *, group: str, value: str, title: str) -> Any:
    """A line for each group, from the lowest system to the highest, with a dot for each: what bars become when there
    are too many groups.
    """
    import altair as alt

    base = chart(rows).encode(y=names(group, width))
    x = alt.X(f"{value}:Q", title=title, scale=alt.Scale(zero=False))
    ends = base.mark_rule(color=INK, opacity=0.35, aria=False).encode(
        x=alt.X(f"min({value}):Q", title=title), x2=f"max({value}):Q"
    )
    points = base.mark_point(filled=True, size=60, opacity=0.75, color=PALETTE[0]).encode(
        x=x, description=f"{SHOWN}:N"
    )
    if count(rows, "system") <= MOST_COLORS:
        points = points.encode(color=color("system", rows, width, beside=group))
    return (ends + points).properties(height={"step": 20})


def chart(rows: list[Row]) -> Any:
    import altair as alt

    return alt.Chart({"values": rows})


def names(field: str, width: int) -> altair.Y:
    import altair as alt

    axis = alt.Axis(
        **_no_longer_than(_name_room(width)),
        ticks=False,
        domain=False,
        labelPadding=_NAME_PADDING,
        grid=True,
        labelOverlap=False,
    )
    return alt.Y(f"{field}:N", title=None, sort=None, axis=axis)


def line_height(lines: int) -> dict[str, int]:
    """The height of a chart with so many names one below the other."""
    return {"step": 26 if lines <= _MANY else 17}


def counts(field: str) -> altair.X:
    import altair as alt

    return alt.X(f"{field}:O", title=field, axis=alt.Axis(labelAngle=0, ticks=False))


def color(
    field: str,
    rows: Sequence[Row],
    width: int,
    *,
    colors: Sequence[str] = PALETTE,
    values: Sequence[str] | None = None,
    beside: str | None = None,
) -> altair.Color:
    """The colors of a field's values: of those in the rows, or of all that it may have in any figure. Their legend
    begins where the axis ends, which is one of numbers, or has the names of the field `beside`.
    """
    import altair as alt

    axis = (
        NUMBERS if beside is None else min(_name_room(width), LETTER * _longest(rows, beside)) + _NAME_PADDING
    )
    free = width - axis
    room = 8 * _longest(rows, field) + 40
    columns = max(1, min(int(free // room), count(rows, field)))
    domain = alt.Undefined if values is None else list(values)
    # The letters of a legend are a little larger than those of an axis.
    legend = alt.Legend(
        title=None, orient="top", columns=columns, **_no_longer_than((free / columns - 40) / 1.15)
    )
    return alt.Color(
        f"{field}:N", sort=None, scale=alt.Scale(range=list(colors), domain=domain), legend=legend
    )


def _name_room(width: int) -> float:
    """What names may take of the width of a chart."""
    return width * 0.36


def _longest(rows: Sequence[Row], field: str) -> int:
    return max(len(str(row[field])) for row in rows)


def _no_longer_than(pixels: float) -> dict[str, Any]:
    """Labels with so much room. Vega could find out itself where to cut them, but draws the letters again and again for
    that, which takes longer than all the rest.
    """
    letters = max(5, int(pixels / LETTER))
    end = letters // 3  # names are often distinguished by how they end
    cut = f"slice(datum.label, 0, {letters - 1 - end}) + '…' + slice(datum.label, -{end})"
    cut = f"length(datum.label) > {letters} ? {cut} : datum.label"
    return {"labelExpr": cut, "labelLimit": 0}


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
        .configure(font=_FONT)
        .configure_axis(
            **quiet,
            tickColor=INK,
            tickOpacity=0.3,
            titleFontWeight="normal",
            titleFontSize=12,
            labelFontSize=11,
        )
        .configure_axisX(tickCount=5)
        .configure_legend(
            labelColor=INK, titleColor=INK, labelFontSize=12, symbolType="circle", symbolOpacity=1
        )
        .configure_view(stroke=None)
    )


def apart(titles: Sequence[str]) -> list[str]:
    """Titles as names of files and parts of addresses, with numbers where they would be the same."""
    plain = [
        re.sub(r"[^a-z0-9]+", "-", title.lower())[:_LONGEST_NAME].strip("-") or "unnamed" for title in titles
    ]
    return [
        name if plain.count(name) == 1 else f"{name}-{number}" for number, name in enumerate(plain, start=1)
    ]


def count(rows: Sequence[Row], field: str) -> int:
    return len({row[field] for row in rows})
