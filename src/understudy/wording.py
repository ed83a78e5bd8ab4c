"""Names and numbers in sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence


def listed(names: Sequence[str]) -> str:
    """
    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def number_of(number: int, noun: str, plural: str | None = None) -> str:
    """
    >>> number_of(1, "segment"), number_of(1200, "segment"), number_of(2, "search", "searches")
    ('1 segment', '1,200 segments', '2 searches')
    """
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def digits_for(size: float) -> int:
    """Two, or as many as it takes to see two digits of a small difference: scores need not go up to 100.

    >>> digits_for(12.5), digits_for(0.5), digits_for(0.0123)
    (2, 2, 3)
    """
    return 2 if size == 0 else min(8, max(2, 1 - math.floor(math.log10(size))))
