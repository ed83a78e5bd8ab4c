"""Blind spots: errors that a metric punishes no more than harmless changes of the same segments."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import ROUNDING, Floats, untied
from understudy.metrics.base.score import Interval
from understudy.metrics.base.statistics import Statistics
from understudy.probing.perturbations.applied import NONE, AppliedPerturbation
from understudy.probing.perturbations.results import (
    BLIND,
    SENSITIVE,
    UNDECIDED,
    BlindSpot,
    Estimate,
    HarmlessComparison,
)
from understudy.probing.perturbations.segment_bootstrap import SegmentBootstrap
from understudy.probing.plan import ProbePlan
from understudy.resampling.evidence import Evidence
from understudy.resampling.intervals import interval_of
from understudy.resampling.samples import bootstrap_scores

# A metric that does not tell an error from a harmless change has a share of 50%, and no interval excludes a share
# slightly above. So a metric counts as blind if its share is shown to be below this, and as sensitive if above.
NOTICED = 0.55
FEWEST_SEGMENTS = 10  # for a verdict


def blind_spots_of(
    error: AppliedPerturbation,
    harmless: Sequence[AppliedPerturbation],
    plan: ProbePlan,
    bootstrap: SegmentBootstrap,
) -> list[BlindSpot]:
    """The error at every strength under every metric, where a segment has it and a harmless change."""
    if not error.texts:
        return []
    pairings = [
        pairing for each in harmless if each.texts for pairing in [_paired(error, each)] if pairing.any
    ]
    if not pairings:
        return []
    both = np.stack([pairing.both for pairing in pairings])  # [harmless, strengths, segments]
    some: NDArray[np.bool_] = np.asarray(both.any(axis=0))
    wins = np.stack([pairing.wins for pairing in pairings])  # [harmless, strengths, segments, metrics]
    excess = np.stack([pairing.excess for pairing in pairings])
    alarms = np.stack([pairing.alarms for pairing in pairings])
    weights = _weights(pairings, both)
    sensed = untied(error.worths[error.text_of], error.original_worths) < 0

    shares = bootstrap.shares(
        _by_segment(np.concatenate([_mean(wins, weights), sensed, _mean(alarms, weights)], axis=-1)), some.T
    )
    wins_alone = [bootstrap.shares(_by_segment(pairing.wins), pairing.both.T) for pairing in pairings]
    if plan.level == "corpus":
        extra, extra_alone = _corpus_excess(pairings, plan)
    else:
        extra = bootstrap.means(_by_segment(_mean(excess, weights)), some.T)
        extra_alone = [bootstrap.means(_by_segment(pairing.excess), pairing.both.T) for pairing in pairings]
    metrics = len(error.system.metrics)
    found = []
    for place, strength in enumerate(error.strengths):
        segments = int(some[place].sum())
        for metric in range(metrics if segments else 0):
            below, sensitivity, false_alarms = (shares[place][metric + part * metrics] for part in range(3))
            beside = [
                _alone(
                    pairing,
                    place,
                    wins_alone[number][place][metric],
                    extra_alone[number][place][metric],
                    plan,
                )
                for number, pairing in enumerate(pairings)
                if pairing.both[place].any()
            ]
            excess_of_all = extra[place][metric]
            found.append(
                BlindSpot(
                    error.facts.name,
                    strength,
                    metric,
                    segments,
                    below,
                    excess_of_all,
                    sensitivity,
                    false_alarms,
                    tuple(beside),
                    _verdict(segments, below, excess_of_all, plan),
                )
            )
    return found


def _alone(
    pairing: _Pairing, place: int, below: Estimate, excess: Estimate, plan: ProbePlan
) -> HarmlessComparison:
    segments = int(pairing.both[place].sum())
    return HarmlessComparison(pairing.name, segments, below, excess, _verdict(segments, below, excess, plan))


def ranked(blind_spots: Sequence[BlindSpot], level: str) -> tuple[BlindSpot, ...]:
    """By metric, the least noticed first."""
    return tuple(
        sorted(
            blind_spots,
            key=lambda spot: (
                spot.metric,
                spot.excess.value if level == "corpus" else spot.below_harmless.value,
            ),
        )
    )


def _verdict(segments: int, below: Estimate, excess: Estimate, plan: ProbePlan) -> str:
    """Whether the whole interval of the estimate that counts is on one side of its threshold."""
    interval, threshold = (excess.interval, 0.0) if plan.level == "corpus" else (below.interval, NOTICED)
    if interval is None or segments < FEWEST_SEGMENTS:
        return UNDECIDED
    if interval.high <= threshold + ROUNDING:
        return BLIND
    return SENSITIVE if interval.low > threshold + ROUNDING else UNDECIDED


# --- an error and a harmless change in the same segments --------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Pairing:
    """An error beside a harmless change. Both are scored against the same references."""

    name: str  # of the harmless change
    error: AppliedPerturbation
    harmless: AppliedPerturbation
    text_of: NDArray[np.intp]  # of the harmless change, for every strength of the error [strengths, segments]
    both: NDArray[np.bool_]  # [strengths, segments]
    excess: Floats  # how much more the error costs [strengths, segments, metrics]; 0 without both
    alarms: Floats  # whether the harmless change scores worse than the original, likewise

    @property
    def wins(self) -> Floats:
        """Whether the error costs more; ties count half."""
        return np.asarray((np.sign(self.excess) + 1) / 2)

    @property
    def any(self) -> bool:
        return bool(self.both.any())


def _paired(error: AppliedPerturbation, harmless: AppliedPerturbation) -> _Pairing:
    seen = error.against_references_of(harmless)
    text_of = _closest_in_size(error, harmless)
    both = (seen.text_of != NONE) & (text_of != NONE)
    if not both.any():
        return _Pairing(harmless.facts.name, seen, harmless, text_of, both, np.zeros(0), np.zeros(0))
    applies = both[..., np.newaxis]
    of_error, of_harmless = seen.worths[seen.text_of], harmless.worths[text_of]
    excess = np.where(applies, untied(of_harmless, of_error), 0.0)
    alarms = applies & (untied(of_harmless, harmless.original_worths) < 0)
    return _Pairing(harmless.facts.name, seen, harmless, text_of, both, excess, alarms.astype(np.float64))


def _closest_in_size(error: AppliedPerturbation, harmless: AppliedPerturbation) -> NDArray[np.intp]:
    """For every strength of the error and every segment, the harmless text with the most similar number of character
    edits; the weaker one, if tied.
    """
    sizes = np.where(error.text_of == NONE, 0, error.sizes[error.text_of])  # [strengths, segments]
    theirs = harmless.sizes[harmless.text_of].astype(np.float64)  # [their strengths, segments]
    theirs[harmless.text_of == NONE] = np.inf
    closest = np.abs(theirs[:, np.newaxis] - sizes).argmin(axis=0)
    return np.asarray(harmless.text_of[closest, np.arange(closest.shape[1])])


def _weights(pairings: Sequence[_Pairing], applies: NDArray[np.bool_]) -> Floats:
    """The weights of harmless changes [harmless, ...] where they apply: groups weigh the same, and so do the changes of
    a group. Otherwise, several changes of the same kind would outweigh a paraphrase.
    """
    groups = [pairing.harmless.facts.group for pairing in pairings]
    weights = np.zeros(applies.shape)
    for group in set(groups):
        members = [number for number, of_change in enumerate(groups) if of_change == group]
        weights[members] = applies[members] / np.maximum(applies[members].sum(axis=0), 1)
    return np.asarray(weights / np.maximum(np.rint(weights.sum(axis=0)), 1))


def _mean(values: Floats, weights: Floats) -> Floats:
    """The mean over the harmless changes that a segment has [strengths, segments, metrics]."""
    return np.asarray((weights[..., np.newaxis] * values).sum(axis=0))


def _by_segment(values: Floats) -> Floats:
    """[segments, strengths, columns] of [strengths, segments, columns]."""
    return values.transpose(1, 0, 2)


# --- corpus scores ------------------------------------------------------------------------------------------------


def _corpus_excess(
    pairings: Sequence[_Pairing], plan: ProbePlan
) -> tuple[list[list[Estimate]], list[list[list[Estimate]]]]:
    """By how much the corpus score is lower with the error than with a harmless change, in the segments that have both:
    the mean over the harmless changes of at least ten segments, if there are any [strengths][metrics], and each
    [harmless][strengths][metrics].
    """
    metrics = pairings[0].error.system.metrics
    strengths, segments = pairings[0].both.shape
    evidence = []
    for number, metric in enumerate(metrics):
        runs = []
        for pairing in pairings:
            for place in range(strengths):
                error, harmless = pairing.error, pairing.harmless
                both = pairing.both[place]
                runs.append(_only(harmless.statistics[number], pairing.text_of[place], both))
                runs.append(_only(error.statistics[number], error.text_of[place], both))
        evidence.append(Evidence.of_statistics(metric, [(str(run), each) for run, each in enumerate(runs)]))
    drawn = bootstrap_scores(evidence, plan.samples, plan.seed)
    seen = np.stack([_differences(each, each.scores) for each in evidence])  # [metrics, harmless * strengths]
    samples = np.stack(
        [_differences(each, scores) for each, scores in zip(evidence, drawn, strict=True)], axis=1
    )
    shape = (len(metrics), len(pairings), strengths)
    seen, samples = seen.reshape(shape), samples.reshape(len(samples), *shape)
    common = np.stack([pairing.both.sum(axis=1) for pairing in pairings])  # [harmless, strengths]
    enough = common >= FEWEST_SEGMENTS  # fewer are missing in many samples, which then have no difference
    weights = _weights(pairings, np.where(enough.any(axis=0), enough, common > 0))
    means, mean_samples = ((weights * values).sum(axis=-2) for values in (seen, samples))

    def estimate(value: float, of_samples: Floats) -> Estimate:
        if segments < 2:
            return Estimate(float(value), None)
        interval = interval_of(of_samples, plan.confidence)
        return Estimate(
            float(value), Interval(min(interval.low, value), max(interval.high, value), plan.confidence)
        )

    together = [
        [estimate(means[metric, place], mean_samples[:, metric, place]) for metric in range(len(metrics))]
        for place in range(strengths)
    ]
    alone = [
        [
            [
                estimate(seen[metric, number, place], samples[:, metric, number, place])
                for metric in range(len(metrics))
            ]
            for place in range(strengths)
        ]
        for number in range(len(pairings))
    ]
    return together, alone


def _only(statistics: Statistics, rows: NDArray[np.intp], segments: NDArray[np.bool_]) -> Statistics:
    """The statistics of all segments, with nothing counted outside these."""
    found = statistics[np.where(segments, rows, 0)]
    found.array[~segments] = 0
    return found  # type: ignore[no-any-return]


def _differences(evidence: Evidence, scores: Floats) -> Floats:
    """Harmless minus error, of scores in which they alternate."""
    worths = evidence.worth(scores)
    return untied(worths[..., ::2], worths[..., 1::2])
