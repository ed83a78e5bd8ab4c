"""Made-up rankings."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from understudy.judging.analysis.comparisons import Comparisons
from understudy.judging.judgments import Rankings


def comparisons_of(outcomes: Sequence[tuple[int, int, int]]) -> Comparisons:
    """Of (better, worse, how often), each in a segment of its own; ties are (one, other, minus how often)."""
    rows = [(one, other, times < 0) for one, other, times in outcomes for _ in range(abs(times))]
    screen = np.repeat(np.arange(len(rows)), 2)
    system = [system for one, other, _ in rows for system in (one, other)]
    rank = [rank for *_, tied in rows for rank in (1, 1 if tied else 2)]
    return Comparisons.of(Rankings.of(screen * 0, screen, screen, system, rank))


def random_outcomes(seed: int, systems: int, ties: bool) -> list[tuple[int, int, int]]:
    generator = np.random.default_rng(seed)
    found = []
    for one, other in itertools.combinations(range(systems), 2):
        wins, losses, tied = generator.integers(1, 15, 3).tolist()
        found += [(one, other, wins), (other, one, losses)] + ([(one, other, -tied)] if ties else [])
    return found
