"""Severities: accuracy and mean cost of each, and whether more severe errors cost more."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats, ties_kept
from understudy.probing.challenge_sets.plan import ChallengePlan
from understudy.probing.challenge_sets.results import SeverityOrder, SeverityResult
from understudy.probing.challenge_sets.scored_pairs import ScoredPairs
from understudy.resampling.proportions import clustered_interval

_ENOUGH_WITHIN = (
    0.5  # of the errors must have one of another severity in their segment to be compared within segments
)


def ranked_severities(scored: ScoredPairs, plan: ChallengePlan) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The severities that occur, the least severe first; and those that are not ranked."""
    present = dict.fromkeys(pair.severity for pair in scored.pairs if pair.severity)
    ranked = tuple(severity for severity in plan.severities if severity in present)
    return ranked, tuple(severity for severity in present if severity not in ranked)


def by_severity(scored: ScoredPairs, severities: tuple[str, ...]) -> tuple[SeverityResult, ...]:
    """The result of every metric on the pairs of every severity."""
    found = []
    for severity in severities:
        places = np.flatnonzero([pair.severity == severity for pair in scored.pairs])
        for metric in range(len(scored.metrics)):
            right, costs = scored.right[metric, places], scored.costs[metric, places]
            found.append(
                SeverityResult(severity, metric, len(places), float(right.mean()), float(costs.mean()))
            )
    return tuple(found)


def severity_orders(
    scored: ScoredPairs, ranked: tuple[str, ...], plan: ChallengePlan
) -> tuple[SeverityOrder, ...]:
    """Whether more severe errors cost more, under every metric. Errors are compared within segments if at least half of
    them have an error of another severity in their segment; else all errors with each other.
    """
    if len(ranked) < 2:
        return ()
    rank = {severity: place for place, severity in enumerate(ranked)}
    ranks = np.array([rank.get(pair.severity, -1) for pair in scored.pairs])
    places = np.flatnonzero(ranks >= 0)
    segments = np.unique(scored.segment_of[places], return_inverse=True)[1]
    less, more = _within_segments(ranks[places], segments)
    within = len(np.union1d(less, more)) >= _ENOUGH_WITHIN * len(places)
    found = []
    for metric in range(len(scored.metrics)):
        costs = ties_kept(scored.costs[metric, places])
        counts = _within(costs, less, more) if within else _of_all(costs, ranks[places])
        found.append(_order(metric, counts, segments, within=within, confidence=plan.confidence))
    return tuple(found)


def _order(
    metric: int, counts: Floats, segments: NDArray[np.intp], *, within: bool, confidence: float
) -> SeverityOrder:
    """The share of ordered comparisons. Its variance is the infinitesimal jackknife's, over segments (Jaeckel 1972)."""
    ordered, tied, compared = counts.sum(axis=1) / 2  # each comparison is counted for both errors
    share = float(ordered / compared)
    # A segment weighs once in a comparison within it, and on either side in one of all errors.
    influences = np.bincount(segments, counts[0] - share * counts[2]) / compared / (2 if within else 1)
    interval = clustered_interval(share, influences, confidence) if len(influences) > 1 else None
    return SeverityOrder(metric, within, int(compared), share, float(tied / compared), interval)


def _within_segments(
    ranks: NDArray[np.intp], segments: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All pairs of errors of the same segment and different severity: the less and the more severe ones."""
    order = np.argsort(segments, kind="stable")
    less, more = [], []
    for group in np.split(order, np.flatnonzero(np.diff(segments[order])) + 1):
        one, other = np.nonzero(ranks[group][:, np.newaxis] < ranks[group])
        less.append(group[one])
        more.append(group[other])
    return np.concatenate(less), np.concatenate(more)


def _within(costs: Floats, less: NDArray[np.intp], more: NDArray[np.intp]) -> Floats:
    """Of each error, the comparisons that are ordered, that are tied, and all [3, errors]."""
    kinds = (costs[more] > costs[less], costs[more] == costs[less], np.ones(len(less)))
    return np.stack(
        [np.bincount(less, kind, len(costs)) + np.bincount(more, kind, len(costs)) for kind in kinds]
    )


def _of_all(costs: Floats, ranks: NDArray[np.intp]) -> Floats:
    """The same for comparisons of all errors of different severity."""
    found = np.zeros((3, len(costs)))
    for rank in np.unique(ranks):
        own = ranks == rank
        for others, sign in ((ranks < rank, 1.0), (ranks > rank, -1.0)):
            # More severe errors cost more; with the sign turned, less severe ones cost less.
            sorted_costs = np.sort(sign * costs[others])
            below = np.searchsorted(sorted_costs, sign * costs[own], "left")
            up_to = np.searchsorted(sorted_costs, sign * costs[own], "right")
            found[:, own] += [below, up_to - below, np.full(len(below), len(sorted_costs))]
    return found
