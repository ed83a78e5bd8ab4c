"""Words of a hypothesis that match its references: spans of words, per n-gram order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Ngram = tuple[str, ...]
Span = tuple[int, int]  # of words: the first, and the one after the last

MAX_ORDER = 4  # maximum n-gram order, as in BLEU


def ngrams(words: Sequence[str], order: int) -> Iterable[Ngram]:
    """All n-grams of that order, from left to right.

    >>> list(ngrams(["a", "b", "c"], 2))
    [('a', 'b'), ('b', 'c')]
    """
    return zip(*(words[start:] for start in range(order)), strict=False)


def most_in_a_reference(references: Sequence[Sequence[str]], order: int) -> Counter[Ngram]:
    """The clipping limit of each n-gram: its maximum count in any single reference (Papineni et al. 2001, section
    2.1.1).
    """
    counted = [Counter(ngrams(words, order)) for words in references]
    most = counted[0] if counted else Counter()
    for counts in counted[1:]:
        most |= counts
    return most


@dataclass(frozen=True, eq=False)
class ReferenceNgrams:
    """The n-grams of one segment's references as a tree of words: what any number of outputs are held against."""

    tree: dict[str, Any]  # by first word: the number of that n-gram, and the tree of those that go on from it
    most: list[int]  # by number: how often it may be matched
    max_order: int

    @classmethod
    def of(cls, references: Sequence[Sequence[str]], max_order: int = MAX_ORDER) -> ReferenceNgrams:
        tree: dict[str, Any] = {}
        most: list[int] = []
        for order in range(1, max_order + 1):
            for ngram, times in most_in_a_reference(references, order).items():
                branch = tree
                for word in ngram[:-1]:
                    branch = branch[word][1]
                branch[ngram[-1]] = (len(most), {})
                most.append(times)
        return cls(tree, most, max_order)


def matched_spans(words: Sequence[str], references: ReferenceNgrams) -> dict[int, list[Span]]:
    """The spans of the output that are n-grams of a reference, by order. Matches are clipped as in BLEU, order by
    order; of more occurrences than a reference has, the first ones match.

    >>> matched_spans("the the cat".split(), ReferenceNgrams.of(["the cat sat".split()]))
    {1: [(0, 1), (2, 3)], 2: [(1, 3)], 3: [], 4: []}
    """
    found: dict[int, list[Span]] = {order: [] for order in range(1, references.max_order + 1)}
    left = references.most.copy()
    for start in range(len(words)):
        branch = references.tree
        for order, matches in found.items():
            entry = branch.get(words[start + order - 1]) if start + order <= len(words) else None
            if entry is None:
                break
            number, branch = entry
            if left[number]:
                left[number] -= 1
                matches.append((start, start + order))
    return found
