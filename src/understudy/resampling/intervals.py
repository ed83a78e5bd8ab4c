"""Confidence intervals of scores and differences, over segments."""

from __future__ import annotations

import numpy as np

from understudy.arrays import Floats
from understudy.choices import INTERVAL_METHODS
from understudy.metrics.base.score import Interval
from understudy.resampling.evidence import SEGMENTS_AT_ONCE, Evidence
from understudy.resampling.significance_tests import Pairs
from understudy.resampling.student import bound
from understudy.settings import check_between, check_choice


class Bootstrap:
    """Confidence intervals of scores and differences from the scores of bootstrap samples [samples, runs], as drawn by
    `bootstrap_scores`.

    `percentile` takes percentiles of the sample scores; `bca` adjusts them for bias and for a standard error that
    depends on the score (Efron 1987).
    """

    def __init__(
        self, evidence: Evidence, drawn: Floats, *, method: str = "percentile", confidence: float = 0.95
    ) -> None:
        check_method(method)
        check_between("confidence", confidence)
        self.evidence, self.method, self.confidence = evidence, method, confidence
        self.drawn = np.ascontiguousarray(evidence.over_runs(drawn).T)  # [systems, samples]
        self._left_out = self._without_each_segment() if method == "bca" else None

    def of_scores(self) -> list[Interval]:
        return [
            self._interval(drawn, float(seen), None if self._left_out is None else self._left_out[system])
            for system, (drawn, seen) in enumerate(zip(self.drawn, self.evidence.scores, strict=True))
        ]

    def of_differences(self, pairs: Pairs) -> list[Interval]:
        seen = self.evidence.scores
        return [
            self._interval(
                self.drawn[a] - self.drawn[b],
                float(seen[a] - seen[b]),
                None if self._left_out is None else self._left_out[a] - self._left_out[b],
            )
            for a, b in pairs
        ]

    def _interval(self, drawn: Floats, seen: float, left_out: Floats | None) -> Interval:
        if left_out is None or np.ptp(drawn) == 0:
            return interval_of(drawn, self.confidence)
        return interval_of(drawn, self.confidence, seen, left_out)

    def _without_each_segment(self) -> Floats:
        """The scores without one segment after the other [systems, segments]."""
        evidence = self.evidence
        found = np.empty((len(evidence.systems), evidence.segments))
        for start in range(0, evidence.segments, SEGMENTS_AT_ONCE):
            part = slice(start, start + SEGMENTS_AT_ONCE)
            found[:, part] = evidence.over_runs(evidence.score(evidence.totals - evidence.rows(part))).T
        return found


def student_intervals(
    estimates: Floats, errors: Floats, degrees: Floats, confidence: float
) -> list[Interval]:
    """Student's t intervals of estimates with these standard errors and degrees of freedom."""
    reach = bound((1 - confidence) / 2, degrees) * errors
    return [
        Interval(float(estimate - around), float(estimate + around), confidence)
        for estimate, around in zip(estimates, reach, strict=True)
    ]


def check_method(method: str) -> None:
    check_choice("interval", method, INTERVAL_METHODS)


def interval_of(
    drawn: Floats, confidence: float, seen: float | None = None, left_out: Floats | None = None
) -> Interval:
    """The middle of what was drawn. If what was seen is given, the cuts are moved for the bias of the samples, and if
    also what is seen without each segment, for a spread that depends on the score.
    """
    tail = (1 - confidence) / 2
    shares = np.array([tail, 1 - tail])
    if seen is not None:
        shares = _corrected(shares, drawn, seen, np.zeros(1) if left_out is None else left_out)
    low, high = np.quantile(drawn, shares)
    return Interval(float(low), float(high), confidence)


def _corrected(shares: Floats, drawn: Floats, seen: float, left_out: Floats) -> Floats:
    from scipy.special import ndtr, ndtri

    below = np.count_nonzero(drawn < seen) + np.count_nonzero(drawn == seen) / 2
    bias = ndtri(np.clip(below / len(drawn), 1 / (len(drawn) + 1), len(drawn) / (len(drawn) + 1)))
    spread = left_out.mean() - left_out
    size = float(np.sum(spread**2)) ** 1.5
    acceleration = float(np.sum(spread**3)) / (6 * size) if size > 0 else 0.0
    cuts = bias + ndtri(shares)
    return np.asarray(ndtr(bias + cuts / (1 - acceleration * cuts)))
