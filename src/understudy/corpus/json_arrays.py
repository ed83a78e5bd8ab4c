"""The entries of a JSON array, one at a time, from a file of any length."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Iterator
from typing import Any

from understudy.corpus.files import shown
from understudy.corpus.lines import decoded_in_parts
from understudy.errors import BadInput

JSON_FORMS = "Expected JSON lines (one object per line), or one JSON array"

_BLANKS = re.compile(r"[ \t\r\n]*")
_LONGEST_ERROR = 16  # characters before the end of a text within which an error may be due to the end
_NUMBER_ENDING = 2  # characters that can follow a number and belong to it if more follows


def begins_with_bracket(path: str) -> bool:
    """Whether the first character that is not blank begins an array."""
    for text in decoded_in_parts(path):
        if written := text.lstrip():
            return written.startswith("[")
    return False


def entries_of_array(path: str) -> Generator[Any, None, None]:
    """The entries, of which there is at least one. Everything is checked on the way, also what follows the array."""
    text = _Window(path)
    text.expect("[")
    if text.next() == "]":
        raise BadInput(f"{shown(path)} is an empty JSON array, expected one entry per segment.")
    while True:
        yield text.value()
        if text.next() == "]":
            break
        text.expect(",", "Expecting ',' delimiter")
    text.expect("]")
    if text.next():
        raise text.error("Extra data", 0)


class _Window:
    """The part of a file that is being parsed: it begins with the next entry, and more is read where it ends within
    one.
    """

    def __init__(self, path: str) -> None:
        self._path = path
        self._parts: Iterator[str] = decoded_in_parts(path)
        self._text, self._at = "", 0
        self._ended = False
        self._lines, self._column = 1, 1  # the place where the window begins

    def next(self) -> str:
        """The next character that is not blank; empty at the end."""
        while True:
            found = _BLANKS.match(self._text, self._at)
            assert found is not None, "blanks may be none"
            self._at = found.end()
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def expect(self, character: str, otherwise: str = "Expecting value") -> None:
        if self.next() != character:
            raise self.error(otherwise, 0)
        self._at += 1

    def value(self) -> Any:
        """The next value."""
        self.next()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                offset = error.pos - self._at
                cut = error.msg.startswith("Unterminated") or error.pos >= len(self._text) - _LONGEST_ERROR
                if not (cut and self._more()):
                    raise self.error(error.msg, offset) from None
                continue
            except (ValueError, RecursionError) as error:
                raise BadInput(f"{shown(self._path)}: invalid JSON ({error}).") from None
            length = end - self._at
            # A number may go on: 1 may be the beginning of 1e+5, of which e+ is no number yet.
            if end + _NUMBER_ENDING < len(self._text) or not self._more():
                self._at += length
                return value

    def _more(self) -> bool:
        """Read on, at least as much again as is waiting, so that long entries are not parsed too often."""
        wanted = len(self._text) - self._at
        self._forget()
        read = [self._text]
        while not self._ended:
            part = next(self._parts, None)
            if part is None:
                self._ended = True
                break
            read.append(part)
            wanted -= len(part)
            if wanted <= 0:
                break
        self._text = "".join(read)
        return len(read) > 1

    def _forget(self) -> None:
        self._lines, self._column = self._place(0)
        self._text, self._at = self._text[self._at :], 0

    def _place(self, offset: int) -> tuple[int, int]:
        """The line and column of a position, counted from the current one."""
        before = self._text[: self._at + offset]
        breaks = before.count("\n")
        column = len(before) - before.rfind("\n") if breaks else self._column + len(before)
        return self._lines + breaks, column

    def error(self, reason: str, offset: int) -> BadInput:
        line, column = self._place(offset)
        at = f"{shown(self._path)}, line {line}, column {column}"
        return BadInput(f"{at}: not valid JSON ({reason}). {JSON_FORMS}.")


def without_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    row = dict(pairs)
    if len(row) < len(pairs):
        raise ValueError("a key is repeated")  # json would silently keep the last one
    return row


_DECODER = json.JSONDecoder(object_pairs_hook=without_repeated_keys)
