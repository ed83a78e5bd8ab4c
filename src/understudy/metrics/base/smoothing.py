"""Smoothing methods for BLEU: precisions of n-gram orders without a match.

The geometric mean is zero if any precision is zero, so BLEU of a single segment is often zero. The methods are
implemented in core/ngram/bleu_score.cpp; this file has their names and parameters. An order without hypothesis n-grams
(total 0) gets 0 unless the method gives it more; `BLEU.empty_order` determines how it counts.

chen-cherry-1 to chen-cherry-7 are numbered as in Chen & Cherry (2014), "A Systematic Comparison of Smoothing
Techniques for Sentence-Level BLEU"; the first three are floor, add-k and exp under other names. Method 4 uses NLTK's
factor, 2^i * K / ln(length), for the i-th order without a match.
"""

from __future__ import annotations

from typing import NamedTuple


class Smoothing(NamedTuple):
    """A smoothing method by the core's name, the default of its one number (if it has one), and what it needs."""

    method: str
    default: float | None = None
    divides: bool = False  # by its parameter, which must then not be 0
    extra_orders: int = 0  # number of orders needed beyond the maximum
    true_totals_from: int | None = None  # from this order on, `empty_order="count-one"` would distort it


SMOOTHINGS: dict[str, Smoothing] = {
    "none": Smoothing("none"),
    "floor": Smoothing("floor", default=0.1),
    "add-k": Smoothing("add-k", default=1.0),
    "add-k-all": Smoothing("add-k-everywhere", default=1.0),
    "exp": Smoothing("exp"),
    "chen-cherry-1": Smoothing("floor", default=0.1),
    "chen-cherry-2": Smoothing("add-k", default=1.0),
    "chen-cherry-3": Smoothing("exp"),
    "chen-cherry-4": Smoothing("length-scaled", default=5.0, divides=True),
    "chen-cherry-5": Smoothing("neighbours", extra_orders=1),
    "chen-cherry-6": Smoothing("interpolated", default=5.0, divides=True, true_totals_from=3),
    "chen-cherry-7": Smoothing("length-scaled-neighbours", default=5.0, divides=True, extra_orders=1),
}
