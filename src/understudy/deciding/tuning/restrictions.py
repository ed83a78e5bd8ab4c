"""Restrictions of weights: ranges, signs and fixed values, and what sets the scale of the weights."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from understudy.arrays import LARGEST_SCORE, Floats
from understudy.errors import BadParameter, did_you_mean

_SIGNS = (0.0, math.inf, -math.inf)


@dataclass(frozen=True, eq=False)
class Restrictions:
    """The least and the largest weight of every feature. A fixed weight is a range of one value."""

    low: Floats
    high: Floats

    @property
    def free_scale(self) -> bool:
        """Whether weights can be multiplied by any positive number, which changes no choice: bounds are signs at most.
        Then weights are normalized.
        """
        return bool(np.isin(self.low, _SIGNS).all() and np.isin(self.high, _SIGNS).all())

    @property
    def movable(self) -> Any:
        """Which weights are not fixed."""
        return self.low < self.high

    def scaled(self, scales: Floats) -> Restrictions:
        """The same for features that are divided by these scales, whose weights are multiplied by them."""
        return Restrictions(self.low * scales, self.high * scales)

    def clipped(self, weights: Floats) -> Floats:
        return np.clip(weights, self.low, self.high)

    def steps(self, weights: Floats, direction: Floats) -> tuple[float, float]:
        """The least and the largest step along the direction that respects all ranges."""
        moved = direction != 0
        with np.errstate(invalid="ignore"):
            one = (self.low - weights)[moved] / direction[moved]
            other = (self.high - weights)[moved] / direction[moved]
        least, most = np.minimum(one, other).max(), np.maximum(one, other).min()
        return min(float(least), 0.0), max(float(most), 0.0)

    def drawn(self, generator: np.random.Generator, reach: float) -> Floats:
        """Random weights from -reach to reach, within the ranges."""
        low = np.where(
            self.low > reach, self.low, np.maximum(self.low, np.minimum(-reach, self.high - reach))
        )
        high = np.where(self.high < -reach, self.high, np.minimum(self.high, np.maximum(reach, low + reach)))
        return np.asarray(low + (high - low) * generator.random(len(low)))

    def normalized(self, weights: Floats) -> Floats:
        """The weights with absolute values that sum to 1, if their scale is free."""
        total = float(np.abs(weights).sum())
        return weights / total if self.free_scale and total > 0 else weights


def restrictions(bounds: Any, fix: Sequence[str], names: Sequence[str], start: Floats) -> Restrictions:
    """What the user allows. `bounds` maps names to pairs, with None for no bound.

    >>> found = restrictions({"lm": (0, None)}, ["length"], ["lm", "length"], np.array([0.5, 0.5]))
    >>> found.low.tolist(), found.high.tolist(), found.free_scale
    ([0.0, 0.5], [inf, 0.5], False)
    """
    low, high = np.full(len(names), -np.inf), np.full(len(names), np.inf)
    if not isinstance(bounds, Mapping):
        raise BadParameter(
            f"bounds: got {type(bounds).__name__}, expected a mapping of features to (low, high)."
        )
    for name, pair in bounds.items():
        index = _index(str(name), names, "bounds")
        low[index], high[index] = _pair(str(name), pair)
    for name in fix:
        index = _index(name, names, "fix")
        if name in bounds:
            raise BadParameter(f"feature '{name}' has bounds and is fixed. Omit one of them.")
        low[index] = high[index] = start[index]
    found = Restrictions(low, high)
    if not found.movable.any():
        raise BadParameter("the weights of all features are fixed: there is nothing to tune.")
    return found


def _index(name: str, names: Sequence[str], option: str) -> int:
    if name not in names:
        raise BadParameter(f"{option}: unknown feature '{name}'. {did_you_mean(name, names)}")
    return list(names).index(name)


def _pair(name: str, pair: Any) -> tuple[float, float]:
    expected = (
        f"bounds of '{name}': got {pair!r}, expected two numbers, the lower one first, or None for no bound."
    )
    if not isinstance(pair, (list, tuple)) or len(pair) != 2:
        raise BadParameter(expected)
    for end in pair:
        if end is not None and (not isinstance(end, Real) or isinstance(end, bool) or math.isnan(end)):
            raise BadParameter(expected)
    low, high = (
        (-math.inf if pair[0] is None else float(pair[0])),
        (math.inf if pair[1] is None else float(pair[1])),
    )
    if low > high or low == math.inf or high == -math.inf:
        raise BadParameter(expected)
    if any(math.isfinite(end) and abs(end) > LARGEST_SCORE for end in (low, high)):
        raise BadParameter(f"bounds of '{name}': expected numbers of at most {LARGEST_SCORE:g}.")
    return low, high
