"""RIBES as its authors describe it: slow, obvious, of lists of tokens. Nothing here is shared with the package."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

Tokens = Sequence[str]


def places(stretch: Tokens, text: Tokens) -> list[int]:
    """Where the stretch starts in the text."""
    width = len(stretch)
    return [start for start in range(len(text) - width + 1) if text[start : start + width] == stretch]


def alignment(hypothesis: Tokens, reference: Tokens) -> list[int]:
    """Of every word of the hypothesis that can be placed, in order: its place in the reference.

    A word that each text has once is placed at once. Any other by the shortest stretch of text that has it at one end
    and occurs once in each text; of a left and a right one of the same length, the left one.
    """
    found = []
    for i, word in enumerate(hypothesis):
        if len(places([word], hypothesis)) == len(places([word], reference)) == 1:
            found += places([word], reference)
            continue
        for width in range(2, len(hypothesis) + 1):
            before, after = hypothesis[max(i + 1 - width, 0) : i + 1], hypothesis[i : i + width]
            placed = None
            for stretch, offset in ((before, width - 1), (after, 0)):
                if placed is None and len(stretch) == width:
                    there = places(stretch, reference)
                    if len(there) == len(places(stretch, hypothesis)) == 1:
                        placed = there[0] + offset
            if placed is not None:
                found.append(placed)
                break
    return found


def ribes(hypothesis: Tokens, reference: Tokens, alpha: float = 0.25, beta: float = 0.1) -> float:
    if not hypothesis:
        return 0.0
    order = alignment(hypothesis, reference)
    if len(order) < 2:
        tau = 1.0 if len(order) == len(reference) == 1 else 0.0
    else:
        pairs = list(combinations(order, 2))
        tau = sum(one < other for one, other in pairs) / len(pairs)
    brevity = min(1.0, math.exp(1 - len(reference) / len(hypothesis)))
    return tau * (len(order) / len(hypothesis)) ** alpha * brevity**beta
