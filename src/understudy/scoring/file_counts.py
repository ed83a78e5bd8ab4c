"""Counts of files and streamed tables, which need not fit in memory: texts are read in parts, and only the rows of
statistics are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from understudy.corpus.corpus import Corpus, references_in_parts, with_documents
from understudy.corpus.corpus_input import CorpusInput
from understudy.corpus.segment_sources import readable_twice
from understudy.corpus.test_sets.test_set import NamedSet
from understudy.errors import BadInput
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.threads import checked_threads
from understudy.scoring.counting import Fitted, Progress, RowsByRun, Task, check_inputs, checked_parts
from understudy.wording import number_of


@dataclass(frozen=True, eq=False)
class FileCounts:
    """What was counted of files, without their texts."""

    given: CorpusInput
    runs: Mapping[str, tuple[str, ...]]  # by system: the names of its training runs
    segments: int
    documents: tuple[str, ...] | None  # the document of every segment, if known
    partial_references: list[str]  # names of references that some segment lacks
    rows: list[RowsByRun]  # by metric
    by_reference: list[
        dict[str, RowsByRun]
    ]  # by metric and name of the reference, if at least two are complete

    @property
    def test_set(self) -> NamedSet | None:
        return self.given.test_set

    @cached_property
    def corpus(self) -> Corpus:
        """The texts, which are read now: for reports and breakdowns."""
        for path in self.given.files:
            if not readable_twice(path):
                raise BadInput(
                    f"this needs the texts again, but '{path}' can be read only once. Save it to a file first."
                )
        corpus = Corpus.of_input(self.given)
        if len(corpus) != self.segments:
            raise BadInput(
                f"the texts have {number_of(len(corpus), 'segment')}, but had {self.segments:,} when they were "
                "counted. Compare them again."
            )
        return corpus


def count_files(
    given: CorpusInput,
    metrics: Sequence[Metric],
    *,
    each_reference: bool = False,
    check_names: Callable[[Sequence[str]], object] | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> FileCounts:
    """Count all runs by all metrics; with `each_reference`, also with each reference alone. `check_names` is called
    with the names of the systems before anything is counted.
    """
    threads = checked_threads(threads)
    check_inputs(metrics, references=bool(given.references), sources=given.sources is not None)
    if any(metric.reads_documents for metric in metrics):
        given = with_documents(given)
    whole = _whole_references(given) if each_reference else []
    tasks = [
        Task(metric, together=True, alone=whole if metric.reads_references else []) for metric in metrics
    ]
    fitted = Fitted(given, metrics)
    for task in tasks:
        task.fit_alone(given)
    first: Corpus | None = None
    segments = 0
    documents: list[str] = []
    for part in checked_parts(given, metrics, threads):
        if first is None:
            first = part
            if check_names is not None:
                check_names(list(part.runs))
        for run in part.systems:
            for task, metric in zip(tasks, fitted.of_run(run), strict=True):
                task.count(metric, run, part, threads)
        segments += len(part)
        documents += part.documents or ()
        if progress:
            progress(len(part))
    assert first is not None, "a stream has at least one part"
    names = first.reference_names
    return FileCounts(
        given=given,
        runs=dict(first.runs),  # a view cannot be pickled
        segments=segments,
        documents=tuple(documents) if first.documents is not None else None,
        partial_references=[name for number, name in enumerate(names) if whole and number not in whole],
        rows=[task.of_all for task in tasks],
        by_reference=[{names[number]: task.of_each(number) for number in task.alone} for task in tasks],
    )


def _whole_references(given: CorpusInput) -> list[int]:
    """The indices of complete references, if there are at least two. Only formats with several texts can lack segments;
    these are read once for this.
    """
    if not given.may_lack_references:
        return list(range(len(given.references))) if len(given.references) > 1 else []
    whole: list[int] | None = None
    for part in references_in_parts(given):
        if whole is None:
            whole = list(range(len(part.columns)))
        whole = [number for number in whole if not part.columns[number].absent_rows()]
        if len(whole) < 2:
            return []
    return whole or []
