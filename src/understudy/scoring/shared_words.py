"""The words that texts have in common, in any script: a measure of relatedness that needs no model."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from math import log

import numpy as np

from understudy.arrays import Floats

_WORD = re.compile(r"[^\W\d_]+")
_FIRST_UNSPACED = "\u2e80"  # from here on, scripts without spaces between words, and Korean
_LETTERS_OF_UNSPACED = 3  # that a character of these stands for


def _words(text: str) -> Iterator[str]:
    """The words of a text, in lower case; each character of scripts without spaces.

    >>> list(_words("Drei 3 Wörter, 你好"))
    ['drei', 'wörter', '你', '好']
    """
    for word in _WORD.findall(text.casefold()):
        if word[0] >= _FIRST_UNSPACED:
            yield from word
        else:
            yield word


def letters(text: str) -> int:
    """How much a text says, in letters of alphabetic scripts.

    >>> letters("two words"), letters("你好")
    (8, 6)
    """
    return sum(
        len(word) * (_LETTERS_OF_UNSPACED if word[0] >= _FIRST_UNSPACED else 1)
        for word in _WORD.findall(text)
    )


def word_overlaps(hypotheses: Sequence[str], references: Sequence[str]) -> Floats:
    """The overlap of the words of every hypothesis and every reference. Rare words among the references count more;
    words of all of them do not count.

    >>> word_overlaps(["the cat"], ["the cat", "the dog"]).round(2).tolist()
    [[0.83, 0.0]]
    """
    places: dict[str, list[int]] = {}  # of the references with a word
    for number, text in enumerate(references):
        for word in set(_words(text)):
            places.setdefault(word, []).append(number)
    count = len(references)
    rarity = {word: log(count / len(numbers)) for word, numbers in places.items()}
    of_references, cells, values = np.zeros(count), array("q"), array("d")
    for word, numbers in places.items():
        of_references[numbers] += rarity[word]
    for row, text in enumerate(hypotheses):
        for word in set(_words(text)) & places.keys():
            cells.extend([row * count + number for number in places[word]])
            values.extend([rarity[word]] * len(places[word]))
    overlaps = np.bincount(np.asarray(cells), np.asarray(values), minlength=len(hypotheses) * count)
    return overlaps.reshape(-1, count) / np.sqrt(np.where(of_references > 0, of_references, 1.0))


def share_of_known_words(hypotheses: Sequence[str], references: Sequence[str]) -> list[float]:
    """The share of each hypothesis' words that occur in some reference; hypotheses without words are left out.

    >>> share_of_known_words(["a cat", "..."], ["the cat"])
    [0.5]
    """
    known = {word for text in references for word in _words(text)}
    return [
        sum(word in known for word in of_text) / len(of_text)
        for text in hypotheses
        if (of_text := list(_words(text)))
    ]
