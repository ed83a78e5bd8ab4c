"""Severities: accuracy and mean cost of each, and whether more severe errors cost more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats, ties_kept
from understudy.metrics.base.score import Interval
from understudy.probing.challenge_sets.plan import RESAMPLES, ChallengePlan
from understudy.probing.challenge_sets.results import SeverityOrder, SeverityResult
from understudy.probing.challenge_sets.scored_pairs import ScoredPairs
from understudy.resampling.intervals import interval_of
from understudy.resampling.samples import bootstrap_weights

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
        counts = (
            _WithinSegments.of(costs, less, more, segments)
            if within
            else _AllPairs.of(costs, ranks[places], segments)
        )
        count = int(segments.max()) + 1
        ordered, tied, compared = counts.totals(np.ones((1, count)))[:, 0].tolist()
        interval = _interval(counts, count, plan) if count > 1 else None
        found.append(
            SeverityOrder(metric, within, int(compared), ordered / compared, tied / compared, interval)
        )
    return tuple(found)


def _interval(counts: _Counts, segments: int, plan: ChallengePlan) -> Interval:
    """The percentile interval of bootstrap samples of segments. A sample without a comparison says nothing."""
    drawn = [counts.totals(weights) for weights in bootstrap_weights(segments, RESAMPLES, plan.seed)]
    ordered, _, compared = np.concatenate(drawn, axis=1)
    return interval_of(ordered[compared > 0] / compared[compared > 0], plan.confidence)


class _Counts(Protocol):
    def totals(self, weights: Floats) -> Floats:
        """Comparisons that are ordered, that are tied, and all [3, samples], with these weights of segments [samples,
        segments].
        """


# --- errors in the same segment ------------------------------------------------------------------------------


def _within_segments(
    ranks: NDArray[np.intp], segments: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """All pairs of errors of the same segment and different severity: the less and the more severe ones."""
    order = np.lexsort((ranks, segments))
    groups = np.split(order, np.flatnonzero(np.diff(segments[order])) + 1)
    less, more = [], []
    for group in groups:
        one, other = np.nonzero(ranks[group][:, np.newaxis] < ranks[group])
        less.append(group[one])
        more.append(group[other])
    return np.concatenate(less), np.concatenate(more)


@dataclass(frozen=True, eq=False)
class _WithinSegments:
    """Comparisons of errors in the same segment."""

    by_segment: Floats  # [3, segments]

    @classmethod
    def of(
        cls,
        costs: Floats,
        less: NDArray[np.intp],
        more: NDArray[np.intp],
        segments: NDArray[np.intp],
    ) -> _WithinSegments:
        kinds = (costs[more] > costs[less], costs[more] == costs[less], np.ones(len(less)))
        count = int(segments.max()) + 1
        return cls(np.stack([np.bincount(segments[less], kind, count) for kind in kinds]))

    def totals(self, weights: Floats) -> Floats:
        return self.by_segment @ weights.T


# --- all errors ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _AllPairs:
    """Comparisons of every error with all less severe ones, by their positions in the order of costs."""

    ranks: NDArray[np.intp]  # in the order of costs, as all others
    segments: NDArray[np.intp]
    below: NDArray[np.intp]  # number of errors that cost less
    up_to: NDArray[np.intp]  # number of errors that cost no more

    @classmethod
    def of(cls, costs: Floats, ranks: NDArray[np.intp], segments: NDArray[np.intp]) -> _AllPairs:
        order = np.argsort(costs, kind="stable")
        ascending = costs[order]
        below, up_to = (np.searchsorted(ascending, ascending, side) for side in ("left", "right"))
        return cls(ranks[order], segments[order], below, up_to)

    def totals(self, weights: Floats) -> Floats:
        found = np.zeros((3, len(weights)))
        of_errors = weights[:, self.segments]
        sums = np.zeros((len(weights), len(self.ranks) + 1))
        for rank in range(1, int(self.ranks.max()) + 1):
            np.cumsum(np.where(self.ranks < rank, of_errors, 0.0), axis=1, out=sums[:, 1:])
            severe = self.ranks == rank
            own, before = of_errors[:, severe], sums[:, self.below[severe]]
            found[0] += (own * before).sum(axis=1)
            found[1] += (own * (sums[:, self.up_to[severe]] - before)).sum(axis=1)
            found[2] += own.sum(axis=1) * sums[:, -1]
        return found
