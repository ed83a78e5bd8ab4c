"""The check against overfitting: tuned and initial weights on segments that tuning has not seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import LARGEST_EXACT, Floats
from understudy.choices import CONFIDENCE
from understudy.deciding.tuning.candidates import Candidates
from understudy.deciding.tuning.objective import Objective
from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.score import Interval
from understudy.resampling.evidence import Evidence
from understudy.resampling.intervals import Bootstrap
from understudy.resampling.randomness import generator
from understudy.resampling.samples import bootstrap_scores
from understudy.resampling.significance_tests import is_real, randomization
from understudy.wording import number_of

_PAIR = [(1, 0)]  # tuned minus initial


@dataclass(frozen=True)
class Part:
    """The objective on some segments, with initial and with tuned weights."""

    segments: int
    initial: float
    tuned: float
    # By metric.
    initial_scores: tuple[float, ...]
    tuned_scores: tuple[float, ...]

    @property
    def difference(self) -> float:
        return self.tuned - self.initial


@dataclass(frozen=True)
class HeldOut(Part):
    """The same on segments that the weights were not tuned on, with a test of the difference."""

    interval: Interval | None  # of the difference; None: one segment has no variance
    p_value: float
    significant: bool
    better: bool  # than the initial weights, whichever direction that is
    folds: int | None = None  # of cross-validation; None: one part was held out


def split(segments: int, share: float, seed: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The segments to tune on and those held out, both in order.

    >>> tuned, held_out = split(10, 0.2, seed=1)
    >>> len(tuned), len(held_out), sorted([*tuned.tolist(), *held_out.tolist()]) == list(range(10))
    (8, 2, True)
    """
    if segments < 2:
        raise BadInput(
            "held_out: there is only one segment, and at least one to tune on and one to hold out are needed. Use "
            "held_out=0 for no check.",
            "--held-out: there is only one segment, and at least one to tune on and one to hold out are needed. Use "
            "--held-out 0 for no check.",
        )
    order = generator(seed, "held-out").permutation(segments)
    count = min(max(round(share * segments), 1), segments - 1)
    return np.sort(order[count:]), np.sort(order[:count])


def folds_of(segments: int, count: int, seed: int) -> list[NDArray[np.intp]]:
    """The segments of each fold, in order."""
    if count > segments:
        raise BadParameter(
            f"folds={count}: there are only {number_of(segments, 'segment')}. Use at most one fold per segment.",
        )
    order = generator(seed, "folds").permutation(segments)
    return [np.sort(order[number::count]) for number in range(count)]


def part_of(candidates: Candidates, initial: NDArray[np.int64], tuned: NDArray[np.int64]) -> Part:
    """The objective of two choices of candidates."""
    evidence = _evidence(candidates, initial, tuned)
    scores = evidence.parts(evidence.totals)
    first, second = (tuple(float(of_metric[run]) for of_metric in scores) for run in (0, 1))
    values = evidence.scores
    return Part(candidates.offsets.size - 1, float(values[0]), float(values[1]), first, second)


def compared(
    candidates: Candidates,
    initial: NDArray[np.int64],
    tuned: NDArray[np.int64],
    *,
    samples: int,
    seed: int,
    significance: float,
    folds: int | None = None,
) -> HeldOut:
    """The same with a test: approximate randomization, and a percentile interval from bootstrap samples."""
    evidence = _evidence(candidates, initial, tuned)
    found = randomization(evidence, _PAIR, samples, seed)
    interval, p = None, 1.0
    if evidence.segments > 1:
        resampled = bootstrap_scores([evidence], samples, seed)[0]
        (interval,) = Bootstrap(evidence, resampled, confidence=CONFIDENCE).of_differences(_PAIR)
        p = float(found.p_values[0])
    worth = evidence.worth(evidence.scores)
    return HeldOut(
        **vars(part_of(candidates, initial, tuned)),
        interval=interval,
        p_value=p,
        significant=is_real(p, significance),
        better=bool(worth[1] > worth[0]),
        folds=folds,
    )


@dataclass(frozen=True, eq=False)
class _ChosenEvidence(Evidence):
    """What two sets of weights choose, as two systems whose score is the objective."""

    objective: Objective | None = None
    widths: tuple[int, ...] = ()  # columns of each metric

    def parts(self, sums: Floats) -> list[Floats]:
        """The scores of each metric."""
        assert self.objective is not None
        return self.objective.scores(self._by_metric(sums))

    def score(self, sums: Floats) -> Floats:
        assert self.objective is not None
        return self.objective.value(self._by_metric(sums))

    def worth(self, scores: Floats) -> Floats:
        assert self.objective is not None
        return np.asarray(self.objective.worth(scores))

    def _by_metric(self, sums: Floats) -> list[Floats]:
        return [np.ascontiguousarray(part) for part in np.split(sums, np.cumsum(self.widths)[:-1], axis=-1)]


def _evidence(
    candidates: Candidates, initial: NDArray[np.int64], tuned: NDArray[np.int64]
) -> _ChosenEvidence:
    counts = np.stack(
        [
            np.concatenate([of_metric[rows] for of_metric in candidates.counts], axis=1, dtype=np.float64)
            for rows in (initial, tuned)
        ],
        axis=1,
    )  # [segments, 2, K]
    if np.abs(counts).sum(axis=0).max(initial=0) > LARGEST_EXACT:
        raise BadInput("the counts are too large to be resampled exactly.")
    return _ChosenEvidence(
        systems=("initial", "tuned"),
        system_of=np.arange(2),
        counts=counts,
        metric=None,
        template=None,
        higher_is_better=candidates.objective.higher_is_better,
        objective=candidates.objective,
        widths=tuple(of_metric.shape[1] for of_metric in candidates.counts),
    )
