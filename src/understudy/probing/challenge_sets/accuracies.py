"""Accuracies of metrics by phenomenon and on average, with confidence intervals."""

from __future__ import annotations

import numpy as np

from understudy.arrays import Floats
from understudy.probing.challenge_sets.results import MeanResult, PhenomenonResult
from understudy.probing.challenge_sets.scored_pairs import ScoredPairs
from understudy.resampling.proportions import effective_count, mean_interval, wilson


def by_phenomenon(scored: ScoredPairs, confidence: float) -> tuple[PhenomenonResult, ...]:
    """The result of every metric on every phenomenon."""
    found = []
    for number, phenomenon in enumerate(scored.phenomena):
        places = np.flatnonzero(scored.phenomenon_of == number)
        segments = np.unique(scored.segment_of[places], return_inverse=True)[1]
        severities = {scored.pairs[place].severity for place in places}
        for metric in range(len(scored.metrics)):
            right, costs = scored.right[metric, places], scored.costs[metric, places]
            accuracy = float(right.mean())
            found.append(
                PhenomenonResult(
                    phenomenon,
                    severities.copy().pop() if len(severities) == 1 else "",
                    metric,
                    pairs=len(places),
                    segments=int(segments.max()) + 1,
                    right=int(right.sum()),
                    tied=int((costs == 0).sum()),
                    accuracy=accuracy,
                    interval=wilson(accuracy, effective_count(right, segments), confidence),
                    tau=2 * accuracy - 1,
                    difference=float(costs.mean()),
                )
            )
    return tuple(found)


def over_phenomena(scored: ScoredPairs, by_name: tuple[PhenomenonResult, ...]) -> tuple[MeanResult, ...]:
    """The means of every metric over all phenomena."""
    found = []
    for metric in range(len(scored.metrics)):
        own = [result for result in by_name if result.metric == metric]
        accuracies = np.array([result.accuracy for result in own])
        intervals = [result.interval for result in own]
        found.append(
            MeanResult(
                metric,
                phenomena=len(own),
                pairs=len(scored.pairs),
                accuracy=float(accuracies.mean()),
                interval=mean_interval(accuracies, intervals, _correlations(scored, metric, accuracies)),
                tied=float(np.mean([result.tied / result.pairs for result in own])),
                tau=float(np.mean([result.tau for result in own])),
            )
        )
    return tuple(found)


def _correlations(scored: ScoredPairs, metric: int, accuracies: Floats) -> Floats:
    """The correlations of the accuracies of phenomena [phenomena, phenomena], due to segments with several of them. An
    accuracy of 0 or 1 has none.
    """
    phenomena = len(accuracies)
    deviations = scored.right[metric] - accuracies[scored.phenomenon_of]
    cells = scored.segment_of * phenomena + scored.phenomenon_of
    size = (int(scored.segment_of.max()) + 1) * phenomena
    sums = np.bincount(cells, weights=deviations, minlength=size).reshape(-1, phenomena)
    covariances = sums.T @ sums
    spreads = np.sqrt(np.diag(covariances))
    spreads[spreads == 0] = np.inf
    correlations = covariances / np.outer(spreads, spreads)
    np.fill_diagonal(correlations, 1.0)
    return np.asarray(correlations)
