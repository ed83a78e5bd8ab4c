"""Averages of span-level agreement, their confidence intervals, and significance tests between predictors.

Each row is a translation: its counts for micro averages, its scores for macro averages, and 1. Everything is computed
from sums of rows, by segment and over resamples of segments.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.metrics.base.score import Interval
from understudy.resampling.multiple_testing import corrected
from understudy.resampling.samples import bootstrap_weights, swaps
from understudy.resampling.significance_tests import is_real, p_value
from understudy.trusting.intervals import interval_among
from understudy.trusting.spans.counts import COLUMNS, KINDS, MEASURES, scores
from understudy.trusting.spans.results import AVERAGES, SpanPair, SpanScores, SpanValue

_MICRO, _MACRO = slice(0, len(COLUMNS)), slice(len(COLUMNS), -1)


@dataclass(frozen=True)
class SpanSampling:
    """Averages and resampling: over segments, each with all its translations."""

    samples: int
    seed: int
    confidence: float
    credit: float

    def scores(self, name: str, spans: int, rows: Floats, segment_of: NDArray[np.intp]) -> SpanScores:
        by_segment = _by_segment(rows, segment_of)
        seen = self.averages(by_segment.sum(axis=0))
        drawn = np.concatenate(
            [
                self.averages(part @ by_segment)
                for part in bootstrap_weights(len(by_segment), self.samples, self.seed)
            ]
        )
        values = tuple(
            SpanValue(
                average,
                kind,
                measure,
                float(seen[place]),
                self._interval(drawn[(slice(None), *place)], float(seen[place]), len(by_segment)),
            )
            for place, (average, kind, measure) in zip(
                np.ndindex(seen.shape), itertools.product(AVERAGES, KINDS, MEASURES), strict=True
            )
        )
        return SpanScores(name, len(rows), spans, values)

    def _interval(self, drawn: Floats, seen: float, segments: int) -> Interval | None:
        """None of one segment: all samples of it are the same."""
        if segments < 2:
            return None
        return interval_among(drawn, seen, over="segments", confidence=self.confidence, bounds=(0.0, 1.0))

    def averages(self, sums: Floats) -> Floats:
        """[..., AVERAGES, KINDS, MEASURES] of sums of rows."""
        micro = scores(sums[..., _MICRO], self.credit)
        macro = (sums[..., _MACRO] / sums[..., -1:]).reshape(micro.shape)
        return np.stack([micro, np.where(np.isnan(micro), np.nan, macro)], axis=-3)


def _by_segment(rows: Floats, segment_of: NDArray[np.intp]) -> Floats:
    return np.stack([np.bincount(segment_of, column) for column in rows.T], axis=1)


def compared_pairs(
    rows: Mapping[str, Floats], segment_of: NDArray[np.intp], drawn: SpanSampling, significance: float
) -> tuple[SpanPair, ...]:
    """Approximate randomization: two predictors exchange their spans of random segments."""
    by_segment = {name: _by_segment(of_name, segment_of)[:, _MICRO] for name, of_name in rows.items()}
    pairs = list(itertools.combinations(rows, 2))
    if not pairs:
        return ()

    def f1(sums: Floats) -> Floats:
        return np.asarray(scores(sums, drawn.credit)[..., 0, MEASURES.index("f1")])

    differences, p_values = [], []
    for first, second in pairs:
        one, other = by_segment[first], by_segment[second]
        null = []
        for swapped in swaps(len(one), drawn.samples, drawn.seed):
            moved = swapped @ (other - one)
            null.append(f1(one.sum(axis=0) + moved) - f1(other.sum(axis=0) - moved))
        differences.append(float(f1(one.sum(axis=0)) - f1(other.sum(axis=0))))
        p_values.append(p_value(np.concatenate(null), differences[-1]))
    adjusted = corrected(np.array(p_values), "holm")
    return tuple(
        SpanPair(*pair, difference, p, float(holm), is_real(holm, significance))
        for pair, difference, p, holm in zip(pairs, differences, p_values, adjusted, strict=True)
    )
