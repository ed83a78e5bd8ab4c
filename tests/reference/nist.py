"""NIST as Doddington (2002) and mteval have it: slow, obvious, of lists of tokens.

Nothing here is shared with the package.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

Tokens = Sequence[str]
Ngram = tuple[str, ...]


def ngrams(tokens: Tokens, n: int) -> Counter[Ngram]:
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


@dataclass(frozen=True)
class TextbookNIST:
    """Knows all references of a test set; scores any segments of it."""

    test_set: Sequence[Sequence[Tokens]]  # the references of every segment
    max_order: int = 5
    zero_is_no_word: bool = False

    def __post_init__(self) -> None:
        counts: Counter[Ngram] = Counter()
        for group in self.test_set:
            for reference in group:
                for n in range(1, self.max_order + 1):
                    counts += ngrams(reference, n)
        # The empty n-gram stands before every word: it occurs as often as there are words.
        counts[()] = sum(count for ngram, count in counts.items() if len(ngram) == 1)
        object.__setattr__(self, "counts", counts)

    def information(self, ngram: Ngram) -> float:
        before = ngram[:-1]
        if self.zero_is_no_word and before == ("0",):
            before = ()
        counts: Counter[Ngram] = self.counts  # type: ignore[attr-defined]
        return math.log2(counts[before] / counts[ngram])

    def shared(self, hypothesis: Tokens, references: Sequence[Tokens], n: int) -> list[float]:
        """The information of every match: an n-gram counts as often as in the reference that has most of it."""
        most: Counter[Ngram] = Counter()
        for reference in references:
            most |= ngrams(reference, n)
        return [self.information(ngram) for ngram in (ngrams(hypothesis, n) & most).elements()]

    def score(self, hypotheses: Sequence[Tokens], references: Sequence[Sequence[Tokens]]) -> float:
        segments = list(zip(hypotheses, references, strict=True))
        total = 0.0
        for n in range(1, self.max_order + 1):
            information = [bits for h, group in segments for bits in self.shared(h, group, n)]
            total += math.fsum(information) / max(sum(ngrams(h, n).total() for h in hypotheses), 1)
        length = sum(len(h) for h in hypotheses)
        wanted = sum(Fraction(sum(len(r) for r in group), len(group)) for group in references)
        if length >= wanted:
            return total
        if length == 0:
            return 0.0
        beta = math.log(0.5) / math.log(1.5) ** 2
        return total * math.exp(beta * math.log(length / wanted) ** 2)
