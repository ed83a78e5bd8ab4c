"""Parsers: what one gives."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

Progress = Callable[[int], None]

CONSTITUENTS, DEPENDENCIES = "constituents", "dependencies"
KEEP_WORDS = "@words"


@dataclass(frozen=True)
class Parse:
    """The trees of one text, as text: Penn brackets, and token lines of CoNLL-U.

    None: the parser gives no trees of this kind. Empty: the text has none, being empty or beyond the parser.
    """

    constituents: str | None
    dependencies: str | None
