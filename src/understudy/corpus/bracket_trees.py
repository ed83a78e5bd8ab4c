"""Penn brackets, block by block: the layout of a file, and its trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from understudy import _core
from understudy._core import Column
from understudy.corpus.parsed_column import BRACKETS, first_bad

_BLANKS = b" \t\r\n\f\v"
_TREES_AT_ONCE = 8192
_UNFINISHED = "an opening bracket without a closing one"  # the core's message for an unfinished tree


class BracketLayout:
    """Whether the segments of a file are its lines or its trees. Add the file in parts; only its end decides."""

    def __init__(self) -> None:
        self.deepest = 0  # maximum bracket depth
        self._depth = 0
        self._spans_lines = False  # a line ends within a tree
        self._surplus = False

    def add(self, text: str) -> None:
        # Anything after an unmatched closing bracket is ignored, because that bracket is an error.
        if self._surplus:
            return
        block = text.encode()
        brackets, depths, self._surplus = _depths(block, self._depth)
        line_ends = np.flatnonzero(np.frombuffer(block, np.uint8) == ord("\n"))
        from_start = np.concatenate([[self._depth], depths])
        self._spans_lines |= bool(from_start[np.searchsorted(brackets, line_ends)].any())
        self._depth = int(from_start[-1])
        self.deepest = max(self.deepest, int(from_start.max()))

    @property
    def by_line(self) -> bool:
        return not self._spans_lines and self._depth == 0


def trees_with_lines(parts: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The trees of a file, given in consecutive parts, each with the number of the line where it begins. Text between
    trees belongs to the next one, and raises an error there.
    """
    waiting: list[bytes] = []  # of a tree whose end has not been read
    depth, line = 0, 1
    for part in parts:
        block = part.encode()
        brackets, depths, surplus = _depths(block, depth)
        start = 0
        for end in (brackets[depths == 0] + 1).tolist():
            piece = b"".join([*waiting, block[start:end]])
            yield _stripped(piece, line)
            line += piece.count(b"\n")
            waiting, start = [], end
        waiting.append(block[start:])
        if surplus:
            break
        depth = int(depths[-1]) if len(depths) else depth
    last = _stripped(b"".join(waiting), line)
    if last[1]:  # otherwise nothing follows the last tree
        yield last


def may_start_trees(start: bytes, *, cut_off: bool) -> bool:
    """Whether a file with this beginning could be trees: cheap for most texts. `cut_off`: the file may go on."""
    if not start.lstrip(_BLANKS).startswith(b"("):
        return False
    whole_lines = start[: start.rfind(b"\n") + 1] if cut_off else start
    bad = first_bad(Column.from_strings([whole_lines.decode("utf-8", "replace")]), BRACKETS)
    return bad is None or bad.what == _UNFINISHED


def layout_of_trees(parts: Iterable[str]) -> BracketLayout | None:
    """The layout of a file that consists of trees with words and more than one node; None for any other. `(Laughter)`
    and `(thank you)` are text.
    """
    layout = BracketLayout()

    def added() -> Iterator[str]:
        for part in parts:
            layout.add(part)
            yield part

    trees = trees_with_lines(added())
    has_words = False
    while batch := list(islice(trees, _TREES_AT_ONCE)):
        column = Column.from_strings(tree for _, tree in batch)
        if first_bad(column, BRACKETS) is not None:
            return None
        if not has_words:
            words = _core.text_of_trees(column, BRACKETS)
            has_words = any(words[row] for row in range(len(words)))
    return layout if has_words and layout.deepest >= 2 else None


def _depths(block: bytes, before: int) -> tuple[NDArray[np.int64], NDArray[np.int64], bool]:
    """Where the brackets of a block are, and the depth after each; only those before a closing bracket without an
    opening one, and whether there is one. `before`: the depth at the start.
    """
    characters = np.frombuffer(block, np.uint8)
    brackets = np.flatnonzero((characters == ord("(")) | (characters == ord(")")))
    depths = before + np.cumsum(np.where(characters[brackets] == ord("("), 1, -1), dtype=np.int64)
    surplus = np.flatnonzero(depths < 0)
    if not len(surplus):
        return brackets, depths, False
    return brackets[: surplus[0]], depths[: surplus[0]], True


def _stripped(piece: bytes, line: int) -> tuple[int, str]:
    """What a piece holds, and the line where that begins."""
    blanks = len(piece) - len(piece.lstrip(_BLANKS))
    return line + piece.count(b"\n", 0, blanks), piece.strip(_BLANKS).decode("utf-8")
