"""Counts of every system and training run by every metric, computed once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from understudy.corpus.corpus import Corpus, as_corpus
from understudy.corpus.corpus_input import corpus_input
from understudy.corpus.segment_label_files import documents_among
from understudy.corpus.test_sets.test_set import NamedSet
from understudy.errors import BadParameter, did_you_mean
from understudy.metrics.base.compact_rows import CompactRows
from understudy.metrics.base.metric import Metric
from understudy.resampling.evidence import Evidence
from understudy.scoring.counting import RowsByRun
from understudy.scoring.file_counts import FileCounts, count_files
from understudy.scoring.run import Metrics, chosen_metrics
from understudy.scoring.system_statistics import (
    ByRun,
    corpus_statistics,
    partial_references,
    statistics_with_each_reference,
)
from understudy.settings import check_name


@dataclass(frozen=True, eq=False)
class CountedSystems:
    """The counts of a corpus, or of files, by all metrics. Everything else is derived from them on demand."""

    counts: _CorpusCounts | FileCounts
    metrics: list[Metric]
    level: str  # of the evidence: corpus or mean

    @property
    def corpus(self) -> Corpus:
        """The texts; those of files are read again."""
        return self.counts.corpus

    @property
    def runs(self) -> Mapping[str, tuple[str, ...]]:
        """By system: the names of its training runs."""
        return self.counts.runs

    @property
    def segments(self) -> int:
        return self.counts.segments

    @property
    def test_set(self) -> NamedSet | None:
        """What the references are of, if that has a name."""
        return self.counts.test_set

    @property
    def documents(self) -> Sequence[str] | None:
        """The document of each segment, from files or labels of any title."""
        return self.counts.documents

    @property
    def rows(self) -> list[RowsByRun]:
        """By metric."""
        return self.counts.rows

    @cached_property
    def evidence(self) -> list[Evidence]:
        """By metric."""
        return list(map(self._evidence, self.metrics, self.rows))

    @cached_property
    def references(self) -> list[tuple[int, int]]:
        """By metric: the fewest and the most references it read of a segment."""
        return [next(iter(by_run.values())).empty.references for by_run in self.rows]

    @cached_property
    def by_reference(self) -> list[dict[str, Evidence]]:
        """By metric and name of the reference: the evidence with each reference alone, if that was asked for, the
        metric reads references, and at least two have every segment.
        """
        return [
            {name: self._evidence(metric, by_run) for name, by_run in by_reference.items()}
            for metric, by_reference in zip(self.metrics, self.counts.by_reference, strict=True)
        ]

    @property
    def partial_references(self) -> list[str]:
        """Those that some segment lacks, likewise."""
        return self.counts.partial_references

    def _evidence(self, metric: Metric, by_run: RowsByRun) -> Evidence:
        rows = [(system, by_run[run]) for system, runs in self.runs.items() for run in runs]
        return Evidence.of_rows(metric, rows, self.level)


@dataclass(frozen=True, eq=False)
class _CorpusCounts:
    """What was counted of texts in memory. The corpus keeps it."""

    corpus: Corpus
    metrics: list[Metric]
    with_each: bool  # whether each reference was counted alone

    @property
    def runs(self) -> Mapping[str, tuple[str, ...]]:
        return self.corpus.runs

    @property
    def segments(self) -> int:
        return len(self.corpus)

    @property
    def test_set(self) -> NamedSet | None:
        return self.corpus.test_set

    @property
    def documents(self) -> Sequence[str] | None:
        corpus = self.corpus
        return corpus.documents if corpus.documents is not None else documents_among(corpus.labels)

    @property
    def rows(self) -> list[RowsByRun]:
        return list(map(_narrowed, corpus_statistics(self.corpus, self.metrics)))

    @property
    def by_reference(self) -> list[dict[str, RowsByRun]]:
        if not self.with_each:
            return [{} for _ in self.metrics]
        return [
            {name: _narrowed(by_run) for name, by_run in by_reference.items()}
            for by_reference in statistics_with_each_reference(self.corpus, self.metrics)
        ]

    @property
    def partial_references(self) -> list[str]:
        return partial_references(self.corpus) if self.with_each else []


def _narrowed(by_run: ByRun) -> RowsByRun:
    return {run: CompactRows.of(statistics) for run, statistics in by_run.items()}


def count_systems(
    systems: Any,
    references: Any = None,
    metrics: Metrics = ("bleu",),
    *,
    level: str = "corpus",
    sources: Any = None,
    documents: Any = None,
    each_reference: bool = False,
    check_names: Callable[[Sequence[str]], object] | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> CountedSystems:
    """Count all runs of all systems of a corpus, or of anything a corpus can be made of; with `each_reference`, also
    with each reference alone. Files and streamed tables are read in parts, and only their counts are kept.
    `check_names` is called with the names of the systems before anything is counted.

    >>> count_systems(["examples/system-weak.en"], ["examples/reference-1.en"]).segments
    60
    """
    chosen = chosen_metrics(metrics)
    if isinstance(systems, Corpus):
        corpus = as_corpus(systems, references, sources=sources, documents=documents)
    else:
        given = corpus_input(systems, references, sources=sources, documents=documents)
        if given.read_in_parts:
            counts = count_files(
                given,
                chosen,
                each_reference=each_reference,
                check_names=check_names,
                threads=threads,
                progress=progress,
            )
            return CountedSystems(counts, chosen, level)
        corpus = Corpus.of_input(given)
    if check_names is not None:
        check_names(list(corpus.runs))
    count = statistics_with_each_reference if each_reference else corpus_statistics
    count(corpus, chosen, threads=threads, progress=progress)
    return CountedSystems(_CorpusCounts(corpus, chosen, each_reference), chosen, level)


def checked_baseline(systems: Sequence[str], baseline: str | None) -> str:
    """The baseline system: the first unless another is named."""
    if baseline is None:
        return systems[0]
    check_name("baseline", baseline)
    if baseline not in systems:
        raise BadParameter(f"unknown baseline system '{baseline}'. {did_you_mean(baseline, systems)}")
    return baseline
