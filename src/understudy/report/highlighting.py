"""Which words of a translation its references have too: what a page marks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

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
    wanted: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        wanted |= Counter(_ngrams(_TOKEN.findall(reference)))
    longest = [0] * len(words)
    for ngram, start in zip(_ngrams(words), _starts(len(words)), strict=True):
        if wanted[ngram] > 0:
            wanted[ngram] -= 1
            for place in range(start, start + len(ngram)):
                longest[place] = max(longest[place], len(ngram))
    marks: list[Mark] = []
    for match, order in zip(found, longest, strict=True):
        joins = marks and marks[-1][2] == order and not output[marks[-1][1] : match.start()].strip()
        if order and joins:
            marks[-1] = (marks[-1][0], match.end(), order)
        elif order:
            marks.append((match.start(), match.end(), order))
    return marks


def _ngrams(words: Sequence[str]) -> list[tuple[str, ...]]:
    return [
        tuple(words[start : start + n]) for n in range(1, LONGEST + 1) for start in range(len(words) - n + 1)
    ]


def _starts(length: int) -> list[int]:
    return [start for n in range(1, LONGEST + 1) for start in range(length - n + 1)]
