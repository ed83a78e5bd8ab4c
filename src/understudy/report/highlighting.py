"""Which words of a translation its references have too: what a page marks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

LONGEST = 4

# Scripts without spaces are marked by the character, punctuation too, all others by the word.
_UNSPACED = (
    r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff"  # Thai, Lao, Burmese, Khmer, kana
    r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Chinese characters
)
_TOKEN = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+(?:['’][^\W{_UNSPACED}]+)*|[^\w\s]")

Mark = tuple[int, int, int]  # from this character, to before that one, n


def matched_spans(output: str, references: Sequence[str]) -> list[Mark]:
    """The stretches of the output that are in n-grams of a reference, each with the longest such n up to 4. An n-gram
    counts as often as the reference has it that has it most.

    >>> matched_spans("the cat sat", ["the cat lay"])
    [(0, 7, 2)]
    """
    found = list(_TOKEN.finditer(output))
    words = [match.group() for match in found]
    wanted = _most_in_one(tuple(references))
    had: Counter[tuple[str, ...]] = Counter()
    longest = [0] * len(words)
    for n in range(1, LONGEST + 1):
        for start, ngram in enumerate(_ngrams(words, n)):
            if had[ngram] < wanted.get(ngram, 0):
                had[ngram] += 1
                longest[start : start + n] = [n] * n
    marks: list[Mark] = []
    for match, order in zip(found, longest, strict=True):
        joins = marks and marks[-1][2] == order and not output[marks[-1][1] : match.start()].strip()
        if order and joins:
            marks[-1] = (marks[-1][0], match.end(), order)
        elif order:
            marks.append((match.start(), match.end(), order))
    return marks


@lru_cache(maxsize=1)  # the outputs of all systems come one after the other
def _most_in_one(references: tuple[str, ...]) -> dict[tuple[str, ...], int]:
    """Every n-gram of the references, and how often the one has it that has it most."""
    most: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        words = _TOKEN.findall(reference)
        most |= Counter(ngram for n in range(1, LONGEST + 1) for ngram in _ngrams(words, n))
    return dict(most)


def _ngrams(words: Sequence[str], n: int) -> Iterator[tuple[str, ...]]:
    return zip(*(words[start:] for start in range(n)), strict=False)
