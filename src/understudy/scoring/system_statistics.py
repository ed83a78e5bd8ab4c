"""Statistics of systems: part by part from files of any length, or once for a corpus, which keeps them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from understudy.corpus.corpus import CHUNK_SEGMENTS, Corpus, parts_of, with_documents
from understudy.corpus.corpus_input import CorpusInput
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.threads import checked_threads
from understudy.scoring.counting import (
    Fitted,
    Progress,
    RowsByRun,
    Task,
    check_inputs,
    checked_parts,
    count_run,
    refuse_unsplit_text,
    warn_of_unreadable_text,
)

ByRun = dict[str, Statistics]  # the statistics of a metric, by training run


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
    check_inputs(metrics, references=bool(given.references), sources=given.sources is not None)
    if any(metric.reads_documents for metric in metrics):
        given = with_documents(given)
    fitted = Fitted(given, metrics)
    for part in checked_parts(given, metrics, threads):
        for run in part.systems:
            yield run, [count_run(metric, part, run, threads) for metric in fitted.of_run(run)]
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
    check_inputs(metrics, references=corpus.references is not None, sources=corpus.sources is not None)
    refuse_unsplit_text(metrics, corpus)
    given = corpus.as_input()
    whole = _whole_references(corpus) if with_each else []
    tasks = []
    for metric in {_key(metric): metric for metric in metrics}.values():
        together = _key(metric) not in corpus.kept
        alone = bool(whole) and metric.reads_references and _key_alone(metric) not in corpus.kept
        if together or alone:
            tasks.append(Task(metric, together=together, alone=whole if alone else []))
    if not tasks:
        return
    warn_of_unreadable_text([task.metric for task in tasks], corpus)
    fitted = Fitted(given, [task.metric for task in tasks])
    for task in tasks:
        task.fit_alone(given)
    for part in parts_of(given, CHUNK_SEGMENTS):
        for run in part.systems:
            for task, metric in zip(tasks, fitted.of_run(run), strict=True):
                task.count(metric, run, part, threads)
        if progress:
            progress(len(part))
    for task in tasks:
        if task.together:
            corpus.kept[_key(task.metric)] = _widened(task.of_all)
        if task.alone:
            names = corpus.reference_names
            corpus.kept[_key_alone(task.metric)] = {
                names[number]: _widened(task.of_each(number)) for number in task.alone
            }


def _widened(by_run: RowsByRun) -> ByRun:
    return {run: Statistics.concatenate(list(rows.parts())) for run, rows in by_run.items()}


def _whole_references(corpus: Corpus) -> list[int]:
    """The indices of complete references, if there are at least two."""
    columns = () if corpus.references is None else corpus.references.columns
    whole = [number for number, column in enumerate(columns) if not column.absent_rows()]
    return whole if len(whole) > 1 else []
