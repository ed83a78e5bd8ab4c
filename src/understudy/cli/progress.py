"""A progress bar for work that takes longer than a second. It is shown in terminals only, never in a pipe."""

from __future__ import annotations

import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

_DELAY = 1.0  # seconds of work before anything is shown

_bars: list[_LateBar] = []  # those of the work under way, the innermost last


@contextmanager
def progress(
    task: str, total: Callable[[], int | None], *, unit: str = "segments", wanted: bool = True
) -> Iterator[Callable[[int], None] | None]:
    """Yield the function to call with the number of units done, or None if a bar would not be visible.

    `total` is called only if the bar is shown. The bar disappears when the work ends or fails.
    """
    if not wanted or not _visible():
        yield None
        return
    with _shown(_LateBar(task, total, unit)) as bar:
        yield bar.advance


def _visible() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()


@contextmanager
def _shown(bar: _LateBar) -> Iterator[_LateBar]:
    _bars.append(bar)
    timer = threading.Timer(_DELAY, bar.show)
    timer.daemon = True
    timer.start()
    try:
        yield bar
    finally:
        timer.cancel()
        bar.close()
        _bars.remove(bar)


@contextmanager
def progress_of_files(
    task: str, specs: Iterable[str], *, wanted: bool = True
) -> Iterator[Callable[[int], None] | None]:
    """The same for work on files, by the bytes that have been read of them, with the time left. FILE:NAME is the
    file. The size of a pipe is not known, so there is only a count.
    """
    if not wanted or not _visible():
        yield None
        return
    from understudy.corpus.files import ReadBytes
    from understudy.corpus.segment_sources import file_of

    with ReadBytes([file_of(spec) for spec in specs]) as read, _shown(_LateBar(task, read.so_far)) as bar:

        def advance(segments: int) -> None:
            read.begun()
            bar.advance(segments)

        yield advance


@contextmanager
def progress_of_bytes(task: str) -> Iterator[Callable[[int, int | None], None] | None]:
    """The same for a download: a function to call with the number of bytes received, and of all, if it is known."""
    if not _visible():
        yield None
        return
    received: list[tuple[int, int | None]] = [(0, None)]
    with _shown(_LateBar(task, lambda: received[0], "")) as bar:

        def advance(done: int, size: int | None) -> None:
            received[0] = done, size
            bar.advance(0)

        yield advance


@contextmanager
def progress_of_part(task: str, total: int) -> Iterator[Callable[[int], None] | None]:
    """The same for a part of the work with its own number of segments: a second line, if there is a bar."""
    if not _bars:
        yield None
        return
    with _bars[-1].part(task, total) as advance:
        yield advance


class _LateBar:
    """A bar that is hidden until the delay is over."""

    def __init__(
        self,
        task: str,
        total: Callable[[], int | None] | Callable[[], tuple[int, int | None]],
        unit: str = "segments",
    ) -> None:
        """`total`: the number of units; or the number of bytes read so far, and of all, if the bar shows bytes."""
        self._task = task
        self._unit = unit
        self._total = total
        self._done = 0
        self._started = time.monotonic()
        self._closed = False
        self._bar: Any = None
        self._part: tuple[str, int, int] | None = None  # task, number of segments, number done
        self._lock = threading.RLock()  # the timer shows, the worker advances and closes

    def advance(self, units: int) -> None:
        with self._lock:
            self._done += units
            if self._bar is not None:
                self._bar.update(self._bar.task_ids[0], **self._state())
            elif time.monotonic() - self._started >= _DELAY:
                self.show()

    def show(self) -> None:
        with self._lock:
            if self._closed or self._bar is not None:
                return
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TaskProgressColumn(),
                TextColumn("{task.fields[shown]}"),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.add_task(self._task, **self._state())
            self._bar.start()
            self._show_part()

    def _state(self) -> dict[str, Any]:
        """What the bar shows. The time left follows from the share of the bytes that has been read."""
        found = self._total()
        shown = f"{self._done:,} {self._unit}"
        if not isinstance(found, tuple):
            return {"total": found, "completed": self._done, "shown": shown}
        read, size = found
        seconds = time.monotonic() - self._started
        if not self._unit:  # bytes alone
            shown = _bytes(read)
            if size is None:
                return {"total": None, "completed": 0, "shown": shown}
            left = f", {_duration(seconds * (size - read) / read)} left" if 0 < read < size else ""
            return {"total": size, "completed": read, "shown": f"{shown} of {_bytes(size)}{left}"}
        if size is None:
            return {
                "total": None,
                "completed": 0,
                "shown": f"{shown}, {self._done / seconds:,.0f} per second",
            }
        shown += f", {_bytes(read)} of {_bytes(size)}"
        if 0 < read < size:
            shown += f", {_duration(seconds * (size - read) / read)} left"
        return {"total": size, "completed": read, "shown": shown}

    @contextmanager
    def part(self, task: str, total: int) -> Iterator[Callable[[int], None]]:
        with self._lock:
            self._part = task, total, 0
            self._show_part()
        try:
            yield self._advance_part
        finally:
            with self._lock:
                self._part = None
                self._show_part()

    def _advance_part(self, segments: int) -> None:
        with self._lock:
            assert self._part is not None, "only called within part()"
            task, total, done = self._part
            self._part = task, total, done + segments
            self._show_part()

    def _show_part(self) -> None:
        """Update the line of the part."""
        if self._bar is None:
            return
        _, *shown = self._bar.task_ids
        if self._part is None:
            for line in shown:
                self._bar.remove_task(line)
            return
        task, total, done = self._part
        line = shown[0] if shown else self._bar.add_task(task, total=total, shown="")
        self._bar.update(line, description=task, total=total, completed=done, shown=f"{done:,} segments")

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._bar is not None:
                self._bar.stop()


def estimated_segments(paths: Iterable[str], sample: int = 1 << 20) -> int | None:
    """An estimate of the number of segments in the first plain text file, from its size and first lines, for work that
    reads texts completely before it counts. None if there is no such file; pipes and compressed files cannot be
    estimated.
    """
    from understudy.corpus.files import COMPRESSION_SUFFIXES
    from understudy.corpus.segment_sources import MARKUP_SUFFIXES, TABLE_SUFFIXES, TREE_SUFFIXES

    other = {*COMPRESSION_SUFFIXES, *MARKUP_SUFFIXES, *TABLE_SUFFIXES, *TREE_SUFFIXES}
    for path in paths:
        if os.path.isfile(path) and os.path.splitext(path)[1].lower() not in other:
            with open(path, "rb") as file:
                start = file.read(sample)
            if lines := start.count(b"\n"):
                return max(round(os.path.getsize(path) / len(start) * lines), 1)
    return None


def _bytes(count: int) -> str:
    """
    >>> _bytes(999), _bytes(34_500_000), _bytes(2_000_000_000)
    ('999 bytes', '34.5 MB', '2.0 GB')
    """
    for size, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} bytes"


def _duration(seconds: float) -> str:
    """
    >>> _duration(7.2), _duration(125), _duration(3700)
    ('0:08', '2:05', '1:01:40')
    """
    minutes, rest = divmod(math.ceil(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
