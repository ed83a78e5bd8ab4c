"""Random choices, drawn many at a time: single numbers of a numpy generator are slow."""

from __future__ import annotations

from typing import TypeVar

import numpy as np

T = TypeVar("T")

_AT_ONCE = 128


class Draws:
    """Random choices of one generator."""

    def __init__(self, generator: np.random.Generator) -> None:
        self.generator = generator
        self._drawn: list[float] = []

    def below(self, limit: int) -> int:
        """A number from 0 to limit - 1."""
        if not self._drawn:
            self._drawn = self.generator.random(_AT_ONCE).tolist()
        return int(self._drawn.pop() * limit)

    def choice(self, items: list[T]) -> T:
        return items[self.below(len(items))]

    def shuffle(self, items: list[T]) -> None:
        """Put a list into a random order (Fisher and Yates)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
