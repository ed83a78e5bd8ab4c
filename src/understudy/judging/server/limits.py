"""Limits of the page: sizes of requests, and requests per second."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Far above what a person does, and below what a machine could do harm with."""

    body_bytes: int = 1_000_000
    answers_per_request: int = 200
    requests_per_second: float = 25.0  # of one judge, on average
    burst: int = 100
    failures_per_second: float = 5.0  # wrong tokens from one address
    failure_burst: int = 200


class Rate:
    """A token bucket for each name: `allows(name)` takes one token, and is false if there is none."""

    def __init__(self, per_second: float, burst: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_second, self._burst, self._clock = per_second, burst, clock
        self._buckets: dict[object, tuple[float, float]] = {}  # tokens, and when they were counted

    def allows(self, name: object) -> bool:
        now = self._clock()
        tokens, since = self._buckets.get(name, (float(self._burst), now))
        tokens = min(self._burst, tokens + (now - since) * self._per_second)
        if tokens < 1:
            return False
        if len(self._buckets) > 10_000:
            self._forget_full(now)
        self._buckets[name] = (tokens - 1, now)
        return True

    def _forget_full(self, now: float) -> None:
        """Drop those that would be full again."""
        self._buckets = {
            name: (tokens, since)
            for name, (tokens, since) in self._buckets.items()
            if tokens + (now - since) * self._per_second < self._burst
        }
