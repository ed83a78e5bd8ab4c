"""Soft pairwise accuracy: agreement of the p-values that human and metric scores assign to system pairs."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import ROUNDING, Floats
from understudy.resampling.two_way_samples import Draws
from understudy.trusting.coefficients.estimators import Estimator, with_both
from understudy.trusting.coefficients.sign_flips import (
    MOST_TERMS,
    FlipSums,
    sign_flip_p_values,
    weighted_sums,
)

BYTES_AT_ONCE = 2**26


class SoftPairwiseAccuracy(Estimator):
    """1 - mean |p(h) - p(m)| over all pairs of systems (Thompson et al. 2024), where p is that of the paired
    permutation test of the first being better, as `sign_flips` computes it.

    Every pair of systems is compared on the segments for which both have both scores. Not defined where people or
    metric give all systems the same scores.
    """

    def __init__(self, human: Floats, metric: Floats) -> None:
        self.first, self.second = np.triu_indices(len(human), 1)
        # Segments that nobody judged, or that the metric did not score, make no difference.
        self.columns = np.flatnonzero((~np.isnan(human)).any(axis=0) & (~np.isnan(metric)).any(axis=0))
        self._scores = [_comparable(scores[:, self.columns]) for scores in (human, metric)]
        both = with_both(*self._scores)
        self.known = ~np.isnan(both[0])  # [systems, columns]
        self._human, self._metric = (
            differences_of(scores[self.first], scores[self.second]) for scores in both
        )
        self.segments = (self.known[self.first] & self.known[self.second]).sum(axis=1)  # by pair of systems

    @cached_property
    def human_p_values(self) -> Floats:
        """By pair of systems."""
        return sign_flip_p_values(self._human)

    @cached_property
    def metric_p_values(self) -> Floats:
        return sign_flip_p_values(self._metric)

    @property
    def undefined(self) -> str | None:
        if not self.segments.any():
            return None
        for who, differences in (("human scores", self._human), ("metric scores", self._metric)):
            if not differences.any():
                return f"the {who} of all systems are equal"
        return None

    def values(self, draws: Draws) -> Floats:
        if draws.segments is None:
            human, metric = self.human_p_values[np.newaxis], self.metric_p_values[np.newaxis]
        else:
            segments = draws.segments[:, self.columns]
            human, metric = (_p_values_in_samples(part, segments) for part in (self._human, self._metric))
        weights = np.tile((self.segments > 0).astype(np.float64), (draws.samples, 1))
        if draws.systems is not None:
            weights *= draws.systems[:, self.first] * draws.systems[:, self.second]
        return _accuracy(human, metric, np.where(self._varied(weights, draws), weights, 0.0))

    def _varied(self, weights: Floats, draws: Draws) -> NDArray[np.bool_]:
        """In which samples neither people nor metric give all systems the same scores [samples, 1]."""
        found = np.ones((draws.samples, 1), dtype=bool)
        for differences in (self._human, self._metric):
            changes = differences != 0
            found &= weights @ changes.any(axis=1, keepdims=True).astype(np.float64) > 0
            if draws.segments is not None:
                by_segment = changes.any(axis=0)[:, np.newaxis].astype(np.float64)
                found &= draws.segments[:, self.columns] @ by_segment > 0
        return found

    def permuted(self, orders: NDArray[np.intp]) -> Floats:
        """The values if systems had the metric's scores of others, in these orders [deals, systems]."""
        if self.undefined:
            return np.full(len(orders), np.nan)
        systems = orders.shape[1]
        people = np.arange(len(self.first))
        permuted = (
            orders[:, self.first] * systems + orders[:, self.second]
        )  # [deals, pairs]: of which two systems
        if self.known.all():
            of_metric = np.full((systems, systems), 0.5)
            of_metric[self.first, self.second] = self.metric_p_values
            of_metric[self.second, self.first] = 1 - self.metric_p_values
            return _accuracy(self.human_p_values, of_metric.ravel()[permuted], np.ones(permuted.shape))
        # Every pair of people beside every pair of the metric, on the segments that all four have.
        human, metric = self._scores
        two = np.indices((systems, systems)).reshape(2, -1)
        judged, scored = (
            (~np.isnan(scores[one]) & ~np.isnan(scores[other])).astype(np.float64)
            for scores, (one, other) in ((human, (self.first, self.second)), (metric, two))
        )
        of_people = _p_values_in_samples(differences_of(human[self.first], human[self.second]), scored).T
        of_metric = _p_values_in_samples(differences_of(metric[two[0]], metric[two[1]]), judged)
        shared = (judged @ scored.T > 0).astype(np.float64)
        return _accuracy(of_people[people, permuted], of_metric[people, permuted], shared[people, permuted])


def _accuracy(human: Floats, metric: Floats, weights: Floats) -> Floats:
    """Of p-values and weights of pairs of systems [samples, pairs]."""
    total = weights.sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = 1 - (weights * np.abs(human - metric)).sum(axis=1) / total
    return np.asarray(np.where(total > 0, found, np.nan))


def _comparable(scores: Floats) -> Floats:
    """In parts of the largest one, whatever their scale."""
    largest = np.nanmax(np.abs(scores)) if scores.size else 0.0
    return np.asarray(scores / largest if largest > 0 else scores)


def differences_of(one: Floats, other: Floats) -> Floats:
    """Between scores of two systems [pairs, segments]: 0 where one has none, and where they differ by rounding."""
    differences = np.nan_to_num(one - other)
    return np.where(np.abs(differences) > ROUNDING, differences, 0.0)


def _p_values_in_samples(differences: Floats, weights: Floats) -> Floats:
    """[samples, pairs], of segments that weigh so much [samples, segments]."""
    found = np.empty((len(weights), len(differences)))
    single = weights.astype(np.float32)
    at_once = max(1, BYTES_AT_ONCE // (4 * MOST_TERMS * max(1, differences.shape[1], len(weights))))
    for start in range(0, len(differences), at_once):
        part = differences[start : start + at_once]
        flips = FlipSums((part**2).sum(axis=1), np.abs(part).max(axis=1, initial=0.0))
        found[:, start : start + at_once] = flips.p_values(
            weighted_sums(flips.terms(part.astype(np.float32)), single.T)
        ).T
    return found
