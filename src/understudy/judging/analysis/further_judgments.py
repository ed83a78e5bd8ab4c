"""How many more judgments would settle a pair of systems that do not differ significantly?

So many that a true difference as large as the one observed would be significant with a probability of 80 %: the
standard error of a difference falls with the square root of the number of segments, if each is judged as it was so far.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from understudy.judging.analysis.rank_clusters import RankClusters
from understudy.resampling.multiple_testing import levels_for
from understudy.resampling.power import POWER, minimum_detectable
from understudy.resampling.significance_tests import TestResults

_MOST_SEGMENTS = 10_000_000
NO_DIFFERENCE = "no difference was observed"
_NO_VARIANCE = "the judgments do not vary"
TOO_MANY = f"more than {_MOST_SEGMENTS:,} segments"
_ALMOST_NORMAL = 10_000  # degrees of freedom from which t is as good as normal


@dataclass(frozen=True)
class FurtherJudgments:
    """What one open pair needs."""

    better: str
    worse: str
    difference: float
    more_segments: int | None  # None: see `reason`
    more_judgments: int | None  # of these two systems
    reason: str | None = None


def further_judgments(
    ranked: RankClusters, judgments: dict[str, int], *, power: float = POWER
) -> tuple[FurtherJudgments, ...]:
    """Every pair that is not significantly different. `judgments` says how many each system has."""
    levels = levels_for(ranked.tested.p_values, ranked.correction, ranked.significance)
    found = []
    for place, pair in enumerate(ranked.pairs):
        if pair.significant:
            continue
        needed = _needed(_only(ranked.tested, place), float(levels[place]), ranked.units, power)
        names = (pair.better, pair.worse, pair.difference)
        if isinstance(needed, str):
            found.append(FurtherJudgments(*names, None, None, needed))
            continue
        more = max(1, needed - ranked.units)
        each = (judgments[pair.better] + judgments[pair.worse]) / ranked.units
        found.append(FurtherJudgments(*names, more, math.ceil(more * each)))
    return tuple(found)


def _only(tested: TestResults, place: int) -> TestResults:
    one = slice(place, place + 1)
    return TestResults(
        tested.differences[one], tested.p_values[one], tested.standard_errors[one], tested.degrees[one]
    )


def _needed(tested: TestResults, level: float, segments: int, power: float) -> int | str:
    """The smallest number of segments on which the difference is detectable; or why there is none."""
    difference, error = abs(float(tested.differences[0])), float(tested.standard_errors[0])
    if difference == 0:
        return NO_DIFFERENCE
    if not error > 0:
        return _NO_VARIANCE

    def detectable(count: int) -> bool:
        degrees = math.inf if count > _ALMOST_NORMAL or np.isinf(tested.degrees[0]) else count - 1.0
        larger = replace(
            tested,
            standard_errors=np.array([error * math.sqrt(segments / count)]),
            degrees=np.array([degrees]),
        )
        (smallest,) = minimum_detectable(larger, np.array([level]), power=power)
        return smallest is not None and smallest <= difference

    if not detectable(_MOST_SEGMENTS):
        return TOO_MANY
    low, high = 1, _MOST_SEGMENTS  # not enough, enough
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if detectable(middle) else (middle, high)
    return high
