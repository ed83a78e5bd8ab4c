"""Counts of every system and training run by every metric, computed once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from understudy.corpus.corpus import Corpus, as_corpus
from understudy.errors import BadParameter, did_you_mean
from understudy.metrics.base.metric import Metric
from understudy.resampling.evidence import Evidence
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
    """The counts of a corpus by all metrics. Everything else is derived from them on demand."""

    corpus: Corpus
    metrics: list[Metric]
    level: str  # of the evidence: corpus or mean
    with_each: bool = False  # whether each reference was counted alone

    @property
    def segments(self) -> int:
        return len(self.corpus)

    @cached_property
    def evidence(self) -> list[Evidence]:
        """By metric."""
        return list(map(self._evidence, self.metrics, corpus_statistics(self.corpus, self.metrics)))

    @cached_property
    def references(self) -> list[tuple[int, int]]:
        """By metric: the fewest and the most references it read of a segment."""
        return [
            next(iter(by_run.values())).references for by_run in corpus_statistics(self.corpus, self.metrics)
        ]

    @cached_property
    def by_reference(self) -> list[dict[str, Evidence]]:
        """By metric and name of the reference: the evidence with each reference alone, if that was asked for, the
        metric reads references, and at least two have every segment.
        """
        if not self.with_each:
            return [{} for _ in self.metrics]
        alone = statistics_with_each_reference(self.corpus, self.metrics)
        return [
            {name: self._evidence(metric, by_run) for name, by_run in by_reference.items()}
            for metric, by_reference in zip(self.metrics, alone, strict=True)
        ]

    @property
    def partial_references(self) -> list[str]:
        """Those that some segment lacks, likewise."""
        return partial_references(self.corpus) if self.with_each else []

    def _evidence(self, metric: Metric, by_run: ByRun) -> Evidence:
        rows = [(system, by_run[run]) for system, runs in self.corpus.runs.items() for run in runs]
        return Evidence.of_statistics(metric, rows, self.level)


def count_systems(
    systems: Any,
    references: Any = None,
    metrics: Metrics = ("bleu",),
    *,
    level: str = "corpus",
    documents: Any = None,
    each_reference: bool = False,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> CountedSystems:
    """Count all runs of all systems of a corpus, or of anything a corpus can be made of; with `each_reference`, also
    with each reference alone.

    >>> count_systems(["examples/system-weak.en"], ["examples/reference-1.en"]).segments
    60
    """
    chosen = chosen_metrics(metrics)
    corpus = as_corpus(systems, references, documents=documents)
    count = statistics_with_each_reference if each_reference else corpus_statistics
    count(corpus, chosen, threads=threads, progress=progress)
    return CountedSystems(corpus, chosen, level, each_reference)


def checked_baseline(systems: Sequence[str], baseline: str | None) -> str:
    """The baseline system: the first unless another is named."""
    if baseline is None:
        return systems[0]
    check_name("baseline", baseline)
    if baseline not in systems:
        raise BadParameter(f"unknown baseline system '{baseline}'. {did_you_mean(baseline, systems)}")
    return baseline
