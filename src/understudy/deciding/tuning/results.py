"""Results of tuning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from understudy.arrays import Floats
from understudy.deciding.tuning.held_out import HeldOut, Part
from understudy.deciding.tuning.objective import COMBINED
from understudy.renderable import Renderable
from understudy.wording import digits_for, number_of

_CLOSE = 0.01  # percentage points; restarts this close to the best have reached it


@dataclass(frozen=True)
class Restart:
    """One run of the search, and the objective of the weights it ended with."""

    weights: Mapping[str, float]
    tuned: float  # on the segments it was tuned on
    held_out: float | None  # on those held out, if any


@dataclass(frozen=True, eq=False, repr=False)
class Tuning(Renderable):
    """Tuned weights, and how they do on segments that they were tuned on and on segments that they were not."""

    weights: Mapping[str, float]
    initial: Mapping[str, float]
    method: str
    objective: str  # in words
    label: str  # of its values
    better: str  # higher or lower
    point: float  # one percentage point on the scale of its values
    metrics: tuple[str, ...]  # specs
    labels: tuple[str, ...]  # of the metrics in tables
    metric_weights: tuple[float, ...]
    signatures: tuple[str, ...]
    segments: int
    candidates: int
    duplicates: int  # that were removed
    references: tuple[int, int]
    features: str  # fingerprint of candidates and features
    restarts: tuple[Restart, ...]
    tuned_on: Part
    held_out: HeldOut | None
    refitted: bool  # whether the weights were tuned again, on all segments, after the check
    normalized: bool
    constant: tuple[str, ...]  # features that do not differ within any segment
    float_statistics: bool
    seed: int
    samples: int

    @property
    def combined(self) -> bool:
        """Whether the objective is not the score of one metric."""
        return self.label == COMBINED

    @property
    def spread(self) -> dict[str, float]:
        """The standard deviation of each weight across restarts."""
        return {
            name: _deviation(np.array([each.weights[name] for each in self.restarts]))
            for name in self.weights
        }

    @property
    def best(self) -> float:
        """The objective of the best restart."""
        return self.tuned_on.tuned

    @property
    def reached(self) -> int:
        """The number of restarts that came as far as the best one."""
        return sum(abs(each.tuned - self.best) <= _CLOSE * self.point for each in self.restarts)

    @property
    def deviation(self) -> float:
        """The standard deviation of the objective across restarts."""
        return _deviation(np.array([each.tuned for each in self.restarts]))

    @property
    def held_out_deviation(self) -> float | None:
        """The same on held-out segments, if one part was held out."""
        found = [each.held_out for each in self.restarts if each.held_out is not None]
        return _deviation(np.array(found)) if found else None

    def __str__(self) -> str:
        return f"{', '.join(f'{name}={value:.4g}' for name, value in self.weights.items())}; {self.verdict()}"

    def verdict(self, digits: int = 2) -> str:
        """Whether the gain holds on segments that the weights were not tuned on, in one sentence."""
        found = self.held_out
        if found is None:
            return (
                "No segments were held out, so it is unknown whether the gain holds on other text: the objective on "
                "the tuning segments is too optimistic."
            )
        bounds = found.interval
        size = (
            abs(found.difference) if bounds is None else max(abs(found.difference), bounds.high - bounds.low)
        )
        digits = max(digits, digits_for(size))
        where = "out of fold" if found.folds else "on held-out segments"
        change = f"{self.label} changes by {found.difference:+.{digits}f} {where}"
        if found.difference == 0 and (bounds is None or bounds.low == bounds.high == 0):
            return f"No gain: {change}. Keep the initial weights."
        if bounds is None:
            return (
                f"No significant gain: {change}. One segment has no confidence interval and shows no significant "
                "difference. Keep the initial weights, or hold out more segments."
            )
        tested = f"{change} (95% CI {bounds.low:+.{digits}f} to {bounds.high:+.{digits}f}, p = {found.p_value:.4f})"
        if not found.significant:
            return (
                f"No significant gain: {tested}. The gain on the tuning segments may be overfitting. Keep the initial "
                "weights, or tune on more segments."
            )
        if not found.better:
            return (
                f"Overfitting: the tuned weights are significantly worse than the initial weights. {tested}."
            )
        return f"The gain holds: {tested}."

    def final_weights_in_words(self) -> str:
        """What the weights were tuned on, and what the held-out figures are about."""
        found, all_segments = self.held_out, number_of(self.segments, "segment")
        if found is None:
            return f"Weights tuned on all {all_segments}."
        if found.folds:
            return (
                f"Weights tuned on all {all_segments}. Out-of-fold figures: {found.folds}-fold cross-validation, each "
                "fold with weights tuned on the others."
            )
        parts = f"{number_of(self.segments - found.segments, 'segment')}"
        if self.refitted:
            return (
                f"Weights tuned again on all {all_segments}. Held-out figures: weights tuned on {parts}, evaluated "
                f"on the other {found.segments:,}."
            )
        return f"Weights tuned on {parts}, not refitted on the {found.segments:,} held out."


def _deviation(values: Floats) -> float:
    return float(values.std(ddof=1)) if len(values) > 1 and np.ptp(values) > 0 else 0.0
