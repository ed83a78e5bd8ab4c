"""Confidence intervals of means and shares over segments, from bootstrap samples of the segments of a system.

All estimates use the same samples. A mean over some of the segments, such as those that a perturbation changes, is
computed from those of them that a sample has.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import LARGEST_EXACT, Floats
from understudy.metrics.base.score import Interval
from understudy.probing.perturbations.results import Estimate
from understudy.resampling.intervals import interval_of
from understudy.resampling.randomness import generator
from understudy.resampling.samples import bootstrap_weights
from understudy.resampling.student import bound


class SegmentBootstrap:
    """Bootstrap samples of segments, drawn once."""

    def __init__(self, segments: int, samples: int, seed: int, confidence: float) -> None:
        self.confidence = confidence
        # A sample has a segment a few times at most: two bytes each instead of eight.
        self._weights = np.concatenate(
            [part.astype(np.uint16) for part in bootstrap_weights(segments, samples, seed)]
        )
        # How often a sample has each of two more segments: see `shares`.
        self._added = generator(seed, "added segments").poisson(1.0, size=(samples, 2)).astype(np.float64)

    def means(self, values: Floats, applies: NDArray[np.bool_]) -> list[list[Estimate]]:
        """The means of values [segments, groups, columns] over the segments of each group [segments, groups]."""
        sums, counts = self._sums(values, applies)
        return self._estimates(sums, counts, values, applies, expanded=True)

    def shares(self, values: Floats, applies: NDArray[np.bool_]) -> list[list[Estimate]]:
        """The same for values from 0 to 1. The samples are of the segments and of two more, with the values 0 and 1, as
        in Laplace's rule: without them, the interval of a share that is 0% or 100% would be a point, however few the
        segments.
        """
        sums, counts = self._sums(values, applies)
        sums += self._added[:, 1, np.newaxis, np.newaxis]
        counts += self._added.sum(axis=1)[:, np.newaxis]
        return self._estimates(sums, counts, values, applies, expanded=False)

    def _sums(self, values: Floats, applies: NDArray[np.bool_]) -> tuple[Floats, Floats]:
        """By sample: the sums of values [samples, groups, columns], and the numbers of segments [samples, groups]."""
        concerned = np.flatnonzero(applies.any(axis=1))
        weights = self._weights[:, concerned].astype(np.float64)
        known = _summable(np.where(applies[..., np.newaxis], values, 0.0)[concerned], len(applies))
        sums = (weights @ known.reshape(len(concerned), -1)).reshape(len(weights), *values.shape[1:])
        return sums, weights @ applies[concerned].astype(np.float64)

    def _estimates(
        self, sums: Floats, counts: Floats, values: Floats, applies: NDArray[np.bool_], *, expanded: bool
    ) -> list[list[Estimate]]:
        found = []
        for group in range(values.shape[1]):
            chosen = values[applies[:, group], group]  # [segments, columns]
            drawn = counts[:, group] > 0
            means = sums[drawn, group] / counts[drawn, group, np.newaxis]  # [samples, columns]
            seen = [math.fsum(column) / len(chosen) if len(chosen) else math.nan for column in chosen.T]
            if len(chosen) < 2:
                found.append([Estimate(value, None) for value in seen])
                continue
            confidence = _expanded_confidence(self.confidence, len(chosen)) if expanded else self.confidence
            found.append(
                [
                    Estimate(value, self._around(value, interval_of(column, confidence)))
                    for value, column in zip(seen, means.T, strict=True)
                ]
            )
        return found

    def _around(self, value: float, interval: Interval) -> Interval:
        """The interval with the confidence that was asked for. It contains the estimate."""
        return Interval(min(interval.low, value), max(interval.high, value), self.confidence)


def _summable(values: Floats, segments: int) -> Floats:
    """Values of which sums of so many are exact: without it, the last digits of a matrix product depend on how many
    columns there are beside, and so the results for one metric would depend on the others.
    """
    largest = np.abs(values).max(axis=0, initial=0.0) * segments
    unit = 2.0 ** np.ceil(np.log2(np.where(largest > 0, largest, 1.0) / LARGEST_EXACT))
    return np.asarray(np.round(values / unit) * unit)


def _expanded_confidence(confidence: float, segments: int) -> float:
    """The confidence at which a percentile interval of a mean is as wide as Student's t interval would be, where values
    are normally distributed: bootstrap samples vary too little by (n - 1) / n, and not as t (Hesterberg 2015, section
    5.3).

    >>> round(_expanded_confidence(0.95, 5), 4), round(_expanded_confidence(0.95, 1000), 4)
    (0.9981, 0.9504)
    """
    from scipy.special import ndtr

    reach = bound((1 - confidence) / 2, segments - 1.0) * math.sqrt(segments / (segments - 1))
    return float(1 - 2 * ndtr(-reach))
