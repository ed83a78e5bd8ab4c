"""Evidence: the counts of one metric for several systems on the same segments, ready for resampling.

A resample is a row of weights: how often it contains each segment. Its sums are a matrix product, which is exact for
integers; one product covers all systems. Blocks and buckets are sums of rows. Nothing is counted again. Integers are
kept in the narrowest type that holds them, and widened a part of the segments at a time.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import LARGEST_EXACT, LARGEST_EXACT_SINGLE, LARGEST_SCORE, Floats
from understudy.errors import BadInput, LengthMismatch, NoSegments
from understudy.metrics.base.compact_rows import CompactRows, common_type
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.statistics import Statistics
from understudy.wording import number_of

SEGMENTS_AT_ONCE = 65_536  # scored together, so that what a formula needs on the way stays small


@dataclass(frozen=True, eq=False)
class Evidence:
    """The counts of every run of every system in every segment. Most systems have one run."""

    systems: tuple[str, ...]
    system_of: NDArray[np.intp]  # [runs]: which system a run is of
    counts: NDArray[Any]  # [segments, runs, K]; integers may be of a narrow type: see `rows`
    metric: Metric | None  # that made scores of the counts; None for segment scores of unknown origin
    template: Statistics | None  # what the K counts are; None for a score and how many scores that is
    higher_is_better: bool | None = True
    of_input: Mapping[str, str] = field(default_factory=dict)  # see Statistics
    corpus_scores: Floats | None = None  # by system, where they are known and are not what is compared

    @classmethod
    def of_statistics(
        cls, metric: Metric, runs: Sequence[tuple[str, Statistics]], level: str = "corpus"
    ) -> Evidence:
        """Evidence from a metric's statistics for each run, named after its system. At level `mean`, the score of a
        sample is the mean segment score.
        """
        return cls.of_rows(metric, [(name, CompactRows.of(statistics)) for name, statistics in runs], level)

    @classmethod
    def of_rows(
        cls, metric: Metric, runs: Sequence[tuple[str, CompactRows]], level: str = "corpus"
    ) -> Evidence:
        """The same from rows that were added part by part."""
        first = runs[0][1].empty
        if level == "mean":
            of_scores = cls.of_scores(
                [
                    (name, np.concatenate(list(map(metric.segment_scores, rows.parts()))))
                    for name, rows in runs
                ],
                metric,
                higher_is_better=metric.higher_is_better,
            )
            totals = np.array([float(metric.scores_of(rows.sum())) for _, rows in runs])
            return replace(of_scores, of_input=first.of_input, corpus_scores=of_scores.over_runs(totals))
        _check_lengths([(name, len(rows)) for name, rows in runs])
        counts = np.empty(
            (len(runs[0][1]), len(runs), len(first.columns)), common_type([rows for _, rows in runs])
        )
        for run, (_, rows) in enumerate(runs):
            rows.fill(counts[:, run])
            if rows.sizes().max(initial=0) > LARGEST_EXACT:
                raise BadInput(
                    f"{metric.name}: the sums of the statistics of {number_of(len(rows), 'segment')} are too large to "
                    "be resampled exactly. Use mean segment scores (level 'mean'), or fewer segments."
                )
        of_runs = _by_system([name for name, _ in runs])
        return cls(*of_runs, counts, metric, first, metric.higher_is_better, first.of_input)

    @classmethod
    def of_scores(
        cls,
        runs: Sequence[tuple[str, Floats]],
        metric: Metric | None = None,
        *,
        higher_is_better: bool | None = True,
    ) -> Evidence:
        """Evidence from segment scores of any origin: the score of a sample is their mean."""
        _check_lengths([(name, len(scores)) for name, scores in runs])
        scores = np.stack([np.asarray(scores, dtype=np.float64) for _, scores in runs], axis=1)
        for (name, _), column in zip(runs, scores.T, strict=True):
            for segment in np.flatnonzero(~(np.abs(column) <= LARGEST_SCORE)):
                raise BadInput(
                    f"'{name}': segment {segment + 1} has the score {column[segment]}, expected a number of at most "
                    f"{LARGEST_SCORE:g}. Remove the segment for all systems, or fill in the score."
                )
        counts = np.stack([scores, np.ones_like(scores)], axis=-1)
        return cls(*_by_system([name for name, _ in runs]), counts, metric, None, higher_is_better)

    @property
    def segments(self) -> int:
        return len(self.counts)

    def among(self, systems: Sequence[str]) -> Evidence:
        """Only these systems, in this order."""
        runs = [self.runs_of(self.systems.index(system)) for system in systems]
        return replace(
            self,
            systems=tuple(systems),
            system_of=np.repeat(np.arange(len(runs)), [len(of_system) for of_system in runs]),
            counts=self.counts[:, np.concatenate(runs)],
            corpus_scores=None
            if self.corpus_scores is None
            else self.corpus_scores[[self.systems.index(system) for system in systems]],
        )

    def in_blocks(self, blocks: NDArray[np.intp]) -> Evidence:
        """Scores of blocks in place of segments. `blocks` is the block of each segment."""
        scores = self.score(self.sums_of_groups(blocks))  # [blocks, runs]
        return replace(
            Evidence.of_scores(
                [
                    (self.systems[system], column)
                    for system, column in zip(self.system_of, scores.T, strict=True)
                ],
                self.metric,
                higher_is_better=self.higher_is_better,
            ),
            of_input=self.of_input,
            corpus_scores=self.scores if self.corpus_scores is None else self.corpus_scores,
        )

    def worth(self, scores: Floats) -> Floats:
        """The scores on a scale on which higher is better."""
        if self.metric is not None:
            return np.asarray(self.metric.worth(scores))
        return scores if self.higher_is_better else -scores

    def runs_of(self, system: int) -> NDArray[np.intp]:
        return np.flatnonzero(self.system_of == system)

    @property
    def has_runs(self) -> bool:
        """Whether a system has several training runs."""
        return len(self.systems) < len(self.system_of)

    # --- scores ----------------------------------------------------------------------------------------------

    def score(self, sums: Floats) -> Floats:
        """The scores [...] of sums of counts [..., K]."""
        if self.template is None:
            return np.asarray(sums[..., 0] / np.maximum(sums[..., 1], 1))
        assert self.metric is not None
        return self.metric.scores_of(replace(self.template, array=sums))

    @cached_property
    def run_scores(self) -> Floats:
        """Scores by run, over all segments."""
        return self.score(self.totals)

    @cached_property
    def scores(self) -> Floats:
        """Scores by system, over all segments: the mean over its runs."""
        return self.over_runs(self.run_scores)

    @cached_property
    def run_segment_scores(self) -> Floats:
        """Segment scores by run [runs, segments]."""
        if self.template is None:
            return np.ascontiguousarray(self.counts[..., 0].T)
        assert self.metric is not None
        found = np.empty((len(self.system_of), self.segments))
        for start in range(0, self.segments, SEGMENTS_AT_ONCE):
            part = slice(start, start + SEGMENTS_AT_ONCE)
            found[:, part] = self.metric.segment_scores(replace(self.template, array=self.rows(part))).T
        return found

    @cached_property
    def segment_scores(self) -> Floats:
        """Segment scores by system [systems, segments]."""
        return self.over_runs(self.run_segment_scores.T).T

    def effect_size(self, a: int, b: int) -> float | None:
        """Cohen's d of two systems: the mean difference of their segment scores by its standard deviation."""
        differences = self.segment_scores[a] - self.segment_scores[b]
        if len(differences) < 2:
            return None
        return effect_size(float(differences.mean()), float(differences.std(ddof=1)))

    @cached_property
    def totals(self) -> Floats:
        """The counts of all segments [runs, K]."""
        return np.asarray(self.counts.sum(axis=0)).astype(np.float64)

    def rows(self, part: slice) -> Floats:
        """The counts of some segments [segments, runs, K]."""
        return self.counts[part].astype(np.float64, copy=False)

    def detail(self, system: int) -> dict[str, Any]:
        """The components of a system's score, over all its runs. Empty if only scores are known."""
        if self.template is None or self.metric is None:
            return {}
        counts = self.totals[self.runs_of(system)].sum(axis=0).astype(self.template.array.dtype)
        return self.metric.detail_of(replace(self.template, array=counts))

    def over_runs(self, by_run: Floats) -> Floats:
        """The means over the runs of each system [..., systems] of what each run has [..., runs]."""
        if not self.has_runs:
            return by_run
        return np.stack(
            [by_run[..., self.runs_of(system)].mean(axis=-1) for system in range(len(self.systems))], axis=-1
        )

    # --- samples ---------------------------------------------------------------------------------------------

    def sums(self, weights: Floats) -> Floats:
        """The counts [samples, runs, K] of samples in which segments weigh so much [samples, segments]. Weights are
        integers, whose sum is at most the number of segments.
        """
        flat = self.counts.reshape(self.segments, -1)
        if not self._whole:  # in one product: the order of summation matters
            return np.asarray(weights @ flat).reshape(len(weights), *self.counts.shape[1:])
        sums = np.zeros((len(weights), flat.shape[1]))
        for start in range(0, self.segments, SEGMENTS_AT_ONCE):
            part = weights[:, start : start + SEGMENTS_AT_ONCE]
            if self._small_counts is not None:
                sums += part.astype(np.float32) @ self._small_counts
                continue
            rows = flat[start : start + SEGMENTS_AT_ONCE]
            # No sum of a sample exceeds its weight times the largest count.
            single = part.sum(axis=1).max(initial=0) * self._largest < LARGEST_EXACT_SINGLE
            kind = np.float32 if single else np.float64
            sums += part.astype(kind) @ rows.astype(kind)
        return sums.reshape(len(weights), *self.counts.shape[1:])

    @cached_property
    def _whole(self) -> bool:
        """Whether all counts are integers, whose sums are exact in any order."""
        return np.issubdtype(self.counts.dtype, np.integer)

    @cached_property
    def _largest(self) -> int:
        return max(int(self.counts.max(initial=0)), -int(self.counts.min(initial=0)))

    @cached_property
    def _small_counts(self) -> NDArray[np.float32] | None:
        """Counts of few segments of which no sample can have more than single precision is exact for: twice as fast to
        add up.
        """
        if not self._whole or self.segments > SEGMENTS_AT_ONCE:
            return None
        if self.segments * self._largest >= LARGEST_EXACT_SINGLE:
            return None
        return self.counts.reshape(self.segments, -1).astype(np.float32)

    def sums_of_groups(self, group_of: NDArray[np.intp]) -> Floats:
        """The counts [groups, runs, K] of groups of segments, of which every segment is in one, numbered from 0."""
        in_order = bool((np.diff(group_of) >= 0).all())
        order = slice(None) if in_order else np.argsort(group_of, kind="stable")
        starts = np.flatnonzero(np.diff(group_of[order], prepend=-1))
        rows, ends = self.counts[order], np.append(starts[1:], self.segments)
        sums = np.empty((len(starts), *self.counts.shape[1:]))
        first = 0
        while first < len(starts):  # as many groups as are widened together
            last = max(first + 1, int(np.searchsorted(ends, starts[first] + SEGMENTS_AT_ONCE, side="right")))
            some = rows[starts[first] : ends[last - 1]].astype(np.float64, copy=False)
            np.add.reduceat(some, starts[first:last] - starts[first], axis=0, out=sums[first:last])
            first = last
        return sums

    def sample_scores(self, weights: Iterator[Floats]) -> Floats:
        """The scores of samples by system [samples, systems], whose weights come in parts."""
        return np.concatenate([self.over_runs(self.score(self.sums(part))) for part in weights])


def effect_size(mean: float, deviation: float) -> float:
    """A mean difference by its standard deviation; infinite where all differences are the same and not 0.

    >>> effect_size(0.5, 2.0), effect_size(0.0, 0.0), effect_size(-1.0, 0.0)
    (0.25, 0.0, -inf)
    """
    if deviation == 0:
        return 0.0 if mean == 0 else math.copysign(math.inf, mean)
    return mean / deviation


def _by_system(names: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    systems = tuple(dict.fromkeys(names))
    return systems, np.array([systems.index(name) for name in names], dtype=np.intp)


def _check_lengths(lengths: Sequence[tuple[str, int]]) -> None:
    first, expected = lengths[0]
    for name, length in lengths:
        if length != expected:
            raise LengthMismatch(
                f"'{name}' has {number_of(length, 'segment')}, '{first}' has {expected:,}. Both must have the "
                "same segments."
            )
    if expected == 0:
        raise NoSegments(f"'{first}' has no segments to compare.")
