"""Neighbors in the ranking, compared within judge and sentence (Papineni et al. 2001, section 4.1).

Some judges are more liberal, and some sentences are easier to translate: so the two systems of a pair are compared by
the differences between a judge's ratings of the same sentence. The report's t interval takes these differences to be
independent. If a system is better on some sentences than on others, those of one sentence are not, and the interval is
too narrow: the one by segments takes only sentences to be independent.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from understudy.arrays import ROUNDING, Floats
from understudy.choices import CONFIDENCE
from understudy.judging.analysis.clustered import clustered_error
from understudy.judging.analysis.means import NO_JUDGMENTS, ONE_SYSTEM
from understudy.judging.analysis.own_means import OwnMeans
from understudy.judging.estimates import Absent
from understudy.judging.judgments import Places, Ratings
from understudy.metrics.base.score import Interval
from understudy.resampling.evidence import Evidence
from understudy.resampling.intervals import student_intervals
from understudy.resampling.significance_tests import t_test
from understudy.resampling.student import two_sided_p
from understudy.settings import check_between

NOTHING_SHARED = "no judge judged both systems on one segment"
ALL_EQUAL = "all differences are equal: their variance cannot be estimated"
ONE_DIFFERENCE = "one difference only: its variance cannot be estimated"


@dataclass(frozen=True)
class TInterval:
    """Student's t interval of the mean difference, and its p-value."""

    interval: Interval
    p_value: float
    degrees: int


@dataclass(frozen=True)
class AdjacentPair:
    """Two neighbors in the ranking: the one ranked higher minus the one ranked lower. Where judges judged different
    systems, the difference can have the other sign.
    """

    worse: str
    better: str
    difference: float | None  # None: see `reason`
    differences: int  # between ratings of one judge of one segment
    segments: int
    by_judge_and_segment: TInterval | None  # the report's
    by_segment: TInterval | None  # clustered
    reason: str | None = None  # why there is no difference, or no interval


def adjacent_systems(
    ratings: Ratings,
    systems: Sequence[str],
    *,
    ranking: Sequence[str] | None = None,
    higher_is_better: bool = True,
    confidence: float = CONFIDENCE,
) -> tuple[AdjacentPair, ...] | Absent:
    """From the worst pair to the best, in this ranking of the systems, the best first. Without one, in the order of
    their means of all ratings, as in the report.
    """
    check_between("confidence", confidence)
    own = OwnMeans.of(ratings)
    judged = np.unique(own.system)
    if len(judged) < 2:
        return Absent(ONE_SYSTEM if len(judged) else NO_JUDGMENTS)
    if ranking is None:
        totals = np.bincount(own.system, own.value, len(systems))
        means = totals[judged] / np.bincount(own.system, minlength=len(systems))[judged]
        ranked = judged[np.argsort(means if higher_is_better else -means, kind="stable")].tolist()
    else:
        ranked = [systems.index(name) for name in reversed(ranking)]
    return tuple(
        _compared(own, (worse, systems[worse]), (better, systems[better]), confidence)
        for worse, better in itertools.pairwise(ranked)
    )


def _compared(
    own: OwnMeans, worse: tuple[int, str], better: tuple[int, str], confidence: float
) -> AdjacentPair:
    values, segment = _within_judge_and_segment(own, worse[0], better[0])
    names = (worse[1], better[1])
    segments = len(np.unique(segment))
    if not len(segment):
        return AdjacentPair(*names, None, 0, 0, None, None, NOTHING_SHARED)
    evidence = Evidence.of_scores(list(zip(names, values, strict=True)))
    tested = t_test(evidence, [(1, 0)])
    difference = float(tested.differences[0])
    differences = values[1] - values[0]
    if len(segment) < 2 or np.ptp(differences) <= ROUNDING * np.abs(values).max():
        reason = ONE_DIFFERENCE if len(segment) < 2 else ALL_EQUAL
        return AdjacentPair(*names, difference, len(segment), segments, None, None, reason)
    (interval,) = student_intervals(tested.differences, tested.standard_errors, tested.degrees, confidence)
    of_report = TInterval(interval, float(tested.p_values[0]), int(tested.degrees[0]))
    clustered = _clustered(differences, segment, confidence)
    return AdjacentPair(*names, difference, len(segment), segments, of_report, clustered)


def _within_judge_and_segment(own: OwnMeans, worse: int, better: int) -> tuple[Floats, Places]:
    """What judges said of both [2, pairs of ratings], and of which segments."""
    width = int(own.segment.max()) + 1
    rows = [np.flatnonzero(own.system == system) for system in (worse, better)]
    one, other = (own.judge[of_system] * width + own.segment[of_system] for of_system in rows)
    both, *places = np.intersect1d(one, other, assume_unique=True, return_indices=True)
    values = [own.value[of_system[place]] for of_system, place in zip(rows, places, strict=True)]
    return np.stack(values), both % width


def _clustered(differences: Floats, segment: Places, confidence: float) -> TInterval | None:
    found = clustered_error(differences, segment)
    if found is None or found[0] == 0:
        return None
    error, degrees = found
    mean = np.array([differences.mean()])
    (interval,) = student_intervals(mean, np.array([error]), np.array([float(degrees)]), confidence)
    return TInterval(interval, float(two_sided_p(mean / error, float(degrees))[0]), degrees)
