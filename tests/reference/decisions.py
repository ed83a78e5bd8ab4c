"""Choices by definition: every pair scored on its own, every combination tried."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

Score = Callable[[str, str], float]  # of a hypothesis against one reference; higher is better


def expected_utilities(
    candidates: Sequence[str], references: Sequence[str], weights: Sequence[float], score: Score
) -> list[Fraction]:
    """The weighted mean, in exact fractions of the scores."""
    masses = [Fraction(weight) for weight in weights]
    return [
        sum(Fraction(score(text, other)) * mass for other, mass in zip(references, masses, strict=True))
        / sum(masses)
        for text in candidates
    ]


def best(utilities: Sequence[Fraction]) -> int:
    """The first of the best. Fractions of rounded scores that differ by less than rounding are equal."""
    most = max(utilities)
    return next(index for index, utility in enumerate(utilities) if most - utility < Fraction(1, 10**10))


def best_combination(
    lists: Sequence[Sequence[str]], corpus_score: Callable[[Sequence[str]], float]
) -> tuple[str, ...]:
    """The combination of candidates with the best corpus score."""
    return max(product(*lists), key=corpus_score)
