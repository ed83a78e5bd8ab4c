"""Colors in terminals: sacreBLEU's, by ANSI codes."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass

_CODE = re.compile(r"\x1b\[\d+m")


@dataclass(frozen=True)
class Colors:
    """Texts in color, or as they are."""

    shown: bool

    def cyan(self, text: str) -> str:
        return self._in(36, text)

    def green(self, text: str) -> str:
        return self._in(32, text)

    def red(self, text: str) -> str:
        return self._in(31, text)

    def yellow(self, text: str) -> str:
        return self._in(33, text)

    def _in(self, code: int, text: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.shown else text


def chosen_colors(*, unwanted: bool) -> Colors:
    """Colors if standard output is a terminal, and nobody objects."""
    objected = unwanted or os.environ.get("NO_COLOR")
    return Colors(not objected and sys.stdout.isatty())


def visible_width(text: str) -> int:
    """The number of characters that are not part of a color code."""
    return len(_CODE.sub("", text))
