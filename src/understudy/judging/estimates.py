"""An estimate with its confidence interval, or the reason why there is none."""

from __future__ import annotations

from dataclasses import dataclass, replace

from understudy.metrics.base.score import Interval


@dataclass(frozen=True)
class Absent:
    """Instead of a result that these judgments cannot give."""

    reason: str


@dataclass(frozen=True)
class Estimate:
    """A value that may be undefined. Exactly one of `value` and `reason` is None."""

    value: float | None
    interval: Interval | None = None
    reason: str | None = None  # why there is no value
    no_interval: str | None = None  # why there is a value and no interval

    @classmethod
    def absent(cls, reason: str) -> Estimate:
        return cls(None, None, reason)

    def plus(self, level: float) -> Estimate:
        """The same on a scale that begins at another level."""
        if self.value is None:
            return self
        interval = self.interval and replace(
            self.interval, low=self.interval.low + level, high=self.interval.high + level
        )
        return replace(self, value=self.value + level, interval=interval)
