"""Pairwise preferences within a segment: the Kendall-like coefficients of the WMT metrics tasks, and pairwise accuracy
with tie calibration.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy._core import TiePairs
from understudy.arrays import Floats
from understudy.errors import BadParameter
from understudy.resampling.two_way_samples import WHOLE, Draws, grouped, over_groups
from understudy.trusting.coefficients.estimators import Estimator, with_both

# What a pair that the metric ties adds to C - D and to the pairs. Pairs that people tie never count.
#   wmt12: as if it were wrong (Callison-Burch et al. 2012; so again from 2017 to 2021, on daRR)
#   wmt13: it does not count (Macháček & Bojar 2013)
#   wmt14: half right and half wrong (Macháček & Bojar 2014)
_METRIC_TIES = {"wmt12": (-1.0, 1.0), "wmt13": (0.0, 0.0), "wmt14": (0.0, 1.0)}

# Direct assessments from 0 to 100 that differ by less say nothing (Bojar et al. 2017, daRR).
DARR_DIFFERENCE = 25.0

_FOLDS = 5

# That ties are calibrated on: more take minutes. All pairs of 2,000 segments of 20 systems are 160 times as many.
MOST_PAIRS = 5_000_000


class SegmentPairs:
    """All translation pairs within each segment, and their score differences [pairs, segments]."""

    def __init__(self, human: Floats, metric: Floats) -> None:
        self.first, self.second = np.triu_indices(len(human), 1)
        self.human = human[self.first] - human[self.second]
        self.metric = metric[self.first] - metric[self.second]
        self.known = ~np.isnan(self.human) & ~np.isnan(self.metric)

    def sums(self, values: Floats, draws: Draws) -> Floats:
        """By segment [samples or 1, segments]. Two copies of one system are no pair."""
        if draws.systems is None:
            return np.asarray(values.sum(axis=0, keepdims=True))
        return np.asarray((draws.systems[:, self.first] * draws.systems[:, self.second]) @ values)


class KendallLike(Estimator):
    """(C - D) / (C + D) over all translation pairs within a segment whose human scores differ by `at_least`; the
    variant determines how metric ties count.

    The pairs of all segments are pooled, so that segments with more pairs have more weight, as in the WMT tasks.
    """

    def __init__(self, pairs: SegmentPairs, *, variant: str = "wmt14", at_least: float = 0.0) -> None:
        if variant not in _METRIC_TIES:
            raise BadParameter(f"Kendall-like variant '{variant}': expected {', '.join(_METRIC_TIES)}.")
        self._pairs = pairs
        with np.errstate(invalid="ignore"):
            counted = pairs.known & (pairs.human != 0) & (np.abs(pairs.human) >= at_least)
            tied = counted & (pairs.metric == 0)
            agree = np.where(counted, np.sign(pairs.human) * np.sign(pairs.metric), 0.0)
        more, one = _METRIC_TIES[variant]
        self._more = np.where(tied, more, agree)
        self._all = np.where(tied, one, counted)

    def values(self, draws: Draws) -> Floats:
        outer = draws.outer("segment")
        more, pairs = (
            _over_segments(self._pairs.sums(values, draws), outer) for values in (self._more, self._all)
        )
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(pairs > 0, more / pairs, np.nan))


@dataclass(frozen=True)
class Calibrated:
    """The best accuracy, and the smallest threshold that reaches it."""

    accuracy: float
    threshold: float


class TunedTies(Estimator):
    """acc-eq (Deutsch, Foster & Freitag 2023): the share of pairs with the same order in human and metric scores, or a
    tie in both. Metric differences up to the tie threshold are ties. The threshold with the highest accuracy is used;
    it is calibrated on the same data, separately for each sample.
    """

    def __init__(self, human: Floats, metric: Floats, grouping: str = "segment", *, threads: int = 1) -> None:
        self.grouping, self.threads, self._shape = grouping, threads, human.shape
        self._made_of = (human, metric)
        check_number_of_pairs(human, metric, grouping)
        people, scores = (grouped(part, grouping) for part in with_both(human, metric))
        self._ties = TiePairs(people, scores, threads=threads)

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickle and copy: the pairs are found again."""
        return partial(TunedTies, threads=self.threads), (*self._made_of, self.grouping)

    def values(self, draws: Draws) -> Floats:
        return self._calibrated(draws)[:, 0]

    def calibrated(self) -> Calibrated:
        """With its threshold."""
        found = self._calibrated(WHOLE)[0]
        return Calibrated(float(found[0]), float(found[1]))

    def thresholds(self, draws: Draws) -> Floats:
        """Of every sample."""
        return self._calibrated(draws)[:, 1]

    def pair_shares(self) -> Floats:
        """What every pair of translations in a group adds to the value [pairs], which is their sum."""
        people, scores = (grouped(part, self.grouping) for part in with_both(*self._made_of))
        # Of translations that nobody judged there may be many times as many pairs.
        judged = ~np.isnan(grouped(self._made_of[0], self.grouping)).all(axis=0)
        people, scores = people[:, judged], scores[:, judged]
        first, second = np.triu_indices(people.shape[1], 1)
        human, metric = people[:, first] - people[:, second], scores[:, first] - scores[:, second]
        known = ~np.isnan(human)
        right = known & _right(human, metric, self._calibrated(WHOLE)[0, 1])
        return _shares(right.astype(np.float64), known.sum(axis=1, keepdims=True))

    def _calibrated(self, draws: Draws) -> Floats:
        inner = draws.member_counts(self.grouping, self._shape)
        rows = np.empty((draws.samples, 2))
        self._ties.calibrate(
            draws.outer(self.grouping),
            None if inner is None else inner.astype(np.float64),
            rows,
            threads=self.threads,
        )
        return rows


def check_number_of_pairs(human: Floats, metric: Floats, grouping: str) -> None:
    """Reject too many pairs for tie calibration before anything is computed."""
    people, _ = with_both(human, metric)
    members = (~np.isnan(grouped(people, grouping))).sum(axis=1)
    pairs = int((members * (members - 1) // 2).sum())
    if pairs > MOST_PAIRS:
        raise BadParameter(
            f"tie calibration on {pairs:,} pairs: expected at most {MOST_PAIRS:,}. Group by segment, as in the WMT "
            "metrics tasks."
        )


class HeldOutTies(Estimator):
    """acc-eq grouped by segment with cross-validated tie thresholds: five folds of segments, each with the threshold of
    the others. Calibration on the same data is optimistic. Samples use the same thresholds.
    """

    def __init__(self, pairs: SegmentPairs, tuned: TunedTies, *, folds: int = _FOLDS, seed: int = 0) -> None:
        segments = pairs.human.shape[1]
        self.thresholds = np.full(segments, np.nan)
        if segments >= 2:
            parts = np.array_split(np.random.default_rng(seed).permutation(segments), min(folds, segments))
            others = np.ones((len(parts), segments))
            for number, part in enumerate(parts):
                others[number, part] = 0.0
            for part, threshold in zip(parts, tuned.thresholds(Draws(None, others)), strict=True):
                self.thresholds[part] = threshold
        self._pairs = pairs
        known = pairs.known & ~np.isnan(self.thresholds)
        right = known & _right(pairs.human, pairs.metric, self.thresholds)
        self._right, self._known = right.astype(np.float64), known.astype(np.float64)

    def values(self, draws: Draws) -> Floats:
        right, pairs = (self._pairs.sums(part, draws) for part in (self._right, self._known))
        with np.errstate(invalid="ignore", divide="ignore"):
            return over_groups(np.where(pairs > 0, right / pairs, np.nan), draws.outer("segment"))

    def pair_shares(self) -> Floats:
        """As those of `TunedTies`."""
        return _shares(self._right.T, self._known.sum(axis=0)[:, np.newaxis])


def _right(human: Floats, metric: Floats, threshold: float | Floats) -> NDArray[np.bool_]:
    """Which pairs people and metric order alike or both call equal, of their differences."""
    with np.errstate(invalid="ignore"):
        tied = np.abs(metric) <= threshold
        return np.asarray(np.where(tied, human == 0, human * np.sign(metric) > 0))


def _shares(right: Floats, pairs: Floats | NDArray[np.intp]) -> Floats:
    """What pairs [groups, pairs] add to a mean over groups, that have so many pairs each [groups, 1]; groups that have
    none do not count.
    """
    return np.asarray(right / (np.maximum(pairs, 1) * max(1, np.count_nonzero(pairs)))).ravel()


def _over_segments(by_segment: Floats, weights: Floats | None) -> Floats:
    if weights is None:
        return np.asarray(by_segment.sum(axis=1))
    return np.asarray(weights @ by_segment[0] if len(by_segment) == 1 else (weights * by_segment).sum(axis=1))
