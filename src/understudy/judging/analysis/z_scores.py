"""Ratings standardized per judge, as WMT does with direct assessments: less the judge's mean, by the judge's standard
deviation (n - 1), both of all the judge's answers, repeats included.

A judge whose answers are all equal, or who gave one answer, has no scale to be compared on: these ratings are left out,
and the judge is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy.arrays import ROUNDING
from understudy.judging.judgments import Ratings


@dataclass(frozen=True)
class JudgeScale:
    """How one judge uses the scale."""

    judge: str
    answers: int
    mean: float
    deviation: float | None  # None: all answers are equal, or there is only one


@dataclass(frozen=True, eq=False)
class ZScores:
    """The ratings of all judges who have a scale."""

    ratings: Ratings
    judges: tuple[JudgeScale, ...]  # who gave any answer

    @property
    def left_out(self) -> tuple[str, ...]:
        """The judges without a scale."""
        return tuple(each.judge for each in self.judges if each.deviation is None)


def z_scores(ratings: Ratings, judges: Sequence[str]) -> ZScores:
    """
    >>> found = z_scores(Ratings.of([0, 0, 0, 1], [0, 1, 2, 0], [0, 0, 0, 0], [1, 2, 3, 5]), ["kind", "curt"])
    >>> found.ratings.value.tolist(), found.left_out
    ([-1.0, 0.0, 1.0], ('curt',))
    """
    answers, count = ratings.answers, len(judges)
    number = np.bincount(answers.judge, minlength=count)
    means = np.bincount(answers.judge, answers.value, count) / np.maximum(number, 1)
    squares = np.bincount(answers.judge, (answers.value - means[answers.judge]) ** 2, count)
    deviations = np.sqrt(squares / np.maximum(number - 1, 1))
    size = np.zeros(count)
    np.maximum.at(size, answers.judge, np.abs(answers.value))
    has_scale = deviations > ROUNDING * size  # a mean of equal values is not always that value
    kept = ratings.rows(has_scale[ratings.judge])
    value = (kept.value - means[kept.judge]) / deviations[kept.judge]
    scales = tuple(
        JudgeScale(
            name,
            int(number[place]),
            float(means[place]),
            float(deviations[place]) if has_scale[place] else None,
        )
        for place, name in enumerate(judges)
        if number[place]
    )
    return ZScores(replace(kept, value=value), scales)
