"""How large a difference do people notice? How often they agree with a metric, by how far it sets two systems apart.

The fit is isotonic: the closest to the data of all curves that never fall. Nothing else is known of the curve. A
logistic one would be smooth, but it would also say at which difference 95 % agree where no data reach that far.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.arrays import Floats
from understudy.choices import CONFIDENCE, SEED
from understudy.errors import BadInput
from understudy.metrics.base.score import Interval
from understudy.resampling.two_way_samples import WHOLE, Draws, bootstrap_draws
from understudy.trusting.coefficients.system_level import drawn_systems
from understudy.trusting.intervals import SAMPLES
from understudy.trusting.paired_scores import PairedScores

_SHARES = (0.80, 0.95)  # of pairs on which people agree


@dataclass(frozen=True)
class Threshold:
    """The smallest metric difference with this share of human agreement."""

    share: float  # such as 0.80
    difference: float | None  # in the metric's own points; None: not with any difference in the data
    interval: Interval | None  # its upper end is infinite if too many samples never reach the share
    reached: float  # the share of samples that reach it at all


@dataclass(frozen=True)
class NoticeableDifference:
    """P(human scores agree | metric difference), at the differences in the data."""

    differences: Floats  # rising
    agree: Floats  # whether people prefer the same: 1, 0, or a half where they prefer neither
    fitted: Floats  # never falling
    thresholds: tuple[Threshold, ...]


def noticeable_difference(
    pairing: PairedScores,
    *,
    shares: Sequence[float] = _SHARES,
    over: str = "segments",
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> NoticeableDifference:
    """Of all pairs of systems. In a sample of segments both the differences and the preferences are the sample's."""
    if over != "systems" and pairing.shape[1] == 0:
        raise BadInput("there are no segment scores to resample. Resample over systems.")
    (differences, agree), *_ = _pairs(pairing, WHOLE)
    if not len(differences):
        raise BadInput("no two systems differ in both human and metric scores.")
    fitted = isotonic(agree)
    drawn = np.array(
        [
            [_threshold_of(part, curve, share) for share in shares]
            for draws in bootstrap_draws(pairing.shape, over, samples, seed)
            for part, right in _pairs(pairing, draws)
            for curve in [isotonic(right)]
        ]
    ).reshape(-1, len(shares))
    tail = (1 - confidence) / 2
    thresholds = []
    for number, share in enumerate(shares):
        difference = _threshold_of(differences, fitted, share)
        # Infinite thresholds have a rank too, but cannot be interpolated. The estimate is always in the interval.
        low, high = np.quantile(drawn[:, number], [tail, 1 - tail], method="nearest")
        low, high = min(low, difference), max(high, difference)
        thresholds.append(
            Threshold(
                share,
                None if np.isinf(difference) else difference,
                None if np.isinf(low) else Interval(float(low), float(high), confidence),
                float(np.isfinite(drawn[:, number]).mean()),
            )
        )
    return NoticeableDifference(differences, agree, fitted, tuple(thresholds))


def isotonic(values: Floats) -> Floats:
    """The least squares fit that never falls.

    >>> isotonic(np.array([0.0, 1.0, 0.0, 1.0])).tolist()
    [0.0, 0.5, 0.5, 1.0]
    """
    from scipy.optimize import isotonic_regression

    return np.asarray(isotonic_regression(values).x) if len(values) else np.zeros(0)


def _threshold_of(differences: Floats, fitted: Floats, share: float) -> float:
    """The smallest difference from which on the fit is at least the share; infinite if it never is."""
    reached = np.flatnonzero(fitted >= share - 1e-12)
    return float(differences[reached[0]]) if len(reached) else np.inf


def _pairs(pairing: PairedScores, draws: Draws) -> list[tuple[Floats, Floats]]:
    """For every sample: by how much the metric sets two systems apart, rising, and whether people agree. Equal
    differences have their mean agreement, so that no order among them counts. Pairs that the metric does not tell apart
    are left out: it prefers neither.
    """
    human, metric, _ = drawn_systems(pairing, draws)
    first, second = np.triu_indices(human.shape[1], 1)
    found = []
    for people, scores in zip(human, metric, strict=True):
        apart, preferred = scores[first] - scores[second], people[first] - people[second]
        known = ~np.isnan(apart) & ~np.isnan(preferred) & (apart != 0)
        apart, preferred = apart[known], preferred[known]
        agree = 0.5 + 0.5 * np.sign(preferred) * np.sign(apart)
        differences, place, count = np.unique(np.abs(apart), return_inverse=True, return_counts=True)
        means = np.bincount(place.ravel(), agree, len(differences)) / count
        order = np.sort(np.abs(apart))
        found.append((order, np.repeat(means, count)))
    return found
