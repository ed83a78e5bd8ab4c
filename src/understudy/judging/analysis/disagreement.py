"""The items that judges disagree most about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.arrays import ties_kept
from understudy.choices import TOP
from understudy.judging.judgments import Ratings, combined


@dataclass(frozen=True)
class DisputedItem:
    """A text, and what each judge said of it."""

    system: str  # the first of those that have this text
    segment: int  # its number
    disagreement: float  # the standard deviation of the ratings, each less the mean of its judge
    judges: tuple[str, ...]
    values: tuple[float, ...]  # as they were given


def disputed_items(
    ratings: Ratings,
    systems: Sequence[str],
    judges: Sequence[str],
    segments: Sequence[int],
    *,
    top: int = TOP,
) -> tuple[DisputedItem, ...]:
    """Those with the largest standard deviation (n - 1) between judges, after each judge's own mean is subtracted: that
    one judge is harsher than another is no disagreement about an item. Texts with one judge are left out.
    """
    rows = ratings.first.answers
    _, first = np.unique(combined(rows.unit, rows.judge), return_index=True)
    rows = rows.rows(np.sort(first))
    if not len(rows):
        return ()
    number = np.bincount(rows.judge, minlength=len(judges))
    means = np.bincount(rows.judge, rows.value, len(judges)) / np.maximum(number, 1)
    value, unit = rows.value - means[rows.judge], combined(rows.unit)
    size = np.bincount(unit)
    center = np.bincount(unit, value) / size
    squares = np.bincount(unit, (value - center[unit]) ** 2)
    deviation = ties_kept(np.sqrt(squares / np.maximum(size - 1, 1)))
    # Equally disputed: the one with more judges first, then the order of the items.
    order = np.lexsort((np.arange(len(size)), -size, -deviation))
    chosen = [place for place in order.tolist() if size[place] > 1 and deviation[place] > 0][:top]
    found = []
    for place in chosen:
        of_item = np.flatnonzero(unit == place)
        example = of_item[0]
        found.append(
            DisputedItem(
                systems[rows.system[example]],
                segments[rows.segment[example]],
                float(deviation[place]),
                tuple(judges[judge] for judge in rows.judge[of_item]),
                tuple(rows.value[of_item].tolist()),
            )
        )
    return tuple(found)
