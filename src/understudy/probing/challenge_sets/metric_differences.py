"""Significance of differences in accuracy between metrics on the same pairs."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from understudy.arrays import Floats
from understudy.probing.challenge_sets.plan import ChallengePlan
from understudy.probing.challenge_sets.results import MetricDifference
from understudy.probing.challenge_sets.scored_pairs import ScoredPairs
from understudy.resampling.multiple_testing import corrected
from understudy.resampling.proportions import sampled_sign_flip_p, sign_flip_p
from understudy.resampling.significance_tests import is_real

MCNEMAR, PERMUTATION = "mcnemar", "permutation"


def metric_differences(scored: ScoredPairs, plan: ChallengePlan) -> tuple[MetricDifference, ...]:
    """All pairs of metrics: the means over phenomena, then every phenomenon. The two are corrected separately."""
    return (*_corrected(_of_means(scored, plan), plan), *_corrected(_of_phenomena(scored), plan))


def _of_phenomena(scored: ScoredPairs) -> list[MetricDifference]:
    """Exact tests, in which the metrics exchange their results on segments. Pairs of the same segment go together."""
    found = []
    for number, phenomenon in enumerate(scored.phenomena):
        places = np.flatnonzero(scored.phenomenon_of == number)
        segments = np.unique(scored.segment_of[places], return_inverse=True)[1]
        each_alone = len(places) == segments.max() + 1
        for first, second in combinations(range(len(scored.metrics)), 2):
            one, other = scored.right[first, places], scored.right[second, places]
            by_segment = np.bincount(segments, weights=one.astype(np.float64) - other).astype(np.int64)
            found.append(
                MetricDifference(
                    phenomenon,
                    first,
                    second,
                    int((one & ~other).sum()),
                    int((other & ~one).sum()),
                    float((one.astype(np.float64) - other).mean()),
                    MCNEMAR if each_alone else PERMUTATION,
                    p := sign_flip_p(by_segment),
                    p,
                    significant=False,
                )
            )
    return found


def _of_means(scored: ScoredPairs, plan: ChallengePlan) -> list[MetricDifference]:
    """Permutation tests of the difference between the mean accuracies, with random exchanges of whole segments."""
    pairs = list(combinations(range(len(scored.metrics)), 2))
    by_segment = _weighted(scored)
    p_values = [
        sampled_sign_flip_p(by_segment[first] - by_segment[second], plan.samples, plan.seed)
        for first, second in pairs
    ]
    return [
        MetricDifference(
            None,
            first,
            second,
            int((scored.right[first] & ~scored.right[second]).sum()),
            int((scored.right[second] & ~scored.right[first]).sum()),
            float((by_segment[first] - by_segment[second]).sum()),
            PERMUTATION,
            p,
            p,
            significant=False,
        )
        for (first, second), p in zip(pairs, p_values, strict=True)
    ]


def _weighted(scored: ScoredPairs) -> Floats:
    """What each segment adds to the mean accuracy of each metric [metrics, segments]."""
    sizes = np.bincount(scored.phenomenon_of)
    weights = 1 / (len(sizes) * sizes[scored.phenomenon_of])
    return np.stack([np.bincount(scored.segment_of, weights=weights * right) for right in scored.right])


def _corrected(found: list[MetricDifference], plan: ChallengePlan) -> list[MetricDifference]:
    p_values = corrected(np.array([each.uncorrected for each in found]), plan.correct)
    return [
        replace(each, p_value=float(p), significant=is_real(float(p), plan.significance))
        for each, p in zip(found, p_values, strict=True)
    ]
