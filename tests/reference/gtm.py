"""The General Text Matcher as its paper describes it (Melamed, Green, Turian 2003): every run of matching words is
listed, long before short, and taken if it overlaps none taken before.

Nothing here is shared with the package.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

Tokens = Sequence[str]


class Sizes(NamedTuple):
    size: float  # of the maximum matching
    hypothesis: int
    reference: Fraction  # the mean length of the references

    @property
    def precision(self) -> float:
        return self.size / self.hypothesis if self.hypothesis else 0.0

    @property
    def recall(self) -> float:
        return float(self.size / self.reference) if self.reference else 0.0

    @property
    def f(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


def sizes(hypothesis: Tokens, references: Sequence[Tokens], exponent: float) -> Sizes:
    mean = Fraction(sum(map(len, references)), len(references))
    lengths = run_lengths(hypothesis, references, min(Fraction(len(hypothesis)), mean))
    size = sum(float(length) ** exponent for length in lengths) ** (1 / exponent) if lengths else 0.0
    return Sizes(size, len(hypothesis), mean)


def run_lengths(hypothesis: Tokens, references: Sequence[Tokens], most: Fraction) -> list[Fraction]:
    """The lengths of the runs taken, of which the last is cut off where there are more than `most` words."""
    text: list[str | None] = []  # all references, with None after each, which matches nothing
    for reference in references:
        text += [*reference, None]
    runs = [
        (length, i, j)
        for i in range(len(hypothesis))
        for j in range(len(text))
        for length in range(1, common_prefix(hypothesis[i:], text[j:]) + 1)
    ]
    free_i, free_j = set(range(len(hypothesis))), set(range(len(text)))
    taken: list[Fraction] = []
    for length, i, j in sorted(runs, reverse=True):  # of equal lengths the last one first
        here, there = set(range(i, i + length)), set(range(j, j + length))
        if here <= free_i and there <= free_j:
            free_i -= here
            free_j -= there
            taken.append(min(Fraction(length), most - sum(taken)))
    return [length for length in taken if length > 0]


def common_prefix(one: Sequence[str | None], other: Sequence[str | None]) -> int:
    count = 0
    while count < min(len(one), len(other)) and one[count] == other[count]:
        count += 1
    return count
