"""The human ceiling: agreement of one rater with the mean of the other raters, for every coefficient.

It is a point of comparison for a metric's coefficient, not an upper bound. A metric is compared with the mean of all
raters, which is less noisy than the mean of all but one. A rater's weight is the number of translations that the rater
and at least one other rater scored. If these are only some of the translations, a metric's coefficient on all
translations is not comparable. In this case the metrics are also evaluated on the same translations, in place of the
rater.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats, ties_kept
from understudy.corpus.judgments import Ratings, ScoreTable
from understudy.errors import UnderstudyError
from understudy.metrics.base.score import Interval
from understudy.resampling.two_way_samples import Draws, bootstrap_draws
from understudy.trusting.alignment import AlignedScores
from understudy.trusting.coefficients.by_name import CoefficientSpec, agreement_of, estimate
from understudy.trusting.coefficients.estimators import Estimator
from understudy.trusting.intervals import bounds_of, interval_among
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.plan import TrustPlan
from understudy.trusting.thread_map import thread_map

ONE_JUDGE = "one rater"  # in place of the name of a metric

NOTHING_SHARED = "no translation was scored by two raters"
_NOTHING_COMPLETE = "no rater shared a segment of all systems with another rater"


@dataclass(frozen=True)
class JudgeValue:
    """A coefficient between one rater's scores and the means of the others."""

    judge: str
    translations: int  # that this judge and another one scored; of judges of whole systems, these
    value: float


@dataclass(frozen=True)
class CeilingValue:
    """One coefficient: the mean over raters, weighted by their number of translations."""

    asked: CoefficientSpec
    value: float  # NaN: not defined for any judge
    interval: Interval | None
    judges: tuple[JudgeValue, ...]  # those for whom it is defined
    reason: str | None  # why it is for none

    @property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest value of any rater."""
        values = [each.value for each in self.judges]
        return (min(values), max(values)) if values else (np.nan, np.nan)


@dataclass(frozen=True)
class Ceiling:
    """The agreement of one rater with the others."""

    judges: int  # who scored anything that another one scored
    translations: int  # that several judges scored
    judged: int  # translations that any judge scored
    values: tuple[CeilingValue, ...]
    # What metrics get in the place of each judge, on the same translations, by metric and as `values` [asked]. Empty
    # where several judges scored all translations: there it says what the metrics' own coefficients say.
    metrics: dict[str, tuple[float, ...]]

    def of(self, asked: CoefficientSpec) -> CeilingValue | None:
        """The value of a coefficient; None if it has none."""
        return next((each for each in self.values if each.asked == asked and not np.isnan(each.value)), None)


def ceiling(
    paired: AlignedScores, asked: Sequence[CoefficientSpec], plan: TrustPlan, *, over: str, threads: int = 1
) -> Ceiling | None:
    """The agreement of the raters of these systems; None unless there are several named raters."""
    human, systems = paired.human, paired.systems
    if human.ratings is None:
        return None
    judged, ratings = _several(human.ratings.of_rows([human.systems.index(system) for system in systems]))
    columns = np.unique(ratings.column[ratings.column < len(human.segments)])
    scales = [
        _scale(human, number, ratings, columns, systems) for number in np.unique(ratings.judge).tolist()
    ]
    look = functools.partial(
        _RaterCoefficients.at, asked=asked, plan=plan, over=over, shape=(len(systems), len(columns))
    )
    looked = thread_map(look, scales, threads)
    values = tuple(
        _over_judges(one, number, looked, plan, over=over, segments=len(columns))
        for number, one in enumerate(asked)
    )
    translations = len(np.unique(ratings.row * (len(human.segments) + 1) + ratings.column))
    metrics = {}
    if 0 < translations < judged and not human.given:
        segments = np.searchsorted(paired.segments, np.array(human.segments)[columns])
        place = functools.partial(
            _in_the_place, pairings=paired.pairings, segments=segments, asked=asked, seed=plan.seed
        )
        metrics = _of_metrics(paired.pairings, values, looked, thread_map(place, scales, threads))
    return Ceiling(len(scales), translations, judged, values, metrics)


# --- who scored what ----------------------------------------------------------------------------------------


def _several(ratings: Ratings) -> tuple[int, Ratings]:
    """The number of rated translations, and the ratings of translations with several raters."""
    _, which, counts = np.unique(
        np.stack([ratings.row, ratings.column]), axis=1, return_inverse=True, return_counts=True
    )
    kept = counts[which.ravel()] > 1
    return len(counts), Ratings(
        ratings.judge[kept], ratings.row[kept], ratings.column[kept], ratings.score[kept]
    )


@dataclass(frozen=True, eq=False)
class _Scale:
    """The scores of one rater, and the means of the other raters."""

    judge: str
    columns: NDArray[np.intp]  # those of this judge, among the segments that several judges scored
    pairings: dict[str, PairedScores]  # by level
    translations: dict[str, int]


def _scale(
    human: ScoreTable, judge: int, ratings: Ratings, columns: NDArray[np.int64], systems: tuple[str, ...]
) -> _Scale:
    """At segment level, all translations scored by the rater and at least one other rater. At system level, only
    segments in which these cover all systems that the rater scored. Means over different segments would differ by the
    difficulty of the segments, on which raters agree whatever they think of the systems.
    """
    width = len(human.segments) + 1
    cell, own = ratings.row * width + ratings.column, ratings.judge == judge
    is_own = np.zeros(len(systems) * width, dtype=bool)
    is_own[cell[own]] = True
    beside = is_own[cell] & ~own
    count = np.bincount(cell[beside], minlength=len(is_own))
    total = np.bincount(cell[beside], ratings.score[beside], len(is_own))
    means = np.where(count > 0, total / np.maximum(count, 1), np.nan)
    others = ties_kept(means).reshape(len(systems), width)
    mine = np.full(others.shape, np.nan)
    mine.flat[cell[own]] = ratings.score[own]
    places = np.flatnonzero(~np.isnan(mine[:, columns]).all(axis=0))
    people, scores = others[:, columns[places]], mine[:, columns[places]]
    known = ~np.isnan(scores)
    complete = known[known.any(axis=1)].all(axis=0)
    wholes = (others[:, -1], mine[:, -1]) if human.given else (None, None)
    if len(places):
        of_segments = PairedScores(systems, people, scores, *wholes)
        shared = PairedScores(
            systems, np.where(complete, people, np.nan), np.where(complete, scores, np.nan), *wholes
        )
    else:
        of_segments = shared = PairedScores(systems, None, None, *wholes)
    of_systems = mine[:, -1] if human.given else scores[:, complete]
    return _Scale(
        human.judges[judge],
        places,
        {"system": shared, "segment": of_segments},
        {"system": int((~np.isnan(of_systems)).sum()), "segment": int(known.sum())},
    )


# --- what they get ------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _RaterCoefficients:
    """All coefficients of one rater, in the data and in resamples."""

    scale: _Scale
    values: Floats  # [asked]
    drawn: Floats  # [asked, samples]
    reasons: list[str | None]

    @classmethod
    def at(
        cls,
        scale: _Scale,
        asked: Sequence[CoefficientSpec],
        plan: TrustPlan,
        over: str,
        shape: tuple[int, int],
    ) -> _RaterCoefficients:
        values, drawn = np.full(len(asked), np.nan), np.full((len(asked), plan.samples), np.nan)
        reasons: list[str | None] = [None] * len(asked)
        estimators: dict[int, Estimator] = {}
        for number, one in enumerate(asked):
            pairing = scale.pairings[one.level]
            try:
                estimator = estimate(pairing, one, seed=plan.seed)
                found = agreement_of(pairing, estimator, one)
            except UnderstudyError as error:
                reasons[number] = str(error).rstrip(".")
                continue
            values[number], reasons[number] = found.value, found.reason
            if found.reason is None:
                estimators[number] = estimator
        start = 0
        for draws in (
            bootstrap_draws(shape, over, plan.samples, plan.seed) if shape[1] or over == "systems" else ()
        ):
            # Judges have the same samples, each that part of them that the judge scored.
            own = draws if draws.segments is None else Draws(draws.systems, draws.segments[:, scale.columns])
            for number, estimator in estimators.items():
                drawn[number, start : start + draws.samples] = estimator.values(own)
            start += draws.samples
        return cls(scale, values, drawn, reasons)


def _over_judges(
    asked: CoefficientSpec,
    number: int,
    looked: Sequence[_RaterCoefficients],
    plan: TrustPlan,
    *,
    over: str,
    segments: int,
) -> CeilingValue:
    defined = [each for each in looked if not np.isnan(each.values[number])]
    if not defined:
        reasons = [reason for each in looked if (reason := each.reasons[number])]
        reason = _of_judges(reasons[0]) if reasons else NOTHING_SHARED
        if asked.level == "system" and not any(each.scale.translations["system"] for each in looked):
            reason = _NOTHING_COMPLETE if looked else NOTHING_SHARED
        return CeilingValue(asked, np.nan, None, (), reason)
    weights = np.array([float(each.scale.translations[asked.level]) for each in defined])
    value = float(weights @ [each.values[number] for each in defined] / weights.sum())
    drawn = np.stack([each.drawn[number] for each in defined])
    shares = weights @ ~np.isnan(drawn)
    with np.errstate(invalid="ignore", divide="ignore"):
        in_samples = np.where(shares > 0, weights @ np.nan_to_num(drawn) / shares, np.nan)
    of_judges = tuple(
        JudgeValue(each.scale.judge, each.scale.translations[asked.level], float(each.values[number]))
        for each in defined
    )
    interval = None
    if (
        over != "segments" or segments > 1
    ):  # all samples of one segment are the same: it says nothing about others
        interval = interval_among(
            in_samples, value, over=over, confidence=plan.confidence, bounds=bounds_of(asked)
        )
    return CeilingValue(asked, value, interval, of_judges, None)


def _of_judges(reason: str) -> str:
    """Why a coefficient has no value, with one rater in place of the metric and the others as human scores."""
    return reason.replace("metric scores", "scores of the rater").replace(
        "human scores", "scores of the others"
    )


# --- metrics in the place of a judge ------------------------------------------------------------------------


def _in_the_place(
    scale: _Scale,
    pairings: Mapping[str, PairedScores],
    segments: NDArray[np.intp],
    asked: Sequence[CoefficientSpec],
    seed: int,
) -> Floats:
    """All coefficients of all metrics [metrics, asked] with the means of the other raters, on the translations of this
    rater. `segments` are the positions of segments that several raters scored.
    """
    found = np.full((len(pairings), len(asked)), np.nan)
    for row, pairing in enumerate(pairings.values()):
        if pairing.metric is None:
            continue
        instead = {
            level: _instead(of_judge, pairing, segments[scale.columns])
            for level, of_judge in scale.pairings.items()
        }
        for column, one in enumerate(asked):
            try:
                found[row, column] = estimate(instead[one.level], one, seed=seed).value
            except UnderstudyError:
                continue
    return found


def _instead(of_judge: PairedScores, of_metric: PairedScores, segments: NDArray[np.intp]) -> PairedScores:
    """The metric's scores of the same translations, and its system scores on their segments."""
    assert of_judge.metric is not None
    assert of_metric.metric is not None
    known = ~np.isnan(of_judge.metric)
    whole = None
    if of_metric.metric_of_samples is not None:
        weights = np.zeros((1, of_metric.shape[1]))
        weights[0, segments[known.any(axis=0)]] = 1
        whole = np.where(known.any(axis=1), of_metric.metric_of_samples(weights)[0], np.nan)
    scores = np.where(known, of_metric.metric[:, segments], np.nan)
    return PairedScores(of_judge.systems, of_judge.human, scores, None, whole)


def _of_metrics(
    names: Iterable[str],
    values: Sequence[CeilingValue],
    looked: Sequence[_RaterCoefficients],
    placed: Sequence[Floats],
) -> dict[str, tuple[float, ...]]:
    """Means over the same raters, with the same weights, as for one rater."""
    of_all = np.stack(placed)  # [judges, metrics, asked]
    means = np.full(of_all.shape[1:], np.nan)
    for number, value in enumerate(values):
        defined = [place for place, each in enumerate(looked) if not np.isnan(each.values[number])]
        weights = np.array([float(looked[place].scale.translations[value.asked.level]) for place in defined])
        if defined:
            means[:, number] = weights @ of_all[defined, :, number] / weights.sum()
    return {name: tuple(of_metric.tolist()) for name, of_metric in zip(names, means, strict=True)}
