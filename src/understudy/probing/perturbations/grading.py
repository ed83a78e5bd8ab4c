"""Strength: the share of the places where a change is possible that are changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from understudy.probing.perturbations.perturbation import Change, Segment
from understudy.probing.perturbations.spans import Edit, extends, spliced

Item = TypeVar("Item")


class GradedChange:
    """The change that makes a share of the possible edits. These do not overlap and do not depend on the strength, so
    that a greater strength makes all edits of a smaller one. Edits that would part a letter from its combining marks
    are not made.
    """

    def __init__(self, edits: Callable[[Segment, np.random.Generator], Sequence[Edit]]) -> None:
        self._edits = edits

    def __call__(self, segment: Segment, strength: float, random: np.random.Generator) -> str | None:
        return self.at_strengths(segment, (strength,), random)[0]

    def at_strengths(
        self, segment: Segment, strengths: Sequence[float], random: np.random.Generator
    ) -> list[str | None]:
        """The same at several strengths with the same random numbers: the possible edits are found once."""
        text = segment.text
        possible = [
            edit for edit in self._edits(segment, random) if not extends(text[edit.end : edit.end + 1])
        ]
        in_order = share(possible, 1.0, random)
        sizes = [share_size(len(in_order), strength) for strength in strengths]
        changed = {size: different(text, spliced(text, in_order[:size])) for size in set(sizes)}
        return [changed[size] for size in sizes]


def graded(edits: Callable[[Segment, np.random.Generator], Sequence[Edit]]) -> GradedChange:
    """The change that makes a share of these edits."""
    return GradedChange(edits)


def whole(change: Callable[[Segment, np.random.Generator], str | None]) -> Change:
    """The change of all of a segment, which has no strength."""
    return lambda segment, _, random: different(segment.text, change(segment, random))


def share(items: Sequence[Item], strength: float, random: np.random.Generator) -> list[Item]:
    """The given share of the items, in random order: at least one if the strength is above 0."""
    order = random.permutation(len(items))
    return [items[place] for place in order[: share_size(len(items), strength)]]


def share_size(count: int, strength: float) -> int:
    """The number of items in a share.

    >>> share_size(10, 0.25), share_size(10, 0.01), share_size(10, 0), share_size(0, 1)
    (3, 1, 0, 0)
    """
    return min(count, max(1, int(count * strength + 0.5))) if strength > 0 else 0


def picked(items: Sequence[Item], random: np.random.Generator) -> Item:
    """One of the items at random. `random()` takes a tenth of the time of `integers()`."""
    return items[int(random.random() * len(items))]


def different(before: str, after: str | None) -> str | None:
    """The text after a change, None if it is the text before it."""
    return None if after == before else after
