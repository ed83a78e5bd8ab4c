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

from understudy.arrays import Floats, one_blas_thread
from understudy.corpus.nbest import NBest
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


def fitted_metrics(metrics: list[Metric], source: NBest, segments: NDArray[np.int64]) -> list[Metric]:
    """Metrics that need a fit see all pseudo-references of these segments first. A text that occurs several times
    counts several times.
    """
    if not any(metric.needs_fit for metric in metrics) or not len(segments):
        return metrics
    sets = as_candidate_sets([source.segment(segment) for segment in segments.tolist()])
    return [metric.fit_pairs(sets) for metric in metrics]


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
                pool.candidates,
                pool.references,
                weights=pool.weights,
                sources=pool.sources,
                threads=threads,
            )
            parts.append(metric.worth(np.concatenate(means)))
            continue
        # The distance of a mean from the best value is not the mean distance.
        scores = (
            metric.pairwise(pool.candidates, pool.references, sources=pool.sources, threads=threads)
            if matrix is None
            else matrix.matrices[index]
        )
        parts.append(_weighted_means([metric.worth(each) for each in scores], pool.weights))
    compared = np.repeat([len(texts) for texts in pool.references], [len(texts) for texts in pool.candidates])
    return Utilities(_combined(parts, plan), compared, pool.pairs)


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
    masses = [
        np.bincount(group, weights).astype(np.float64)
        for group, weights in zip(groups, pool.weights, strict=True)
    ]
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
    searches = [
        _Search(texts, others, weights, plan, segment=int(segment) + first, entry=index)
        for index, (texts, others, weights, segment) in enumerate(
            zip(pool.candidates, pool.references, pool.weights, pool.segments, strict=True)
        )
    ]
    size = _FIRST_SAMPLE
    while waiting := [search for search in searches if not search.ended]:
        for search in waiting:
            search.sample(size)
        asking = [search for search in waiting if search.new]  # others have seen all texts of their sample
        texts, others = [search.left for search in asking], [search.new for search in asking]
        sources = None if pool.sources is None else [pool.sources[search.entry] for search in asking]
        of_metrics = [
            [
                metric.worth(scores)
                for scores in metric.pairwise(texts, others, sources=sources, threads=threads)
            ]
            for metric in (metrics if asking else [])
        ]
        for index, search in enumerate(asking):
            search.add(_combined([scores[index] for scores in of_metrics], plan))
        with one_blas_thread():
            for search in waiting:
                search.prune()
        size *= 2
    return Utilities(
        np.concatenate([search.means for search in searches]),
        np.concatenate([search.compared for search in searches]),
        sum(search.scores for search in searches),
    )


class _Search:
    """The candidates of one segment that may still be the best."""

    def __init__(
        self,
        candidates: list[str],
        references: list[str],
        weights: Floats,
        plan: DecisionPlan,
        *,
        segment: int,
        entry: int,
    ) -> None:
        self.entry = entry  # in the pool
        self._candidates = candidates
        self._random = generator(plan.seed, "pruning", segment)
        order = self._random.permutation(len(references))
        self._references = [references[index] for index in order]
        self._weights = weights[order]
        self._plan = plan
        self._left = np.arange(len(candidates))
        self._places: dict[str, int] = {}  # of all texts in the samples so far
        self._of_texts = np.zeros((len(candidates), 0))  # utilities of those left
        self._sample = 0
        self.new: list[str] = []  # texts that the last sample added
        self.means = np.zeros(len(candidates))
        self.compared = np.zeros(len(candidates), dtype=np.int64)
        self.scores = 0
        self.ended = False

    @property
    def left(self) -> list[str]:
        """The candidates that are left."""
        return [self._candidates[index] for index in self._left]

    def sample(self, size: int) -> None:
        """Enlarge the sample of pseudo-references to this size."""
        self._sample = min(size, len(self._references))
        while not self._weights[: self._sample].any():  # a sample without weight says nothing
            self._sample += 1
        known = len(self._places)
        for text in self._references[: self._sample]:
            self._places.setdefault(text, len(self._places))
        self.new = list(self._places)[known:]

    def add(self, utilities: Floats) -> None:
        """Utilities of those left, against the new texts."""
        self.scores += utilities.size
        self._of_texts = np.concatenate([self._of_texts, utilities], axis=1)

    def prune(self) -> None:
        """Drop candidates that are probably not the best."""
        known = self._of_texts[:, [self._places[text] for text in self._references[: self._sample]]]
        weights = self._weights[: self._sample]
        means = _weighted_means([known], [weights])
        self.means[self._left] = means
        self.compared[self._left] = self._sample
        if self._sample == len(self._references):
            self.ended = True
            return
        kept = self._share_at_least_best(known, means, weights) > 1 - self._plan.alpha
        self._left, self._of_texts = self._left[kept], self._of_texts[kept]
        self.ended = len(self._left) == 1

    def _share_at_least_best(self, known: Floats, means: Floats, weights: Floats) -> Floats:
        """The share of bootstrap samples of the pseudo-references in which a candidate is at least as good as the
        best one so far: algorithm 2 of Cheng & Vlachos.
        """
        size = len(weights)
        counts = self._random.multinomial(size, np.full(size, 1 / size), size=self._plan.samples).T
        # The sum of a sample's weights is the same for all candidates.
        differences = (known - known[np.argmax(means)]) * weights
        return np.asarray((differences @ counts >= 0).mean(axis=1))


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
