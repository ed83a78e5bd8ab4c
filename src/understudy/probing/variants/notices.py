"""How the metrics score the variants."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.probing.perturbations.segment_bootstrap import SegmentBootstrap
from understudy.probing.plan import ProbePlan
from understudy.probing.probed_system import ProbedSystem
from understudy.probing.variants.constructions import CONSTRUCTIONS
from understudy.probing.variants.results import Notice, SegmentVariants
from understudy.probing.variants.verification import scores_lower


def notices(system: ProbedSystem, segments: Sequence[SegmentVariants], plan: ProbePlan) -> list[Notice]:
    """By construction and metric, how many variants the metric scores lower than the hypothesis."""
    bootstrap = SegmentBootstrap(len(segments), plan.samples, plan.seed, plan.confidence)
    return [
        notice
        for construction in CONSTRUCTIONS
        for notice in _notices(construction, system, segments, plan, bootstrap)
    ]


def _notices(
    construction: str,
    system: ProbedSystem,
    segments: Sequence[SegmentVariants],
    plan: ProbePlan,
    bootstrap: SegmentBootstrap,
) -> list[Notice]:
    scores = [
        [variant.scores for variant in segment.variants if variant.construction == construction]
        for segment in segments
    ]
    numbers = np.array([len(of_segment) for of_segment in scores])
    applies = numbers > 0
    if not applies.any():
        return []
    variants = np.array([row for of_segment in scores for row in of_segment])
    originals = np.repeat(np.array([segment.scores for segment in segments]), numbers, axis=0)
    lower = np.column_stack(
        [
            scores_lower(metric, variants[:, position], originals[:, position])
            for position, metric in enumerate(system.metrics)
        ]
    )
    shares = _means(lower.astype(np.float64), numbers)
    differences = _means(variants - originals, numbers)[applies]
    (estimates,) = bootstrap.shares(shares[:, np.newaxis, :], applies[:, np.newaxis])
    return [
        Notice(
            construction,
            position,
            len(variants),
            len(differences),
            estimate.value,
            # At segment level, the first metric scores none lower: its variants were chosen for it.
            None if position == 0 and plan.level == "segment" else estimate.interval,
            math.fsum(differences[:, position]) / len(differences),
        )
        for position, estimate in enumerate(estimates)
    ]


def _means(values: Floats, numbers: NDArray[np.intp]) -> Floats:
    """The means [segments, metrics] of values [variants, metrics], of which each segment has a number; 0 for none."""
    segments = np.repeat(np.arange(len(numbers)), numbers)
    means = np.zeros((len(numbers), values.shape[1]))
    np.add.at(means, segments, values)
    return means / np.maximum(numbers, 1)[:, np.newaxis]
