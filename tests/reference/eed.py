"""The extended edit distance as its paper describes it (Stanchev, Wang, Ney 2019): a table of numbers, row by row.

Nothing here is shared with the package.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any


def english(text: str) -> str:
    """What EED.py does to English before it compares characters."""
    text = text.rstrip()
    for mark in ".!?,":
        text = text.replace(mark, f" {mark}")
    text = re.sub(r"\s+", " ", text)
    text = re.sub(r"(\d) ([.,]) (\d)", r"\1\2\3", text)
    text = re.sub(r"(Dr|Jr|Prof|Rev|Gen|Mr|Mt|Mrs|Ms) .", r"\1.", text)
    for spaced, whole in (("e . g .", "e.g."), ("i . e .", "i.e."), ("U . S .", "U.S.")):
        text = text.replace(spaced, whole)
    return f" {text} "


def japanese(text: str) -> str:
    return f" {unicodedata.normalize('NFKC', text.rstrip())} "


def eed(
    hypothesis: str,
    reference: str,
    *,
    alpha: float = 2.0,
    rho: float = 0.3,
    deletion: float = 0.2,
    insertion: float = 1.0,
    substitution: float = 1.0,
    real: Callable[[float], Any] = float,
    whole_minimum: bool = False,
) -> float:
    """Of texts as they are compared, with the spaces around them.

    The authors' program counts in single precision (`real`), and looks for the lowest cost of a row with a whole
    number to compare with, so that it stops at the first cost that none is below by a whole one (`whole_minimum`).
    """
    alpha, rho, deletion, insertion, substitution = map(real, (alpha, rho, deletion, insertion, substitution))
    visits = [0] * (len(hypothesis) + 1)
    row = [real(0)] + [real(1)] * len(hypothesis)
    for wanted in reference:
        after = [row[0] + real(1)]
        for i, character in enumerate(hypothesis, start=1):
            after.append(
                min(
                    after[i - 1] + deletion,
                    row[i - 1] + (real(0) if wanted == character else substitution),
                    row[i] + insertion,
                )
            )
        lowest = 0
        least = int(after[0]) if whole_minimum else after[0]
        for i, cost in enumerate(after):
            if cost < least:
                lowest, least = i, int(cost) if whole_minimum else cost
        visits[lowest] += 1
        if wanted == " ":
            after = [min(cost, alpha + after[lowest]) for cost in after]
        row = after
    coverage = real(sum(abs(count - 1) for count in visits[1:]))
    return min(1.0, float((row[-1] + rho * coverage) / (real(len(reference)) + rho * coverage)))
