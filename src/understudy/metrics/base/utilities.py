"""Pairwise utilities: how similar candidates are to references, pair by pair, on average, or to aggregated references.

Minimum Bayes risk decoding selects the candidate with the best expected utility: the mean of a metric over
pseudo-references, usually the candidates themselves (Kumar & Byrne 2004). Exact utilities take one score per pair.
Aggregated references take one score per candidate: their n-gram counts and lengths are the means of those of all
references (DeNero, Chiang, Knight 2009, for BLEU; Vamvas & Sennrich 2024, for chrF).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from understudy import _core
from understudy.arrays import Floats
from understudy.corpus.columns import References
from understudy.errors import BadParameter
from understudy.metrics.base.candidate_sets import CandidateSets, ReferenceGroups, as_candidate_sets
from understudy.metrics.base.declared_metric import check_sources
from understudy.metrics.base.threads import checked_threads

if TYPE_CHECKING:
    from understudy.metrics.base.metric import Metric

_PAIRS_AT_ONCE = 1 << 16  # that are counted as segments are: rows of statistics take more memory than scores
_SCORES_AT_ONCE = 1 << 22  # that means are taken of: 32 MiB


def pair_scores(
    metric: Metric,
    candidates: Any,
    references: Any = None,
    *,
    sources: Any = None,
    threads: int | None = None,
) -> Floats | list[Floats]:
    """`Metric.pairwise`."""
    sets = _checked_sets(metric, candidates, references, sources)
    scores = metric.fit_pairs(sets).scores_of_pairs(sets, checked_threads(threads))
    return sets.matrices(scores, sets.reference_counts)


def expected_utilities(
    metric: Metric,
    candidates: Any,
    references: Any = None,
    *,
    weights: Any = None,
    aggregated: bool = False,
    sources: Any = None,
    threads: int | None = None,
) -> Floats | list[Floats]:
    """`Metric.expected_utility`."""
    if aggregated:
        _refuse_without_aggregation(metric)
    sets = _checked_sets(metric, candidates, references, sources)
    of_references = sets.checked_weights(weights)
    if aggregated:
        numbers = np.zeros(len(sets.references), np.int64)
        one_group = ReferenceGroups(numbers, np.ones(len(sets), np.int64), of_references)
        found = metric.fit_pairs(sets).scores_of_groups(sets, one_group, checked_threads(threads))
        return sets.by_segment(found, sets.candidate_starts)
    fitted = metric.fit_pairs(sets)
    means = []
    for part, first in sets.parts(_SCORES_AT_ONCE):
        scores = fitted.scores_of_pairs(part, checked_threads(threads))
        part_weights = None if of_references is None else of_references[first : first + len(part.references)]
        means.append(_means(scores, part, part_weights))
    return sets.by_segment(np.concatenate(means), sets.candidate_starts)


def group_utilities(
    metric: Metric,
    candidates: Any,
    references: Any = None,
    *,
    groups: Any,
    weights: Any = None,
    threads: int | None = None,
) -> Floats | list[Floats]:
    """The utility of each candidate against each group of references, aggregated: a matrix [candidates, groups], or a
    list of matrices for many segments. `groups` has the number of each reference's group, from 0 on, in the form of
    the references: a list, or a list per segment. `weights` are those of `Metric.expected_utility`, and count within
    the groups.

    Centroid-based minimum Bayes risk decoding (Deguchi et al. 2024) has groups of similar references; a candidate's
    expected utility is the mean over groups, each weighted by the number of its references.
    """
    _refuse_without_aggregation(metric)
    sets = _checked_sets(metric, candidates, references)
    of_references = sets.checked_weights(weights)
    numbers = sets.per_reference(groups, "groups", np.int64)
    counts = np.maximum.reduceat(numbers, sets.reference_starts[:-1]) + 1
    grouped = ReferenceGroups(numbers, counts, of_references)
    _refuse_empty_groups(sets, grouped)
    scores = metric.fit_pairs(sets).scores_of_groups(sets, grouped, checked_threads(threads))
    return sets.matrices(scores, counts)


def counted_pairs(metric: Metric, sets: CandidateSets, threads: int) -> Floats:
    """The segment scores of all pairs, each counted as a segment with one reference."""
    of_segments = metric.for_segments()
    total = int(sets.pair_starts[-1])
    scores = np.empty(total)
    for begin in range(0, total, _PAIRS_AT_ONCE):
        end = min(begin + _PAIRS_AT_ONCE, total)
        rows, reference_rows = sets.pairs(begin, end)
        references = References(
            (sets.references.taken(reference_rows),), sources=sets.sources_of_pairs(begin, end)
        )
        counted = metric.count_fitted(sets.candidates.taken(rows), references, threads)
        scores[begin:end] = of_segments.scores_of(counted)
    return scores


def _checked_sets(metric: Metric, candidates: Any, references: Any, sources: Any = None) -> CandidateSets:
    if not metric.reads_references:
        raise BadParameter(
            f"{metric.spec} reads no references, so candidates have no utility by it. Use a metric that compares "
            "with references, e.g. bleu or chrf."
        )
    sets = as_candidate_sets(candidates, references, sources)
    check_sources([metric], sets.sources is not None)
    return sets


def _refuse_without_aggregation(metric: Metric) -> None:
    if metric.aggregates:
        return
    from understudy.metrics.base.registry import metrics

    able = sorted(name for name, known in metrics().items() if known.aggregates)
    refused = f"{metric.spec} cannot aggregate references. Metrics that can: {', '.join(able)}."
    every = "work with every metric that reads references."
    raise BadParameter(
        f"{refused} Exact utilities (aggregated=False) {every}",
        f"{refused} The methods mbr and pruned {every}",
    )


def _refuse_empty_groups(sets: CandidateSets, groups: ReferenceGroups) -> None:
    first = np.cumsum(groups.counts) - groups.counts
    of_reference = np.repeat(first, sets.reference_counts) + groups.numbers
    sizes = np.bincount(of_reference, groups.weights, minlength=int(groups.counts.sum()))
    for empty in np.flatnonzero(sizes == 0).tolist():
        segment = int(np.searchsorted(first, empty, side="right")) - 1
        of = f" of segment {segment + 1}" if sets.nested else ""
        raise BadParameter(
            f"groups{of}: group {empty - first[segment]} has no reference with a weight above 0. Number groups "
            "from 0, without gaps."
        )


def _means(scores: Floats, sets: CandidateSets, weights: Floats | None) -> Floats:
    """The mean of each candidate's utilities. Sums are rounded once, so the order of references has no influence."""
    means = np.empty(len(sets.candidates))
    _core.mean_utilities(sets.candidate_starts, sets.reference_starts, scores, weights, means)
    return means
