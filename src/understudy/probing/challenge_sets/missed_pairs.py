"""The pairs that metrics get most wrong, as examples."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from understudy.probing.challenge_sets.results import MissedPair
from understudy.probing.challenge_sets.scored_pairs import ScoredPairs


def missed_pairs(scored: ScoredPairs) -> Iterator[MissedPair]:
    """Of every phenomenon and metric, the pair whose error costs least, unless all are right. The translations differ:
    a tie of the same text is no fault of the metric.
    """
    differ = np.array([pair.good != pair.incorrect for pair in scored.pairs])
    for number, phenomenon in enumerate(scored.phenomena):
        places = np.flatnonzero((scored.phenomenon_of == number) & differ)
        for metric in range(len(scored.metrics)):
            costs = scored.costs[metric, places]
            if not (costs <= 0).any():
                continue
            place = places[int(costs.argmin())]
            pair = scored.pairs[place]
            yield MissedPair(
                phenomenon,
                metric,
                pair.where,
                pair.source,
                pair.references,
                pair.good,
                pair.incorrect,
                tuple((float(good), float(incorrect)) for good, incorrect in scored.scores[:, place]),
            )
