"""Tree files: Penn brackets (`.mrg`, `.ptb`, `.brackets`, or any plain file that consists of brackets) and CoNLL-U.

Brackets: if every line is balanced, a line is a segment and its trees are sentences; an empty line or `()` is a
segment without a tree. If trees span several lines, every tree is a segment.

CoNLL-U: a comment `# segment = N`, from 1, gives the segment of a sentence. The sentences of a segment are
consecutive, and missing numbers are segments without a tree. Without such comments, every sentence is a segment.
Before the first sentence, `# segments = N` gives the number of segments and `# parser = SIGNATURE` the parser.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from understudy._core import Column
from understudy.corpus.files import read_all, shown
from understudy.corpus.lines import BLOCK, LineSource, decoded
from understudy.corpus.parsed_column import BRACKETS, GIVEN, ParsedColumn, first_bad
from understudy.corpus.segment_sources import InMemorySource, Role, SegmentSource
from understudy.errors import BadInput

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BLANKS = b" \t\r\n\f\v"
_UNFINISHED = "an opening bracket without a closing one"  # the core's message for an unfinished tree


def open_trees(path: str, kind: str, role: Role) -> list[SegmentSource]:
    """The text of a file with its trees."""
    if role == "label":
        raise BadInput(
            f"{shown(path)} is a tree file, expected labels: a text file with one label per line, or a table."
        )
    data = read_all(path)
    decoded(data, path)  # raises an error if not UTF-8
    read = read_conllu if kind == "conllu" else _read_brackets
    return [InMemorySource(path, None, read(data.removeprefix(_BYTE_ORDER_MARK), path))]


class PlainSource(LineSource):
    """A plain file: trees if it consists of brackets, otherwise lines of text. This is known only after reading it."""

    _trees: InMemorySource | None = None
    _looked = False

    def take(self, count: int) -> Column:
        if not self._looked:
            self._looked = True
            self._look()
        return self._trees.take(count) if self._trees is not None else super().take(count)

    def _look(self) -> None:
        block = self._read()
        if not _may_be_trees(block.removeprefix(_BYTE_ORDER_MARK)):
            self._add(block)
            return
        data = block + b"".join(iter(self._read, b""))
        column = _trees_or_nothing(data.removeprefix(_BYTE_ORDER_MARK))
        if column is None:
            self._add(data)
        else:
            self._trees = InMemorySource(self.where, None, column)


def _may_be_trees(start: bytes) -> bool:
    """Whether a file with this beginning could be trees: cheap for most texts, and exact for files that fit into a
    block.
    """
    if not start.lstrip(_BLANKS).startswith(b"("):
        return False
    whole_lines = start[: start.rfind(b"\n") + 1] if len(start) == BLOCK else start
    bad = first_bad(Column.from_strings([whole_lines.decode("utf-8", "replace")]), BRACKETS)
    return bad is None or bad.what == _UNFINISHED


def _trees_or_nothing(data: bytes) -> ParsedColumn | None:
    """The trees, if the file consists of trees with words and more than one node. `(Laughter)` and `(thank you)` are
    text.
    """
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    parts = _bracket_parts(data)
    if parts.deepest < 2 or first_bad(Column.from_strings(parts.segments), BRACKETS) is not None:
        return None
    column = ParsedColumn.from_brackets(parts.segments)
    return column if any(column[row] for row in range(len(column))) else None


# --- Penn brackets ---------------------------------------------------------------------------------------------


class _BracketParts(NamedTuple):
    segments: list[str]
    starts: Sequence[int]  # their positions in the file
    deepest: int  # maximum bracket depth


def _read_brackets(data: bytes, path: str) -> ParsedColumn:
    """Constituency trees. `data` is the file, `path` is for messages."""
    parts = _bracket_parts(data)

    def place(segment: int, offset: int) -> str:
        before = data.count(b"\n", 0, parts.starts[segment] + offset)
        return f"{shown(path)}, line {before + 1}"

    return ParsedColumn.from_brackets(parts.segments, place=place)


def _bracket_parts(data: bytes) -> _BracketParts:
    characters = np.frombuffer(data, np.uint8)
    brackets = np.flatnonzero((characters == ord("(")) | (characters == ord(")")))
    depths = np.cumsum(np.where(characters[brackets] == ord("("), 1, -1), dtype=np.int64)
    # Anything after an unmatched closing bracket is ignored, because that bracket is an error.
    surplus = np.flatnonzero(depths < 0)
    if len(surplus):
        brackets, depths = brackets[: surplus[0]], depths[: surplus[0]]
    deepest = int(depths.max(initial=0))
    line_ends = np.flatnonzero(characters == ord("\n"))
    before = np.searchsorted(brackets, line_ends)  # number of brackets before each line end
    open_at_end = np.concatenate([[0], depths])[before]
    known = slice(None) if not len(surplus) else before <= surplus[0]
    if not open_at_end[known].any() and (len(surplus) or not len(depths) or depths[-1] == 0):
        starts = np.concatenate([[0], line_ends + 1])
        lines = data.decode("utf-8").split("\n")
        if not lines[-1]:
            lines.pop()  # text after the last line end is a segment only if it is not empty
        return _BracketParts([line.removesuffix("\r") for line in lines], starts.tolist(), deepest)
    ends = (brackets[depths == 0] + 1).tolist()
    pieces = [data[start:end] for start, end in zip([0, *ends], [*ends, len(data)], strict=True)]
    blanks = [len(piece) - len(piece.lstrip(_BLANKS)) for piece in pieces]
    starts_of_trees = [start + blank for start, blank in zip([0, *ends], blanks, strict=True)]
    segments = [piece.strip(_BLANKS).decode("utf-8") for piece in pieces]
    if not segments[-1]:
        segments.pop()  # nothing after the last tree
    return _BracketParts(segments, starts_of_trees, deepest)


# --- CoNLL-U ---------------------------------------------------------------------------------------------------

# Compiled when a file is read: plain text is opened by this module too, and has no use for them.
_SENTENCE = r"(?:[^\n]+(?:\n|\Z))+"
_COMMENTS = r"(?:#[^\n]*(?:\n|\Z))*"
_NUMBER = r"(?m)^# *segment *= *([^\n]*?) *$"
_TOTAL = r"(?m)^# *segments *= *([^\n]*?) *$"
_PARSER = r"(?m)^# *parser *= *([^\n]*?) *$"


class _ConlluFile(NamedTuple):
    text: str
    path: str

    def line(self, position: int) -> int:
        return self.text.count("\n", 0, position) + 1

    def refusal(self, position: int, what: str) -> BadInput:
        return BadInput(f"{shown(self.path)}, line {self.line(position)}: {what}")


def read_conllu(data: bytes, path: str) -> ParsedColumn:
    """Dependency trees. `data` is the file, `path` is for messages."""
    file = _ConlluFile(data.decode("utf-8").replace("\r\n", "\n"), path)
    blocks = [match.span() for match in re.finditer(_SENTENCE, file.text)]
    comment = re.compile(_COMMENTS)
    comments = [comment.match(file.text, *span) for span in blocks]
    heads = [(start, match.end()) for (start, _), match in zip(blocks, comments, strict=True) if match]
    sentences = [
        (start, words, end) for (start, words), (_, end) in zip(heads, blocks, strict=True) if words < end
    ]
    first_words = sentences[0][1] if sentences else len(file.text)
    total = re.compile(_TOTAL).search(file.text, 0, first_words)
    numbers = _segment_numbers(file, sentences)
    count = numbers[-1] if numbers else 0
    if total is not None:
        count = _checked_total(file, total, count)
    spans: list[tuple[int, int] | None] = [None] * count
    for number, (start, _, end) in zip(numbers, sentences, strict=True):
        found = spans[number - 1]
        spans[number - 1] = (start if found is None else found[0], end)

    def place(segment: int, offset: int) -> str:
        start, end = spans[segment] or (0, 0)
        inside = file.text[start:end].encode("utf-8").count(b"\n", 0, offset)
        return f"{shown(path)}, line {file.line(start) + inside}"

    parser = re.compile(_PARSER).search(file.text, 0, first_words)
    return ParsedColumn.from_conllu(
        ["" if span is None else file.text[slice(*span)] for span in spans],
        parser[1] if parser and parser[1] else GIVEN,
        place=place,
    )


def _segment_numbers(file: _ConlluFile, sentences: Sequence[tuple[int, int, int]]) -> list[int]:
    """The segment of every sentence, from 1."""
    pattern = re.compile(_NUMBER)
    said = [pattern.search(file.text, start, words) for start, words, _ in sentences]
    if not any(said):
        return list(range(1, len(sentences) + 1))
    numbers: list[int] = []
    for (start, _, _), match in zip(sentences, said, strict=True):
        if match is None:
            raise file.refusal(
                start,
                "a sentence without '# segment = NUMBER', which other sentences have. Add it to all or to none.",
            )
        last = numbers[-1] if numbers else 1
        number = _whole(match[1])
        if number is None or number < last:
            raise file.refusal(
                match.start(),
                f"segment '{match[1]}', expected a number of at least {last}: segments must be in order.",
            )
        numbers.append(number)
    return numbers


def _checked_total(file: _ConlluFile, said: re.Match[str], last: int) -> int:
    total = _whole(said[1])
    if total is None:
        raise file.refusal(said.start(), f"'# segments = {said[1]}': expected a number.")
    if total < last:
        raise file.refusal(
            said.start(),
            f"'# segments = {total}', but found segment {last}. Correct the count.",
        )
    return total


def _whole(text: str) -> int | None:
    return (
        int(text) if re.fullmatch(r"[0-9]{1,8}", text) else None
    )  # more segments than fit into memory must be a mistake
