"""Coefficients of inter-annotator agreement, pair by pair, as they are defined. A table is a list of units, each a list
of values by judge, None where there is none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import permutations

Table = Sequence[Sequence[float | None]]


def alpha(table: Table, level: str) -> float:
    """1 - observed / expected disagreement, both means over ordered pairs of values."""
    units = [values for values in map(_known, table) if len(values) > 1]
    everything = [value for values in units for value in values]
    distance = _distance(level, everything)
    observed = sum(
        sum(distance(a, b) for a, b in permutations(values, 2)) / (len(values) - 1) for values in units
    )
    expected = sum(distance(a, b) for a, b in permutations(everything, 2)) / (len(everything) - 1)
    return 1 - observed / expected


def _distance(level: str, everything: Sequence[float]) -> Callable[[float, float], float]:
    counts = Counter(everything)
    if level == "nominal":
        return lambda a, b: float(a != b)
    if level == "interval":
        return lambda a, b: (a - b) ** 2

    def ordinal(a: float, b: float) -> float:
        low, high = min(a, b), max(a, b)
        between = sum(count for value, count in counts.items() if low <= value <= high)
        return (between - (counts[low] + counts[high]) / 2) ** 2

    return ordinal


def fleiss(table: Table) -> float:
    """Gwet's generalization to units with different numbers of judges."""
    units = [values for values in map(_known, table) if values]
    several = [values for values in units if len(values) > 1]
    observed = sum(
        sum(a == b for a, b in permutations(values, 2)) / (len(values) * (len(values) - 1))
        for values in several
    ) / len(several)
    shares = [
        sum(values.count(category) / len(values) for values in units) / len(units)
        for category in {value for values in units for value in values}
    ]
    expected = sum(share**2 for share in shares)
    return (observed - expected) / (1 - expected)


def cohen(one: Sequence[float], other: Sequence[float]) -> float:
    number = len(one)
    observed = sum(a == b for a, b in zip(one, other, strict=True)) / number
    expected = sum(one.count(value) * other.count(value) for value in {*one, *other}) / number**2
    return (observed - expected) / (1 - expected)


def _known(values: Sequence[float | None]) -> list[float]:
    return [value for value in values if value is not None]
