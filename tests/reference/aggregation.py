"""Aggregated references as a textbook would have them: mean n-gram counts, in exact fractions.

DeNero, Chiang, Knight (2009) score against expected n-gram counts with BLEU, Vamvas & Sennrich (2024) with chrF.
Nothing here is shared with the package. Weights count relative to their sum.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from reference import bleu, chrf

Weights = Sequence[float] | None


def shares(references: Sequence[Any], weights: Weights) -> list[Fraction]:
    """What each reference counts for, of 1 in all."""
    exact = [Fraction(weight) for weight in weights or [1] * len(references)]
    return [weight / sum(exact) for weight in exact]


def mean_counts(counters: Sequence[Counter[Any]], of_each: Sequence[Fraction]) -> dict[Any, Fraction]:
    """How often each n-gram occurs on average."""
    means: dict[Any, Fraction] = {}
    for counter, share in zip(counters, of_each, strict=True):
        for ngram, count in counter.items():
            means[ngram] = means.get(ngram, Fraction()) + share * count
    return means


def matches(hypothesis: Counter[Any], means: dict[Any, Fraction]) -> Fraction:
    return sum(
        (min(Fraction(n), means.get(ngram, Fraction())) for ngram, n in hypothesis.items()), Fraction()
    )


def aggregated_chrf(
    metric: chrf.TextbookCHRF, hypothesis: str, references: Sequence[str], weights: Weights = None
) -> float:
    of_each = shares(references, weights)
    of_references = [metric.ngrams_of(reference) for reference in references]
    triples = []
    for order, own in enumerate(metric.ngrams_of(hypothesis)):
        means = mean_counts([counters[order] for counters in of_references], of_each)
        total = sum(means.values(), Fraction())
        triples.append((own.total() if total else 0, total, matches(own, means)))
    return metric.score(chrf.Counts(*zip(*triples, strict=True)))


def aggregated_bleu(
    metric: bleu.TextbookBLEU,
    hypothesis: Sequence[str],
    references: Sequence[Sequence[str]],
    weights: Weights = None,
) -> float:
    of_each = shares(references, weights)
    alone = metric.count(hypothesis, [hypothesis])
    found = [
        matches(
            bleu.ngrams(hypothesis, n),
            mean_counts([bleu.ngrams(reference, n) for reference in references], of_each),
        )
        for n in range(1, len(alone.totals) + 1)
    ]
    length = sum((len(r) * share for r, share in zip(references, of_each, strict=True)), Fraction())
    return metric.score(bleu.Counts(len(hypothesis), length, tuple(found), alone.totals))  # type: ignore[arg-type]
