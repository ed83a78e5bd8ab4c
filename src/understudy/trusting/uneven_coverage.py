"""Systems that a metric scored on different segments than most systems: their mean scores are not comparable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats

# A convention: with a tenth of the segments, a mean can move by more than systems usually differ.
_TOO_MANY = 0.1


@dataclass(frozen=True)
class UnevenCoverage:
    """A system with uneven coverage."""

    metric: str
    system: str
    missing: int  # segments without a score that others have
    more: int  # segments with a score that others do not have
    expected: int  # segments that others have

    @property
    def too_many(self) -> bool:
        return self.missing + self.more > _TOO_MANY * self.expected

    def __str__(self) -> str:
        found = f"{self.metric} scored {self.expected - self.missing:,} of {self.expected:,} segments of {self.system}"
        return f"{found} and {self.more:,} more than for other systems" if self.more else found


def uneven(metric: str, systems: Sequence[str], human: Floats | None, scores: Floats) -> list[UnevenCoverage]:
    """Missing or unexpected scores [systems, segments]. Expected are the segments that at least half of the systems
    have, or the translations with human scores, whichever fits better: in the second case, both means are over the same
    segments.
    """
    scored = ~np.isnan(scores)
    usual = 2 * scored.sum(axis=0) >= len(systems)
    expectations = [np.broadcast_to(usual & scored.any(axis=0), scored.shape)]
    if human is not None:
        expectations.append(~np.isnan(human) & scored.any(axis=0))
    expected = min(expectations, key=lambda cells: int((cells != scored).sum()))
    missing, more = _counted(expected & ~scored), _counted(scored & ~expected)
    return [
        UnevenCoverage(metric, system, missing[row], more[row], int(expected[row].sum()))
        for row, system in enumerate(systems)
        if missing[row] or more[row]
    ]


def _counted(cells: NDArray[np.bool_]) -> list[int]:
    return [int(count) for count in cells.sum(axis=1)]
