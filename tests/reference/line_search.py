"""The choices of a log-linear model along a line, one candidate at a time, in exact fractions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction


def chosen_at(
    features: Sequence[Sequence[Sequence[float]]],
    weights: Iterable[float],
    direction: Iterable[float],
    step: float,
) -> list[int]:
    """In every segment, which candidate has the highest score: of equal ones the first. `features` are by segment,
    candidate and name.
    """
    here = [
        Fraction(weight) + Fraction(step) * Fraction(along)
        for weight, along in zip(weights, direction, strict=True)
    ]
    found = []
    for candidates in features:
        scores = [
            sum(weight * Fraction(value) for weight, value in zip(here, values, strict=True))
            for values in candidates
        ]
        found.append(scores.index(max(scores)))
    return found


def is_tied(
    features: Sequence[Sequence[Sequence[float]]],
    weights: Iterable[float],
    direction: Iterable[float],
    step: float,
    close: float,
) -> bool:
    """Whether other candidates are chosen a little before or after this step."""
    return chosen_at(features, weights, direction, step - close) != chosen_at(
        features, weights, direction, step + close
    )
