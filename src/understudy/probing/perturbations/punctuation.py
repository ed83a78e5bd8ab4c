"""Punctuation marks dropped, added and changed."""

from __future__ import annotations

import html
import itertools
import re
import unicodedata

import numpy as np

from understudy.probing.perturbations.grading import graded, picked, whole
from understudy.probing.perturbations.perturbation import Change, Segment
from understudy.probing.perturbations.spans import Edit, extends, words
from understudy.text.scripts import has_unspaced

QUOTATION_MARKS = "\"'“”„‟‘’‚‛«»‹›「」『』《》〈〉"
_SIGNS = "%‰&@#*/\\§†‡"  # Unicode calls them punctuation, but they are read aloud
_ALIKE = (".!?…", ",;:–", "。！？", "，、；：", "؟!.", "،؛:", "।!?")
_OTHERS = {mark: [other for other in group if other != mark] for group in reversed(_ALIKE) for mark in group}
_OPENING_QUOTE = re.compile(r"[‘‚‛`]|(?<![^\s\"“„«(\[])['’]")  # single
_ARABIC = str.maketrans("?,;", "؟،؛")
_QUESTIONS = {".": "?", "!": "?", "?": ".", "。": "？", "！": "？", "？": "。", "؟": ".", "।": "?", "۔": "؟"}
_CLOSING = "\"'“”‘’»«›」』)]）】"


def marks_dropped(only: str = "") -> Change:
    """Punctuation marks are removed, or only certain ones; those inside words and numbers are kept."""

    def edits(segment: Segment, _: np.random.Generator) -> list[Edit]:
        text = segment.text
        return [
            Edit(place, place + 1 + _stands_alone(text, place), "")
            for place in _marks(text)
            if not only or (text[place] in only and not _is_apostrophe(text, place))
        ]

    return graded(edits)


def marks_added() -> Change:
    """Commas, semicolons and colons are added after words that no mark follows."""

    def edits(segment: Segment, random: np.random.Generator) -> list[Edit]:
        text, places = segment.text, words(segment.text)
        ends = [
            end
            for (_, end), (start, _) in itertools.pairwise(places)
            if not text[end:start].strip() and (end < start or has_unspaced(text[end - 1]))
        ]
        return [Edit(end, end, picked(_addable(text[end - 1]), random)) for end in ends]

    return graded(edits)


def marks_changed() -> Change:
    """Punctuation marks are replaced: the end of a sentence by another end, a comma by a semicolon or the like."""

    def edits(segment: Segment, random: np.random.Generator) -> list[Edit]:
        text = segment.text
        known = [place for place in _marks(text) if text[place] in _OTHERS]
        return [
            Edit(place, place + 1, _after(text[:place], picked(_OTHERS[text[place]], random)))
            for place in known
        ]

    return graded(edits)


def question_changed() -> Change:
    """The full stop at the end becomes a question mark, and the reverse."""

    def change(segment: Segment, _: np.random.Generator) -> str | None:
        text = segment.text
        body = text.rstrip().rstrip(_CLOSING)
        new = _QUESTIONS.get(body[-1:])
        return None if new is None else body[:-1] + _after(body, new) + text[len(body) :]

    return whole(change)


def marks_separated() -> Change:
    """Punctuation marks are separated from words by spaces, as by a tokenizer."""

    def edits(segment: Segment, _: np.random.Generator) -> list[Edit]:
        text, places = segment.text, _marks(segment.text)
        found, known = [], set(places)
        for place in places:
            before = " " if place and not text[place - 1].isspace() else ""
            follows = place + 1 < len(text) and not text[place + 1].isspace() and place + 1 not in known
            if before or follows:
                found.append(Edit(place, place + 1, before + text[place] + " " * follows))
        return found

    return graded(edits)


def marks_escaped() -> Change:
    """Quotation marks, apostrophes, & and angle brackets are written as HTML entities."""
    return graded(
        lambda segment, _: [
            Edit(place, place + 1, html.escape(character))
            for place, character in enumerate(segment.text)
            if character in "\"'&<>"
        ]
    )


def _marks(text: str) -> list[int]:
    """The positions of punctuation marks outside words and numbers."""
    found, position = [], 0
    for start, end in (*words(text), (len(text), len(text))):
        found += [
            place
            for place in range(position, start)
            if unicodedata.category(text[place]).startswith("P")
            and text[place] not in _SIGNS
            and not extends(text[place + 1 : place + 2])
        ]
        position = end
    return found


def _is_apostrophe(text: str, place: int) -> bool:
    """Whether a mark ends a word, with no opening mark before: the creditors' offer."""
    return (
        text[place] in "'’"
        and text[place - 1 : place].isalnum()
        and not _OPENING_QUOTE.search(text, 0, place)
    )


def _stands_alone(text: str, place: int) -> bool:
    """Whether a mark has space on both sides."""
    return (place == 0 or text[place - 1].isspace()) and text[place + 1 : place + 2].isspace()


def _after(text: str, mark: str) -> str:
    """A mark in the script of the last letter before it."""
    letter = next((character for character in reversed(text) if character.isalpha()), "")
    return mark.translate(_ARABIC) if _is_arabic(letter) else mark


def _addable(letter: str) -> str:
    if has_unspaced(letter):
        return "，；："
    return "،؛:" if _is_arabic(letter) else ",;:"


def _is_arabic(letter: str) -> bool:
    return "\u0600" <= letter <= "\u06ff"
