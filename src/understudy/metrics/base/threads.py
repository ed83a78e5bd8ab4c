"""The number of threads that a metric may use."""

from __future__ import annotations

import os
from numbers import Integral

from understudy.errors import BadParameter


def checked_threads(threads: int | None) -> int:
    """The requested number of threads; None means all cores."""
    if threads is None:
        return available_threads()
    whole = type(threads) is int or (isinstance(threads, Integral) and not isinstance(threads, bool))
    if not whole or threads < 1:
        raise BadParameter(f"threads={threads!r}: expected an integer of at least 1, or None for all cores.")
    return int(threads)


def available_threads() -> int:
    """The cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on macOS and Windows
    return len(affinity(0)) if affinity else os.cpu_count() or 1
