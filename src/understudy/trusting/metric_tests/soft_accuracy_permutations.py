"""Soft pairwise accuracy after exchanges between metrics, for all pairs of metrics at once.

After an exchange each of two systems i and j has, at every segment, the score of one metric or of the other: their
difference is one of four numbers. So a sum over segments of any function of the difference, as `FlipSums` takes it, is
linear in m(i), m(j) and m(i)·m(j), where m is 1 if the score changed hands. A product of matrices gives it for all
exchanges and all pairs of metrics.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.resampling.significance_tests import Pairs
from understudy.trusting.coefficients.sign_flips import (
    MOST_TERMS,
    FlipSums,
    Singles,
    sign_flip_p_values,
    weighted_sums,
)
from understudy.trusting.coefficients.soft_pairwise_accuracy import (
    BYTES_AT_ONCE,
    SoftPairwiseAccuracy,
    differences_of,
)

# Of so few segments an exchange may well change all or nothing. Then it must give what was seen, to the last digit.
_FEW_SEGMENTS = 10


def can_be_exchanged_at_once(estimators: Sequence[SoftPairwiseAccuracy], *, whole_systems: bool) -> bool:
    """Whether the metrics have the same gaps, so that an exchange moves none, and there are segments enough."""
    one = estimators[0]
    return (whole_systems or len(one.columns) > _FEW_SEGMENTS) and all(
        np.array_equal(one.columns, other.columns) and np.array_equal(one.known, other.known)
        for other in estimators
    )


def soft_accuracy_differences(
    estimator: SoftPairwiseAccuracy,
    scores: Sequence[Floats],
    pairs: Pairs,
    changed: NDArray[np.bool_],
    *,
    whole_systems: bool,
) -> Floats:
    """Between the accuracies of every pair of metrics [pairs, samples], whose scores [systems, segments] have changed
    hands [samples, systems, columns of the estimator], which is that of any of them: what people say is the same.
    """
    comparable = np.stack([np.where(estimator.known, each[:, estimator.columns], np.nan) for each in scores])
    first, second = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    gaps = np.zeros((2, len(pairs), len(changed)))
    compared = np.flatnonzero(estimator.segments)
    for place in compared:
        i, j = int(estimator.first[place]), int(estimator.second[place])
        of_both = (
            _of_whole_systems(comparable[:, i], comparable[:, j], (first, second), changed[:, [i, j], 0])
            if whole_systems
            else _of_segments(comparable[:, i], comparable[:, j], (first, second), changed[:, [i, j]])
        )
        gaps += np.abs(of_both - estimator.human_p_values[place])
    return np.asarray((gaps[1] - gaps[0]) / len(compared))


def _four(one: Floats, other: Floats, first: NDArray[np.intp], second: NDArray[np.intp]) -> list[Floats]:
    """The differences between two systems [pairs, segments], whose scores by metric these are: both of the first metric
    of a pair; one system's of the second; the other's; both of the second.
    """
    return [
        differences_of(one[of_one], other[of_other])
        for of_one, of_other in ((first, first), (second, first), (first, second), (second, second))
    ]


def _of_whole_systems(
    one: Floats,
    other: Floats,
    metrics: tuple[NDArray[np.intp], NDArray[np.intp]],
    changed: NDArray[np.bool_],
) -> Floats:
    """p-values by both metrics of a pair [2, pairs, samples] of two systems, of which all scores changed hands or none
    [samples, 2].
    """
    four = np.stack([sign_flip_p_values(part) for part in _four(one, other, *metrics)])
    which = changed[:, 0] + 2 * changed[:, 1].astype(np.intp)
    return np.stack([four[which].T, four[3 - which].T])


def _of_segments(
    one: Floats,
    other: Floats,
    metrics: tuple[NDArray[np.intp], NDArray[np.intp]],
    changed: NDArray[np.bool_],
) -> Floats:
    """The same, of scores that changed hands segment by segment [samples, 2, segments]."""
    shared = ~np.isnan(one[0]) & ~np.isnan(other[0])
    one, other, changed = one[:, shared], other[:, shared], changed[:, :, shared]
    samples, _, segments = changed.shape
    by_one, by_other = (changed[:, system].T.astype(np.float32) for system in (0, 1))
    moved = np.concatenate([by_one, by_other, by_one * by_other])
    found = np.empty((2, len(metrics[0]), samples))
    at_once = max(1, BYTES_AT_ONCE // (4 * MOST_TERMS * 6 * max(segments, samples)))
    for start in range(0, len(metrics[0]), at_once):
        rows = slice(start, start + at_once)
        found[:, rows] = _after(moved, *_four(one, other, metrics[0][rows], metrics[1][rows]))
    return found


def _after(moved: Singles, *four: Floats) -> Floats:
    """p-values [2, pairs, samples] of the four differences [pairs, segments], of which `moved` [3 · segments, samples]
    says for both systems, and for both at once, where they changed hands.
    """
    flips = FlipSums(
        np.mean([(part**2).sum(axis=1) for part in four], axis=0),
        np.max([np.abs(part).max(axis=1, initial=0.0) for part in four], axis=0),
    )
    none, of_one, of_other, both = (flips.terms(part.astype(np.float32)) for part in four)
    mixed = none - of_one - of_other + both
    found = []
    for kept, one, other in ((none, of_one, of_other), (both, of_other, of_one)):
        linear = np.concatenate([one - kept, other - kept, mixed], axis=2)
        found.append(flips.p_values(weighted_sums(linear, moved) + kept.sum(axis=2, keepdims=True)))
    return np.stack(found)
