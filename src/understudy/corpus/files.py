"""Bytes of a file: plain or compressed, named by a path or `-` for standard input.

Compression is recognised by the first bytes, not by the name, so that a renamed file and a piped one are
read just as well. A name that promises compression and does not hold it is refused: such a file is damaged.
"""

from __future__ import annotations

import difflib
import io
import os
import re
import sys
import weakref
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from understudy.errors import BadInput, MissingFile, did_you_mean

STDIN = "-"
COMPRESSION_SUFFIXES = {".gz": "gzip", ".xz": "xz", ".bz2": "bzip2", ".zst": "zstd", ".zstd": "zstd"}

# A block of bzip2 starts with the digits of pi, an empty file ends with those of its root; the three letters
# before them alone could begin a text. zstd's second form is a skippable frame, which pzstd writes first.
_MAGIC = {
    "gzip": re.compile(rb"\x1f\x8b\x08"),
    "xz": re.compile(rb"\xfd7zXZ\x00"),
    "bzip2": re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"),
    "zstd": re.compile(rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18"),
}
_MAGIC_LENGTH = 10

# Standard input can be read once; whoever asks again would be told that it is empty.
_stdin_taken: weakref.WeakSet[BinaryIO] = weakref.WeakSet()


class ByteReader:
    """The bytes of one file, decompressed; every failure is an error that names the file.

    It always holds at least one byte of look-ahead's worth of truth: opening it has already met a missing file,
    a directory and a forbidden one. Damage inside compressed data can only be met while reading.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._owned = path != STDIN
        self._file = _open_file(path) if self._owned else _open_stdin()
        self._damage: tuple[type[Exception], ...] = (OSError,)
        try:
            start = self._file.read(_MAGIC_LENGTH)
            self.compression = next((name for name, magic in _MAGIC.items() if magic.match(start)), None)
            self._stream: BinaryIO = io.BufferedReader(_Rejoined(start, self._file), 1 << 17)
            if self.compression is not None:
                self._stream, self._damage = _DECOMPRESSORS[self.compression](self._stream)
            else:
                _refuse_false_name(path, empty=not start)
        except OSError as error:
            self._close_file()
            raise self._failure(error) from None
        except BaseException:
            self._close_file()
            raise

    def read(self, size: int) -> bytes:
        """The next `size` bytes; fewer only at the end of the file."""
        try:
            return self._stream.read(size)
        except self._damage as error:
            raise self._failure(error) from None

    def close(self) -> None:
        self._stream.close()
        self._close_file()

    def _close_file(self) -> None:
        if self._owned:
            self._file.close()

    def _failure(self, error: Exception) -> MissingFile | BadInput:
        if isinstance(error, OSError) and error.errno is not None:
            return MissingFile(f"{shown(self.path)} cannot be read: {error.strerror}.")
        if isinstance(error, EOFError):
            return BadInput(
                f"{shown(self.path)} is cut off: its {self.compression} data end too early. "
                "Was it copied or downloaded completely?"
            )
        reason = str(error).rstrip(".")
        return BadInput(f"{shown(self.path)} is damaged: its {self.compression} data do not unpack ({reason}).")


def read_all(path: str) -> bytes:
    """The whole file, for the formats that cannot be read in pieces."""
    reader = ByteReader(path)
    try:
        return b"".join(iter(lambda: reader.read(1 << 20), b""))
    finally:
        reader.close()


def shown(path: str) -> str:
    """How messages name a file.

    >>> shown("nmt.txt"), shown("-")
    ("'nmt.txt'", 'standard input')
    """
    return "standard input" if path == STDIN else f"'{path}'"


def without_compression(path: str) -> str:
    """The path without the suffix that says how it is compressed.

    >>> without_compression("out/nmt.tsv.gz")
    'out/nmt.tsv'
    """
    stem, suffix = os.path.splitext(path)
    return stem if suffix.lower() in COMPRESSION_SUFFIXES else path


# ---------------------------------------------------------------------------------------------------
# Opening


def _open_file(path: str) -> BinaryIO:
    try:
        return open(path, "rb", buffering=0 if _is_special(path) else -1)  # type: ignore[return-value]
    except (FileNotFoundError, NotADirectoryError):
        raise MissingFile(_not_found(path)) from None
    except IsADirectoryError:
        raise _directory(path) from None
    except PermissionError:
        if os.path.isdir(path):  # what Windows says of a directory
            raise _directory(path) from None
        raise MissingFile(f"{shown(path)} cannot be opened: permission denied.") from None
    except OSError as error:
        raise MissingFile(f"{shown(path)} cannot be opened: {error.strerror}.") from None
    except ValueError:  # a zero byte
        raise MissingFile(f"{path!r} is not a file name.") from None
