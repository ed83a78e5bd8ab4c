"""Statistics with each of several references alone."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from understudy.corpus.columns import References
from understudy.corpus.corpus import Corpus
from understudy.metrics.base.best_reference import of_best_reference
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.statistics import Statistics

Paths = Sequence[str | os.PathLike[str]]


class EachReference:
    """Counts every system with every single reference, part by part, while the files are read for counting with all
    references, because a pipe can be read only once. Incomplete references are excluded.
    """

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self.left_out: list[str] = []
        self._metrics = {number: metric for number, metric in enumerate(metrics) if metric.reads_references}
        self._names: Sequence[str] = ()
        self._whole: list[int] = []  # references that are complete so far
        self._fitted: dict[tuple[int, int], Metric] = {}  # by metric and reference
        self._counted: dict[
            tuple[int, int], dict[str, list[Statistics]]
        ] = {}  # the same, by system, in parts

    def add(self, part: Corpus, references: Paths, documents: Sequence[str] | None, threads: int) -> None:
        """Count the next part of the files. `references` are all reference files and `documents` the documents of all
        segments, because some metrics must see the whole reference.
        """
        if part.references is None or not self._metrics:
            return
        if not self._names:
            self._begin(part, references, documents)
        self._leave_out(_lacking(part.references))
        for number in self._whole if len(self._whole) > 1 else ():
            alone = References((part.references.columns[number],), part.references.documents)
            for index in self._metrics:
                metric = self._fitted[index, number]
                counted = self._counted.setdefault((index, number), {})
                for system, column in part.systems.items():
                    counted.setdefault(system, []).append(metric.statistics(column, alone, threads=threads))

    def together(self, index: int, system: str, references: References) -> Statistics | None:
        """The statistics of metric `number` with all references, for the part added last, if they follow from its
        statistics with each single reference.
        """
        metric = self._metrics.get(index)
        if metric is None or not metric.counts_single_references or len(self._names) < 2:
            return None
        if len(self._whole) < len(self._names):
            return None
        alone = [self._counted[index, number][system][-1] for number in self._whole]
        rows = np.stack([statistics.array for statistics in alone])
        return replace(
            alone[0], array=of_best_reference(metric, rows, references), references=references.counts
        )

    def of_metric(self, index: int) -> Iterator[tuple[str, dict[str, Statistics]]]:
        """The statistics of metric `number`: the name of each reference, and the statistics by system. Empty for a
        reference-free metric, or if fewer than two references are complete. The statistics are handed over, not kept.
        """
        for number in self._whole if len(self._whole) > 1 and index in self._metrics else ():
            of_systems = self._counted.pop((index, number))
            yield (
                self._names[number],
                {system: Statistics.concatenate(parts) for system, parts in of_systems.items()},
            )

    def _begin(self, part: Corpus, references: Paths, documents: Sequence[str] | None) -> None:
        self._names = part.reference_names
        self._whole = list(range(len(self._names)))
        if len(self._whole) < 2:
            return
        unfitted = [
            index for index, metric in self._metrics.items() if metric.needs_fit and not metric.fitted_on
        ]
        if unfitted:  # no metric can be fitted to a reference that is later excluded
            for whole in Corpus.stream_references(references, documents=documents):
                self._leave_out(_lacking(whole))
        for index, metric in self._metrics.items():
            for number in self._whole:
                self._fitted[index, number] = (
                    metric.fit_parts(
                        References((whole.columns[number],), whole.documents)
                        for whole in Corpus.stream_references(references, documents=documents)
                    )
                    if index in unfitted
                    else metric
                )

    def _leave_out(self, lacking: Sequence[int]) -> None:
        for number in lacking:
            if number in self._whole:
                self._whole.remove(number)
                self.left_out.append(self._names[number])
                for index in self._metrics:
                    self._counted.pop((index, number), None)


def _lacking(references: References) -> list[int]:
    return [number for number, column in enumerate(references.columns) if column.absent_rows()]
