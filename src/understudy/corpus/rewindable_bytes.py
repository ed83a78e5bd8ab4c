"""The bytes of a file that is read twice: to its end, because only then its format is known, and then in parts."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from understudy.corpus.files import STDIN, ByteReader, shown
from understudy.corpus.lines import ReadableBytes

if TYPE_CHECKING:
    from understudy.corpus.temporary_bytes import TemporaryBytes


class RewindableBytes:
    """A file that can be read from its beginning once more. What cannot be opened again (standard input, a pipe) waits
    in a temporary file.
    """

    def __init__(self, reader: ReadableBytes, start: bytes = b"") -> None:
        """`start`: what has been read already, and comes first."""
        self._reader = reader
        self._start = start
        self.path = reader.path
        self._kept: TemporaryBytes | None = None
        if self.path == STDIN or not os.path.isfile(self.path):
            from understudy.corpus.temporary_bytes import TemporaryBytes  # which imports much

            self._kept = TemporaryBytes(shown(self.path))
        self._place: int | None = None  # in what is kept, once rewound

    def read(self, size: int) -> bytes:
        """The next `size` bytes; fewer only at the end of the file."""
        if self._kept is None:
            return self._next(size)
        if self._place is None:
            block = self._next(size)
            self._kept.append(block)
            return block
        block = self._kept.read(self._place, size)
        self._place += len(block)
        return block if len(block) == size else block + self._next(size - len(block))

    def rewind(self) -> None:
        if self._kept is None:
            self._reader.close()
            self._reader, self._start = ByteReader(self.path), b""
        else:
            self._place = 0

    def close(self) -> None:
        self._reader.close()

    def _next(self, size: int) -> bytes:
        start, self._start = self._start[:size], self._start[size:]
        return start if len(start) == size else start + self._reader.read(size - len(start))
