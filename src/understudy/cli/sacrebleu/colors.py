"""Colors in terminals: sacreBLEU's, by ANSI codes."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass

_NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
ANSI_CODES = {
    **{name: 30 + number for number, name in enumerate(_NAMES)},
    "reset": 39,
    **{f"light{name}_ex": 90 + number for number, name in enumerate(_NAMES)},
}
_CODE = re.compile(r"\x1b\[\d+m")


@dataclass(frozen=True)
class Colors:
    """Texts in color, or as they are."""

    shown: bool

    def cyan(self, text: str) -> str:
        return self._in("cyan", text)

    def green(self, text: str) -> str:
        return self._in("green", text)

    def red(self, text: str) -> str:
        return self._in("red", text)

    def yellow(self, text: str) -> str:
        return self._in("yellow", text)

    def _in(self, name: str, text: str) -> str:
        return in_color(ANSI_CODES[name], text) if self.shown else text


def in_color(code: int, text: str) -> str:
    """The text between the code and that of the end of all colors."""
    return f"\x1b[{code}m{text}\x1b[0m"


def chosen_colors(*, unwanted: bool) -> Colors:
    """Colors if standard output is a terminal, and nobody objects."""
    objected = unwanted or os.environ.get("NO_COLOR")
    return Colors(not objected and sys.stdout.isatty())


def visible_width(text: str) -> int:
    """The number of characters that are not part of a color code."""
    return len(_CODE.sub("", text))
