"""Scores of the same translations by humans and one metric."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import LARGEST_SCORE, ROUNDING, Floats, rounded, ties_kept
from understudy.errors import BadInput, LengthMismatch, NoSegments
from understudy.resampling.samples import SAMPLES_AT_ONCE
from understudy.resampling.two_way_samples import Draws
from understudy.trusting.coefficients.correlations import Products
from understudy.trusting.coefficients.kendall import Orders
from understudy.trusting.coefficients.pairwise_preferences import SegmentPairs, TunedTies
from understudy.wording import number_of

# Given system scores may differ from means of segment scores by so many standard errors, as by having few digits.
_ROUNDED = 0.1


class _Divisible(Protocol):
    """Scores of samples that can be had for some systems and segments, by number, without computing the others."""

    def part(self, systems: NDArray[np.intp], segments: NDArray[np.intp]) -> Callable[[Floats], Floats]: ...


@dataclass(frozen=True, eq=False)
class PairedScores:
    """Scores of the same systems, and of the same segments if there are scores of segments. More is better on both
    sides: the scores of an error rate come negated.
    """

    systems: tuple[str, ...]
    human: Floats | None = None  # [systems, segments]; NaN: not judged
    metric: Floats | None = None  # [systems, segments]; NaN: not scored
    human_systems: Floats | None = None  # [systems]; else the mean over judged segments
    metric_systems: Floats | None = None  # [systems]; else the mean over segments
    # What the metric scores systems in samples [samples, systems], whose segments weigh so much [samples, segments]:
    # of corpus BLEU, for example, the BLEU of the sample. Else the weighted mean of its segment scores.
    metric_of_samples: Callable[[Floats], Floats] | None = None
    # Translations that count at segment level [systems, segments], the same for all metrics; None: all.
    compared: NDArray[np.bool_] | None = None

    def __post_init__(self) -> None:
        for what, scores in (("human", self.human), ("metric", self.metric)):
            if scores is not None and (scores.ndim != 2 or len(scores) != len(self.systems)):
                raise LengthMismatch(
                    f"{what} segment scores have shape {scores.shape}, expected [systems, segments] with "
                    f"{number_of(len(self.systems), 'system')}."
                )
            if scores is not None and scores.shape[1] == 0:
                raise NoSegments(f"{what} segment scores are empty. Give system scores instead.")
            if scores is not None and (np.abs(scores) > LARGEST_SCORE).any():
                raise BadInput(
                    f"a {what} segment score exceeds {LARGEST_SCORE:g} in absolute value. Use NaN for missing scores."
                )
        if self.human is not None and self.metric is not None and self.human.shape != self.metric.shape:
            raise LengthMismatch(
                f"human scores have {number_of(self.human.shape[1], 'segment')}, metric scores "
                f"{self.metric.shape[1]:,}: expected the same segments, with NaN for missing scores."
            )
        for what, given in (("human", self.human_systems), ("metric", self.metric_systems)):
            if given is not None and given.shape != (len(self.systems),):
                raise LengthMismatch(f"got {given.size} {what} system scores, expected {len(self.systems)}.")
            if given is not None and (np.abs(given) > LARGEST_SCORE).any():
                raise BadInput(
                    f"a {what} system score exceeds {LARGEST_SCORE:g} in absolute value. Use NaN for missing scores."
                )
        if self.human is None and self.human_systems is None:
            raise BadInput("no human scores. Give segment scores or system scores.")
        if self.metric is None and self.metric_systems is None and self.metric_of_samples is None:
            raise BadInput("no metric scores. Give segment scores or system scores.")

    @property
    def shape(self) -> tuple[int, int]:
        """Systems and segments."""
        scores = self.human if self.human is not None else self.metric
        return (len(self.systems), 0 if scores is None else scores.shape[1])

    def part(self, systems: NDArray[np.intp], segments: NDArray[np.intp]) -> PairedScores:
        """Some systems and segments, by number. Given system scores are replaced by means over these segments, if there
        are segment scores. Scores of samples must be `_Divisible`.
        """
        of_samples = cast("_Divisible | None", self.metric_of_samples)

        def of_part(scores: Any) -> Any:
            return None if scores is None else scores[np.ix_(systems, segments)]

        def of_systems(given: Floats | None, scores: Floats | None) -> Floats | None:
            return None if given is None or scores is not None else given[systems]

        return PairedScores(
            tuple(self.systems[system] for system in systems),
            of_part(self.human),
            of_part(self.metric),
            of_systems(self.human_systems, self.human),
            of_systems(self.metric_systems, self.metric),
            None if of_samples is None else of_samples.part(systems, segments),
            of_part(self.compared),
        )

    @cached_property
    def orders(self) -> dict[str, Orders]:
        """Orders of translations by human and metric scores, by grouping, for all rank coefficients."""
        return {}

    @cached_property
    def products(self) -> dict[str, Products]:
        """Sums of scores and of their products, by grouping, for all coefficients that are made of them."""
        return {}

    @cached_property
    def segment_pairs(self) -> SegmentPairs:
        """Every two translations of every segment."""
        return SegmentPairs(*self.segment_scores)

    @cached_property
    def ties(self) -> dict[str, TunedTies]:
        """Calibrated ties of the metric, by grouping, for all coefficients that need them."""
        return {}

    @property
    def segment_scores(self) -> tuple[Floats, Floats]:
        """Human and metric segment scores."""
        if self.human is None or self.metric is None:
            which = "human" if self.human is None else "metric"
            raise BadInput(
                f"segment-level coefficients need segment scores, but the {which} scores are system scores."
            )
        if self.compared is None:
            return self.human, self.metric
        return self.human, np.where(self.compared, self.metric, np.nan)

    @cached_property
    def _last(self) -> dict[Draws, tuple[Floats, Floats]]:
        return {}

    @cached_property
    def system_scores(self) -> tuple[Floats, Floats]:
        """Human and metric system scores."""
        everything = np.ones((1, self.shape[1]))
        human = _of_samples(self.human, self.human_systems, everything)[0]
        if self.metric_of_samples is not None:
            metric = self.metric_of_samples(everything)[0]
        else:
            metric = _of_samples(self.metric, self.metric_systems, everything)[0]
        # Those that were given are as they are.
        return (
            ties_kept(human) if self.human_systems is None else human,
            ties_kept(metric) if self.metric_systems is None else metric,
        )

    @cached_property
    def contributions(self) -> Floats:
        """What segments contribute to system scores [systems, segments], which are its means: segment scores or, of a
        corpus score, the pseudo-values of the jackknife.
        """
        if self.metric_of_samples is not None:
            return _pseudo_values(self.metric_of_samples, self.shape[1])
        if self.metric is None:
            raise BadInput("there are no segment scores.")
        if self.metric_systems is None:
            return self.metric
        beyond = self.metric_systems - _means(self.metric, np.ones((1, self.metric.shape[1])))[0]
        if not _is_rounding(beyond, self.metric):
            raise BadInput("the given system scores are not the means of the segment scores.")
        return np.asarray(self.metric + beyond[:, np.newaxis])  # to the digit what is shown

    def sampled_system_scores(self, draws: Draws) -> tuple[Floats, Floats]:
        """Of people and of the metric [samples or 1, systems], over the segments of the samples."""
        if draws.segments is None:
            human, metric = self.system_scores
            return human[np.newaxis], metric[np.newaxis]
        if draws not in self._last:  # one coefficient after the other asks for the same
            people = _of_samples(self.human, self.human_systems, draws.segments)
            if self.metric_of_samples is not None:
                scores = self.metric_of_samples(draws.segments)
            else:
                scores = _of_samples(self.metric, self.metric_systems, draws.segments)
            self._last.clear()
            self._last[draws] = (rounded(people), rounded(scores))
        return self._last[draws]


def _of_samples(scores: Floats | None, given: Floats | None, weights: Floats) -> Floats:
    """Scores of systems in samples. Those that were given move as the mean of segment scores does; without any, they
    stay where they are.
    """
    if scores is None:
        assert given is not None
        return np.tile(given, (len(weights), 1))
    means = _means(scores, weights)
    if given is None:
        return means
    return np.asarray(given + (means - _means(scores, np.ones((1, scores.shape[1])))))


def _means(scores: Floats, weights: Floats) -> Floats:
    """Weighted means over the segments that have a score [samples, systems]."""
    known = ~np.isnan(scores)
    count = weights @ known.T.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(count > 0, (weights @ np.nan_to_num(scores).T) / count, np.nan))


def _pseudo_values(score: Callable[[Floats], Floats], segments: int) -> Floats:
    """n θ - (n - 1) θ₋ᵢ (Tukey 1958), less the bias of the jackknife, so that their mean is the score of all segments.
    Their variance over n is that of the score: with lengths that vary, segment scores would make it too small.
    """
    everything = np.ones((1, segments))
    whole = score(everything).T  # [systems, 1]
    if segments < 2:
        return np.asarray(whole)
    without = np.concatenate(
        [
            score(everything - np.eye(min(SAMPLES_AT_ONCE, segments - start), segments, start))
            for start in range(0, segments, SAMPLES_AT_ONCE)
        ]
    ).T
    return np.asarray(whole + (segments - 1) * (without.mean(axis=1, keepdims=True) - without))


def _is_rounding(beyond: Floats, scores: Floats) -> bool:
    """Whether what given system scores differ by from the means of segment scores is nothing beside the standard errors
    of these means. If it is more, they are scores of another kind, and how they vary with the segments is not known.
    """
    rows = [row[~np.isnan(row)] for row in scores]
    error = float(np.mean([row.std() / math.sqrt(len(row)) if len(row) else 0.0 for row in rows]))
    largest = max((float(np.abs(row).max()) for row in rows if len(row)), default=0.0)
    return bool((np.abs(beyond) <= _ROUNDED * error + ROUNDING * largest).all())
