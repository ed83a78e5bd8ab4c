"""What is true of every page that the package writes, and how a page is built."""

from __future__ import annotations

import base64
import gzip
import html
import re
from html.parser import HTMLParser


class Structure(HTMLParser):
    """Headings, tables, controls and everything with an id; what is in charts is their own affair."""

    KEPT = frozenset(
        ("h1", "h2", "h3", "section", "nav", "table", "th", "button", "select", "input", "figure", "details")
    )

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.inside_svg = 0
        self.naming = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside_svg += tag == "svg"
        if self.inside_svg:
            return
        found = dict(attrs)
        if tag in self.KEPT or "id" in found:
            self.lines.append(f"<{tag}{' #' + str(found['id']) if 'id' in found else ''}>")
            self.naming = tag in ("h1", "h2", "h3", "th", "button")

    def handle_endtag(self, tag: str) -> None:
        self.inside_svg -= tag == "svg"
        self.naming = self.naming and tag in ("bdi", "span")

    def handle_data(self, data: str) -> None:
        if self.naming and not self.inside_svg and data.strip():
            self.lines[-1] += f" {data.strip()}"


def structure(page: str) -> str:
    """For golden files."""
    parser = Structure()
    parser.feed(page)
    return "\n".join(parser.lines) + "\n"


def check_addresses(page: str) -> None:
    """Ids are unique, and links within the page lead somewhere."""
    ids = re.findall(r'\sid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="#|aria-labelledby=")([^"]+)"', page)) <= set(ids)


def check_nothing_fetched(page: str) -> None:
    sources = re.findall(r'(?:src|href)="([^"#]+)"', page)
    assert sources
    assert all(source.startswith("data:") for source in sources)
    assert "@import" not in page
    assert not re.search(r"url\((?!#)", page)


def unpacked(packed: str) -> str:
    """What the page's script unpacks."""
    return gzip.decompress(base64.b64decode(packed)).decode("utf-8")


def files_in(page: str) -> dict[str, str]:
    """The files that can be saved from a page, by name."""
    found = re.findall(r'data-file="([^"]+)" data-kind="[^"]+" data-packed="([^"]+)"', page)
    return {html.unescape(name): unpacked(packed) for name, packed in found}
