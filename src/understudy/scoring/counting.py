"""Counting part by part: metrics with what they must know before they count, and the rows that each run gets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from understudy._core import Column
from understudy.corpus.columns import References
from understudy.corpus.corpus import CHUNK_SEGMENTS, Corpus, parts_of, read_ahead, references_in_parts
from understudy.corpus.corpus_input import CorpusInput
from understudy.corpus.segment_sources import readable_twice
from understudy.errors import BadInput, BadParameter, BadSegment
from understudy.metrics.base.best_reference import of_best_reference
from understudy.metrics.base.compact_rows import CompactRows
from understudy.metrics.base.declared_metric import check_sources
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.unsplit_text import refuse_unsplit
from understudy.scoring.misaligned_lines import warn_of_misaligned
from understudy.scoring.text_warnings import warn_of_unreadable

RowsByRun = dict[str, CompactRows]  # the rows of a metric, by training run
Progress = Callable[[int], None]


class Task:
    """A metric that counts a corpus part by part: with all references, with single references, or both."""

    def __init__(self, metric: Metric, *, together: bool, alone: Sequence[int]) -> None:
        self.metric, self.together, self.alone = metric, together, alone
        self._fitted: dict[int, Metric] = {}  # by the number of the reference
        self._together: RowsByRun = {}
        self._each: dict[int, RowsByRun] = {}  # by the number of the reference

    def fit_alone(self, given: CorpusInput) -> None:
        """Fit the metric on each single reference, if it needs fitting."""
        for number in self.alone:
            self._fitted[number] = _fitted(self.metric, given, alone=number)
            self._each[number] = {}

    def count(self, metric: Metric, run: str, part: Corpus, threads: int) -> None:
        """Count the next part of a run. `metric` is fitted on all references."""
        with _numbered_from_the_start(part):
            self._count(metric, run, part, threads)

    def _count(self, metric: Metric, run: str, part: Corpus, threads: int) -> None:
        column, references = part.systems[run], part.references
        singles = []
        for number, fitted in self._fitted.items():
            assert references is not None, "each of several"
            alone = _alone(references, number)
            singles.append(fitted.statistics(column, alone, threads=threads))
            self._each[number].setdefault(run, CompactRows()).add(singles[-1])
        if not self.together:
            return
        if (
            references is not None
            and metric.counts_single_references
            and len(singles) == len(references.columns) > 1
        ):
            found = _of_best(metric, singles, references)
        else:
            found = metric.statistics(column, references, sources=part.sources, threads=threads)
        self._together.setdefault(run, CompactRows()).add(found)

    @property
    def of_all(self) -> RowsByRun:
        return self._together

    def of_each(self, number: int) -> RowsByRun:
        return self._each[number]


def count_run(metric: Metric, part: Corpus, run: str, threads: int) -> Statistics:
    """The statistics of one run in a part of a corpus."""
    with _numbered_from_the_start(part):
        return metric.statistics(part.systems[run], part.references, sources=part.sources, threads=threads)


@contextmanager
def _numbered_from_the_start(part: Corpus) -> Iterator[None]:
    """Metrics know the segments of one part. Errors name them by their number in the corpus."""
    try:
        yield
    except BadSegment as error:
        raise error.after(part.preceding) from None


def _of_best(metric: Metric, singles: Sequence[Statistics], references: References) -> Statistics:
    """The statistics with all references, if they follow from those with single references."""
    rows = np.stack([statistics.array for statistics in singles])
    return replace(
        singles[0], array=of_best_reference(metric, rows, references), references=references.counts
    )


# --- parts, and what metrics must know before they count ------------------------------------------------------


def _parts(given: CorpusInput, metrics: Sequence[Metric], threads: int) -> Iterator[Corpus]:
    parts = parts_of(given, CHUNK_SEGMENTS)
    # Reading ahead from a terminal or pipe may block forever and could not be interrupted. A parser may fork this
    # process, which must then have no other thread: a lock held by that thread would never be released.
    parsed = any(metric.parses for metric in metrics)
    read = given.files and threads != 1 and not parsed and all(map(readable_twice, given.files))
    return read_ahead(parts) if read else parts


def checked_parts(given: CorpusInput, metrics: Sequence[Metric], threads: int) -> Iterator[Corpus]:
    """The input in parts whose text the metrics can read."""
    for number, part in enumerate(_parts(given, metrics, threads)):
        refuse_unsplit_text(metrics, part)
        if number == 0:
            warn_of_unreadable_text(metrics, part)
        yield part


class Fitted:
    """Metrics, fitted on all references (or on the whole system output) where necessary."""

    def __init__(self, given: CorpusInput, metrics: Sequence[Metric]) -> None:
        self.given, self.metrics = given, metrics
        self._fitted = [
            metric if _of_its_own_text(metric) else _fitted(metric, self.given) for metric in self.metrics
        ]
        self._texts = self._read() if any(map(_of_its_own_text, self.metrics)) else {}
        self._by_run: dict[str, list[Metric]] = {}
        for metric in self._fitted:
            if metric.prepares:
                metric.prepare(self._all_texts(metric))

    def _all_texts(self, metric: Metric) -> Iterator[tuple[Column, References]]:
        _refuse_unless_readable_twice(metric, "texts", self.given.files)
        for part in parts_of(self.given, CHUNK_SEGMENTS):
            for column in part.systems.values():
                yield metric.read(column, part.references, sources=part.sources)

    def of_run(self, run: str) -> list[Metric]:
        if run not in self._by_run:
            self._by_run[run] = [
                metric.fit(self._texts[run]) if _of_its_own_text(metric) else metric
                for metric in self._fitted
            ]
        return self._by_run[run]

    def _read(self) -> Mapping[str, Column]:
        metric = next(filter(_of_its_own_text, self.metrics))
        alone = replace(self.given, references=(), sources=None, documents=None)
        _refuse_unless_readable_twice(metric, "systems", alone.files)
        return next(parts_of(alone, None)).systems


def _of_its_own_text(metric: Metric) -> bool:
    """Whether it is fitted on the system output."""
    return metric.needs_fit and not metric.fitted_on and not metric.reads_references


def _fitted(metric: Metric, given: CorpusInput, alone: int | None = None) -> Metric:
    """The metric, fitted on all references if necessary, or on one of them."""
    if not metric.needs_fit or metric.fitted_on:
        return metric
    _refuse_unless_readable_twice(metric, "references", given.reference_files)
    parts = references_in_parts(given)
    return metric.fit_parts(parts if alone is None else (_alone(part, alone) for part in parts))


def _alone(references: References, number: int) -> References:
    """One of several references."""
    return replace(references, columns=(references.columns[number],))


# --- what is refused, or warned of -----------------------------------------------------------------------------


def check_inputs(metrics: Sequence[Metric], *, references: bool, sources: bool) -> None:
    """Raise an error if a metric reads references or source text and there are none."""
    check_sources(metrics, sources)
    for metric in metrics:
        if metric.reads_references and not references:
            raise BadParameter(
                f"{metric.name} needs references, but none are given. Add them with references= (-r on the command "
                "line)."
            )


def _refuse_unless_readable_twice(metric: Metric, role: str, paths: Sequence[str]) -> None:
    for path in paths:
        if not readable_twice(path):
            raise BadInput(
                f"{metric.name} reads the {role} twice, but '{path}' can be read only once. Save it to a file "
                "first."
            )


def refuse_unsplit_text(metrics: Sequence[Metric], part: Corpus) -> None:
    """For all metrics at once, before any of them starts counting."""
    columns = part.references.columns if part.references is not None else ()
    refuse_unsplit(
        [metric for metric in metrics if metric.reads_references], zip(part.places, columns, strict=True)
    )
    refuse_unsplit(
        [metric for metric in metrics if not metric.reads_references],
        ((f"system '{name}'", column) for name, column in part.systems.items()),
    )


def warn_of_unreadable_text(metrics: Sequence[Metric], part: Corpus) -> None:
    """The first reference stands for all of them."""
    if part.references is not None and part.references.columns:
        reading = [metric for metric in metrics if metric.reads_references]
        place = part.places[0]
        place = "the reference" if place == "references" else place  # in memory, without a name
        warn_of_unreadable(reading, place, part.references.columns[0])
        if reading:
            warn_of_misaligned(part)
