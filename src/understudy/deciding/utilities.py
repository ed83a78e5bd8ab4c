"""Expected utilities of candidates: exact, with aggregated references, pruned, and with centroids.

- Exact (Kumar & Byrne 2004): the mean score against all pseudo-references.
- Aggregated (DeNero, Chiang, Knight 2009; Vamvas & Sennrich 2024): the score against one reference with the mean
  n-gram counts of all pseudo-references.
- Pruned (Cheng & Vlachos 2023): means over growing random samples of pseudo-references; after each, candidates are
  dropped that are probably not the best.
- Centroid (Deguchi et al. 2024): clusters of similar pseudo-references, an aggregated reference for each.

Utilities are on a scale where higher is better.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.deciding.candidate_pool import CandidatePool
from understudy.deciding.clusters import reference_clusters
from understudy.deciding.plan import DecisionPlan
from understudy.deciding.utility_matrix import UtilityMatrix
from understudy.metrics.base.candidate_sets import as_candidate_sets
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.utilities import group_utilities
from understudy.resampling.randomness import generator

_FIRST_SAMPLE = 8  # pseudo-references; each later sample has twice as many


@dataclass(frozen=True, eq=False)
class Utilities:
    """Expected utilities of all different candidates of a pool."""

    values: Floats
    compared: NDArray[np.int64]  # number of pseudo-references each was compared with
    scores: int  # number of scores computed for them, by each metric


def exact_utilities(
    pool: CandidatePool,
    metrics: list[Metric],
    plan: DecisionPlan,
    matrix: UtilityMatrix | None,
    threads: int | None,
) -> Utilities:
    """The weighted mean of utilities over all pseudo-references."""
    parts = []
    for index, metric in enumerate(metrics):
        if matrix is None and metric.higher_is_better is not None:
            means = metric.expected_utility(
                pool.candidates, pool.references, weights=pool.weights, threads=threads
            )
            parts.append(metric.worth(np.concatenate(means)))
            continue
        # The distance of a mean from the best value is not the mean distance.
        scores = (
            metric.pairwise(pool.candidates, pool.references, threads=threads)
            if matrix is None
            else matrix.matrices[index]
        )
        parts.append(_weighted_means([metric.worth(each) for each in scores], pool.weights))
    compared = np.repeat([len(texts) for texts in pool.references], [len(texts) for texts in pool.candidates])
    return Utilities(_combined(parts, plan), compared, 0 if matrix is not None else pool.pairs)


def aggregated_utilities(
    pool: CandidatePool, metrics: list[Metric], plan: DecisionPlan, threads: int | None
) -> Utilities:
    """Scores against one aggregated reference."""
    parts = [
        metric.worth(
            np.concatenate(
                metric.expected_utility(
                    pool.candidates, pool.references, weights=pool.weights, aggregated=True, threads=threads
                )
            )
        )
        for metric in metrics
    ]
    values = _combined(parts, plan)
    return Utilities(values, np.ones(len(values), dtype=np.int64), len(values))


def centroid_utilities(
    pool: CandidatePool, metrics: list[Metric], plan: DecisionPlan, first: int, threads: int | None
) -> Utilities:
    """Scores against an aggregated reference per cluster, each weighted by the weight of its pseudo-references.
    `first` is the position of the first segment in the whole list.
    """
    groups = [
        reference_clusters(
            texts, weights, plan.clusters, generator(plan.seed, "clusters", int(segment) + first)
        )
        for texts, weights, segment in zip(pool.references, pool.weights, pool.segments, strict=True)
    ]
    masses = [np.bincount(group, weights) for group, weights in zip(groups, pool.weights, strict=True)]
    parts = []
    for metric in metrics:
        scores = group_utilities(
            metric, pool.candidates, pool.references, groups=groups, weights=pool.weights, threads=threads
        )
        parts.append(_weighted_means([metric.worth(each) for each in scores], masses))
    counts = np.array([len(mass) for mass in masses])
    compared = np.repeat(counts, [len(texts) for texts in pool.candidates])
    return Utilities(_combined(parts, plan), compared, int(compared.sum()))


def pruned_utilities(
    pool: CandidatePool, metrics: list[Metric], plan: DecisionPlan, first: int, threads: int | None
) -> Utilities:
    """Means over the pseudo-references that each candidate was compared with before it was dropped, or over all."""
    fitted = _fitted(metrics, pool)
    searches = [
        _Search(texts, others, weights, plan, int(segment) + first)
        for texts, others, weights, segment in zip(
            pool.candidates, pool.references, pool.weights, pool.segments, strict=True
        )
    ]
    size = _FIRST_SAMPLE
    while waiting := [search for search in searches if not search.ended]:
        wanted = [search.next_pairs(size) for search in waiting]
        texts, others = [texts for texts, _ in wanted], [others for _, others in wanted]
        of_metrics = [
            [metric.worth(scores) for scores in metric.pairwise(texts, others, threads=threads)]
            for metric in fitted
        ]
        for index, search in enumerate(waiting):
            search.add(_combined([scores[index] for scores in of_metrics], plan))
        size *= 2
    return Utilities(
        np.concatenate([search.means for search in searches]),
        np.concatenate([search.compared for search in searches]),
        sum(search.scores for search in searches),
    )


class _Search:
    """The candidates of one segment that may still be the best."""

    def __init__(
        self, candidates: list[str], references: list[str], weights: Floats, plan: DecisionPlan, segment: int
    ) -> None:
        self._candidates = candidates
        self._random = generator(plan.seed, "pruning", segment)
        order = self._random.permutation(len(references))
        self._references = [references[index] for index in order]
        self._weights = weights[order]
        self._plan = plan
        self._left = np.arange(len(candidates))
        self._known = np.zeros((len(candidates), 0))  # utilities of those left
        self._sample = 0
        self.means = np.zeros(len(candidates))
        self.compared = np.zeros(len(candidates), dtype=np.int64)
        self.scores = 0
        self.ended = False

    def next_pairs(self, size: int) -> tuple[list[str], list[str]]:
        """The candidates that are left, and what the sample of this size adds."""
        before = self._sample
        self._sample = min(size, len(self._references))
        while not self._weights[: self._sample].any():  # a sample without weight says nothing
            self._sample += 1
        return [self._candidates[index] for index in self._left], self._references[before : self._sample]

    def add(self, utilities: Floats) -> None:
        self.scores += utilities.size
        self._known = np.concatenate([self._known, utilities], axis=1)
        weights = self._weights[: self._sample]
        means = _weighted_means([self._known], [weights])
        self.means[self._left] = means
        self.compared[self._left] = self._sample
        if self._sample == len(self._references):
            self.ended = True
            return
        share = self._share_at_least_best(means, weights)
        kept = share > 1 - self._plan.alpha
        self._left, self._known = self._left[kept], self._known[kept]
        self.ended = len(self._left) == 1

    def _share_at_least_best(self, means: Floats, weights: Floats) -> Floats:
        """The share of bootstrap samples of the pseudo-references in which a candidate is at least as good as the
        best one so far: algorithm 2 of Cheng & Vlachos.
        """
        size = len(weights)
        counts = self._random.multinomial(size, np.full(size, 1 / size), size=self._plan.samples).T
        # The sum of a sample's weights is the same for all candidates.
        differences = (self._known - self._known[np.argmax(means)]) * weights
        return (differences @ counts >= 0).mean(axis=1)


def _fitted(metrics: list[Metric], pool: CandidatePool) -> list[Metric]:
    """Metrics that need a fit see all pseudo-references first."""
    sets = as_candidate_sets(pool.candidates, pool.references)
    return [metric.fit_pairs(sets) for metric in metrics]


def _weighted_means(matrices: Sequence[Floats], weights: Sequence[Floats]) -> Floats:
    """The mean of each row. Sums are rounded once, so the order of pseudo-references does not matter."""
    return np.array(
        [
            math.fsum(row) / math.fsum(mass)
            for matrix, mass in zip(matrices, weights, strict=True)
            for row in (matrix * mass).tolist()
        ]
    )


def _combined(parts: Sequence[Floats], plan: DecisionPlan) -> Floats:
    """The weighted sum of the utilities by several metrics."""
    if len(parts) == 1:
        return parts[0]
    weights = plan.metric_weights or (1.0,) * len(parts)
    total: Floats = sum(
        (weight * part for weight, part in zip(weights, parts, strict=True)), np.zeros_like(parts[0])
    )
    return total
