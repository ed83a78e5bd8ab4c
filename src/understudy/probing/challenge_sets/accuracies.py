"""Accuracies of metrics by phenomenon and on average, with confidence intervals."""

from __future__ import annotations

import numpy as np

from understudy.probing.challenge_sets.results import MeanResult, PhenomenonResult
from understudy.probing.challenge_sets.scored_pairs import ScoredPairs
from understudy.resampling.proportions import mean_share_interval


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
                    interval=mean_share_interval(right, np.zeros_like(segments), segments, confidence),
                    tau=2 * accuracy - 1,
                    difference=float(costs.mean()),
                )
            )
    return tuple(found)


def over_phenomena(
    scored: ScoredPairs, results: tuple[PhenomenonResult, ...], confidence: float
) -> tuple[MeanResult, ...]:
    """The means of every metric over all phenomena."""
    found = []
    for metric in range(len(scored.metrics)):
        own = [result for result in results if result.metric == metric]
        found.append(
            MeanResult(
                metric,
                phenomena=len(own),
                pairs=len(scored.pairs),
                accuracy=float(np.mean([result.accuracy for result in own])),
                interval=mean_share_interval(
                    scored.right[metric], scored.phenomenon_of, scored.segment_of, confidence
                ),
                tied=float(np.mean([result.tied / result.pairs for result in own])),
                tau=float(np.mean([result.tau for result in own])),
            )
        )
    return tuple(found)
