"""What the pages of all reports have in common: one HTML file that needs nothing else, no network and no other file."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from understudy.report.charts import check_installed
from understudy.report.figure import NARROW, WIDE, Figure
from understudy.report.grid import printable, shown_p
from understudy.version import __version__

TEMPLATES = Path(__file__).with_name("templates")
DENSE = 10  # with more rows a matrix is drawn smaller


def render_page(template: str, *, digits: int, **content: Any) -> str:
    """A template with what it shows. Numbers have so many digits after the point."""
    check_installed()
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    environment.filters |= {
        "p": shown_p,
        "number": lambda value: f"{value:.{digits}f}",
        "signed": lambda value: f"{value:+.{digits}f}",
        "printable": printable,
        "download": _as_address,
    }
    return environment.get_template(template).render(version=__version__, **content)


@dataclass(frozen=True)
class Drawn:
    """A figure as pages show it: for wide screens, and for phones."""

    figure: Figure
    wide: str
    narrow: str

    @classmethod
    def of(cls, figure: Figure) -> Drawn:
        return cls(figure, figure.svg_for_page(WIDE), figure.svg_for_page(NARROW))


@dataclass(frozen=True)
class Cell:
    """A pair in a matrix, as that of its row sees it."""

    kind: str  # better, worse or same
    p: str
    title: str

    @property
    def sign(self) -> str:
        return {"same": "=", "better": "▲", "worse": "▼"}[self.kind]


def _as_address(text: str, kind: str) -> str:
    """A file that a link can hold."""
    return f"data:{kind};charset=utf-8;base64,{base64.b64encode(text.encode()).decode()}"
