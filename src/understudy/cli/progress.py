"""A progress bar for work that takes longer than a moment; for people only, never in a pipe."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

DELAY = 1.0  # seconds of work before anything is shown


@contextmanager
def progress(
    task: str, total: Callable[[], int | None], *, wanted: bool = True
) -> Iterator[Callable[[int], None] | None]:
    """Gives what is to be called with the number of segments done, or None where nobody would see a bar.

    `total` is asked for only if the bar is shown. When the work ends, however it ends, the bar disappears.
    """
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    bar = _LateBar(task, total)
    timer = threading.Timer(DELAY, bar.show)
    timer.daemon = True
    timer.start()
    try:
        yield bar.advance
    finally:
        timer.cancel()
        bar.close()


class _LateBar:
    """Counts silently, then shows itself."""

    def __init__(self, task: str, total: Callable[[], int | None]) -> None:
        self._task = task
        self._total = total
        self._done = 0
        self._started = time.monotonic()
        self._closed = False
        self._bar: Any = None
        self._lock = threading.RLock()  # the timer shows, the worker advances and closes

    def advance(self, segments: int) -> None:
        with self._lock:
            self._done += segments
            if self._bar is not None:
                self._bar.update(self._bar.task_ids[0], completed=self._done)
            elif time.monotonic() - self._started >= DELAY:
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
                TextColumn("{task.completed:,} segments"),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.add_task(self._task, total=self._total(), completed=self._done)
            self._bar.start()

    def close(self) -> None:
        with self._lock:
            self._closed = True
            if self._bar is not None:
                self._bar.stop()


def estimated_segments(paths: Iterable[str], sample: int = 1 << 20) -> int | None:
    """About how many segments the first plain text file has, by its size and its first lines. None if there
    is no such file: a pipe and a compressed file tell nothing.
    """
    from understudy.corpus.files import COMPRESSION_SUFFIXES
    from understudy.corpus.source import MARKUP_SUFFIXES, TABLE_SUFFIXES

    other = {*COMPRESSION_SUFFIXES, *MARKUP_SUFFIXES, *TABLE_SUFFIXES}
    for path in paths:
        if os.path.isfile(path) and os.path.splitext(path)[1].lower() not in other:
            with open(path, "rb") as file:
                start = file.read(sample)
            if lines := start.count(b"\n"):
                return max(round(os.path.getsize(path) / len(start) * lines), 1)
    return None
