"""Perturbation: one kind of change to a segment."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from understudy.probing.perturbations.results import PerturbationFacts


@dataclass(frozen=True)
class Segment:
    """A hypothesis, and all that a perturbation may use."""

    text: str
    references: tuple[str, ...]
    source: str | None
    other: str | None  # the hypothesis of another segment, chosen at random
    language: str | None  # ISO 639 code of the hypothesis, if known


@dataclass(frozen=True)
class Perturbation:
    """A change, with its facts. `apply` returns the changed text, or None where the change does not apply; strength is
    the share of what can be changed, and is ignored if the perturbation is not graded. The same random numbers give the
    same text.
    """

    facts: PerturbationFacts
    apply: Callable[[Segment, float, np.random.Generator], str | None]
    # Whether it returns one of the references, to be scored against the others. It is not graded.
    from_references: bool = False
