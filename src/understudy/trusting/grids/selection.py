"""Selection of a setting by cross-validation: for every part of the data, on other documents and other systems.

The data are divided into parts: some documents of some systems. For each part, the setting with the highest coefficient
on the training data is selected: the other documents, of the other systems. The coefficient of the selected setting in
the part, minus that of the plain metric, is the gain. Its mean over all parts is an estimate without the optimism of
selecting and evaluating on the same data.

The interval of the gain includes the variance of the selection: in every resample, settings are selected again, from
the resampled training data. Otherwise it would be too narrow: see docs/guide/trust-grid.md.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.metrics.base.score import Interval
from understudy.resampling.samples import bootstrap_weights
from understudy.trusting.coefficients.by_name import CoefficientSpec, estimate
from understudy.trusting.coefficients.estimators import Estimator
from understudy.trusting.combinations.folds import Whole
from understudy.trusting.grids.parts import Division, Part, PartSamples, mean_over_parts
from understudy.trusting.intervals import interval_among
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.plan import TrustPlan
from understudy.trusting.thread_map import thread_map

MOST_RESAMPLES = 200  # selecting again takes as long as the coefficients of all settings on all training data
_TIED = 1e-12  # coefficients that differ by rounding
_NONE = -1  # no setting is selected: none has a coefficient on the training data


@dataclass(frozen=True, eq=False)
class Selected:
    """The settings selected for all parts, and the gain over the plain metric."""

    asked: CoefficientSpec
    parts: list[Part]
    documents: list[tuple[str, ...]]  # of each fold
    by: str  # document or segment: what folds consist of
    settings: list[str | None]  # selected, by part; None: none has a coefficient on the training data
    values: dict[str, Floats]  # by setting: its coefficient in each part
    gain: float
    interval: Interval | None
    resamples: int  # of the interval
    systems_left_out: bool

    @property
    def of_selected(self) -> Floats:
        """The coefficients of the selected settings, by part."""
        return np.array(
            [np.nan if name is None else self.values[name][place] for place, name in enumerate(self.settings)]
        )

    def mean(self, values: Floats) -> float:
        """Over the parts, weighted by their translations; those without a value do not count."""
        weights = np.array([[part.weight] for part in self.parts], dtype=np.float64)
        return float(mean_over_parts(values[:, np.newaxis], weights)[0])


def select(
    pairings: Mapping[str, PairedScores],
    candidates: Sequence[str],
    plain: str,
    asked: CoefficientSpec,
    *,
    documents: Sequence[str] | None,
    over: str,
    plan: TrustPlan,
    threads: int = 1,
) -> Selected:
    """Select one of the candidates for every part. `pairings` has the scores of all of them, and of the plain metric;
    `documents` are those of the segments, each segment by default.
    """
    division = Division.of(pairings[plain], asked, documents, plan.seed)
    grid = _Grid(pairings, candidates, plain, asked, division, plan.seed, threads)
    settings = [
        None if numbers[0] == _NONE else candidates[numbers[0]] for numbers in grid.selected(PartSamples())
    ]
    judge = functools.partial(_in_parts, parts=division.parts, asked=asked, seed=plan.seed)
    values = dict(zip(pairings, thread_map(judge, pairings.values(), threads), strict=True))
    resamples = min(plan.samples, MOST_RESAMPLES)
    chosen = Selected(
        asked,
        division.parts,
        division.documents,
        "segment" if documents is None else "document",
        settings,
        values,
        np.nan,
        None,
        resamples,
        len(division.groups) > 1,
    )
    gain = chosen.mean(chosen.of_selected - values[plain])
    drawn = np.concatenate(
        [grid.gains(samples) for samples in _samples(pairings[plain], division, over, resamples, plan.seed)]
    )
    interval = interval_among(drawn, gain, over=over, confidence=plan.confidence, bounds=(-2.0, 2.0))
    return replace(chosen, gain=gain, interval=interval)


def best_of(values: Mapping[str, float], plain: str) -> str | None:
    """The setting with the highest value: if several have it, the plain metric, or else the first. None: no value is
    defined.
    """
    names = list(values)
    (number,) = _best(np.array(list(values.values()))[:, np.newaxis], names, plain)
    return None if number == _NONE else names[number]


def _best(values: Floats, names: Sequence[str], plain: str) -> NDArray[np.intp]:
    """The same for values [settings, samples]: the number of the setting in each sample."""
    heights = np.where(np.isnan(values), -np.inf, values)
    highest = heights.max(axis=0)
    tied = heights >= highest - _TIED
    found = tied.argmax(axis=0)
    if plain in names:
        number = names.index(plain)
        found = np.where(tied[number], number, found)
    return np.where(np.isneginf(highest), _NONE, found)


def _in_parts(pairing: PairedScores, parts: Sequence[Part], asked: CoefficientSpec, seed: int) -> Floats:
    """The coefficient in each part [parts]."""
    return np.array(
        [estimate(pairing.part(part.systems, part.segments), asked, seed=seed).value for part in parts]
    )


# --- selection and gain in samples -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Grid:
    """The scores of all settings, and the parts they are selected for."""

    pairings: Mapping[str, PairedScores]
    candidates: Sequence[str]
    plain: str
    asked: CoefficientSpec
    division: Division
    seed: int
    threads: int

    def selected(self, samples: PartSamples) -> list[NDArray[np.intp]]:
        """By part, the number of the selected candidate in each sample."""
        groups = range(len(self.division.groups))
        without = [samples.without_folds(self.division, group) for group in groups]

        def train(name: str) -> Floats:
            """The coefficient on the training data [groups, folds, samples]."""
            pairing = self.pairings[name]
            everything = np.arange(pairing.shape[1])
            estimators = [self._estimate(name, rows, everything) for rows in self.division.groups]
            return np.array(
                [[estimators[group].values(draws) for draws in without[group]] for group in groups]
            )

        trained = np.array(thread_map(train, self.candidates, self.threads))
        return [
            _best(trained[:, self.division.training_group(part), part.fold], self.candidates, self.plain)
            for part in self.division.parts
        ]

    def gains(self, samples: PartSamples) -> Floats:
        """The mean gain in each sample, by the settings that are selected in it."""

        def gain(place: int) -> tuple[Floats, Floats]:
            part, numbers = parts[place], selected[place]
            draws = samples.in_part(part)
            plain = self._estimate(self.plain, part.systems, part.segments).values(draws)
            found = np.full(len(numbers), np.nan)
            for number in np.unique(numbers[numbers != _NONE]):
                name = self.candidates[number]
                values = (
                    plain
                    if name == self.plain
                    else self._estimate(name, part.systems, part.segments).values(draws)
                )
                found = np.where(numbers == number, values - plain, found)
            return found, np.broadcast_to(part.sampled_weights(draws), len(numbers))

        parts, selected = self.division.parts, self.selected(samples)
        found = thread_map(gain, range(len(parts)), self.threads)
        return mean_over_parts(*(np.array(each) for each in zip(*found, strict=True)))

    def _estimate(self, name: str, systems: Whole, segments: Whole) -> Estimator:
        return estimate(self.pairings[name].part(systems, segments), self.asked, seed=self.seed)


def _samples(
    pairing: PairedScores, division: Division, over: str, samples: int, seed: int
) -> Iterator[PartSamples]:
    """Bootstrap samples of the segments, the systems of every group, or both, some at a time."""
    segments = pairing.shape[1]
    # As many parts of samples as those of whole test sets, and other seeds for the systems.
    of_segments = bootstrap_weights(segments, samples, seed, beside=len(pairing.systems))
    of_systems = zip(
        *(
            bootstrap_weights(len(systems), samples, seed + 1 + group, beside=segments)
            for group, systems in enumerate(division.groups)
        ),
        strict=True,
    )
    for segment_weights, system_weights in zip(of_segments, of_systems, strict=True):
        yield PartSamples(
            None if over == "segments" else list(system_weights),
            None if over == "systems" else segment_weights,
        )
