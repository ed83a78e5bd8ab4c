"""Perturbation: one kind of change to a segment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from understudy.probing.perturbations.results import PerturbationFacts
from understudy.probing.perturbations.spans import Span


class TaggedWord(NamedTuple):
    """A word of a text."""

    place: Span
    tags: frozenset[str]  # universal part-of-speech tags; several if a parser splits the word


@dataclass(frozen=True)
class Segment:
    """A hypothesis, and all that a perturbation may use."""

    text: str
    references: tuple[str, ...] = ()
    source: str | None = None
    other: str | None = None  # the hypothesis of another segment, chosen at random
    tagged: tuple[TaggedWord, ...] = ()  # words with tags; none if no perturbation uses them


# The changed text, or None where the change does not apply. Strength is the share of what can be changed.
Change = Callable[[Segment, float, np.random.Generator], str | None]


@dataclass(frozen=True)
class Perturbation:
    """A change, with its facts. `apply` never returns the text unchanged. The same random numbers give the same text,
    and with them a greater strength changes all that a smaller one changes, and more. Perturbations that are not graded
    ignore the strength.
    """

    facts: PerturbationFacts
    apply: Change
    held_out: int | None = (
        None  # reference that both texts are scored without, because the new text is that reference
    )
    uses_tags: bool = False  # of the words of the segment
    for_language_models: bool = False  # unless it is asked for by name
