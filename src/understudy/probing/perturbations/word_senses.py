"""Antonyms, synonyms and more general words by WordNet, in the same inflected form."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

import numpy as np

from understudy.lexicon.english_forms import ending_of, inflected
from understudy.lexicon.wordnet import PARTS, WordNet
from understudy.probing.perturbations.grading import graded, picked
from understudy.probing.perturbations.listed import capitalized
from understudy.probing.perturbations.perturbation import Change, Segment
from understudy.probing.perturbations.spans import Edit, text_of, words
from understudy.probing.perturbations.word_lists import word_list

_Related = Callable[[str, str], list[str]]  # the words related to a base form of a part of speech

_MOST_SENSES = 2  # of a word with synonyms: one with many is likely to have another sense in the text
_VOWELS = "aeiou"


def antonyms(wordnet: WordNet) -> Change:
    """Words are replaced by their antonyms."""
    return _replaced(wordnet, wordnet.antonyms, ("adj", "adv", "verb", "noun"), certain=False)


def synonyms(wordnet: WordNet) -> Change:
    """Words are replaced by synonyms: words of one part of speech and few senses, by words with the same main sense.
    Rare synonyms are not used.
    """

    def related(base: str, part: str) -> list[str]:
        senses = wordnet.sets[part][base]
        if len(senses) > _MOST_SENSES:
            return []
        return [
            member
            for member in wordnet.members[part][senses[0]]
            if member != base
            and wordnet.sets[part].get(member, [None])[0] == senses[0]
            and wordnet.is_attested(member, part)
        ]

    return _replaced(wordnet, related, PARTS, certain=True)


def hypernyms(wordnet: WordNet) -> Change:
    """Nouns and verbs are replaced by more general ones."""
    return _replaced(wordnet, wordnet.hypernyms, ("noun", "verb"), certain=True)


def _replaced(wordnet: WordNet, related: _Related, parts: tuple[str, ...], *, certain: bool) -> Change:
    """Words are replaced by related ones of the same form. `certain`: only words that have one part of speech."""
    function_words = frozenset(word_list("en", "function_words"))

    @functools.cache
    def options(word: str) -> tuple[str, ...]:
        readings = [part for part in PARTS if wordnet.base_forms(word, part)]
        if word in function_words or not word.isalpha() or (certain and len(readings) > 1):
            return ()
        for part in parts:
            found = sorted(set(_forms(wordnet, related, word, part)))
            if found:
                return tuple(found)
        return ()

    def edits(segment: Segment, random: np.random.Generator) -> list[Edit]:
        found = []
        before = ""
        for place in words(segment.text):
            word = text_of(segment.text, place)
            initial = not before and word == capitalized(word.lower())
            new = _after(before, options(word.lower() if initial else word))
            before = word
            if new:
                chosen = picked(new, random)
                found.append(Edit(*place, capitalized(chosen) if initial else chosen))
        return found

    return graded(edits)


def _forms(wordnet: WordNet, related: _Related, word: str, part: str) -> Iterator[str]:
    """The related words in the form of a word."""
    for base in wordnet.base_forms(word, part):
        ending = ending_of(word, base, part)
        if ending is None:
            continue
        for member in related(base, part):
            form = inflected(wordnet, member, part, ending) if member.isalpha() and member.islower() else None
            if form and form != word:
                yield form


def _after(before: str, new: tuple[str, ...]) -> tuple[str, ...]:
    """The words that can follow the word before: after a and an, those that begin with the right kind of letter; none
    after as (as soon as, as well) and after a number (50 percent).
    """
    if before.lower() == "as" or before[-1:].isdigit():
        return ()
    if before.lower() not in ("a", "an"):
        return new
    return tuple(word for word in new if (word[0] in _VOWELS) == (before.lower() == "an"))
