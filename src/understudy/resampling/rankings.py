"""Rankings: Kendall's tau-b, and equality of two rankings."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from understudy._core import ORDER_COLUMNS, count_orders
from understudy.arrays import Floats


def kendall_tau(one: Floats, other: Floats) -> float:
    """Kendall's tau-b of two rankings, with ties: 1 for the same, -1 for the reverse.

    >>> round(kendall_tau(np.array([1.0, 2.0, 3.0]), np.array([1.0, 3.0, 2.0])), 12)
    0.333333333333
    """
    if same_ranking(one, other):
        return 1.0  # also where all are equal, for which tau is not defined
    return float(np.clip(np.nan_to_num(tau_b(_orders(one, other))), -1.0, 1.0))


def same_ranking(one: Floats, other: Floats) -> bool:
    """Whether every pair of systems has the same order."""
    _, discordant, ties_one, ties_other, ties_both, *_ = _orders(one, other).tolist()
    return bool(discordant == 0 and ties_one == ties_other == ties_both)


def _orders(one: Floats, other: Floats) -> NDArray[np.int64]:
    rows = np.empty((1, 1, ORDER_COLUMNS), dtype=np.int64)
    count_orders(one[np.newaxis], other[np.newaxis], None, rows, threads=1)
    return np.asarray(rows[0, 0])


def tau_b(counts: NDArray[np.int64]) -> Floats:
    """(C - D) / sqrt((pairs - ties of the one) (pairs - ties of the other)) (Kendall 1945), of what `count_orders`
    counts [..., ORDER_COLUMNS]; not a number where one of them ties all.
    """
    more, pairs, ties_one, ties_other = pairs_of(counts)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = more / np.sqrt(pairs - ties_one) / np.sqrt(pairs - ties_other)
    return np.asarray(np.where((pairs > ties_one) & (pairs > ties_other), found, np.nan))


def pairs_of(counts: NDArray[np.int64]) -> tuple[Floats, Floats, Floats, Floats]:
    """C - D, all pairs, pairs that the first score ties, pairs that the second ties: see
    core/agreement/rank_agreement.h.
    """
    drawn, discordant, ties_one, ties_other, ties_both = (counts[..., column] for column in range(5))
    pairs = drawn * (drawn - 1) // 2
    more = pairs - ties_one - ties_other + ties_both - 2 * discordant
    more_than_differ, all_pairs, one, other = (
        part.astype(np.float64) for part in (more, pairs, ties_one, ties_other)
    )
    return more_than_differ, all_pairs, one, other
