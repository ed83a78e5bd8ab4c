"""Smoothing: what BLEU does when an n-gram order has no match.

The geometric mean is zero as soon as one precision is, which makes BLEU of a single segment mostly zero. The methods
themselves are in core/ngram/bleu_score.cpp; here are their names and their parameters. An order without any hypothesis
n-gram (total 0) gets 0 unless the method gives it more; `BLEU.empty_order` decides what it counts as.

chen-cherry-1 to chen-cherry-7 are numbered as in Chen & Cherry (2014), "A Systematic Comparison of Smoothing
Techniques for Sentence-Level BLEU"; the first three are floor, add-k and exp under other names. Method 4 uses
the factor that NLTK uses, 2^i * K / ln(length) for the i-th order without a match.
"""

from __future__ import annotations

from typing import NamedTuple


class Smoothing(NamedTuple):
    """A smoothing method by the core's name, the default of its one number (if it has one), and what it needs."""

    method: str
    default: float | None = None
    divides: bool = False  # by its number, which cannot be 0 then
    extra_orders: int = 0  # how many beyond the last it looks at
    true_totals_from: int | None = None  # from this order on `empty_order="count-one"` would falsify it


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
