"""Differences between systems as they stand: between scores that one judge gave to outputs of one segment.

The comparison of the BLEU report (section 4): within judge and segment, neither a judge's severity nor the difficulty
of a segment matters.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import erf, sqrt

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Differences:
    """Running sums over all pairs of systems."""

    def __init__(self, systems: int) -> None:
        self.count: Floats = np.zeros((systems, systems))
        self.total: Floats = np.zeros((systems, systems))
        self.squares: Floats = np.zeros((systems, systems))
        self._scores: dict[Hashable, dict[int, float]] = {}  # by judge and place

    def record(self, place: Hashable, scores: Mapping[int, float]) -> None:
        """Scores by system that one judge gave in one place, such as a segment. Later scores replace earlier ones."""
        here = self._scores.setdefault(place, {})
        self._add(here, -1)
        here.update(scores)
        self._add(here, 1)

    def _add(self, scores: Mapping[int, float], sign: int) -> None:
        if len(scores) < 2:
            return
        systems = np.array(list(scores))
        values = np.array(list(scores.values()))
        difference = values[:, None] - values[None, :]
        cells = np.ix_(systems, systems)
        self.count[cells] += sign * (1 - np.eye(len(systems)))
        self.total[cells] += sign * difference
        self.squares[cells] += sign * difference**2

    def z(self) -> Floats:
        """Mean differences in standard errors, with one variance for all pairs, since single pairs have few values. 0
        where nothing is known.
        """
        n = np.maximum(self.count, 1)
        mean = self.total / n
        freedom = np.maximum(self.count - 1, 0).sum()  # every pair is there twice, in both sums
        residual = (self.squares - n * mean**2).sum()
        variance = residual / freedom if freedom > 0 and residual > 0 else 1.0
        return np.asarray(np.where(self.count > 0, mean / np.sqrt(variance / n), 0.0))

    def doubts(self) -> Floats:
        """For every pair of systems, how much one more comparison may settle: the probability that their order is
        wrong, divided by the square root of the comparisons made, so that equal systems do not take everything.
        """
        wrong = 0.5 * (1 - _erf(np.abs(self.z()) / sqrt(2)))
        doubts = wrong / np.sqrt(self.count + 1)
        np.fill_diagonal(doubts, 0.0)
        return np.asarray(doubts)


_erf = np.vectorize(erf, otypes=[np.float64])
