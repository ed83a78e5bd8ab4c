"""Output of results: to standard output, or to a file that is written atomically."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from understudy.corpus.files import is_device, refuse_campaign, written
from understudy.errors import BadInput, MissingFile
from understudy.report.grid import printable

if TYPE_CHECKING:
    from understudy.disk_cache import DiskCache

_ASCII_SIGNS = str.maketrans({"↑": "^", "↓": "v", "→": "->", "▲": "+", "▼": "-", "≈": "~", "≤": "<="})


def print_text(text: str) -> None:
    """Writes text and a line end to standard output, whatever its encoding can hold."""
    stream = sys.stdout
    if stream is None or stream.closed:
        raise MissingFile("standard output is closed: there is nowhere to write to.")
    encoding = stream.encoding or "utf-8"
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError:
        data = text.translate(_ASCII_SIGNS).encode(encoding, "backslashreplace")
    stream.flush()
    left = memoryview(data + b"\n")
    while left:  # with PYTHONUNBUFFERED a write may take only a part
        left = left[stream.buffer.write(left) or 0 :]
    stream.buffer.flush()


def print_data(text: str) -> None:
    """Writes text that other programs read, as it is. On a terminal what would steer it is shown as an escape."""
    print_text(re.sub(r"[^\t\n]+", lambda run: printable(run[0]), text) if _is_terminal() else text)


@contextmanager
def delivered_in_parts(path: str | None) -> Iterator[Callable[[str], None]]:
    """A function that writes text and a line end: to a file, which is replaced at the end, or as `print_data`."""
    if path is None:
        yield print_data
        return
    with written(path) as file:

        def write(text: str) -> None:
            file.write(f"{text}\n".encode())

        yield write


def terminal_width() -> int | None:
    """Width of the terminal; None in a pipe or a file, where lines may have any length."""
    if not _is_terminal():
        return None
    from shutil import get_terminal_size

    return get_terminal_size().columns


def styles_wanted() -> bool:
    """Whether bold letters may be used (https://no-color.org)."""
    return _is_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()


def check_output(path: str, inputs: Iterable[str] = (), *, option: str = "--output") -> None:
    """Refuses a file that cannot be written, before any work is done for it."""
    directory = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise BadInput(f"{option} '{path}' is a directory, expected the name of a file.")
    if not os.path.isdir(directory):
        raise MissingFile(f"{option} '{path}': the directory '{directory}' does not exist. Create it first.")
    if not os.access(path if is_device(path) else os.path.dirname(os.path.realpath(path)), os.W_OK):
        raise MissingFile(f"{option} '{path}' cannot be written: permission denied.")
    refuse_campaign(path, option)
    for other in inputs:
        if os.path.isfile(path) and os.path.exists(other) and os.path.samefile(path, other):
            raise BadInput(
                f"{option} '{path}' is one of the inputs, and would be overwritten. Use another file."
            )


def write_file(content: str | bytes, path: str) -> None:
    """Writes text and a line end, or bytes as they are, atomically."""
    data = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace") + b"\n"
    with written(path) as file:
        file.write(data)


def listing(headers: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A table of texts for the terminal. The last column may be prose, which is wrapped."""
    from understudy.report.grid import Grid, GridColumn
    from understudy.report.terminal import draw

    columns = [
        GridColumn((header,), list(cells), numeric=False, prose=header == headers[-1])
        for header, *cells in zip(headers, *rows, strict=True)
    ]
    return draw(Grid(columns), width=terminal_width())


def print_cache(cache: DiskCache, unit: str, *, clear: bool) -> None:
    """The size of a cache, and its entries by what made them. `clear` removes it first."""
    if clear:
        cache.clear()
    info = cache.info()
    print_text(f"{info.path}: {info.size / 1e6:,.1f} MB, {unit}: {sum(info.entries.values()):,}")
    for signature, count in info.entries.items():
        print_text(f"{count:>12,}  {signature}")
