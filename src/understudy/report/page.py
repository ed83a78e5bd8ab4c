"""The common parts of all reports: one self-contained HTML file."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from understudy.report.charts import check_installed
from understudy.report.figure import NARROW, WIDE, Figure
from understudy.report.grid import Grid, printable, shown_p
from understudy.version import __version__

_TEMPLATES = Path(__file__).with_name("templates")
DENSE = 10  # with more rows a matrix is drawn smaller


def render_page(template: str, *, digits: int, charts: Sequence[DrawnFigure], **content: Any) -> str:
    """A template with what it shows. Numbers have so many digits after the point. `charts` are all of the page."""
    check_installed()
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    filters: dict[str, Callable[..., str]] = {
        "p": shown_p,
        "number": lambda value: f"{value:.{digits}f}",
        "signed": lambda value: f"{value:+.{digits}f}",
        "printable": printable,
        "packed": packed,
    }
    environment.filters |= filters
    narrow = packed(as_json({chart.figure.name: chart.narrow for chart in charts}))
    return environment.get_template(template).render(version=__version__, narrow_charts=narrow, **content)


@dataclass(frozen=True)
class DrawnFigure:
    """A figure as pages show it: for wide screens, and for phones; and as a table, if not all of it is drawn."""

    figure: Figure
    wide: str
    narrow: str
    spec: str  # as Vega-Lite, to be changed elsewhere
    everything: Grid | None = None

    @classmethod
    def of(cls, figure: Figure, everything: Grid | None = None) -> DrawnFigure:
        chart = figure.vega_lite(WIDE)
        wide, narrow = figure.svg_for_page(WIDE, chart), figure.svg_for_page(NARROW)
        return cls(figure, wide, narrow, as_json(chart), everything)


@dataclass(frozen=True)
class Cell:
    """A pair in a matrix, as that of its row sees it."""

    kind: str  # better, worse or same
    p: str
    title: str | int  # its description, or the number of the summary sentence that describes it

    @property
    def sign(self) -> str:
        return {"same": "=", "better": "▲", "worse": "▼"}[self.kind]


def packed(text: str) -> str:
    """Compressed, for much in a page is alike, and as text that HTML leaves alone. The page's script unpacks it."""
    return base64.b64encode(gzip.compress(text.encode(), compresslevel=6, mtime=0)).decode()


def as_json(data: Any) -> str:
    """Data for the page's script."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
