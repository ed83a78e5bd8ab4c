"""Smoothing: what BLEU does when an n-gram order has no match.

The geometric mean is zero as soon as one precision is, which makes BLEU of a single segment mostly zero. Each
function here takes matches and totals [..., N] and gives precisions [..., N] in percent. An order without any
hypothesis n-gram (total 0) gets 0 unless the method gives it more; `BLEU.empty_order` decides what it counts as.

chen-cherry-1 to chen-cherry-7 are numbered as in Chen & Cherry (2014), "A Systematic Comparison of Smoothing
Techniques for Sentence-Level BLEU"; the first three are floor, add-k and exp under other names. Method 4 uses
the factor that NLTK uses, 2^i * K / ln(length) for the i-th order without a match.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy._core import log

Floats = NDArray[np.float64]
Smooth = Callable[[Floats, Floats, float, Floats], Floats]  # matches, totals, value, hypothesis length


@dataclass(frozen=True)
class Smoothing:
    """A smoothing method, the default of its one number (if it has one), and what it needs counted."""

    smooth: Smooth
    default: float | None = None
    divides: bool = False  # by its number, which cannot be 0 then
    extra_orders: int = 0  # how many beyond the last it looks at
    true_totals_from: int | None = None  # from this order on `empty_order="count-one"` would falsify it


def plain(matches: Floats, totals: Floats, _value: float = 0, _length: Floats | None = None) -> Floats:
    """matches / totals in percent, as they are."""
    # In this order, 100 * matches first: it decides the last digit, and is the order sacreBLEU computes in.
    return np.divide(100.0 * matches, totals, out=np.zeros_like(matches), where=totals > 0)


def floor(matches: Floats, totals: Floats, value: float, _length: Floats) -> Floats:
    """A small count instead of no match."""
    return plain(np.where(matches == 0, value, matches), totals)


def add_k(matches: Floats, totals: Floats, value: float, _length: Floats) -> Floats:
    """k more matches and k more n-grams at every order but the first (Lin & Och 2004)."""
    return plain(*add_k_counts(matches, totals, value))


def add_k_everywhere(matches: Floats, totals: Floats, value: float, _length: Floats) -> Floats:
    """k more matches and k more n-grams at every order (Moses' sentence-bleu)."""
    return plain(matches + value, totals + value)


def add_k_counts(matches: Floats, totals: Floats, value: float) -> tuple[Floats, Floats]:
    """The counts that add-k takes the precisions of."""
    added = np.full(matches.shape[-1], value)
    added[0] = 0
    return matches + added, totals + added


def exp(matches: Floats, totals: Floats, _value: float, _length: Floats) -> Floats:
    """Half a match, a quarter, an eighth ... for the first, second, third order without one (mteval)."""
    return _instead_of_zero(matches, totals, 2.0 ** _nth_without_match(matches, totals))


def length_scaled(matches: Floats, totals: Floats, value: float, length: Floats) -> Floats:
    """As exp, but the longer the hypothesis the larger the share, by ln(length) / K."""
    precisions = _length_scaled_or_zero(matches, totals, value, length)
    # ln(1) gives a single word no share. NLTK drops such orders from the sum of logarithms: they cost nothing.
    dropped = (matches == 0) & (totals > 0) & (length[..., np.newaxis] <= 1)
    dropped[..., 0] = False
    return np.where(dropped, 100.0, precisions)


def _length_scaled_or_zero(matches: Floats, totals: Floats, value: float, length: Floats) -> Floats:
    logarithm = log(np.maximum(length, 2.0))[..., np.newaxis]
    smoothed = _instead_of_zero(
        matches, totals, 2.0 ** _nth_without_match(matches, totals) * value / logarithm
    )
    return np.where(length[..., np.newaxis] > 1, smoothed, plain(matches, totals))


def neighbours(matches: Floats, totals: Floats, _value: float, _length: Floats) -> Floats:
    """The mean of an order's precision and its neighbours', the lower one smoothed already."""
    return _average_neighbours(plain(matches, totals))


def length_scaled_neighbours(matches: Floats, totals: Floats, value: float, length: Floats) -> Floats:
    """length_scaled, then neighbours; the order beyond the last is taken as it is."""
    precisions = _length_scaled_or_zero(matches[..., :-1], totals[..., :-1], value, length)
    beyond = plain(matches, totals)[..., -1:]
    return _average_neighbours(np.concatenate([precisions, beyond], axis=-1))


def interpolated(matches: Floats, totals: Floats, value: float, _length: Floats) -> Floats:
    """From order 3 on: alpha n-grams more, matched as well as the two lower orders predict."""
    precisions = plain(matches, totals) / 100.0
    for n in range(2, precisions.shape[-1]):
        before, last = precisions[..., n - 2], precisions[..., n - 1]
        predicted = np.divide(last**2, before, out=np.zeros_like(last), where=before > 0)
        precisions[..., n] = (matches[..., n] + value * predicted) / (totals[..., n] + value)
    return precisions * 100.0


def _nth_without_match(matches: Floats, totals: Floats) -> Floats:
    """1 for the first order that has n-grams but no match, 2 for the second, and so on."""
    without_match: NDArray[np.bool_] = (matches == 0) & (totals > 0)
    return np.cumsum(without_match, axis=-1, dtype=np.float64)


def _instead_of_zero(matches: Floats, totals: Floats, divisor: Floats) -> Floats:
    """The precisions; where there is no match, 1 / divisor of one."""
    without = (matches == 0) & (totals > 0)
    share = np.divide(100.0, divisor * totals, out=np.zeros_like(matches), where=without)
    return np.where(without, share, plain(matches, totals))


def _average_neighbours(precisions: Floats) -> Floats:
    """N + 1 precisions to N, each the mean of three; before the first stands the first plus one."""
    smoothed = np.empty_like(precisions[..., 1:])
    lower = precisions[..., 0] + 100.0
    for n in range(smoothed.shape[-1]):
        lower = smoothed[..., n] = (lower + precisions[..., n] + precisions[..., n + 1]) / 3
    return smoothed


SMOOTHINGS: dict[str, Smoothing] = {
    "none": Smoothing(plain),
    "floor": Smoothing(floor, default=0.1),
    "add-k": Smoothing(add_k, default=1.0),
    "add-k-all": Smoothing(add_k_everywhere, default=1.0),
    "exp": Smoothing(exp),
    "chen-cherry-1": Smoothing(floor, default=0.1),
    "chen-cherry-2": Smoothing(add_k, default=1.0),
    "chen-cherry-3": Smoothing(exp),
    "chen-cherry-4": Smoothing(length_scaled, default=5.0, divides=True),
    "chen-cherry-5": Smoothing(neighbours, extra_orders=1),
    "chen-cherry-6": Smoothing(interpolated, default=5.0, divides=True, true_totals_from=3),
    "chen-cherry-7": Smoothing(length_scaled_neighbours, default=5.0, divides=True, extra_orders=1),
}
