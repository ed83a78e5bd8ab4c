"""A linear model of ratings: value = system + judge + segment + noise, by least squares.

It compares systems as if all judges had judged all of them on all segments: who judged a harsh judge's share, or the
difficult segments, is not worse for it. Effects are fixed. Standard errors are clustered by segment (Liang & Zeger
1986), because judgments of one segment share what the model does not know, such as a system that fails on it; the
small-sample factor is G / (G - 1) * (n - 1) / (n - k), with G segments, n judgments and k free effects of systems and
judges, and t has G - 1 degrees of freedom.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import ROUNDING, Floats, one_blas_thread
from understudy.choices import CONFIDENCE
from understudy.judging.analysis.means import NO_JUDGMENTS, ONE_SEGMENT, ONE_SYSTEM
from understudy.judging.analysis.own_means import OwnMeans
from understudy.judging.estimates import Absent, Estimate
from understudy.judging.judgments import Ratings, combined
from understudy.resampling.intervals import student_intervals
from understudy.resampling.significance_tests import Pairs, TestResults
from understudy.resampling.student import two_sided_p
from understudy.settings import check_between

NOTHING_SHARED = "no segment has two judgments, so effects of segments and systems cannot be separated"
NO_NOISE = "systems, judges and segments explain the judgments completely: variance cannot be estimated"
ONE_JUDGE = "only one judge"
JUDGES_APART = "judges who judged no segment of another judge, directly or through others, cannot be compared"
# Parts of the largest eigenvalue that are rounding: those of a design are integers, added and divided.
_ZERO_EIGENVALUE = 1e-10
_SAME_DIRECTION = 1e-6


@dataclass(frozen=True)
class Effect:
    """Of a system or a judge: how far above the mean of all systems, or of all judges, it is."""

    name: str
    judgments: int
    effect: Estimate


@dataclass(frozen=True, eq=False)
class JudgeAndItemEffects:
    """The fitted model."""

    systems: tuple[Effect, ...]
    judges: tuple[Effect, ...]  # positive: more lenient than others
    level: float  # the mean of all judgments: with the effect of a system, its adjusted mean
    deviation: float | None  # of the noise; None: there are as many effects as judgments
    judgments: int  # of segments that have at least two
    segments: int
    values: Floats  # [systems], of the effects
    covariance: Floats  # [systems, systems], of the effects

    def tested(self, pairs: Pairs) -> TestResults:
        """The differences between systems, first minus second, by t with one degree of freedom less than segments."""
        one, other = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        difference = self.values[one] - self.values[other]
        variance = self.covariance[one, one] + self.covariance[other, other] - 2 * self.covariance[one, other]
        errors = np.sqrt(np.maximum(variance, 0.0))
        degrees = np.full(len(pairs), float(max(1, self.segments - 1)))
        found = TestResults(difference, np.ones(len(pairs)), errors, degrees)
        if self.segments < 2:
            return found
        p_values = two_sided_p(found.t_statistics, degrees)
        return TestResults(difference, p_values, errors, degrees)


@one_blas_thread()
def judge_and_item_effects(
    ratings: Ratings, systems: Sequence[str], judges: Sequence[str], *, confidence: float = CONFIDENCE
) -> JudgeAndItemEffects | Absent:
    """The model's effects of systems and judges, or the reason why systems cannot be compared by it."""
    check_between("confidence", confidence)
    own = OwnMeans.of(ratings)
    names = [systems[place] for place in np.unique(own.system).tolist()]
    if len(names) < 2:
        return Absent(ONE_SYSTEM if names else NO_JUDGMENTS)
    rows = _of_shared_segments(own)
    if not len(rows):
        return Absent(NOTHING_SHARED)
    fitted = _Fit.of(rows, len(names), len(judges))
    if fitted.explains_all:
        return Absent(NO_NOISE)
    groups = fitted.comparable(np.arange(len(names)))
    if len(groups) > 1:
        return Absent(_apart([[names[place] for place in group] for group in groups]))
    values, covariance = fitted.around_mean(np.arange(len(names)))
    counted = np.bincount(rows.system, minlength=len(names)).tolist()
    estimates = _estimates(values, covariance, fitted.segments, confidence)
    return JudgeAndItemEffects(
        tuple(Effect(*each) for each in zip(names, counted, estimates, strict=True)),
        _judge_effects(fitted, rows, judges, confidence),
        float(rows.value.mean()),
        fitted.deviation,
        len(rows),
        fitted.segments,
        values,
        covariance,
    )


def _of_shared_segments(own: OwnMeans) -> OwnMeans:
    """A segment with one judgment has an effect that fits it, and says nothing else."""
    kept = np.bincount(own.segment)[own.segment] > 1 if len(own) else np.zeros(0, dtype=bool)
    return OwnMeans(own.judge[kept], combined(own.system)[kept], combined(own.segment[kept]), own.value[kept])


def _judge_effects(
    fitted: _Fit, rows: OwnMeans, judges: Sequence[str], confidence: float
) -> tuple[Effect, ...]:
    counted = np.bincount(rows.judge, minlength=len(judges))
    present = np.flatnonzero(counted)
    places = len(fitted.effects) - len(judges) + present
    if len(present) < 2:
        estimates = [Estimate.absent(ONE_JUDGE)] * len(present)
    elif len(fitted.comparable(places)) > 1:
        estimates = [Estimate.absent(JUDGES_APART)] * len(present)
    else:
        estimates = _estimates(*fitted.around_mean(places), fitted.segments, confidence)
    return tuple(
        Effect(judges[place], int(counted[place]), estimate)
        for place, estimate in zip(present.tolist(), estimates, strict=True)
    )


def _estimates(values: Floats, covariance: Floats, segments: int, confidence: float) -> list[Estimate]:
    if segments < 2:
        return [Estimate(value, no_interval=ONE_SEGMENT) for value in values.tolist()]
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    intervals = student_intervals(values, errors, np.full(len(values), segments - 1.0), confidence)
    return [Estimate(value, each) for value, each in zip(values.tolist(), intervals, strict=True)]


def _apart(groups: Sequence[Sequence[str]]) -> str:
    shown = "; ".join(", ".join(f"'{name}'" for name in group) for group in groups)
    return f"no chain of judges and segments connects these groups of systems: {shown}"


@dataclass(frozen=True, eq=False)
class _Fit:
    """Least squares after the effects of segments are taken out: the normal equations of systems and judges alone."""

    effects: Floats  # [systems and judges], up to what the design cannot tell
    covariance: Floats
    unknown: Floats  # [systems and judges, directions]: changes of the effects that change no expected value
    segments: int
    deviation: float | None
    explains_all: bool  # whether nothing is left but rounding

    @classmethod
    def of(cls, rows: OwnMeans, systems: int, judges: int) -> _Fit:
        from scipy.sparse import coo_array

        count, segments = len(rows), int(rows.segment.max()) + 1
        of_row = np.arange(count)
        both = np.concatenate([rows.system, systems + rows.judge])
        design = coo_array(
            (np.ones(2 * count), (np.concatenate([of_row, of_row]), both)), shape=(count, systems + judges)
        ).tocsr()
        member = coo_array((np.ones(count), (rows.segment, of_row)), shape=(segments, count)).tocsr()
        sizes = np.bincount(rows.segment).astype(np.float64)
        value = rows.value - rows.value.mean()
        in_segment = member @ design  # [segments, systems and judges]
        weighted = in_segment.multiply((1 / sizes)[:, np.newaxis]).tocsr()
        normal = (design.T @ design - in_segment.T @ weighted).toarray()
        right = design.T @ value - weighted.T @ (member @ value)
        solved, vectors = np.linalg.eigh(normal)
        known = solved > _ZERO_EIGENVALUE * solved.max(initial=0.0)
        inverse = (vectors[:, known] / solved[known]) @ vectors[:, known].T
        effects = inverse @ right
        rest = value - design @ effects
        rest -= ((member @ rest) / sizes)[rows.segment]
        free = int(known.sum())
        scores = member @ design.multiply(rest[:, np.newaxis]).tocsr()  # [segments, systems and judges]
        middle = (scores.T @ scores).toarray()
        factor = segments / max(1, segments - 1) * (count - 1) / max(1, count - free)
        left = count - free - segments
        return cls(
            effects,
            factor * inverse @ middle @ inverse,
            vectors[:, ~known],
            segments,
            math.sqrt(float(rest @ rest) / left) if left > 0 else None,
            bool(np.abs(rest).max() <= ROUNDING * np.abs(rows.value).max()),
        )

    def comparable(self, places: NDArray[np.integer]) -> list[list[int]]:
        """Groups of these places whose effects can be compared with each other: no direction that the design cannot
        tell moves them apart.
        """
        groups: list[list[int]] = []
        for place in places.tolist():
            for group in groups:
                if np.abs(self.unknown[place] - self.unknown[group[0]]).max(initial=0.0) < _SAME_DIRECTION:
                    group.append(place)
                    break
            else:
                groups.append([place])
        return groups

    def around_mean(self, places: NDArray[np.integer]) -> tuple[Floats, Floats]:
        """The effects at these places less their mean, and their covariance."""
        centered = np.eye(len(places)) - 1 / len(places)
        values = self.effects[places] - self.effects[places].mean()
        return values, centered @ self.covariance[np.ix_(places, places)] @ centered
