"""Spaces dropped, added and written in another way."""

from __future__ import annotations

import itertools

import numpy as np

from understudy.probing.perturbations.grading import graded, picked
from understudy.probing.perturbations.perturbation import Change, Segment
from understudy.probing.perturbations.spans import Edit, Span, characters, text_of, words
from understudy.text.scripts import has_unspaced


def spaces_dropped() -> Change:
    """Spaces between words are removed."""

    def edits(segment: Segment, _: np.random.Generator) -> list[Edit]:
        return [Edit(*gap, "") for gap in _gaps(segment.text) if text_of(segment.text, gap).isspace()]

    return graded(edits)


def spaces_added() -> Change:
    """Spaces are inserted into words; in scripts without word boundaries, between characters."""

    def edits(segment: Segment, random: np.random.Generator) -> list[Edit]:
        text = segment.text
        found = [
            Edit(gap.start, gap.start, " ")
            for gap in _gaps(text)
            if gap.start == gap.end and has_unspaced(text[gap.start])
        ]
        for word in words(text):
            inside = [word.start + start for start, _ in characters(text_of(text, word))][1:]
            if inside:
                place = picked(inside, random)
                found.append(Edit(place, place, " "))
        return found

    return graded(edits)


def spaces_doubled() -> Change:
    """Spaces are written twice."""
    return _replaced_spaces("  ")


def spaces_nonbreaking() -> Change:
    """Spaces become no-break spaces (U+00A0)."""
    return _replaced_spaces("\u00a0")


def _replaced_spaces(new: str) -> Change:
    return graded(
        lambda segment, _: [
            Edit(place, place + 1, new) for place, character in enumerate(segment.text) if character == " "
        ]
    )


def _gaps(text: str) -> list[Span]:
    """What lies between neighboring words."""
    places = words(text)
    return [Span(left.end, right.start) for left, right in itertools.pairwise(places)]
