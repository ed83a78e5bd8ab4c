"""Letters: case, misspellings, and letters of another script that look the same."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from understudy.probing.perturbations.grading import graded, picked, whole
from understudy.probing.perturbations.perturbation import Change, Segment
from understudy.probing.perturbations.spans import Edit, characters, text_of, words

# Letters of the Cyrillic alphabet with the shape of Latin ones.
_LOOK_ALIKES = dict(zip("AaBCcEeHiIJjKMOoPpSsTXxy", "АаВСсЕеНіІЈјКМОоРрЅѕТХху", strict=True))
_WIDTHS = {chr(code): chr(code + 0xFEE0) for code in range(0x21, 0x7F) if chr(code).isalnum()}


def lowercased() -> Change:
    """The text in lower case."""
    return whole(lambda segment, _: segment.text.lower())


def uppercased() -> Change:
    """The text in capitals."""
    return whole(lambda segment, _: segment.text.upper())


def first_letter_changed() -> Change:
    """The first letter is lowercased if it is a capital, and capitalized if it is not."""

    def change(segment: Segment, _: np.random.Generator) -> str | None:
        text = segment.text
        place = next((place for place, character in enumerate(text) if character.isalpha()), None)
        return None if place is None else text[:place] + text[place].swapcase() + text[place + 1 :]

    return whole(change)


def initials_changed() -> Change:
    """Words begin with a lowercase letter in place of a capital, and the reverse."""

    def edits(segment: Segment, _: np.random.Generator) -> list[Edit]:
        initials = [(start, segment.text[start]) for start, _ in words(segment.text)]
        return [
            Edit(start, start + 1, initial.swapcase())
            for start, initial in initials
            if initial.swapcase() != initial
        ]

    return graded(edits)


def letters_swapped() -> Change:
    """Two neighboring letters inside a word change places, in a share of the words."""

    def misspelled(letters: list[str], random: np.random.Generator) -> list[str] | None:
        places = [place for place in range(len(letters) - 1) if letters[place] != letters[place + 1]]
        if not places:
            return None
        place = picked(places, random)
        return [*letters[:place], letters[place + 1], letters[place], *letters[place + 2 :]]

    return _misspellings(misspelled)


def letters_dropped() -> Change:
    """One letter is missing, in a share of the words."""

    def misspelled(letters: list[str], random: np.random.Generator) -> list[str] | None:
        place = picked(range(len(letters)), random)
        return [*letters[:place], *letters[place + 1 :]]

    return _misspellings(misspelled)


def letters_doubled() -> Change:
    """One letter is written twice, in a share of the words."""

    def misspelled(letters: list[str], random: np.random.Generator) -> list[str] | None:
        place = picked(range(len(letters)), random)
        return [*letters[: place + 1], *letters[place:]]

    return _misspellings(misspelled)


def look_alikes() -> Change:
    """Latin letters are replaced by Cyrillic letters that look the same."""
    return _replaced_characters(_LOOK_ALIKES)


def full_width() -> Change:
    """Latin letters and digits are replaced by their full-width forms, and the reverse."""
    return _replaced_characters({**_WIDTHS, **{wide: narrow for narrow, wide in _WIDTHS.items()}})


def _replaced_characters(new: dict[str, str]) -> Change:
    return graded(
        lambda segment, _: [
            Edit(place, place + 1, new[character])
            for place, character in enumerate(segment.text)
            if character in new
        ]
    )


def _misspellings(misspelled: Callable[[list[str], np.random.Generator], list[str] | None]) -> Change:
    """One misspelling in each word of at least two letters, as it is in scripts with word boundaries."""

    def edits(segment: Segment, random: np.random.Generator) -> list[Edit]:
        found = []
        for word in words(segment.text):
            written = text_of(segment.text, word)
            letters = [text_of(written, character) for character in characters(written)]
            if len(letters) < 2 or not all(map(str.isalpha, (letter[0] for letter in letters))):
                continue
            new = misspelled(letters, random)
            if new is not None:
                found.append(Edit(*word, "".join(new)))
        return found

    return graded(edits)
