"""GLEU as Wu et al. (2016) describe it and NLTK sums it up: slow, obvious, of lists of tokens.

Nothing here is shared with the package.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

Tokens = Sequence[str]


def ngrams(tokens: Tokens, shortest: int, longest: int) -> Counter[tuple[str, ...]]:
    return Counter(
        tuple(tokens[start : start + n])
        for n in range(shortest, longest + 1)
        for start in range(len(tokens) - n + 1)
    )


def counts(
    hypothesis: Tokens, references: Sequence[Tokens], shortest: int = 1, longest: int = 4
) -> tuple[int, int]:
    """Matches, and what they are divided by: those of the first reference with the highest ratio."""
    mine = ngrams(hypothesis, shortest, longest)
    candidates = []
    for reference in references:
        theirs = ngrams(reference, shortest, longest)
        whole = max(mine.total(), theirs.total())
        if whole:
            candidates.append(((mine & theirs).total(), whole))
    return max(candidates, key=lambda pair: Fraction(*pair), default=(0, 0))


def corpus_gleu(
    segments: Sequence[tuple[Tokens, Sequence[Tokens]]], shortest: int = 1, longest: int = 4
) -> Fraction:
    every = [counts(hypothesis, references, shortest, longest) for hypothesis, references in segments]
    whole = sum(pair[1] for pair in every)
    return Fraction(sum(pair[0] for pair in every), whole) if whole else Fraction(0)
