"""Changes that leave a translation as good as it was: another human translation, other ways to write the same."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

import numpy as np

from understudy.probing.perturbations.grading import graded, whole
from understudy.probing.perturbations.perturbation import Change, Segment
from understudy.probing.perturbations.spans import Edit, ends_with_opening_mark, extends, spliced, words
from understudy.text.scripts import has_unspaced

PARAPHRASE = 0  # the reference that stands in place of the hypothesis

_STRAIGHT = {"“": '"', "”": '"', "„": '"', "‟": '"', "‘": "'", "’": "'", "‚": "'", "‛": "'"}
_FULL_STOPS = (".", "。", "।", "۔")


def paraphrased() -> Change:
    """The first reference stands in place of the hypothesis; both are scored against the other references."""

    def change(segment: Segment, _: np.random.Generator) -> str | None:
        reference, *others = segment.references or ("",)
        return reference if reference.strip() and any(map(str.strip, others)) else None

    return whole(change)


def quotes_changed() -> Change:
    """Straight quotation marks and apostrophes become typographic ones; if there are none, the reverse."""

    def change(segment: Segment, _: np.random.Generator) -> str | None:
        text = segment.text
        straight = [place for place, mark in enumerate(text) if mark in "\"'"]
        typographic = [place for place, mark in enumerate(text) if mark in _STRAIGHT]
        new = [Edit(place, place + 1, _typographic(text, place)) for place in straight] or [
            Edit(place, place + 1, _STRAIGHT[text[place]]) for place in typographic
        ]
        return spliced(text, [edit for edit in new if not extends(text[edit.end : edit.end + 1])])

    return whole(change)


def full_stop_changed() -> Change:
    """The full stop at the end is removed; if the text ends with a word, one is added."""

    def change(segment: Segment, _: np.random.Generator) -> str | None:
        text = segment.text.rstrip()
        space = segment.text[len(text) :]
        end = max((word.end for word in words(text)), default=0)
        if text[end:] in _FULL_STOPS:
            return text[:end] + space
        return text + _full_stop(text[-1]) + space if end == len(text) > 0 else None

    return whole(change)


def normal_form_changed() -> Change:
    """Characters with diacritics become letters and combining marks (Unicode form NFD); if they are, the reverse."""

    def change(segment: Segment, _: np.random.Generator) -> str | None:
        decomposed = unicodedata.normalize("NFD", segment.text)
        return decomposed if decomposed != segment.text else unicodedata.normalize("NFC", segment.text)

    return whole(change)


def digits_changed(digits: str) -> Change:
    """Numbers are written with other digits in use in the language, and the reverse; all digits of a number alike."""
    other: Mapping[str, str] = {
        **dict(zip("0123456789", digits, strict=True)),
        **dict(zip(digits, "0123456789", strict=True)),
    }
    digit = f"[{''.join(other)}]"
    number = re.compile(rf"{digit}+(?:[.,:'’\u00a0\u202f٫٬]{digit}+)*")
    return graded(
        lambda segment, _: [
            Edit(*match.span(), "".join(other.get(character, character) for character in match.group()))
            for match in number.finditer(segment.text)
        ]
    )


def _typographic(text: str, place: int) -> str:
    opening, closing = "“”" if text[place] == '"' else "‘’"
    return opening if ends_with_opening_mark(text[max(place - 1, 0) : place]) else closing


def _full_stop(letter: str) -> str:
    if "\u0900" <= letter <= "\u097f":
        return "।"
    return "。" if has_unspaced(letter) and not "\u0e00" <= letter <= "\u0fff" else "."
