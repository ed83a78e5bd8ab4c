"""Each reference alone: what metrics count with every single one of several references."""

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
    """Counts every system with every reference alone, part by part, while the files are read for counting with all
    references: a pipe can be read only once. References that some segment lacks are left out.
    """

    def __init__(self, metrics: Sequence[Metric]) -> None:
        self.left_out: list[str] = []
        self._metrics = {number: metric for number, metric in enumerate(metrics) if metric.reads_references}
        self._names: Sequence[str] = ()
        self._whole: list[int] = []  # which references have every segment so far
        self._fitted: dict[tuple[int, int], Metric] = {}  # by metric and reference
        self._counted: dict[
            tuple[int, int], dict[str, list[Statistics]]
        ] = {}  # likewise: by system, in parts

    def add(self, part: Corpus, references: Paths, documents: Sequence[str] | None, threads: int) -> None:
        """The next part of the files. `references` are all of their files, and `documents` those of all segments: some
        metrics must know the whole reference.
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
        """What the metric of that number counts with all references in the part that was added last, where that follows
        from what it counted with each of them.
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
        """What the metric of that number counted: the name of each reference, and the counts by system. Nothing for a
        metric that reads no references, or where no two references have every segment. The counts are handed over, not
        kept.
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
        if unfitted:  # to a reference that ends up left out, none can be fitted
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
