"""Intervals: between which bounds would the score, or the difference, lie on other segments of the same kind?"""

from __future__ import annotations

import numpy as np

from understudy.comparison.evidence import Evidence, Floats
from understudy.comparison.samples import bootstrap_weights
from understudy.errors import BadParameter
from understudy.metrics.score import Interval

METHODS = ("percentile", "bca")


class Bootstrap:
    """Samples of the segments, drawn once, from which intervals of scores and of differences are read.

    `percentile` cuts off the ends of what the samples scored; `bca` moves the cuts for the bias of the samples and for
    a spread that depends on the score (Efron 1987).
    """

    def __init__(
        self,
        evidence: Evidence,
        samples: int,
        seed: int,
        *,
        method: str = "percentile",
        confidence: float = 0.95,
    ) -> None:
        if method not in METHODS:
            raise BadParameter(f"interval '{method}': expected {' or '.join(METHODS)}.")
        if not 0 < confidence < 1:
            raise BadParameter(f"confidence={confidence}: expected a number between 0 and 1, such as 0.95.")
        self.evidence, self.method, self.confidence = evidence, method, confidence
        self.drawn = evidence.sample_scores(bootstrap_weights(evidence.segments, samples, seed))
        self._left_out = self._without_each_segment() if method == "bca" else None

    def of_score(self, system: int) -> Interval:
        left_out = None if self._left_out is None else self._left_out[:, system]
        return self._interval(self.drawn[:, system], float(self.evidence.scores[system]), left_out)

    def of_difference(self, a: int, b: int) -> Interval:
        left_out = None if self._left_out is None else self._left_out[:, a] - self._left_out[:, b]
        seen = float(self.evidence.scores[a] - self.evidence.scores[b])
        return self._interval(self.drawn[:, a] - self.drawn[:, b], seen, left_out)

    def _interval(self, drawn: Floats, seen: float, left_out: Floats | None) -> Interval:
        if left_out is None or np.ptp(drawn) == 0:
            return interval_of(drawn, self.confidence)
        return interval_of(drawn, self.confidence, seen, left_out)

    def _without_each_segment(self) -> Floats:
        """The scores without one segment after the other [segments, systems]."""
        evidence = self.evidence
        rest = evidence.totals[:, np.newaxis] - evidence.counts  # [runs, segments, K]
        return evidence.over_runs(evidence.score(rest).T)


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
    from scipy.stats import norm

    below = np.count_nonzero(drawn < seen) + np.count_nonzero(drawn == seen) / 2
    bias = norm.ppf(np.clip(below / len(drawn), 1 / (len(drawn) + 1), len(drawn) / (len(drawn) + 1)))
    spread = left_out.mean() - left_out
    size = float(np.sum(spread**2)) ** 1.5
    acceleration = float(np.sum(spread**3)) / (6 * size) if size > 0 else 0.0
    cuts = bias + norm.ppf(shares)
    return np.asarray(norm.cdf(bias + cuts / (1 - acceleration * cuts)))
