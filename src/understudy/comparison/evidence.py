"""Evidence: what one metric says of several systems over the same segments, ready to be resampled.

A sample is a row of weights: how often each segment is in it. Its sums are a matrix product, which is exact for whole
numbers, and one product serves all systems. Nothing is counted again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.errors import BadInput, LengthMismatch, NoSegments
from understudy.metrics.base import Metric
from understudy.metrics.statistics import Statistics

Floats = NDArray[np.float64]

LARGEST_EXACT = 2**53  # whole numbers up to here, and their sums, are exact as floats
SAMPLES_AT_ONCE = 256  # so that memory does not grow with the number of samples


@dataclass(frozen=True, eq=False)
class Evidence:
    """What every run of every system earned in every segment. Most systems have one run."""

    systems: tuple[str, ...]
    system_of: NDArray[np.intp]  # [runs]: which system a run is of
    counts: Floats  # [runs, segments, K]
    metric: Metric | None  # that made scores of the counts; None for segment scores of unknown origin
    template: Statistics | None  # what the K counts are; None for a score and how many scores that is
    higher_is_better: bool | None = True
    of_input: Mapping[str, str] = field(default_factory=dict)  # see Statistics

    @classmethod
    def of_statistics(
        cls, metric: Metric, runs: Sequence[tuple[str, Statistics]], level: str = "corpus"
    ) -> Evidence:
        """Of what the metric has counted for each run, which is named after its system.

        At level `mean` the score of a sample is the mean of its segments' scores.
        """
        of_input = runs[0][1].of_input
        if level == "mean":
            of_scores = cls.of_scores(
                [(name, metric.segment_scores(statistics)) for name, statistics in runs],
                metric,
                higher_is_better=metric.higher_is_better,
            )
            return replace(of_scores, of_input=of_input)
        _check_lengths([(name, len(statistics)) for name, statistics in runs])
        counts = np.stack([statistics.array for _, statistics in runs]).astype(np.float64)
        if counts.size and np.abs(counts).sum(axis=1).max() > LARGEST_EXACT:
            raise BadInput(f"{metric.name}: the counts are too large to be resampled exactly.")
        of_runs = _by_system([name for name, _ in runs])
        return cls(*of_runs, counts, metric, runs[0][1], metric.higher_is_better, of_input)

    @classmethod
    def of_scores(
        cls,
        runs: Sequence[tuple[str, Floats]],
        metric: Metric | None = None,
        *,
        higher_is_better: bool | None = True,
    ) -> Evidence:
        """Of segment scores, whoever computed them: the score of a sample is their mean."""
        _check_lengths([(name, len(scores)) for name, scores in runs])
        scores = np.stack([np.asarray(scores, dtype=np.float64) for _, scores in runs])
        for (name, _), column in zip(runs, scores, strict=True):
            for segment in np.flatnonzero(~np.isfinite(column)):
                raise BadInput(
                    f"'{name}': segment {segment + 1} has the score {column[segment]}, expected a number. "
                    "Leave out that segment for all systems, or decide what it counts as."
                )
        counts = np.stack([scores, np.ones_like(scores)], axis=-1)
        return cls(*_by_system([name for name, _ in runs]), counts, metric, None, higher_is_better)

    @property
    def segments(self) -> int:
        return int(self.counts.shape[1])

    def among(self, systems: Sequence[str]) -> Evidence:
        """Of these systems only, in this order."""
        runs = [self.runs_of(self.systems.index(system)) for system in systems]
        return replace(
            self,
            systems=tuple(systems),
            system_of=np.repeat(np.arange(len(runs)), [len(of_system) for of_system in runs]),
            counts=self.counts[np.concatenate(runs)],
        )

    def worth(self, scores: Floats) -> Floats:
        """The scores on a scale where more is better."""
        if self.metric is not None:
            return np.asarray(self.metric.worth(scores))
        return scores if self.higher_is_better else -scores

    def runs_of(self, system: int) -> NDArray[np.intp]:
        return np.flatnonzero(self.system_of == system)

    # --- scores ----------------------------------------------------------------------------------------------

    def score(self, sums: Floats) -> Floats:
        """The scores [...] of sums of counts [..., K]."""
        if self.template is None:
            return np.asarray(sums[..., 0] / np.maximum(sums[..., 1], 1))
        assert self.metric is not None
        return self.metric.score(replace(self.template, array=sums))

    @cached_property
    def run_scores(self) -> Floats:
        """Of all segments, by run."""
        return self.score(self.totals)

    @cached_property
    def scores(self) -> Floats:
        """Of all segments, by system: the mean over its runs."""
        return self.over_runs(self.run_scores)

    @cached_property
    def segment_scores(self) -> Floats:
        """Of each segment, by system [systems, segments]."""
        if self.template is None:
            by_run = self.counts[..., 0]
        else:
            assert self.metric is not None
            by_run = self.metric.segment_scores(replace(self.template, array=self.counts))
        return self.over_runs(by_run.T).T

    @cached_property
    def totals(self) -> Floats:
        """The counts of all segments [runs, K]."""
        return np.asarray(self.counts.sum(axis=1))

    def detail(self, system: int) -> dict[str, Any]:
        """What a system's score is made of, all its runs together. Mere scores are made of nothing."""
        if self.template is None or self.metric is None:
            return {}
        counts = self.totals[self.runs_of(system)].sum(axis=0).astype(self.template.array.dtype)
        return self.metric.detail(replace(self.template, array=counts))

    def over_runs(self, by_run: Floats) -> Floats:
        """The means over the runs of each system [..., systems] of what each run has [..., runs]."""
        if len(self.systems) == len(self.system_of):
            return by_run
        return np.stack(
            [by_run[..., self.runs_of(system)].mean(axis=-1) for system in range(len(self.systems))], axis=-1
        )

    # --- samples ---------------------------------------------------------------------------------------------

    def sums(self, weights: Floats) -> Floats:
        """The counts [samples, runs, K] of samples in which segments weigh so much [samples, segments]."""
        runs, _, width = self.counts.shape
        return (weights @ self._by_segment).reshape(len(weights), runs, width)

    @cached_property
    def _by_segment(self) -> Floats:
        return np.ascontiguousarray(self.counts.transpose(1, 0, 2)).reshape(self.segments, -1)

    def sample_scores(self, weights: Iterator[Floats]) -> Floats:
        """The scores of samples by system [samples, systems], whose weights come in parts."""
        return np.concatenate([self.over_runs(self.score(self.sums(part))) for part in weights])


def _by_system(names: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    systems = tuple(dict.fromkeys(names))
    return systems, np.array([systems.index(name) for name in names], dtype=np.intp)


def _check_lengths(lengths: Sequence[tuple[str, int]]) -> None:
    first, expected = lengths[0]
    for name, length in lengths:
        if length != expected:
            raise LengthMismatch(
                f"'{name}' has {length:,} segments, '{first}' has {expected:,}. Both must have the same ones."
            )
    if expected == 0:
        raise NoSegments(f"'{first}' has no segments to compare.")
