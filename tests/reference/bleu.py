"""BLEU as a textbook would have it: slow, obvious, of lists of tokens. The tests compare the package with it.

Nothing here is shared with the package. Counts are integers, precisions exact fractions as long as the method
allows, and every smoothing is written from its definition, one order at a time.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

Tokens = Sequence[str]
Number = Any  # int, Fraction or float


# --- counting -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counts:
    """What BLEU needs to know of a text: of one segment, or of many added up."""

    length: int  # c
    reference_length: Fraction  # r
    matches: tuple[int, ...]  # clipped, of order 1, 2, ...
    totals: tuple[int, ...]

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.length + other.length,
            self.reference_length + other.reference_length,
            tuple(a + b for a, b in zip(self.matches, other.matches, strict=True)),
            tuple(a + b for a, b in zip(self.totals, other.totals, strict=True)),
        )


def ngrams(tokens: Tokens, n: int) -> Counter[tuple[str, ...]]:
    """How often each n-gram occurs."""
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def clipped_matches(hypothesis: Tokens, references: Sequence[Tokens], n: int) -> int:
    """Each n-gram counts at most as often as in the reference that has most of it."""
    most: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        most |= ngrams(reference, n)
    return sum((ngrams(hypothesis, n) & most).values())


def reference_length(hypothesis: Tokens, references: Sequence[Tokens], brevity: str) -> Fraction:
    """The length a hypothesis is measured against."""
    lengths = sorted(len(reference) for reference in references)
    if brevity == "shortest":
        return Fraction(lengths[0])
    if brevity == "average":
        return Fraction(sum(lengths), len(lengths))
    return Fraction(min(lengths, key=lambda length: (abs(length - len(hypothesis)), length)))


def count(
    hypothesis: Tokens,
    references: Sequence[Tokens],
    *,
    orders: int,
    brevity: str = "closest",
    at_least_one: int = 0,
) -> Counts:
    """The counts of one segment; each of the first `at_least_one` orders is said to have an n-gram."""
    totals = [ngrams(hypothesis, n).total() for n in range(1, orders + 1)]
    return Counts(
        len(hypothesis),
        reference_length(hypothesis, references, brevity),
        tuple(clipped_matches(hypothesis, references, n) for n in range(1, orders + 1)),
        tuple(max(total, 1) if n < at_least_one else total for n, total in enumerate(totals)),
    )


# --- smoothing: counts of orders 1 ... M and a number to precisions of orders 1 ... N -----------------------


def precision(matches: Number, total: Number) -> Number:
    if total == 0:
        return 0
    exact = isinstance(matches, int) and isinstance(total, int)
    return Fraction(matches, total) if exact else matches / total


def no_smoothing(counts: Counts, _value: float) -> list[Number]:
    return [precision(m, t) for m, t in zip(counts.matches, counts.totals, strict=True)]


def floor(counts: Counts, epsilon: float) -> list[Number]:
    """Chen and Cherry 1: epsilon matches instead of none."""
    return [
        precision(matches if matches > 0 else epsilon, total)
        for matches, total in zip(counts.matches, counts.totals, strict=True)
    ]


def add_k(counts: Counts, k: float) -> list[Number]:
    """Chen and Cherry 2, Lin and Och: one more match and one more n-gram, but not of single words."""
    first, *others = zip(counts.matches, counts.totals, strict=True)
    return [precision(*first), *(precision(matches + k, total + k) for matches, total in others)]


def add_k_everywhere(counts: Counts, k: float) -> list[Number]:
    """Moses' sentence-bleu: of single words too."""
    return [
        precision(matches + k, total + k)
        for matches, total in zip(counts.matches, counts.totals, strict=True)
    ]


def halves(counts: Counts, _value: float) -> list[Number]:
    """Chen and Cherry 3, mteval: 1/2, 1/4, 1/8 ... of a match for each order that has none."""
    smoothed: list[Number] = []
    without = 0
    for matches, total in zip(counts.matches, counts.totals, strict=True):
        if total > 0 and matches == 0:
            without += 1
            smoothed.append(Fraction(1, 2**without * total))
        else:
            smoothed.append(precision(matches, total))
    return smoothed


def by_length(counts: Counts, k: float, *, one_word: Number = 1) -> list[Number]:
    """Chen and Cherry 4 as NLTK reads it: 1 / (2^i K / ln(length)) matches for the i-th order without any.

    The text of one word has ln(1) = 0. NLTK lets its orders without a match stand as zeros, and drops zeros
    from the sum of logarithms, which is what a precision of 1 does.
    """
    smoothed: list[Number] = []
    without = 0
    for n, (matches, total) in enumerate(zip(counts.matches, counts.totals, strict=True), start=1):
        if total > 0 and matches == 0 and counts.length > 1:
            without += 1
            smoothed.append(1 / (2**without * k / math.log(counts.length)) / total)
        elif total > 0 and matches == 0 and n > 1:
            smoothed.append(one_word)
        else:
            smoothed.append(precision(matches, total))
    return smoothed


def averaged(precisions: list[Number]) -> list[Number]:
    """Each with its two neighbors, the lower one averaged already; below the first is the first plus 1."""
    lower = precisions[0] + 1
    smoothed = []
    for here, higher in pairwise(precisions):
        lower = (lower + here + higher) / 3
        smoothed.append(lower)
    return smoothed


def neighbors(counts: Counts, value: float) -> list[Number]:
    """Chen and Cherry 5. Needs one order more than it gives."""
    return averaged(no_smoothing(counts, value))


def interpolated(counts: Counts, alpha: float) -> list[Number]:
    """Chen and Cherry 6: from order 3 on alpha n-grams more, of which p_(n-1)^2 / p_(n-2) match."""
    smoothed = no_smoothing(counts, alpha)
    for n in range(2, len(smoothed)):
        prior = smoothed[n - 1] ** 2 / smoothed[n - 2] if smoothed[n - 2] else 0
        smoothed[n] = (counts.matches[n] + alpha * prior) / (counts.totals[n] + alpha)
    return smoothed


def by_length_then_neighbors(counts: Counts, k: float) -> list[Number]:
    """Chen and Cherry 7: method 4, then method 5. The order beyond the last is not smoothed by method 4."""
    smoothed = by_length(counts, k, one_word=0)
    return averaged([*smoothed[:-1], precision(counts.matches[-1], counts.totals[-1])])


Smoothing = Callable[[Counts, float], list[Number]]

SMOOTHINGS: dict[str, tuple[Smoothing, float, int]] = {  # function, default of its number, orders more
    "none": (no_smoothing, 0, 0),
    "floor": (floor, 0.1, 0),
    "add-k": (add_k, 1, 0),
    "add-k-all": (add_k_everywhere, 1, 0),
    "exp": (halves, 0, 0),
    "chen-cherry-1": (floor, 0.1, 0),
    "chen-cherry-2": (add_k, 1, 0),
    "chen-cherry-3": (halves, 0, 0),
    "chen-cherry-4": (by_length, 5, 0),
    "chen-cherry-5": (neighbors, 0, 1),
    "chen-cherry-6": (interpolated, 5, 0),
    "chen-cherry-7": (by_length_then_neighbors, 5, 1),
}


# --- scoring ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class TextbookBLEU:
    """The same parameters as the package's BLEU, of texts that are lists of tokens; scores from 0 to 1."""

    max_order: int = 4
    weights: tuple[float, ...] | None = None
    average: str = "geometric"
    smooth: str = "none"
    smooth_value: float | None = None
    effective_order: bool = False
    brevity: str = "closest"
    brevity_steepness: float = 1.0
    empty_order: str = "zero"
    no_match: str = "zero"

    def count(self, hypothesis: Tokens, references: Sequence[Tokens]) -> Counts:
        smooth, _, more = SMOOTHINGS[self.smooth]
        at_least_one = 0
        if self.empty_order == "count-one":
            # Method 6 takes the true number of n-grams from order 3 on, in NLTK too.
            at_least_one = 2 if smooth is interpolated else self.max_order + more
        return count(
            hypothesis,
            references,
            orders=self.max_order + more,
            brevity=self.brevity,
            at_least_one=at_least_one,
        )

    def corpus(self, hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> float:
        first, *others = (self.count(h, r) for h, r in zip(hypotheses, references, strict=True))
        return self.score(sum(others, start=first))

    def precisions(self, counts: Counts) -> list[Number]:
        if self.no_match == "zero" and not any(counts.matches):
            return [0] * self.max_order
        smooth, default, _ = SMOOTHINGS[self.smooth]
        smoothed = smooth(counts, default if self.smooth_value is None else self.smooth_value)
        if self.empty_order == "one":
            totals = counts.totals[: self.max_order]
            smoothed = [
                1 if total == 0 and counts.length > 0 else p
                for p, total in zip(smoothed, totals, strict=True)
            ]
        return smoothed

    def brevity_penalty(self, counts: Counts) -> float:
        if counts.length >= counts.reference_length:
            return 1.0
        if counts.length == 0:
            return 0.0
        return math.exp(self.brevity_steepness * (1 - counts.reference_length / counts.length))

    def score(self, counts: Counts, up_to: int | None = None) -> float:
        """BLEU; or BLEU-n with `up_to` n orders, whose weights are then made to sum to 1."""
        used = up_to or self.max_order
        if self.effective_order:
            used = min(used, self._orders_there_are(counts))
        weights = [Fraction(w) for w in self.weights or [Fraction(1, self.max_order)] * self.max_order][:used]
        if sum(weights) == 0:
            return 0.0
        if self.average == "arithmetic":
            weighted = zip(weights, self.precisions(counts)[:used], strict=True)
            return self.brevity_penalty(counts) * float(
                sum(w * Fraction(p) for w, p in weighted) / sum(weights)
            )
        logarithm = 0.0
        for weight, p in zip(weights, self.precisions(counts)[:used], strict=True):
            if weight > 0:
                if p <= 0:
                    return 0.0
                logarithm += float(weight / sum(weights)) * math.log(p)
        return self.brevity_penalty(counts) * math.exp(logarithm)

    def _orders_there_are(self, counts: Counts) -> int:
        """The orders the text is long enough for. The first always counts; what add-k adds to is there, too."""
        smooth, default, _ = SMOOTHINGS[self.smooth]
        added = (
            (default if self.smooth_value is None else self.smooth_value)
            if smooth in (add_k, add_k_everywhere)
            else 0
        )
        return 1 + sum(total + added > 0 for total in counts.totals[1 : self.max_order])
