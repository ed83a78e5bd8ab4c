"""How the metrics score the variants."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.arrays import Floats
from understudy.metrics.base.score import Interval
from understudy.probing.plan import ProbePlan
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.variants.constructions import CONSTRUCTIONS
from understudy.probing.variants.results import Notice, SegmentVariants
from understudy.probing.variants.verification import scores_lower
from understudy.resampling.intervals import interval_of
from understudy.resampling.samples import bootstrap_weights

_SAMPLES = 1000


def notices(system: ProbedSystem, segments: Sequence[SegmentVariants], plan: ProbePlan) -> list[Notice]:
    """By construction and metric, how many variants the metric scores lower than the hypothesis."""
    found = []
    for construction in CONSTRUCTIONS:
        having = [
            (segment, scores)
            for segment in segments
            if (
                scores := [
                    variant.scores for variant in segment.variants if variant.construction == construction
                ]
            )
        ]
        if not having:
            continue
        numbers = np.array([len(scores) for _, scores in having])
        variants = np.array([row for _, scores in having for row in scores])
        originals = np.repeat(np.array([segment.scores for segment, _ in having]), numbers, axis=0)
        starts = np.cumsum(numbers) - numbers
        for position, metric in enumerate(system.metrics):
            lower = scores_lower(metric, variants[:, position], originals[:, position])
            found.append(
                Notice(
                    construction,
                    position,
                    len(variants),
                    len(having),
                    float(lower.mean()),
                    _interval(np.add.reduceat(lower.astype(float), starts), numbers.astype(float), plan),
                    float(np.mean(variants[:, position] - originals[:, position])),
                )
            )
    return found


def _interval(lower: Floats, numbers: Floats, plan: ProbePlan) -> Interval | None:
    """The bootstrap confidence interval of a share, over segments with so many variants each."""
    if len(numbers) < 2:
        return None
    drawn = [
        (weights @ lower) / (weights @ numbers)
        for weights in bootstrap_weights(len(numbers), _SAMPLES, plan.seed)
    ]
    return interval_of(np.concatenate(drawn), plan.confidence)
