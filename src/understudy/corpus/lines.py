"""Plain text: one segment per line.

Only LF ends a line, as in `wc -l`; a CR before it belongs to the line end. A lone CR, a form feed or U+2028 is
therefore part of its segment, and the number of segments is the number of lines that Unix tools report. An empty line
is an empty segment; text after the last LF is a segment unless it is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from understudy._core import Column, InvalidUtf8, LineReader
from understudy.corpus.files import STDIN, ByteReader, shown, without_compression
from understudy.corpus.segment_sources import short_name
from understudy.errors import InvalidText

BLOCK = 1 << 20
_LINES_AT_ONCE = 4096

# Longest first: the UTF-32 byte order mark starts with that of UTF-16.
_FOREIGN_MARKS = {
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}


class ReadableBytes(Protocol):
    """The bytes of an open file."""

    @property
    def path(self) -> str: ...
    def read(self, size: int) -> bytes:
        """The next `size` bytes; fewer only at the end of the file."""

    def close(self) -> None: ...


class LineSource:
    """The lines of a text file, read block by block."""

    documents: Sequence[str] | None = None
    domains: Sequence[str] | None = None
    identifiers: Iterable[str] | None = None
    language: str | None = None

    def __init__(self, path: str, data: ReadableBytes | None = None) -> None:
        """`data`: the bytes of the file, if it is open."""
        self.name = short_name(path)
        self.where = self.origin = path
        self._bytes = ByteReader(path) if data is None else data
        self._lines = LineReader()
        self._start: bytes | None = None
        self._ended = False

    def take(self, count: int) -> Column:
        while self._lines.available < count and not self._ended:
            self._feed()
        try:
            return self._lines.take(count)
        except InvalidUtf8 as error:
            raise _invalid_text(self.where, *error.args, start=self._start or b"") from None

    def numbered(self) -> Iterator[tuple[int, str]]:
        """All remaining lines, numbered from the first if none was read before."""
        number = 0
        while len(lines := self.take(_LINES_AT_ONCE)):
            for row in range(len(lines)):
                number += 1
                yield number, lines[row] or ""  # a line is never missing

    def close(self) -> None:
        self._bytes.close()

    def _feed(self) -> None:
        self._add(self._read())

    def _read(self) -> bytes:
        return self._bytes.read(BLOCK)

    def _add(self, block: bytes) -> None:
        """The next block of the file; empty at its end."""
        if self._start is None:
            self._start = block[:4]
        if block:
            self._lines.feed(block)
        else:
            self._lines.finish()
            self._ended = True


def decoded(data: bytes, path: str) -> str:
    """The text of a whole file, without a byte order mark."""
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _invalid_text(path, line, error.start, data[error.start], start=data[:4]) from None


def decoded_in_parts(path: str) -> Iterator[str]:
    """The text of a file, block by block, as `text_in_parts`."""
    reader = ByteReader(path)
    try:
        yield from text_in_parts(reader, BLOCK)
    finally:
        reader.close()


def text_in_parts(data: ReadableBytes, size: int) -> Iterator[str]:
    """The text, without a byte order mark, in parts of so many bytes; for formats whose lines can be of any length."""
    waiting, lines, offset = b"", 1, 0  # the beginning of a character, and the place where it is
    start: bytes | None = None
    while block := data.read(size):
        start = block[:4] if start is None else start
        waiting += block
        whole = waiting if len(block) < size else waiting[: _last_whole(waiting)]
        try:
            text = whole.decode("utf-8")
        except UnicodeDecodeError as error:
            line = lines + whole.count(b"\n", 0, error.start)
            at = offset + error.start
            raise _invalid_text(data.path, line, at, whole[error.start], start=start) from None
        yield text.removeprefix("\ufeff") if offset == 0 else text
        waiting, lines, offset = waiting[len(whole) :], lines + whole.count(b"\n"), offset + len(whole)
    if waiting:  # the file ends within a character
        raise _invalid_text(data.path, lines, offset, waiting[0], start=start or b"")


def _last_whole(data: bytes) -> int:
    """The end of the last complete character."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte & 0xC0 != 0x80:  # the first byte of a character
            length = 1 if byte < 0x80 else 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return len(data) if length <= back else len(data) - back
    return len(data)


def _invalid_text(path: str, line: int, offset: int, byte: int, *, start: bytes) -> InvalidText:
    """The error for bytes that are not UTF-8, with the conversion command. `start`: the file's first 4 bytes."""
    encoding = next((name for mark, name in _FOREIGN_MARKS.items() if start.startswith(mark)), None)
    if encoding is not None:
        return InvalidText(
            f"{shown(path)} is {encoding}, expected UTF-8. {_re_encode(path, encoding.lower())}"
        )
    return InvalidText(
        f"{shown(path)}, line {line}: byte 0x{byte:02x} at offset {offset} is not UTF-8. "
        f"{_re_encode(path, 'latin1')}"
    )


def _re_encode(path: str, encoding: str) -> str:
    command = f"iconv -f {encoding} -t utf-8"
    if path != STDIN and without_compression(path) == path:
        from shlex import quote

        command += f" {quote(path)}"
    return f"Convert it, e.g. with {command}"
