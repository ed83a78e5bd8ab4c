"""Tree files: Penn brackets (`.mrg`, `.ptb`, `.brackets`, or any plain file that consists of brackets) and CoNLL-U.

Brackets: if every line is balanced, a line is a segment and its trees are sentences; an empty line or `()` is a
segment without a tree. If trees span several lines, every tree is a segment.

CoNLL-U: a comment `# segment = N`, from 1, gives the segment of a sentence. The sentences of a segment are
consecutive, and missing numbers are segments without a tree. Without such comments, every sentence is a segment.
Before the first sentence, `# segments = N` gives the number of segments and `# parser = SIGNATURE` the parser.

Both are read in parts. Only the end of a file of brackets tells which layout it has, so that it is read twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from understudy._core import Column
from understudy.corpus.bracket_trees import BracketLayout, layout_of_trees, may_start_trees, trees_with_lines
from understudy.corpus.conllu_segments import ConlluSegments
from understudy.corpus.files import ByteReader, shown
from understudy.corpus.lines import BLOCK, LineSource, text_in_parts
from understudy.corpus.parsed_column import ParsedColumn
from understudy.corpus.rewindable_bytes import RewindableBytes
from understudy.corpus.segment_sources import Role, SegmentSource, short_name
from understudy.errors import BadInput, InvalidText, UnderstudyError

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# Larger parts, whose texts take one, two or four bytes per character, leave the heap in pieces: it then grows with the
# length of the file, although nothing is kept.
_PART = 1 << 15


def open_trees(path: str, kind: str, role: Role) -> list[SegmentSource]:
    """The text of a file with its trees."""
    if role == "label":
        raise BadInput(
            f"{shown(path)} is a tree file, expected labels: a text file with one label per line, or a table."
        )
    reader = ByteReader(path)
    data = reader if kind == "conllu" else RewindableBytes(reader)
    try:
        return [_of_conllu(data) if isinstance(data, ByteReader) else _of_brackets(data)]
    except BaseException:
        data.close()
        raise


def read_conllu(text: str, path: str) -> ParsedColumn:
    """All dependency trees of a text. `path` is for messages."""
    segments = ConlluSegments([text], path)
    return _conllu_column(list(segments), path, segments.parser)


def _of_conllu(data: ByteReader) -> SegmentSource:
    segments = ConlluSegments(text_in_parts(data, _PART), data.path)
    return _TreeSource(data, iter(segments), lambda taken: _conllu_column(taken, data.path, segments.parser))


def _of_brackets(data: RewindableBytes) -> SegmentSource:
    layout = BracketLayout()
    for part in text_in_parts(data, _PART):
        layout.add(part)
    data.rewind()
    return _in_layout(layout, data)


def _in_layout(layout: BracketLayout, data: RewindableBytes) -> SegmentSource:
    if layout.by_line:
        return _TreeLines(data.path, data)
    return _TreeSource(
        data, trees_with_lines(text_in_parts(data, _PART)), lambda taken: _bracket_column(taken, data.path)
    )


# --- sources ---------------------------------------------------------------------------------------------------


class PlainSource(LineSource):
    """A plain file: trees if it consists of brackets, otherwise lines of text. This is known only after reading it."""

    _trees: SegmentSource | None = None
    _looked = False

    def take(self, count: int) -> Column:
        if not self._looked:
            self._looked = True
            self._look()
        return self._trees.take(count) if self._trees is not None else super().take(count)

    def _look(self) -> None:
        block = self._read()
        if not may_start_trees(block.removeprefix(_BYTE_ORDER_MARK), cut_off=len(block) == BLOCK):
            self._add(block)
            return
        self._bytes = data = RewindableBytes(self._bytes, block)
        try:
            layout = layout_of_trees(text_in_parts(data, _PART))
        except InvalidText:
            layout = None
        data.rewind()
        if layout is not None:
            self._trees = _in_layout(layout, data)


class _TreeLines(LineSource):
    """Brackets, one segment per line."""

    _taken = 0

    def take(self, count: int) -> ParsedColumn:
        lines = super().take(count)
        before, self._taken = self._taken, self._taken + len(lines)
        return ParsedColumn.from_brackets(
            lines, place=lambda segment, _: f"{shown(self.where)}, line {before + segment + 1}"
        )


_Segment = tuple[int, str]  # the line where it begins, and its trees


class _TreeSource:
    """Segments that may span several lines."""

    documents: Sequence[str] | None = None
    domains: Sequence[str] | None = None
    identifiers: Iterable[str] | None = None
    language: str | None = None

    def __init__(
        self,
        data: ByteReader | RewindableBytes,
        segments: Iterator[_Segment],
        column: Callable[[Sequence[_Segment]], ParsedColumn],
    ) -> None:
        self.name = short_name(data.path)
        self.where = self.origin = data.path
        self._data, self._segments, self._column = data, segments, column

    def take(self, count: int) -> ParsedColumn:
        taken: list[_Segment] = []
        try:
            for segment in islice(self._segments, count):
                taken.append(segment)
        except UnderstudyError:
            self._column(taken)  # the first error of a file is reported, whatever the number of segments
            raise
        return self._column(taken)

    def close(self) -> None:
        self._data.close()


def _bracket_column(segments: Sequence[_Segment], path: str) -> ParsedColumn:
    return ParsedColumn.from_brackets((text for _, text in segments), place=_place_in(segments, path))


def _conllu_column(segments: Sequence[_Segment], path: str, parser: str) -> ParsedColumn:
    return ParsedColumn.from_conllu((text for _, text in segments), parser, place=_place_in(segments, path))


def _place_in(segments: Sequence[_Segment], path: str) -> Callable[[int, int], str]:
    def place(segment: int, offset: int) -> str:
        line, text = segments[segment]
        within = text.encode().count(b"\n", 0, offset)
        return f"{shown(path)}, line {line + within}"

    return place
