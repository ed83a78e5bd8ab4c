"""A progress bar for work that takes longer than a moment; for people only, never in a pipe."""

from __future__ import annotations

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
    task: str, total: Callable[[], int | None], *, wanted: bool = True
) -> Iterator[Callable[[int], None] | None]:
    """Gives what is to be called with the number of segments done, or None where nobody would see a bar.

    `total` is asked for only if the bar is shown. When the work ends, however it ends, the bar disappears.
    """
    if not wanted or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    bar = _LateBar(task, total)
    _bars.append(bar)
    timer = threading.Timer(_DELAY, bar.show)
    timer.daemon = True
    timer.start()
    try:
        yield bar.advance
    finally:
        timer.cancel()
        bar.close()
        _bars.remove(bar)


@contextmanager
def progress_of_part(task: str, total: int) -> Iterator[Callable[[int], None] | None]:
    """The same for a part of the work that has a length of its own: one more line, if there is a bar to stand below."""
    if not _bars:
        yield None
        return
    with _bars[-1].part(task, total) as advance:
        yield advance


class _LateBar:
    """Counts silently, then shows itself."""

    def __init__(self, task: str, total: Callable[[], int | None]) -> None:
        self._task = task
        self._total = total
        self._done = 0
        self._started = time.monotonic()
        self._closed = False
        self._bar: Any = None
        self._part: tuple[str, int, int] | None = (
            None  # what is done now, how much it is, and how much is done
        )
        self._lock = threading.RLock()  # the timer shows, the worker advances and closes

    def advance(self, segments: int) -> None:
        with self._lock:
            self._done += segments
            if self._bar is not None:
                self._bar.update(self._bar.task_ids[0], completed=self._done)
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
                TextColumn("{task.completed:,} segments"),
                console=Console(stderr=True),
                transient=True,
            )
            self._bar.add_task(self._task, total=self._total(), completed=self._done)
            self._bar.start()
            self._show_part()

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
            assert self._part is not None, "it is under way"
            task, total, done = self._part
            self._part = task, total, done + segments
            self._show_part()

    def _show_part(self) -> None:
        """Brings what is shown of the part to what is known of it."""
        if self._bar is None:
            return
        _, *shown = self._bar.task_ids
        if self._part is None:
            for line in shown:
                self._bar.remove_task(line)
            return
        task, total, done = self._part
        line = shown[0] if shown else self._bar.add_task(task, total=total)
        self._bar.update(line, description=task, total=total, completed=done)

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
    from understudy.corpus.segment_sources import MARKUP_SUFFIXES, TABLE_SUFFIXES, TREE_SUFFIXES

    other = {*COMPRESSION_SUFFIXES, *MARKUP_SUFFIXES, *TABLE_SUFFIXES, *TREE_SUFFIXES}
    for path in paths:
        if os.path.isfile(path) and os.path.splitext(path)[1].lower() not in other:
            with open(path, "rb") as file:
                start = file.read(sample)
            if lines := start.count(b"\n"):
                return max(round(os.path.getsize(path) / len(start) * lines), 1)
    return None
