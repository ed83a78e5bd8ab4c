"""The bytes of a file, plain or compressed; the path `-` is standard input.

Compression is detected from the first bytes, not from the name, so that renamed and piped files work. A name with a
compression suffix but uncompressed content raises an error: such a file is damaged.
"""

from __future__ import annotations

import io
import os
import re
import stat
import sys
import threading
import weakref
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, BinaryIO, cast

from understudy.errors import BadInput, MissingFile, UnderstudyError, did_you_mean

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

Path = str | os.PathLike[str]

STDIN = "-"
COMPRESSION_SUFFIXES = {".gz": "gzip", ".xz": "xz", ".bz2": "bzip2", ".zst": "zstd", ".zstd": "zstd"}

# A bzip2 block starts with the digits of pi, an empty bzip2 file ends with those of its square root; the three letters
# before them could also start a text. zstd's second form is a skippable frame, which pzstd writes first.
_MAGIC = {
    "gzip": rb"\x1f\x8b\x08",
    "xz": rb"\xfd7zXZ\x00",
    "bzip2": rb"BZh[1-9](1AY&SY|\x17rE8P\x90)",
    "zstd": rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18",
}
_MAGIC_LENGTH = 10

# Standard input can be read only once; a second read would find it empty.
_stdin_taken: weakref.WeakSet[BinaryIO] = weakref.WeakSet()


class ReadBytes:
    """How many bytes of files have been read, and how many there are: of compressed files, the compressed bytes. Files
    that are opened within `with` are included.
    """

    def __init__(self, expected: Sequence[str] = ()) -> None:
        """`expected`: files that are going to be read, also if others are read first."""
        self._lock = threading.Lock()  # another thread may read ahead
        self._expected = sum(os.path.getsize(path) for path in expected if os.path.isfile(path))
        self._open: dict[object, tuple[int | None, Callable[[], int]]] = {}
        self._finished = 0

    def __enter__(self) -> ReadBytes:
        _watching.append(self)
        return self

    def __exit__(self, *error: object) -> None:
        _watching.remove(self)

    def opened(self, size: int | None, position: Callable[[], int]) -> object:
        """A file that is being read. The size of a pipe is not known."""
        key = object()
        with self._lock:
            self._open[key] = size, position
        return key

    def closed(self, key: object) -> None:
        with self._lock:
            size, position = self._open.pop(key)
            if size is not None and position() >= size:  # otherwise only its beginning was of interest
                self._finished += size

    def begun(self) -> None:
        """The expected files are now open."""
        self._expected = 0

    def so_far(self) -> tuple[int, int | None]:
        """The bytes read, and the bytes of all files; None if that is not known."""
        with self._lock:
            sizes = [size for size, _ in self._open.values()]
            known = [size for size in sizes if size is not None]
            read = self._finished + sum(
                min(size, at()) for size, at in self._open.values() if size is not None
            )
            return read, self._finished + sum(known) + self._expected if len(known) == len(sizes) else None


_watching: list[ReadBytes] = []


@contextmanager
def reported(size: int, position: Callable[[], int]) -> Iterator[None]:
    """A file that something else than `ByteReader` reads."""
    watches = [(watch, watch.opened(size, position)) for watch in _watching]
    try:
        yield
    finally:
        for watch, key in watches:
            watch.closed(key)


class ByteReader:
    """The decompressed bytes of one file; every error names the file.

    Missing files, directories and missing permissions are detected on opening, damaged compressed data only while
    reading.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self._owned = path != STDIN
        self._file = _open_file(path) if self._owned else _open_stdin()
        self._watches = [(watch, watch.opened(*self._extent())) for watch in _watching]
        self._damage: tuple[type[Exception], ...] = (OSError,)
        self._start = b""  # bytes of a plain file that have been read to detect compression
        try:
            start = self._file.read(_MAGIC_LENGTH)
            self.compression = next((name for name, magic in _MAGIC.items() if re.match(magic, start)), None)
            if self.compression is not None:
                whole = io.BufferedReader(_Rejoined(start, self._file), 1 << 17)
                self._stream, self._damage = _DECOMPRESSORS[self.compression](whole)
            else:
                self._start, self._stream = start, self._file
                _refuse_false_name(path, empty=not start)
        except OSError as error:
            self._close_file()
            raise self._failure(error) from None
        except BaseException:
            self._close_file()
            raise

    def read(self, size: int) -> bytes:
        """The next `size` bytes; fewer only at the end of the file."""
        start, self._start = self._start[:size], self._start[size:]
        try:
            return start + self._stream.read(size - len(start))
        except self._damage as error:
            raise self._failure(error) from None

    def close(self) -> None:
        if self._stream is not self._file:
            self._stream.close()
        self._close_file()

    def _extent(self) -> tuple[int | None, Callable[[], int]]:
        """The size of the file, if it has one, and how to ask for the position in it."""
        try:
            descriptor = self._file.fileno()
            status = os.fstat(descriptor)
        except (OSError, ValueError):  # not a file of the system
            return None, lambda: 0
        if not stat.S_ISREG(status.st_mode):
            return None, lambda: 0
        return status.st_size, lambda: os.lseek(descriptor, 0, os.SEEK_CUR)

    def _close_file(self) -> None:
        for watch, key in self._watches:
            watch.closed(key)
        self._watches = []
        if self._owned:
            self._file.close()

    def _failure(self, error: Exception) -> MissingFile | BadInput:
        if isinstance(error, OSError) and error.errno is not None:
            return MissingFile(f"{shown(self.path)} cannot be read: {error.strerror}.")
        if isinstance(error, EOFError):
            return BadInput(
                f"{shown(self.path)} is truncated: the {self.compression} data end early. Copy or download it "
                "again."
            )
        reason = str(error).rstrip(".")
        return BadInput(
            f"{shown(self.path)} is damaged: the {self.compression} data cannot be decompressed ({reason})."
        )


def read_all(path: str) -> bytes:
    """The whole file, for formats that cannot be read in parts."""
    reader = ByteReader(path)
    try:
        return b"".join(iter(lambda: reader.read(1 << 20), b""))
    finally:
        reader.close()


def files_of(folder: str | os.PathLike[str]) -> list[str]:
    """The files in a folder of systems' outputs; a file stands for itself."""
    where = os.fspath(folder)
    if not os.path.isdir(where):
        return [where]
    names = sorted(name for name in os.listdir(where) if not name.startswith("."))
    files = [os.path.join(where, name) for name in names if os.path.isfile(os.path.join(where, name))]
    if not files:
        raise MissingFile(f"'{where}' has no files in it, expected at least one.")
    return files


def shown(path: str) -> str:
    """A file as named in messages.

    >>> shown("nmt.txt"), shown("-")
    ("'nmt.txt'", 'standard input')
    """
    return "standard input" if path == STDIN else f"'{path}'"


def without_compression(path: str) -> str:
    """The path without its compression suffix.

    >>> without_compression("out/nmt.tsv.gz")
    'out/nmt.tsv'
    """
    stem, suffix = os.path.splitext(path)
    return stem if suffix.lower() in COMPRESSION_SUFFIXES else path


# ---------------------------------------------------------------------------------------------------
# Opening


def _open_file(path: str) -> BinaryIO:
    if os.path.isdir(path):
        raise BadInput(f"{shown(path)} is a directory, expected a file{_for_example(path)}.")
    try:
        return open(path, "rb")
    except (FileNotFoundError, NotADirectoryError):
        raise MissingFile(not_found(path)) from None
    except OSError as error:
        reason = "permission denied" if isinstance(error, PermissionError) else error.strerror
        raise MissingFile(f"{shown(path)} cannot be opened: {reason}.") from None
    except ValueError:  # a null byte
        raise MissingFile(f"{path!r} is not a file name.") from None


def _open_stdin() -> BinaryIO:
    if sys.stdin is None or sys.stdin.closed:
        raise MissingFile("standard input ('-') is closed.")
    stream = sys.stdin.buffer
    if stream in _stdin_taken:
        raise BadInput("standard input ('-') can be read only once. Save it to a file first.")
    _stdin_taken.add(stream)
    return stream


def not_found(path: str) -> str:
    """The error message for a missing file, with a suggestion."""
    message = f"no such file: {shown(path)}."
    if not path:
        return "the file name is empty."
    directory, name = os.path.split(path)
    file, colon, column = path.rpartition(":")
    if colon and os.path.isfile(file):
        return (
            f"{message} To select a part such as {column!r}, the file name must end in .tsv, .csv, .jsonl, "
            ".parquet, .arrow, .sgm or .xml."
        )
    if colon and os.path.isdir(file):
        return f"{message} The directory '{file}' has no Parquet or Arrow files."
    if directory and not os.path.isdir(directory):
        return f"{message} The directory '{directory}' does not exist either."
    import difflib  # imported only after a typo

    close = difflib.get_close_matches(name, _names_in(directory), n=3)
    if not close and name.count(" ") > 1:
        cure = "Save it to a file; in Python, pass a list of segments, or use understudy.Corpus.of_texts."
        return f"{message} Is this text? {cure}"
    return f"{message} {did_you_mean(name, close)}" if close else message


def _for_example(directory: str) -> str:
    name = next((n for n in _names_in(directory) if os.path.isfile(os.path.join(directory, n))), None)
    return f", such as '{os.path.join(directory, name)}'" if name else ""


def _names_in(directory: str) -> list[str]:
    try:
        return sorted(os.listdir(directory or "."))
    except OSError:
        return []


def _refuse_false_name(path: str, *, empty: bool) -> None:
    promised = COMPRESSION_SUFFIXES.get(os.path.splitext(path)[1].lower())
    if promised is not None:
        found = "is empty" if empty else f"does not contain {promised} data"
        raise BadInput(
            f"{shown(path)} {found}, although its name has a compression suffix. Copy or download it again, or "
            "rename it if it is not compressed."
        )


class _Rejoined(io.RawIOBase):
    """A stream from its beginning, after its first bytes have been read. A pipe cannot be rewound."""

    def __init__(self, start: bytes, rest: BinaryIO) -> None:
        self._start = start
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer)
        block = self._start or self._rest.read(len(view))
        self._start = block[len(view) :]
        block = block[: len(view)]
        view[: len(block)] = block
        return len(block)


# ---------------------------------------------------------------------------------------------------
# Decompressing. The modules are imported where they are needed: a Python may be built without some of them.

_Opened = tuple[
    BinaryIO, tuple[type[Exception], ...]
]  # the stream, and the errors it raises for damaged data


def _gzip(stream: BinaryIO) -> _Opened:
    import gzip

    return cast(BinaryIO, gzip.GzipFile(fileobj=stream, mode="rb")), (OSError, EOFError, zlib.error)


def _xz(stream: BinaryIO) -> _Opened:
    import lzma

    return cast(BinaryIO, lzma.LZMAFile(stream)), (OSError, EOFError, lzma.LZMAError)


def _bzip2(stream: BinaryIO) -> _Opened:
    import bz2

    return cast(BinaryIO, bz2.BZ2File(stream)), (OSError, EOFError, ValueError)


def _zstd(stream: BinaryIO) -> _Opened:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd

    # The largest window of `zstd --long=31`; the default limit rejects files made with --long.
    options: dict[int, int] = {zstd.DecompressionParameter.window_log_max: 31}
    return cast(BinaryIO, zstd.ZstdFile(stream, options=options)), (OSError, EOFError, zstd.ZstdError)


_DECOMPRESSORS: dict[str, Callable[[BinaryIO], _Opened]] = {
    "gzip": _gzip,
    "xz": _xz,
    "bzip2": _bzip2,
    "zstd": _zstd,
}


# --- writing ---------------------------------------------------------------------------------------------


@contextmanager
def written_whole(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """A file that replaces `path` once it is completely written; on failure, nothing is left behind."""
    import tempfile  # which imports much, for those who write only

    refuse_campaign(path)
    target = os.path.realpath(path)  # a link is kept, and its target is replaced
    directory, name = os.path.split(target)
    try:
        handle, temporary = tempfile.mkstemp(dir=directory, prefix=f".{name[:100]}.", suffix=".part")
    except OSError as error:
        raise _not_written(path, error) from None
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException as error:
        with suppress(OSError):
            os.unlink(temporary)
        if isinstance(error, OSError) and not isinstance(error, UnderstudyError):
            raise _not_written(path, error) from None
        raise


@contextmanager
def written(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """The same; but what cannot be replaced (/dev/null, /dev/stdout, a named pipe) is written to."""
    with open(path, "wb") if is_device(path) else written_whole(path) as file:
        yield file


_CAMPAIGNS = (b"SQLite format 3\x00", b"postgresql://", b"postgres://")
_BESIDE_SQLITE = ("-wal", "-shm", "-journal")


def refuse_campaign(path: str | os.PathLike[str], option: str = "") -> None:
    """Never write over a campaign of `understudy judge`, nor over the file beside it that has its latest answers."""
    named = os.fspath(path)
    base = next((named.removesuffix(end) for end in _BESIDE_SQLITE if named.endswith(end)), named)
    if is_campaign(named) or (base != named and is_campaign(base)):
        raise BadInput(
            f"{option}{' ' if option else ''}'{named}' is a file of a campaign, and would be overwritten. "
            "Use another file."
        )


def is_campaign(path: str) -> bool:
    """Whether a file is a campaign of `understudy judge`: an SQLite database, or the address of one of PostgreSQL."""
    try:
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as file:
            return file.read(64).startswith(_CAMPAIGNS)
    except OSError:
        return False


def made_folder(path: str | os.PathLike[str]) -> None:
    """Makes a folder, and those around it, where they do not exist."""
    try:
        os.makedirs(path, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise BadInput(
            f"'{os.fspath(path)}' is not a folder: a file has this name. Use another folder."
        ) from None
    except OSError as error:
        raise MissingFile(
            f"folder '{os.fspath(path)}' cannot be created: {error.strerror or error}."
        ) from None


def is_device(path: str | os.PathLike[str]) -> bool:
    """Whether it is there and is no file."""
    return os.path.exists(path) and not os.path.isfile(path)


def _not_written(path: str | os.PathLike[str], error: OSError) -> MissingFile:
    """An error without the name of the temporary file."""
    directory = os.path.dirname(path) or "."
    missing = not os.path.isdir(directory)
    reason = (
        f"the directory '{directory}' does not exist. Create it first"
        if missing
        else error.strerror or str(error)
    )
    return MissingFile(f"'{os.fspath(path)}' cannot be written: {reason}.")


def _mode(target: str) -> int:
    """The permissions of the existing file, or the default permissions of a new one."""
    with suppress(OSError):
        return stat.S_IMODE(os.stat(target).st_mode)
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
