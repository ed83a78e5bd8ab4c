"""Metric scores of systems: computed from texts, or read from files."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.corpus import Corpus, as_corpus
from understudy.corpus.files import files_of
from understudy.corpus.judgments import ScoreTable, means_over_segments, read_metric_scores
from understudy.corpus.score_files import with_choice
from understudy.corpus.score_tables import Table, score_table_name
from understudy.corpus.segment_sources import name_of
from understudy.equality import EqualByValue
from understudy.errors import BadInput, BadParameter, did_you_mean
from understudy.resampling.evidence import Evidence
from understudy.scoring.counted_systems import count_systems
from understudy.scoring.run import Metrics, chosen_metrics
from understudy.settings import checked_names
from understudy.trusting.alignment import AlignedScores, Unmatched, align, alike_names, names_differ, some
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.uneven_coverage import UnevenCoverage
from understudy.wording import number_of

_LEARNED = "learned"  # from the other metrics
SENTINEL = "sentinel"  # beside the metrics: see `sentinels`


@dataclass(frozen=True, eq=False)
class Measure(EqualByValue):
    """One metric and its scores."""

    name: str  # in tables
    spec: str  # of a metric computed here; else its name in the file
    signature: str  # empty: it came from a file
    source: str  # the file it came from, _LEARNED or SENTINEL; empty: it was computed here
    scores: ScoreTable
    lower_is_better: bool = False
    evidence: Evidence | None = None  # of a metric computed here: scores of any sample
    references: tuple[int, int] = (
        0,
        0,
    )  # likewise: the fewest and the most references that it read of a segment

    @property
    def is_computed(self) -> bool:
        """Whether it was computed here, as its spec says."""
        return self.evidence is not None

    def paired(self, pairing: PairedScores, segments: Sequence[int]) -> PairedScores:
        """The pairing, with the metric's own scores of samples: the BLEU of a sample is not a mean of segments'."""
        if self.evidence is None or self.evidence.template is None:
            return pairing
        evidence = self.evidence.among(pairing.systems)
        columns = np.array(segments, dtype=np.intp) - 1
        return replace(pairing, metric_systems=None, metric_of_samples=_OfSamples(evidence, columns))


@dataclass(frozen=True, eq=False)
class _OfSamples:
    """What a metric scores systems in samples, whose weights are for some of the segments. No function, so that results
    can be pickled.
    """

    evidence: Evidence
    columns: NDArray[np.intp]  # of the segments that have weights

    def __call__(self, weights: Floats) -> Floats:
        whole = np.zeros((len(weights), self.evidence.segments))
        whole[:, self.columns] = weights
        return np.asarray(self.evidence.worth(self.evidence.sample_scores(iter([whole]))))

    def part(self, systems: NDArray[np.intp], segments: NDArray[np.intp]) -> _OfSamples:
        evidence = self.evidence.among([self.evidence.systems[system] for system in systems])
        counts = evidence.counts[self.columns[segments]]
        return _OfSamples(replace(evidence, counts=counts), np.arange(len(segments)))


@dataclass(frozen=True, eq=False)
class MetricScores(EqualByValue):
    """All metrics, and the texts they scored, if any."""

    measures: tuple[Measure, ...]
    corpus: Corpus | None = None

    @property
    def copies(self) -> list[str]:
        """Systems whose text is identical to a reference. Their perfect scores are meaningless."""
        if self.corpus is None or self.corpus.references is None:
            return []
        return [
            system
            for system, runs in self.corpus.runs.items()
            for run in runs
            if any(_same_texts(self.corpus[run], reference) for reference in self.corpus.references.columns)
        ]

    @property
    def segments(self) -> int | None:
        """Number of segments of the texts."""
        return None if self.corpus is None else len(self.corpus)


def _same_texts(one: Column, other: Column) -> bool:
    return all(one[row] == other[row] for row in range(len(one)))


def score_systems(
    systems: Any = (),
    references: Any = None,
    metrics: Metrics = ("bleu",),
    *,
    scores: Table | Sequence[Table] = (),
    lower_is_better: Collection[str] = (),
    lang: str | None = None,
    sources: Any = None,
    documents: Any = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> MetricScores:
    """Compute metrics on systems (a corpus, anything a corpus can be made of, or a folder of files), and read other
    metrics from `scores`. `lang` is the target language, as in `understudy.score`. `sources` is the source text, for
    metrics that read it. `documents` are the document labels for metrics that use documents, if the files have none.
    """
    lower_is_better = checked_names("lower_is_better", lower_is_better)
    if isinstance(systems, (str, os.PathLike)):
        systems = list(map(Path, files_of(systems)))
    corpus = None
    found: list[Measure] = []
    if not isinstance(systems, (list, tuple, Mapping)) or systems:
        corpus = as_corpus(systems, references, sources=sources, documents=documents)
        found = computed_measures(corpus, chosen_metrics(metrics, lang), threads, progress)
    elif isinstance(scores, (list, tuple)) and not scores:
        raise BadParameter("nothing to score. Give systems, or files of scores.")
    tables = (
        [scores]
        if isinstance(scores, (str, os.PathLike)) or not isinstance(scores, (list, tuple))
        else scores
    )
    for table in tables:
        where = score_table_name(table)
        for name, read in read_metric_scores(table).items():
            label = (
                name
                if all(name != other.name for other in found)
                else f"{name} ({name_of(with_choice(where)[0])})"
            )
            if any(label == other.name for other in found):
                raise BadParameter(f"metric '{name}' is in two files of scores. Omit one of them.")
            lower = name in lower_is_better
            found.append(Measure(label, name, "", where, replace(read, name=label), lower))
    known = [measure.spec for measure in found if measure.source]
    for name in lower_is_better:
        if name not in known:
            raise BadParameter(f"unknown metric '{name}' in the scores. {did_you_mean(name, known)}")
    return MetricScores(tuple(found), corpus)


def computed_measures(
    corpus: Corpus,
    metrics: Metrics,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Measure]:
    """Metrics computed on texts; those with the same title are named by their specs."""
    counted = count_systems(corpus, metrics=metrics, threads=threads, progress=progress)
    labels = [metric.label for metric in counted.metrics]
    found = []
    for metric, evidence, label, counts in zip(
        counted.metrics, counted.evidence, labels, counted.references, strict=True
    ):
        name = label if labels.count(label) == 1 else metric.spec
        found.append(measure_of(evidence, name, counts))
    return found


def measure_of(evidence: Evidence, name: str, references: tuple[int, int]) -> Measure:
    """The metric that counted the evidence, under a name, with its scores."""
    metric = evidence.metric
    assert metric is not None, "scores of unknown origin have no signature"
    signature = str(metric.signature(references, "corpus", of_input=evidence.of_input))
    scores = _scores_of(evidence, name)
    lower = evidence.higher_is_better is False
    return Measure(name, metric.spec, signature, "", scores, lower, evidence, references)


def with_learned(scored: MetricScores, name: str, paired: AlignedScores, predictions: Floats) -> MetricScores:
    """The metrics and one learned from them, with the scores [systems, segments] that it predicts."""
    means = means_over_segments(predictions)
    scores = ScoreTable(name, paired.systems, paired.segments, predictions, means, given=False)
    return replace(scored, measures=(*scored.measures, Measure(name, name, "", _LEARNED, scores)))


def align_with_human(
    human: ScoreTable, scored: MetricScores, *, judged_only: bool = False, system_means: bool = False
) -> AlignedScores:
    """Align human and metric scores, as `align` does."""
    _check_names(scored)
    _check_segments(human, scored)
    matched = align(
        human,
        {measure.name: measure.scores for measure in scored.measures},
        lower_is_better={measure.name for measure in scored.measures if measure.lower_is_better},
        judged_only=judged_only,
        system_means=system_means,
    )
    pairings = dict(matched.pairings)
    for measure in scored.measures:
        if pairings[measure.name].metric is not None:
            pairings[measure.name] = measure.paired(pairings[measure.name], matched.segments)
    # A combination was fitted on the same systems: the notes name what its parts lack.
    parts = {measure.name for measure in scored.measures if measure.source not in (_LEARNED, SENTINEL)}
    parts = parts or {measure.name for measure in scored.measures}
    unmatched = [each for each in matched.unmatched if each.metric in parts]
    unlike = [each for each in matched.uneven if each.metric in parts or each.too_many]
    unscored = {name: count for name, count in matched.unscored.items() if name in parts}
    left_out = (
        *_in_words(unmatched, len(parts)),
        *_uneven_in_words(unlike),
        *_unscored_in_words(unscored),
    )
    return replace(matched, pairings=pairings, left_out=left_out)


def _unscored_in_words(unscored: Mapping[str, int]) -> tuple[str, ...]:
    lacking = [f"{count:,} without {name} scores" for name, count in unscored.items()]
    return (
        (f"excluded for all metrics at segment level: translations with human scores, {some(lacking)}",)
        if lacking
        else ()
    )


def _check_names(scored: MetricScores) -> None:
    """A file may have scores of the name of a learned metric or a sentinel."""
    by_name: dict[str, list[str]] = {}
    for measure in scored.measures:
        by_name.setdefault(measure.name, []).append(measure.source)
    for name, sources in by_name.items():
        if len(sources) > 1:
            read = [source for source in sources if source not in ("", _LEARNED, SENTINEL)]
            raise BadInput(f"two metrics are called '{name}'. Rename it in {some(read or ['one of them'])}.")


def _check_segments(human: ScoreTable, scored: MetricScores) -> None:
    """Where there are texts, nobody has scored segments beyond their end."""
    if scored.segments is None:
        return
    judged = (
        ("human scores", human.known().segments),
        *((f"{one.name} scores", one.scores.segments) for one in scored.measures),
    )
    for who, segments in judged:
        if segments and segments[-1] > scored.segments:
            raise BadInput(
                f"{who} for segment {segments[-1]:,}, but the systems have "
                f"{number_of(scored.segments, 'segment')}. Check that the scores are for this test set."
            )


def _in_words(unmatched: Sequence[Unmatched], count: int) -> tuple[str, ...]:
    """What only one side has, said once of all of these metrics of which it is the same. That people did not judge all
    segments is no reason to leave any out.
    """
    lacking: dict[str, list[str]] = {}
    for each in unmatched:
        for system in each.human_systems:
            lacking.setdefault(system, []).append(each.metric)
    lost: dict[tuple[str, ...], list[str]] = {}
    for system, metrics in lacking.items():
        if len(metrics) < count:
            lost.setdefault(tuple(metrics), []).append(system)
    sentences = [
        f"excluded for all metrics: {some(systems)}, without {some(metrics)} scores"
        for metrics, systems in lost.items()
    ]
    by_metric: dict[Unmatched, list[str]] = {}
    for each in unmatched:
        nowhere = tuple(system for system in each.human_systems if len(lacking[system]) == count)
        if str(rest := replace(each, human_systems=nowhere, metric_segments=0)):
            by_metric.setdefault(replace(rest, metric=""), []).append(each.metric)
    sentences += [str(replace(each, metric=some(names))) for each, names in by_metric.items()]
    alike = [pair for each in unmatched for pair in alike_names(each.human_systems, each.metric_systems)]
    sentences += [names_differ(list(dict.fromkeys(alike)))] if alike else []
    return tuple(sentences)


def _uneven_in_words(found: Sequence[UnevenCoverage]) -> tuple[str, ...]:
    """Said once of all metrics of which it is the same."""
    by_metric: dict[UnevenCoverage, list[str]] = {}
    for each in found:
        by_metric.setdefault(replace(each, metric=""), []).append(each.metric)
    alike = [replace(each, metric=some(names)) for each, names in by_metric.items()]
    kept = [str(each) for each in alike if not each.too_many]
    return (
        *(f"excluded for all metrics: {each.system}, because {each}" for each in alike if each.too_many),
        *([f"{some(kept)}; system scores are means over the scored segments"] if kept else []),
    )


def _scores_of(evidence: Evidence, name: str) -> ScoreTable:
    return ScoreTable(
        name,
        evidence.systems,
        tuple(range(1, evidence.segments + 1)),
        _rising(evidence, evidence.segment_scores),
        _rising(evidence, evidence.scores),
        given=True,
    )


def _rising(evidence: Evidence, scores: Floats) -> Floats:
    """Scores that are best at some number, as how close they are to it; others as they are."""
    return scores if evidence.higher_is_better is not None else np.asarray(evidence.worth(scores))
