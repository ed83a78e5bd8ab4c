"""Tables of judgments, units by judges, and the reliability data that they make."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.judging.agreement.reliability_data import ReliabilityData

# Of 15 units by 4 judges, with gaps; the fourth unit has one judge.
JUDGED = (
    (5, None, 5, 4),
    (4, 5, 3, 4),
    (None, 5, 3, 5),
    (2, None, None, None),
    (3, None, 4, 4),
    (5, 5, 4, 4),
    (5, None, 4, 5),
    (1, None, 2, 1),
    (1, 1, 1, 1),
    (None, 3, 2, 3),
    (3, None, None, 2),
    (5, None, 5, 5),
    (4, 5, 4, 4),
    (None, 2, 2, 2),
    (2, 4, None, 3),
)


def data_of(table: Sequence[Sequence[float | None]], cluster: Sequence[int] | None = None) -> ReliabilityData:
    rows = [
        (judge, unit, value)
        for unit, values in enumerate(table)
        for judge, value in enumerate(values)
        if value is not None
    ]
    judge, unit, value = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [])
    return ReliabilityData.of(
        judge, unit, value, None if cluster is None else [cluster[each] for each in unit]
    )


def random_table(
    seed: int, units: int = 12, judges: int = 4, values: int = 5, missing: float = 0.3
) -> list[list[float | None]]:
    """Judges who are off by up to 1."""
    generator = np.random.default_rng(seed)
    given = generator.integers(1, values + 1, (units, 1)) + generator.integers(-1, 2, (units, judges))
    gaps = generator.random(given.shape) < missing
    return [
        [None if gap else float(value) for value, gap in zip(*rows, strict=True)]
        for rows in zip(given.tolist(), gaps.tolist(), strict=True)
    ]
