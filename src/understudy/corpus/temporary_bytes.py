"""Bytes in an anonymous temporary file, which is removed with the object."""

from __future__ import annotations

import io
import os
import tempfile
import threading
import weakref
from typing import TYPE_CHECKING

from understudy.errors import BadInput

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_IN_MEMORY = 1 << 23  # bytes that need no file


class TemporaryBytes:
    """Bytes that are appended, and read at any place. Few of them stay in memory."""

    def __init__(self, what: str) -> None:
        """`what`: whose bytes they are, for messages."""
        self.size = 0
        self._what = what
        self._file = tempfile.SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115
        self._at = 0
        self._lock = threading.Lock()  # Arrow may read in a thread of its own
        weakref.finalize(self, self._file.close)

    def append(self, data: bytes) -> None:
        try:
            if self._at != self.size:
                self._file.seek(self.size)
            self._file.write(data)
        except OSError as error:
            raise BadInput(
                f"{self._what} needs a temporary file, which cannot be written: {error.strerror}. Set TMPDIR to a "
                "directory with enough space."
            ) from None
        self.size += len(data)
        self._at = self.size

    def read(self, start: int, size: int) -> bytes:
        """So many bytes; fewer only at the end."""
        with self._lock:
            self._file.seek(start)
            data = self._file.read(size)
            self._at = start + len(data)
        return data

    def opened(self) -> io.BufferedIOBase:
        """The same bytes as a file with a position of its own."""
        return io.BufferedReader(_OpenedBytes(self))


class _OpenedBytes(io.RawIOBase):
    def __init__(self, held: TemporaryBytes) -> None:
        self._held = held
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._at = offset + {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._held.size}[whence]
        return self._at

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        data = self._held.read(self._at, len(view))
        view[: len(data)] = data
        self._at += len(data)
        return len(data)
