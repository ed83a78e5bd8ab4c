"""Comparisons: every pair of systems that a ranking puts in an order, or ties."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.judging.judgments import Places, Rankings, combined


@dataclass(frozen=True, eq=False)
class Comparisons:
    """One row per pair of systems in a ranking. Made of rankings, the first system has the smaller number."""

    judge: Places
    segment: Places
    screen: Places
    first: Places  # system
    second: Places
    first_unit: Places
    second_unit: Places
    outcome: Places  # 1: the first is better; -1: the second; 0: a tie
    repeat: NDArray[np.bool_]

    @classmethod
    def of(cls, rankings: Rankings) -> Comparisons:
        """A ranking of k outputs makes k (k - 1) / 2 comparisons, which are not independent of each other."""
        order = np.lexsort((rankings.system, rankings.screen))
        rows = rankings.rows(order)
        one, other = _pairs_within(rows.screen)
        return cls(
            rows.judge[one],
            rows.segment[one],
            rows.screen[one],
            rows.system[one],
            rows.system[other],
            rows.unit[one],
            rows.unit[other],
            np.sign(rows.rank[other] - rows.rank[one]),
            rows.repeat[one],
        )

    def __len__(self) -> int:
        return len(self.outcome)

    def of_texts(self) -> tuple[Comparisons, Places]:
        """What judges had to compare, and the number of each pair of texts: different texts, each pair once in a
        ranking, whichever systems have them, and always in the same direction.
        """
        turned = self.first_unit > self.second_unit
        low, high = (
            np.minimum(self.first_unit, self.second_unit),
            np.maximum(self.first_unit, self.second_unit),
        )
        pair = combined(low, high)
        _, example = np.unique(combined(self.screen, pair), return_index=True)
        rows = np.sort(example)[(low != high)[np.sort(example)]]
        return Comparisons(
            self.judge[rows],
            self.segment[rows],
            self.screen[rows],
            np.where(turned, self.second, self.first)[rows],
            np.where(turned, self.first, self.second)[rows],
            low[rows],
            high[rows],
            np.where(turned, -self.outcome, self.outcome)[rows],
            self.repeat[rows],
        ), pair[rows]


def _pairs_within(groups: Places) -> tuple[Places, Places]:
    """The rows of every pair within a group; groups are sorted."""
    _, sizes = np.unique(groups, return_counts=True)
    starts = np.cumsum(sizes) - sizes
    one, other = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for size in np.unique(sizes).tolist():
        first, second = np.triu_indices(size, 1)
        of_size = starts[sizes == size][:, np.newaxis]
        one.append((of_size + first).ravel())
        other.append((of_size + second).ravel())
    rows = np.concatenate(one)
    order = np.argsort(rows, kind="stable")
    return rows[order], np.concatenate(other)[order]
