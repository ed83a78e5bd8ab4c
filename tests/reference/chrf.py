"""chrF as a textbook would have it: slow, obvious, in exact fractions as far as they go.

Nothing here is shared with the package. `segment` gives the counts of a text against one reference, `chrf` the
score of counts.
"""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any


@dataclass(frozen=True)
class Counts:
    """n-grams of the hypothesis, of the reference, and those that match: of each order, characters first."""

    hypothesis: tuple[int, ...]
    reference: tuple[int, ...]
    matches: tuple[int, ...]

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            *(
                tuple(a + b for a, b in zip(mine, its, strict=True))
                for mine, its in zip(self.parts, other.parts, strict=True)
            )
        )

    @property
    def parts(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        return self.hypothesis, self.reference, self.matches


def ngrams(symbols: Sequence[Hashable], n: int) -> Counter[Any]:
    return Counter(tuple(symbols[i : i + n]) for i in range(len(symbols) - n + 1))


def words(text: str) -> list[str]:
    """White space separates; a word of two characters and more gives up one mark at its end, or else its start."""
    found: list[str] = []
    for word in text.split():
        if len(word) > 1 and word[-1] in string.punctuation:
            found += [word[:-1], word[-1]]
        elif len(word) > 1 and word[0] in string.punctuation:
            found += [word[0], word[1:]]
        else:
            found.append(word)
    return found


@dataclass(frozen=True, kw_only=True)
class TextbookCHRF:
    char_order: int = 6
    word_order: int = 0
    beta: float = 2.0
    lowercase: bool = False
    whitespace: bool = False
    average: str = "effective"

    def segment(self, hypothesis: str, references: Sequence[str]) -> Counts:
        """The counts against the reference of the highest score; the first of them."""
        return max((self.count(hypothesis, reference) for reference in references), key=self.score)

    def count(self, hypothesis: str, reference: str) -> Counts:
        triples = []
        for h, r in zip(self.ngrams_of(hypothesis), self.ngrams_of(reference), strict=True):
            # Of an order that the reference does not have, nothing is counted.
            triples.append((h.total() if r else 0, r.total(), (h & r).total()))
        return Counts(*zip(*triples, strict=True))

    def ngrams_of(self, text: str) -> list[Counter[Any]]:
        text = text.lower() if self.lowercase else text
        characters = text if self.whitespace else "".join(text.split())
        return [
            *(ngrams(characters, n) for n in range(1, self.char_order + 1)),
            *(ngrams(words(text), n) for n in range(1, self.word_order + 1)),
        ]

    def score(self, counts: Counts) -> float:
        orders = list(zip(*counts.parts, strict=True))
        if self.average == "eps":
            return float(100 * sum(self._f_of_order(*order) for order in orders) / len(orders))
        effective = [(Fraction(m, h), Fraction(m, r)) for h, r, m in orders if h and r]
        if not effective:
            return 0.0
        precision = sum((p for p, _ in effective), Fraction()) / len(effective)
        recall = sum((r for _, r in effective), Fraction()) / len(effective)
        return float(100 * self._f(precision, recall, otherwise=Fraction()))

    def _f_of_order(self, hypothesis: int, reference: int, matches: int) -> Fraction:
        nothing = Fraction(1e-16)
        precision = Fraction(matches, hypothesis) if hypothesis else nothing
        recall = Fraction(matches, reference) if reference else nothing
        return self._f(precision, recall, otherwise=nothing)

    def _f(self, precision: Fraction, recall: Fraction, otherwise: Fraction) -> Fraction:
        weight = Fraction(self.beta) ** 2
        below = weight * precision + recall
        return (1 + weight) * precision * recall / below if below else otherwise
