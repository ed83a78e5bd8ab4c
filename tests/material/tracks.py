"""Made-up runs for tracks: noisy copies of a made-up reference."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone

import numpy as np

WORDS = [
    *("the", "cat", "dog", "sat", "ran", "on", "under", "a", "mat", "house", "green", "small", "very"),
    *("old", "new", "and", "then", "it", "was", "there"),
]
START = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)


def reference(segments: int = 120, seed: int = 1) -> list[str]:
    generator = np.random.default_rng(seed)
    return [" ".join(generator.choice(WORDS, size=generator.integers(6, 20))) for _ in range(segments)]


def noisy(texts: list[str], errors: float, seed: int) -> list[str]:
    """With a share of the words replaced."""
    generator = np.random.default_rng(seed)
    return [
        " ".join(
            str(generator.choice(WORDS)) if generator.random() < errors else word for word in text.split()
        )
        for text in texts
    ]


def ticking(start: datetime = START, step: timedelta = timedelta(days=1)) -> Callable[[], datetime]:
    """A clock that is one day later each time."""
    times = iter(start + step * number for number in range(10_000))
    return lambda: next(times)
