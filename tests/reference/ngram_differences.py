"""N-grams that systems get, counted the obvious way."""

from __future__ import annotations

from collections import Counter


def ngrams(words: list[str], order: int) -> list[str]:
    return [" ".join(words[i : i + order]) for i in range(len(words) - order + 1)]


def matches(
    outputs: list[list[str]], references: list[list[list[str]]], order: int
) -> tuple[Counter[str], Counter[str]]:
    """Of each n-gram, how often references have it, and how often the outputs have it, segment by segment no more often
    than the one reference that has it most often.
    """
    in_references: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for words, of_segment in zip(outputs, references, strict=True):
        for ngram in {ngram for reference in of_segment for ngram in ngrams(reference, order)}:
            most = max(ngrams(reference, order).count(ngram) for reference in of_segment)
            in_references[ngram] += most
            found[ngram] += min(ngrams(words, order).count(ngram), most)
    return in_references, found


def largest_ratio(by_system: dict[str, int], baseline: str | None) -> float:
    """(matches + 1) of one system by (matches + 1) of another, the largest there is."""
    return max(
        (by_system[one] + 1) / (by_system[other] + 1)
        for one in by_system
        for other in by_system
        if baseline in (None, one, other)
    )
