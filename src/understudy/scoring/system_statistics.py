"""Statistics of systems: part by part from files of any length, or once for a corpus, which keeps them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from understudy._core import Column
from understudy.corpus.columns import References
from understudy.corpus.corpus import (
    CHUNK_SEGMENTS,
    Corpus,
    parts_of,
    read_ahead,
    references_in_parts,
    with_documents,
)
from understudy.corpus.corpus_input import CorpusInput
from understudy.corpus.segment_sources import readable_twice
from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.best_reference import of_best_reference
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.threads import checked_threads
from understudy.metrics.base.unsplit_text import refuse_unsplit
from understudy.scoring.tokenizer_warnings import warn_of_unreadable

ByRun = dict[str, Statistics]  # the statistics of a metric, by training run
Progress = Callable[[int], None]


def statistics_in_parts(
    given: CorpusInput,
    metrics: Sequence[Metric],
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Iterator[tuple[str, list[Statistics]]]:
    """The statistics of all metrics, part by part: the name of a run and the statistics of some of its segments, one
    entry per metric. The parts of a run are in order.
    """
    threads = checked_threads(threads)
    _check_references(metrics, bool(given.references))
    if any(metric.reads_documents for metric in metrics):
        given = with_documents(given)
    fitted = _Fitted(given, metrics)
    for number, part in enumerate(_parts(given, metrics, threads)):
        _refuse_unsplit(metrics, part)
        if number == 0:
            _warn_of_unreadable(metrics, part)
        for run, column in part.systems.items():
            yield (
                run,
                [
                    metric.statistics(column, part.references, threads=threads)
                    for metric in fitted.of_run(run)
                ],
            )
        if progress:
            progress(len(part))


def corpus_statistics(
    corpus: Corpus,
    metrics: Sequence[Metric],
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[ByRun]:
    """The statistics of each metric for every run, counted once and kept with the corpus."""
    _count(corpus, metrics, with_each=False, threads=threads, progress=progress)
    return [corpus.kept[_key(metric)] for metric in metrics]


def statistics_with_each_reference(
    corpus: Corpus,
    metrics: Sequence[Metric],
    *,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[dict[str, ByRun]]:
    """The same with every single reference, by name, if at least two references are complete. Empty for a
    reference-free metric.
    """
    _count(corpus, metrics, with_each=True, threads=threads, progress=progress)
    return [corpus.kept.get(_key_alone(metric), {}) for metric in metrics]


def partial_references(corpus: Corpus) -> list[str]:
    """The names of incomplete references."""
    columns = () if corpus.references is None else corpus.references.columns
    named = zip(corpus.reference_names, columns, strict=True)
    return [name for name, column in named if column.absent_rows()]


# --- a corpus that keeps what was counted ---------------------------------------------------------------------


def _key(metric: Metric, kind: str = "statistics") -> tuple[object, ...]:
    """Metrics are equal if their parameters are, but may be fitted on different references or have read different
    files, which the signature shows.
    """
    return (kind, metric, metric.fitted_on, tuple(metric.choices().items()))


def _key_alone(metric: Metric) -> tuple[object, ...]:
    return _key(metric, "statistics with each reference")


def _count(
    corpus: Corpus,
    metrics: Sequence[Metric],
    *,
    with_each: bool,
    threads: int | None,
    progress: Progress | None,
) -> None:
    """Count what is missing."""
    threads = checked_threads(threads)
    _check_references(metrics, corpus.references is not None)
    _refuse_unsplit(metrics, corpus)
    given = corpus.as_input()
    whole = _whole_references(corpus) if with_each else []
    tasks = []
    for metric in {_key(metric): metric for metric in metrics}.values():
        together = _key(metric) not in corpus.kept
        alone = bool(whole) and metric.reads_references and _key_alone(metric) not in corpus.kept
        if together or alone:
            tasks.append(_Task(metric, together=together, alone=whole if alone else []))
    if not tasks:
        return
    _warn_of_unreadable([task.metric for task in tasks], corpus)
    fitted = _Fitted(given, [task.metric for task in tasks])
    for task in tasks:
        task.fit_alone(given)
    for part in parts_of(given, CHUNK_SEGMENTS):
        for run, column in part.systems.items():
            for task, metric in zip(tasks, fitted.of_run(run), strict=True):
                task.count(metric, run, column, part.references, threads)
        if progress:
            progress(len(part))
    for task in tasks:
        if task.together:
            corpus.kept[_key(task.metric)] = task.of_all
        if task.alone:
            names = corpus.reference_names
            corpus.kept[_key_alone(task.metric)] = {
                names[number]: task.of_each(number) for number in task.alone
            }


class _Task:
    """A metric that counts a corpus part by part: with all references, with single references, or both."""

    def __init__(self, metric: Metric, *, together: bool, alone: Sequence[int]) -> None:
        self.metric, self.together, self.alone = metric, together, alone
        self._fitted: dict[int, Metric] = {}  # by the number of the reference
        self._together: dict[str, list[Statistics]] = {}  # by run, in parts
        self._each: dict[int, dict[str, list[Statistics]]] = {}  # likewise, by the number of the reference

    def fit_alone(self, given: CorpusInput) -> None:
        """Fit the metric on each single reference, if it needs fitting."""
        for number in self.alone:
            self._fitted[number] = _fitted(
                self.metric, replace(given, references=(given.references[number],))
            )
            self._each[number] = {}

    def count(
        self, metric: Metric, run: str, column: Column, references: References | None, threads: int
    ) -> None:
        """Count the next part of a run. `metric` is fitted on all references."""
        singles = []
        for number, fitted in self._fitted.items():
            assert references is not None, "each of several"
            alone = References((references.columns[number],), references.documents)
            singles.append(fitted.statistics(column, alone, threads=threads))
            self._each[number].setdefault(run, []).append(singles[-1])
        if not self.together:
            return
        if (
            references is not None
            and metric.counts_single_references
            and len(singles) == len(references.columns) > 1
        ):
            found = _of_best(metric, singles, references)
        else:
            found = metric.statistics(column, references, threads=threads)
        self._together.setdefault(run, []).append(found)

    @property
    def of_all(self) -> ByRun:
        return {run: Statistics.concatenate(parts) for run, parts in self._together.items()}

    def of_each(self, number: int) -> ByRun:
        return {run: Statistics.concatenate(parts) for run, parts in self._each[number].items()}


def _of_best(metric: Metric, singles: Sequence[Statistics], references: References) -> Statistics:
    """The statistics with all references, if they follow from those with single references."""
    rows = np.stack([statistics.array for statistics in singles])
    return replace(
        singles[0], array=of_best_reference(metric, rows, references), references=references.counts
    )


def _whole_references(corpus: Corpus) -> list[int]:
    """The indices of complete references, if there are at least two."""
    columns = () if corpus.references is None else corpus.references.columns
    whole = [number for number, column in enumerate(columns) if not column.absent_rows()]
    return whole if len(whole) > 1 else []


# --- parts, and what metrics must know before they count ------------------------------------------------------


def _parts(given: CorpusInput, metrics: Sequence[Metric], threads: int) -> Iterator[Corpus]:
    parts = parts_of(given, CHUNK_SEGMENTS)
    # Reading ahead from a terminal or pipe may block forever and could not be interrupted. A parser may fork this
    # process, which must then have no other thread: a lock held by that thread would never be released.
    parsed = any(metric.parses for metric in metrics)
    read = given.files and threads != 1 and not parsed and all(map(readable_twice, given.files))
    return read_ahead(parts) if read else parts


class _Fitted:
    """Metrics, fitted on all references (or on the whole system output) where necessary."""

    def __init__(self, given: CorpusInput, metrics: Sequence[Metric]) -> None:
        self.given, self.metrics = given, metrics
        self._fitted = [
            metric if _of_its_own_text(metric) else _fitted(metric, self.given) for metric in self.metrics
        ]
        self._texts = self._read() if any(map(_of_its_own_text, self.metrics)) else {}
        self._by_run: dict[str, list[Metric]] = {}

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


def _fitted(metric: Metric, given: CorpusInput) -> Metric:
    """The metric, fitted on all references if necessary."""
    if not metric.needs_fit or metric.fitted_on:
        return metric
    _refuse_unless_readable_twice(metric, "references", given.reference_files)
    return metric.fit_parts(references_in_parts(given))


# --- what is refused, or warned of -----------------------------------------------------------------------------


def _check_references(metrics: Sequence[Metric], given: bool) -> None:
    for metric in metrics:
        if metric.reads_references and not given:
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


def _refuse_unsplit(metrics: Sequence[Metric], part: Corpus) -> None:
    """For all metrics at once, before any of them starts counting."""
    columns = part.references.columns if part.references is not None else ()
    refuse_unsplit(
        [metric for metric in metrics if metric.reads_references], zip(part.places, columns, strict=True)
    )
    refuse_unsplit(
        [metric for metric in metrics if not metric.reads_references],
        ((f"system '{name}'", column) for name, column in part.systems.items()),
    )


def _warn_of_unreadable(metrics: Sequence[Metric], part: Corpus) -> None:
    """The first reference stands for all of them."""
    if part.references is not None and part.references.columns:
        reading = [metric for metric in metrics if metric.reads_references]
        place = part.places[0]
        place = "the reference" if place == "references" else place  # in memory, without a name
        warn_of_unreadable(reading, place, part.references.columns[0])
