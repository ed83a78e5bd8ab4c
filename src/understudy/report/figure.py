"""What every chart is made of: Figure, and the axes, colours and style that all of them share."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import altair

WIDE, NARROW = 500, 326  # pixels: half of a page beside another figure, and the screen of a phone
MOST_COLOURS = 8  # more than that nobody can tell apart
# Okabe and Ito's colours, which the colour-blind can tell apart, without those that vanish on white or on black.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#8C6BB1", "#8A8A8A")
INK = "#1b1f24"  # of axes and text; in a page it becomes the page's own
FONT = "Arial, Liberation Sans, Helvetica, sans-serif"  # of equal widths: text takes the room that was left for it
LETTER = 6.2  # pixels: the mean width of one in a label
SHOWN = "shown"  # the field with what a mark says to who points at it

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

    def vega_lite(self, width: int = WIDE) -> dict[str, Any]:
        """The chart for Vega-Lite."""
        # Checking it against Vega-Lite's schema takes as long as drawing it; a test does.
        chart: dict[str, Any] = _styled(self.draw(self.rows, width), width).to_dict(validate=False)
        return chart

    def svg(self, width: int = WIDE) -> str:
        """As a file of its own, in dark on white."""
        import vl_convert

        return str(vl_convert.vegalite_to_svg(self.vega_lite(width), vl_version=_vega_lite_version()))

    def svg_for_page(self, width: int) -> str:
        """As a part of a page, in the page's colours."""
        drawn = self.svg(width).replace(INK, "currentColor")
        drawn = re.sub(r'<rect [^>]*fill="white"/>', "", drawn, count=1)
        # What a mark says stands in its label; nobody needs to hear how the chart is built.
        return drawn.replace("<svg ", '<svg role="img" ', 1)

    def png(self) -> bytes:
        import vl_convert

        return bytes(
            vl_convert.vegalite_to_png(self.vega_lite(), vl_version=_vega_lite_version(), scale=2, ppi=72)
        )

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
        return json.dumps(self.vega_lite(), ensure_ascii=False)


def _vega_lite_version() -> str:
    """The one that altair writes for, as vl-convert names it: 6.1."""
    import altair

    major, minor, *_ = altair.SCHEMA_VERSION.removeprefix("v").split(".")
    return f"{major}.{minor}"


# --- parts of figures --------------------------------------------------------------------------------------


def dots(rows: list[Row], width: int, *, group: str, value: str, title: str) -> Any:
    """A line for each system: what bars become when there are too many systems for colours."""
    import altair as alt

    return (
        chart(rows)
        .mark_point(filled=True, size=60, opacity=0.9)
        .encode(
            y=names("system", width),
            x=alt.X(f"{value}:Q", title=title, scale=alt.Scale(zero=False)),
            color=colour(group, rows, width),
            description=f"{SHOWN}:N",
        )
        .properties(height={"step": 20})
    )


def chart(rows: list[Row]) -> Any:
    import altair as alt

    return alt.Chart({"values": rows})


def names(field: str, width: int) -> altair.Y:
    import altair as alt

    room = width * 0.36
    axis = alt.Axis(
        **_no_longer_than(room), ticks=False, domain=False, labelPadding=6, grid=True, labelOverlap=False
    )
    return alt.Y(f"{field}:N", title=None, sort=None, axis=axis)


def counts(field: str) -> altair.X:
    import altair as alt

    return alt.X(f"{field}:O", title=field, axis=alt.Axis(labelAngle=0, ticks=False))


def colour(
    field: str,
    rows: Sequence[Row],
    width: int,
    colours: Sequence[str] = PALETTE,
    values: Sequence[str] | None = None,
) -> altair.Color:
    """The colours of a field's values: of those in the rows, or of all that it may have in any figure."""
    import altair as alt

    room = 8 * max(len(str(row[field])) for row in rows) + 40
    columns = max(1, min(width // room, count(rows, field)))
    domain = alt.Undefined if values is None else list(values)
    legend = alt.Legend(title=None, orient="top", columns=columns, **_no_longer_than(width / columns - 40))
    return alt.Color(
        f"{field}:N", sort=None, scale=alt.Scale(range=list(colours), domain=domain), legend=legend
    )


def _no_longer_than(pixels: float) -> dict[str, Any]:
    """Labels with so much room. Vega could find out itself where to cut them, but draws the letters again and again for
    that, which takes longer than all the rest.
    """
    letters = max(4, int(pixels / LETTER))
    cut = f"length(datum.label) > {letters} ? slice(datum.label, 0, {letters - 1}) + '…' : datum.label"
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
        .configure_legend(
            labelColor=INK, titleColor=INK, labelFontSize=12, symbolType="circle", symbolOpacity=1
        )
        .configure_view(stroke=None)
    )


def apart(titles: Sequence[str]) -> list[str]:
    """Titles as names of files and parts of addresses, with numbers where they would be the same."""
    plain = [re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-") or "unnamed" for title in titles]
    return [
        name if plain.count(name) == 1 else f"{name}-{number}" for number, name in enumerate(plain, start=1)
    ]


def count(rows: Sequence[Row], field: str) -> int:
    return len({row[field] for row in rows})
