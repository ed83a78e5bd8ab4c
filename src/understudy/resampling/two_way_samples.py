"""Resamples of systems, of segments, or of both, as weights: how often each occurs in the resample.

Every coefficient is a function of these weights; with all weights 1 it is the coefficient of the data. Each coefficient
is therefore implemented once, and resampling repeats only the computations that depend on the weights.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.choices import RESAMPLED
from understudy.errors import BadParameter
from understudy.resampling.samples import bootstrap_weights

# How translations are put together before a coefficient is computed, as mt-metrics-eval does: all of them at once;
# those of each segment, and then the mean over segments; those of each system, and then the mean over systems.
GROUPINGS = ("none", "segment", "system")


@dataclass(frozen=True, eq=False)
class Draws:
    """Some samples. What was not resampled is None: it is in every sample once."""

    systems: Floats | None = None  # [samples, systems]
    segments: Floats | None = None  # [samples, segments]

    @property
    def samples(self) -> int:
        drawn = self.systems if self.systems is not None else self.segments
        return 1 if drawn is None else len(drawn)

    def outer(self, grouping: str) -> Floats | None:
        """What the groups weigh [samples, groups]."""
        return {"segment": self.segments, "system": self.systems, "none": None}[grouping]

    def member_counts(self, grouping: str, shape: tuple[int, int]) -> NDArray[np.uint32] | None:
        """What the members of groups weigh [samples, members], as the core takes it, for scores of that shape."""
        if grouping == "none":
            if shape not in self._counts_of_all:
                self._counts_of_all[shape] = self._of_all(shape)
            return self._counts_of_all[shape]
        return self._system_counts if grouping == "segment" else self._segment_counts

    def sums(self, values: Floats, grouping: str) -> Floats:
        """The sums over groups [samples or 1, groups] of what every translation has [systems, segments]."""
        if grouping == "segment":
            return values.sum(axis=0, keepdims=True) if self.systems is None else self.systems @ values
        by_system = values.sum(axis=1)[np.newaxis] if self.segments is None else self.segments @ values.T
        if grouping == "system":
            return by_system
        weighted = by_system if self.systems is None else by_system * self.systems
        return np.asarray(weighted.sum(axis=1, keepdims=True))

    @cached_property
    def _counts_of_all(self) -> dict[tuple[int, int], NDArray[np.uint32] | None]:
        return {}

    @cached_property
    def _system_counts(self) -> NDArray[np.uint32] | None:
        return None if self.systems is None else self.systems.astype(np.uint32)

    @cached_property
    def _segment_counts(self) -> NDArray[np.uint32] | None:
        return None if self.segments is None else self.segments.astype(np.uint32)

    def _of_all(self, shape: tuple[int, int]) -> NDArray[np.uint32] | None:
        systems, segments = self._system_counts, self._segment_counts
        if systems is None and segments is None:
            return None
        if systems is None:
            systems = np.ones((self.samples, shape[0]), dtype=np.uint32)
        if segments is None:
            segments = np.ones((self.samples, shape[1]), dtype=np.uint32)
        return (systems[:, :, np.newaxis] * segments[:, np.newaxis, :]).reshape(self.samples, -1)


WHOLE = Draws()  # the one sample in which everything is once


def bootstrap_draws(shape: tuple[int, int], over: str, samples: int, seed: int) -> Iterator[Draws]:
    """Samples of as many systems and segments as there are, in parts; the same seed gives the same ones."""
    if over not in RESAMPLED:
        raise BadParameter(f"resampling over '{over}': expected {', '.join(RESAMPLED)}.")
    systems, segments = shape
    if over == "segments":
        yield from (Draws(None, part) for part in bootstrap_weights(segments, samples, seed))
    elif over == "systems":
        yield from (Draws(part, None) for part in bootstrap_weights(systems, samples, seed))
    else:
        # Another seed for the systems, or equal numbers of both would be drawn alike.
        of_systems = bootstrap_weights(systems, samples, seed + 1, beside=segments)
        of_segments = bootstrap_weights(segments, samples, seed, beside=systems)
        yield from (Draws(*parts) for parts in zip(of_systems, of_segments, strict=True))


def grouped(scores: Floats, grouping: str) -> Floats:
    """Scores [systems, segments] as [groups, members].

    >>> scores = np.array([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])
    >>> [grouped(scores, grouping).shape for grouping in GROUPINGS]
    [(1, 6), (3, 2), (2, 3)]
    """
    if grouping not in GROUPINGS:
        raise BadParameter(f"grouping '{grouping}': expected {', '.join(GROUPINGS)}.")
    if grouping == "none":
        return scores.reshape(1, -1)
    return np.ascontiguousarray(scores.T) if grouping == "segment" else scores


def over_groups(values: Floats, weights: Floats | None) -> Floats:
    """The mean over groups [samples] of their values [samples or 1, groups]; groups without a value are left out.

    >>> over_groups(np.array([[1.0, 3.0, np.nan]]), np.array([[1.0, 1.0, 1.0], [3.0, 1.0, 0.0]])).tolist()
    [2.0, 1.5]
    """
    known = ~np.isnan(values)
    filled = np.where(known, values, 0.0)
    if weights is None:
        total, count = filled.sum(axis=1), known.sum(axis=1).astype(np.float64)
    elif len(values) == 1:
        total, count = weights @ filled[0], weights @ known[0]
    else:
        total, count = (weights * filled).sum(axis=1), (weights * known).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(count > 0, total / count, np.nan))
