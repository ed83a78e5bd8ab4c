"""Gains of one metric over another: paired differences of coefficients in the same bootstrap samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from understudy.metrics.base.score import Interval
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.metric_tests.metric_ranking import rank_metrics
from understudy.trusting.paired_scores import PairedScores


@dataclass(frozen=True)
class Gain:
    """By how much a metric agrees better with human scores than another. Value, interval and p-value are of the same
    statistic: the interval contains 0 exactly if the p-value is above 1 - confidence.
    """

    asked: CoefficientSpec
    better: float  # the coefficient of the metric
    plain: float  # that of the other
    difference: float
    interval: Interval | None  # None: too few samples have a value
    p_value: float  # two-sided; NaN: undefined


def gains(
    metric: tuple[str, PairedScores],
    over: tuple[str, PairedScores],
    asked: Sequence[CoefficientSpec],
    *,
    resampled: str,
    samples: int,
    seed: int,
    confidence: float,
    threads: int = 1,
) -> list[Gain]:
    """The gain of a metric over another by each coefficient, with bootstrap samples of segments, systems or both."""
    found = []
    for one in asked:
        ranking = rank_metrics(
            dict([metric, over]),
            one,
            test="bootstrap",
            over=resampled,
            samples=samples,
            seed=seed,
            confidence=confidence,
            threads=threads,
        )
        (pair,) = ranking.pairs
        found.append(
            Gain(
                one,
                ranking.values[metric[0]],
                ranking.values[over[0]],
                pair.difference,
                pair.interval,
                pair.p_value,
            )
        )
    return found
