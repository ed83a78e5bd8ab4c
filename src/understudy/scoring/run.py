"""The verb `score`: score every system with every metric, from files of any length."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from understudy.corpus.corpus import CHUNK_SEGMENTS, Corpus, Systems, read_ahead
from understudy.corpus.files import Path, shown
from understudy.corpus.source import readable_twice
from understudy.errors import BadInput, BadParameter, WrongType, did_you_mean
from understudy.metrics.base.metric import Metric, checked_threads
from understudy.metrics.base.registry import metric as metric_of
from understudy.metrics.base.registry import with_panel
from understudy.metrics.base.score import Score
from understudy.metrics.base.statistics import Statistics
from understudy.metrics.base.unsplit_text import refuse_unsplit
from understudy.renderable import Renderable
from understudy.text.languages import language_of

if TYPE_CHECKING:
    from understudy.metrics.base.each_reference import EachReference

Metrics = (
    str | Metric | type[Metric] | Iterable[str | Metric | type[Metric]]
)  # specs, metrics, or classes of them
Entry = Path | tuple[str, Path]

LEVELS = ("corpus", "segment", "mean")


@dataclass(frozen=True)
class SystemScores:
    """The scores of one system: one entry per metric."""

    name: str
    scores: list[Score]  # at the levels corpus and mean
    segments: list[NDArray[np.float64]]  # at the level segment
    unparsed: list[int]  # number of segments with text but no tree; 0 if the metric needs no trees


@dataclass(frozen=True, repr=False)
class Scores(Renderable):
    """The scores of several systems on the same segments."""

    level: str
    metrics: list[Metric]
    systems: list[SystemScores]
    segments: int
    references: tuple[int, int]
    of_input: list[Mapping[str, str]]  # of each metric, see Statistics

    def __str__(self) -> str:
        return "\n".join(
            f"{system.name}: {of_metric}" for system in self.systems for of_metric in self._in_words(system)
        )

    def _in_words(self, system: SystemScores) -> list[str]:
        if self.level != "segment":
            return list(map(str, system.scores))
        return [
            f"{metric.label} of {len(scores):,} segments, {scores.min():.2f} to {scores.max():.2f}"
            for metric, scores in zip(self.metrics, system.segments, strict=True)
        ]

    def __getitem__(self, system: str) -> SystemScores:
        for entry in self.systems:
            if entry.name == system:
                return entry
        raise BadParameter(
            f"unknown system '{system}'. {did_you_mean(system, [entry.name for entry in self.systems])}"
        )


def score(
    systems: Systems,
    references: Path | Iterable[Path] = (),
    metrics: Metrics = ("bleu",),
    *,
    level: str = "corpus",
    lang: str | None = None,
    documents: Sequence[str] | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Scores:
    """Score system files against reference files. Systems are named after their files; use a mapping for other names.
    For texts in memory, use the metric's method `corpus`. The metric `all` is the default panel. References can be
    omitted if all metrics are reference-free.

    `lang` is the target language, such as zh, or a language pair, such as en-zh. It selects the tokenizer of metrics
    that do not set one, and the parser. Without it, text that such metrics cannot tokenize raises an error.

    Level `corpus` sums the statistics and scores once, `segment` scores each segment, and `mean` averages the segment
    scores. `documents` gives the document of each segment, if a metric uses documents and the files do not name them.
    Files are read in parts, so memory does not grow with their length, with two exceptions. The levels segment and
    mean need 8 bytes per segment and metric. A metric that must see the whole test set keeps what it needs and reads
    the references twice. `progress` is called with the number of segments processed since the last call.

    >>> result = score(["examples/system-weak.en"], ["examples/reference-1.en"], ["bleu"])
    >>> print(f"{result.systems[0].scores[0].value:.1f}")
    10.1
    """
    if level not in LEVELS:
        raise BadParameter(f"level '{level}': expected {', '.join(LEVELS)}.")
    chosen = chosen_metrics(metrics, lang)
    tallies: dict[str, list[_Tally]] = {}
    parts = count(systems, references, chosen, documents=documents, threads=threads, progress=progress)
    for name, counted in parts:
        of_system = tallies.setdefault(name, [_Tally(metric, level) for metric in chosen])
        for tally, statistics in zip(of_system, counted, strict=True):
            tally.add(statistics)
    totals = [tally.total for tally in next(iter(tallies.values()))]
    return Scores(
        level=level,
        metrics=chosen,
        systems=[
            SystemScores(
                name,
                scores=[tally.score() for tally in system] if level != "segment" else [],
                segments=[tally.segment_scores() for tally in system] if level == "segment" else [],
                unparsed=[tally.total.unparsed for tally in system],
            )
            for name, system in tallies.items()
        ],
        segments=totals[0].segments,
        references=max(total.references for total in totals),  # reference-free metrics have 0
        of_input=[total.of_input for total in totals],
    )


def chosen_metrics(metrics: Metrics, lang: str | None = None) -> list[Metric]:
    """The requested metrics, with `all` replaced by the default panel. A class stands for the metric with its
    defaults. The target language sets what has not been set explicitly.

    >>> chosen_metrics(["bleu", "chrf++"], "en-zh")
    [BLEU(tokenize='zh'), CHRF(word_order=2)]
    """
    if isinstance(metrics, (str, Metric, type)) or not isinstance(metrics, Iterable):
        metrics = [metrics]
    specs: list[Any] = list(metrics)
    if not specs:
        raise BadParameter("metrics: the list is empty, expected at least one metric, such as 'bleu'.")
    chosen = [metric_of(spec) for spec in with_panel(specs)]
    if lang is None:
        return chosen
    language_of(lang)  # raises an error for an invalid code even if no metric uses it
    return [metric.for_language(lang) for metric in chosen]


def paths_of(role: str, given: Path | Iterable[Path]) -> list[Path]:
    """The paths for this role, given as one path or several. Raises an error for anything else."""
    if isinstance(given, (str, os.PathLike)) or not isinstance(given, Iterable):
        given = [given]
    paths = list(given)
    for path in paths:
        if not isinstance(path, (str, os.PathLike)):
            raise WrongType(
                f"{role}: got {type(path).__name__} ({str(path)[:30]!r}), expected a file path. For texts in "
                "memory, use the metric itself: BLEU().corpus(hypotheses, references)."
            )
    return paths


def count(
    systems: Systems,
    references: Path | Iterable[Path],
    metrics: Sequence[Metric],
    *,
    documents: Sequence[str] | None = None,
    each_reference: EachReference | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Iterator[tuple[str, list[Statistics]]]:
    """The statistics of all metrics, part by part: a system's name and the statistics of some of its segments, one
    entry per metric. The parts of a system are in order. `each_reference` also counts with single references.
    """
    threads = checked_threads(threads)
    paths = paths_of("references", references)
    entries = _listed(systems)
    files = [entry[1] if isinstance(entry, tuple) else entry for entry in entries]
    paths_of("systems", files)
    for metric in metrics:
        if metric.reads_references and not paths:
            raise BadParameter(
                f"{metric.name} needs references, but none are given. Add them with references= (-r on the command "
                "line)."
            )
    if documents is None and any(metric.reads_documents for metric in metrics):
        documents = Corpus.documents_of(entries, paths)  # only the system file may name them
    fitted_for = [_fits(metric, entries, paths, documents) for metric in metrics]
    fitted: dict[str, list[Metric]] = {}
    parts = Corpus.stream(entries, paths, documents=documents, chunk=CHUNK_SEGMENTS)
    # Reading ahead from a terminal or pipe may block forever and could not be interrupted. A parser may fork this
    # process, which must then have no other thread: a lock held by that thread would never be released.
    parsed = any(metric.parses for metric in metrics)
    if threads != 1 and not parsed and all(map(readable_twice, [*files, *paths])):
        parts = read_ahead(parts)
    for part in parts:
        _refuse_unsplit(metrics, part, paths)
        if each_reference is not None:
            each_reference.add(part, paths, documents, threads)
        for name, column in part.systems.items():
            if name not in fitted:
                fitted[name] = [fit(name) for fit in fitted_for]
            counted: list[Statistics] = []
            for index, metric in enumerate(fitted[name]):
                known = (
                    None
                    if each_reference is None or part.references is None
                    else each_reference.together(index, name, part.references)
                )
                counted.append(
                    metric.statistics(column, part.references, threads=threads) if known is None else known
                )
            yield name, counted
        if progress:
            progress(len(part))


def count_whole(
    systems: Systems,
    references: Path | Iterable[Path],
    metrics: Sequence[Metric],
    *,
    documents: Sequence[str] | None = None,
    each_reference: EachReference | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> dict[str, list[Statistics]]:
    """All rows of every system's statistics, for analyses that read segments more than once."""
    parts: dict[str, list[list[Statistics]]] = {}
    counts = count(
        systems,
        references,
        metrics,
        documents=documents,
        each_reference=each_reference,
        threads=threads,
        progress=progress,
    )
    for name, counted in counts:
        for kept, part in zip(parts.setdefault(name, [[] for _ in metrics]), counted, strict=True):
            kept.append(part)
    return {name: [Statistics.concatenate(kept) for kept in by_metric] for name, by_metric in parts.items()}


def _fits(
    metric: Metric, systems: list[Entry], references: list[Path], documents: Sequence[str] | None
) -> Callable[[str], Metric]:
    """A function from system name to metric, fitted on all references (or on the whole system output) where
    necessary.
    """
    if not metric.needs_fit or metric.fitted_on:
        return lambda _name: metric
    if metric.reads_references:
        _refuse_unless_readable_twice(metric, "references", references)
        fitted = metric.fit_parts(Corpus.stream_references(references, documents=documents))
        return lambda _name: fitted
    _refuse_unless_readable_twice(
        metric, "systems", [entry[1] if isinstance(entry, tuple) else entry for entry in systems]
    )
    whole = Corpus.read(systems)
    return lambda name: metric.fit(whole[name])


def _refuse_unless_readable_twice(metric: Metric, role: str, paths: list[Path]) -> None:
    for path in paths:
        if not readable_twice(path):
            raise BadInput(
                f"{metric.name} reads the {role} twice, but '{os.fspath(path)}' can be read only once. Save it to "
                "a file first."
            )


def _refuse_unsplit(metrics: Sequence[Metric], part: Corpus, references: list[Path]) -> None:
    """For all metrics at once, before any of them starts counting."""
    columns = part.references.columns if part.references is not None else ()
    names = [shown(os.fspath(path)) for path in references]
    if len(names) != len(columns):  # a file may hold several
        names = ["references"] * len(columns)
    refuse_unsplit(
        [metric for metric in metrics if metric.reads_references], zip(names, columns, strict=True)
    )
    refuse_unsplit(
        [metric for metric in metrics if not metric.reads_references],
        ((f"system '{name}'", column) for name, column in part.systems.items()),
    )


def _listed(systems: Systems) -> list[Entry]:
    if isinstance(systems, Mapping):
        return list(systems.items())
    if isinstance(systems, (str, os.PathLike)) or not isinstance(systems, Iterable):
        return [systems]
    return list(systems)


@dataclass(eq=False, repr=False)
class _Tally:
    """The running total of one metric for one system."""

    metric: Metric
    level: str
    _total: Statistics | None = None
    _parts: list[NDArray[np.float64]] = field(default_factory=list)

    def add(self, part: Statistics) -> None:
        self._total = part.sum() if self._total is None else self._total + part
        if self.level != "corpus":
            self._parts.append(self.metric.segment_scores(part))

    @property
    def total(self) -> Statistics:
        assert self._total is not None, "a stream has at least one part"
        return self._total

    def score(self) -> Score:
        if self.level == "mean":
            return self.metric.mean_of(self.segment_scores(), self.total)
        return self.metric.corpus_score(self.total)

    def segment_scores(self) -> NDArray[np.float64]:
        return np.concatenate(self._parts)
