"""The weighted n-gram model as Babych and Hartley (2004) have it: slow, obvious, of lists of tokens.

Nothing here is shared with the package.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

Tokens = Sequence[str]


@dataclass(frozen=True)
class TextbookWeights:
    """Knows all references of a test set; a document is all references of the segments that name it, and without names
    every segment is one.
    """

    test_set: Sequence[Sequence[Tokens]]
    names: Sequence[str] | None = None
    salience: str = "s-score"
    threshold: float = 1.0
    below: float = 1.0
    max_order: int = 4

    def weights(self, segment: int) -> dict[str, float]:
        names = range(len(self.test_set)) if self.names is None else self.names
        text_of: dict[object, list[str]] = {}
        for name, group in zip(names, self.test_set, strict=True):
            text_of.setdefault(name, []).extend(word for reference in group for word in reference)
        documents = list(text_of.values())
        here = text_of[names[segment]]
        others = [text for name, text in text_of.items() if name != names[segment]]
        elsewhere = [word for document in others for word in document]
        found = {}
        for word in set(here):
            having = sum(word in document for document in documents)
            if self.salience == "tf.idf":
                salience = (1 + math.log(here.count(word))) * math.log(len(documents) / having)
            else:
                difference = here.count(word) / len(here)
                if elsewhere:
                    difference -= elsewhere.count(word) / len(elsewhere)
                everywhere = (here.count(word) + elsewhere.count(word)) / (len(here) + len(elsewhere))
                ratio = difference * (len(documents) - having) / len(documents) / everywhere
                salience = math.log(ratio) if ratio > 0 else -math.inf
            found[word] = salience if salience > self.threshold else self.below
        return found

    def sums(self, segment: int, hypothesis: Tokens) -> list[tuple[float, float, float]]:
        """For every reference: the weights of what is common, of the hypothesis and of the reference."""
        weights = self.weights(segment)

        def weight(ngrams: Counter[tuple[str, ...]]) -> float:
            return math.fsum(weights.get(ngram[-1], self.below) * count for ngram, count in ngrams.items())

        mine = self.ngrams(hypothesis)
        return [
            (weight(mine & theirs), weight(mine), weight(theirs))
            for theirs in map(self.ngrams, self.test_set[segment])
        ]

    def ngrams(self, tokens: Tokens) -> Counter[tuple[str, ...]]:
        return Counter(
            tuple(tokens[start : start + n])
            for n in range(1, self.max_order + 1)
            for start in range(len(tokens) - n + 1)
        )


def f1(sums: tuple[float, float, float]) -> float:
    common, mine, theirs = sums
    if common <= 0:
        return 0.0
    precision, recall = common / mine, common / theirs
    return 2 * precision * recall / (precision + recall)
