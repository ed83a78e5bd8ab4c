"""Which words of an output its references have too: spans of words, per order of n-gram."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

Ngram = tuple[str, ...]
Span = tuple[int, int]  # of words: the first, and the one after the last

MAX_ORDER = 4  # the longest n-grams looked at, as in BLEU


def ngrams(words: Sequence[str], order: int) -> Iterable[Ngram]:
    """All n-grams of that order, from left to right.

    >>> list(ngrams(["a", "b", "c"], 2))
    [('a', 'b'), ('b', 'c')]
    """
    return zip(*(words[start:] for start in range(order)), strict=False)


def most_in_a_reference(references: Sequence[Sequence[str]], order: int) -> Counter[Ngram]:
    """How often each n-gram may be matched: as often as it occurs in the one reference that has it most often
    (Papineni et al. 2001, section 2.1.1).
    """
    most: Counter[Ngram] = Counter()
    for words in references:
        most |= Counter(ngrams(words, order))
    return most


def clips(references: Sequence[Sequence[str]], max_order: int = MAX_ORDER) -> list[Counter[Ngram]]:
    """How often n-grams may be matched, order by order: what the outputs of one segment are held against."""
    return [most_in_a_reference(references, order) for order in range(1, max_order + 1)]


def matched_spans(words: Sequence[str], allowed: Sequence[Counter[Ngram]]) -> dict[int, list[Span]]:
    """The spans of the output that are n-grams of a reference, by order. Matches are clipped as in BLEU, order by
    order; of more occurrences than a reference has, the first ones match.

    >>> matched_spans("the the cat".split(), clips(["the cat sat".split()]))
    {1: [(0, 1), (2, 3)], 2: [(1, 3)], 3: [], 4: []}
    """
    found: dict[int, list[Span]] = {}
    starts: Sequence[int] = range(len(words))
    for order, most in enumerate(allowed, start=1):
        left = dict(most)
        matches, known = [], []
        for start in starts:
            ngram = tuple(words[start : start + order])
            times = left.get(ngram)
            if times is None:
                continue
            known.append(start)
            if times > 0:
                left[ngram] = times - 1
                matches.append((start, start + order))
        found[order] = matches
        # What a reference has of a longer n-gram, it has of both its ends.
        starts = [start for start, following in pairwise(known) if following == start + 1]
    return found
