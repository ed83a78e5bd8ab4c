"""Parallel computation per metric in threads: most of the work is done outside of Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def thread_map(look: Callable[[T], R], items: Iterable[T], threads: int) -> list[R]:
    """The results of `look` for each item, in order.

    >>> thread_map(abs, [-1, 2], threads=2)
    [1, 2]
    """
    found = list(items)
    if threads < 2 or len(found) < 2:
        return [look(item) for item in found]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(look, found))
