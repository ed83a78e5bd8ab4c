"""Human scores and metrics of a judged test set.

The name of a metric that was computed elsewhere includes its reference: `BLEU-refA`, `COMET-refA.refB`, `BLEURT-all`,
or `XCOMET-src` for a reference-free metric.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from understudy.corpus.judgments import ScoreTable, read_judgments
from understudy.corpus.score_files import MT_METRICS_EVAL, with_choice
from understudy.corpus.segment_label_files import called_documents, check_labels
from understudy.equality import EqualByValue
from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.declared_metric import check_sources
from understudy.metrics.base.metric import Metric
from understudy.trusting.alignment import AlignedScores
from understudy.trusting.excluded_systems import without_systems
from understudy.trusting.metric_scores import Measure, MetricScores, align_with_human, score_systems
from understudy.trusting.plan import TrustPlan
from understudy.trusting.sets.chosen_files import JudgedSet
from understudy.wording import number_of

NO_REFERENCE, ALL_REFERENCES = "src", "all"  # instead of the name of a reference
_NOREF = "[noref]"  # behind the name of a metric that reads no reference


@dataclass(frozen=True, eq=False)
class ScoredSet(EqualByValue):
    """Human and metric scores of the compared systems of a set."""

    judged: JudgedSet
    human: ScoreTable
    scored: MetricScores
    left_out: tuple[str, ...]  # systems that people scored, and that are not to be compared

    def paired(self, segments: Collection[int] | None = None, *, system_means: bool = False) -> AlignedScores:
        """Aligned human and metric scores, on all segments or some. Metrics without segment scores are then excluded.
        With `system_means`, systems that a metric scored on different segments than most systems are excluded, too.
        """
        if segments is None:
            return align_with_human(self.human, self.scored, system_means=system_means)
        measures = tuple(
            replace(measure, scores=measure.scores.on(segments))
            for measure in self.scored.measures
            if measure.scores.segments
        )
        scored = replace(self.scored, measures=measures)
        return align_with_human(self.human.on(segments), scored, system_means=system_means)

    def steps(self, plan: TrustPlan, by: str | None = None) -> int:
        """The number of coefficients to compute: for the whole set, and for every label of this title."""
        return (1 if by is None else 1 + len(self.segments_by(by))) * len(plan.asked())

    def segments_by(self, title: str) -> dict[str, set[int]]:
        """The segments with human scores by label, such as domain; empty without such labels."""
        labels = self.judged.labels(title)
        if labels is None:
            return {}
        if self.human.segments[-1] > len(labels):
            raise BadInput(
                f"there are human scores for segment {self.human.segments[-1]:,}, but labels '{title}' for only "
                f"{number_of(len(labels), 'segment')}."
            )
        if self.scored.segments is not None:
            check_labels(title, labels, self.scored.segments)
        found: dict[str, set[int]] = {labels[number - 1]: set() for number in self.human.segments}
        for number, label in enumerate(labels, start=1):
            if label in found:
                found[label].add(number)
        return dict(sorted(found.items()))


def score_set(
    judged: JudgedSet,
    metrics: Sequence[Metric],
    *,
    lang: str | None = None,
    lower_is_better: Collection[str] = (),
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> ScoredSet:
    """Reads the human scores, computes these metrics of the systems' outputs and reads the others from files. The
    target language decides what the metrics leave open; they are called as they are without it.
    """
    human = read_judgments(judged.human, judged.measure).known()
    if not human.segments:
        raise BadInput(f"'{judged.human}' has only system scores, expected segment scores.")
    left_out = tuple(name for name in human.systems if name in judged.left_out)
    human = without_systems(human, left_out)
    systems = {name: file for name, file in judged.systems.items() if name in human.systems}
    if metrics and not systems:
        raise BadInput(
            f"no system with human scores has a hypothesis file. Human scores: {', '.join(human.systems)}; hypothesis "
            f"files: {', '.join(judged.systems) or 'none'}."
        )
    if not judged.references and any(metric.reads_references for metric in metrics):
        raise BadInput(f"'{judged.folder.path}' has no reference. Give one with -r.")
    sources = judged.folder.source if any(metric.reads_sources for metric in metrics) else None
    if sources is None:
        check_sources(metrics, False)
    documents = None
    if any(metric.reads_documents for metric in metrics):
        documents = called_documents(judged.labelings)
    chosen = [_of_references(judged, spec) for spec in judged.scores]
    scored = score_systems(
        systems if metrics else (),
        list(judged.references.values()),
        [metric if lang is None else metric.for_language(lang) for metric in metrics] or ("bleu",),
        scores=[spec for spec in chosen if spec],
        sources=None if sources is None else Path(sources),
        documents=documents,
        threads=threads,
        progress=progress,
    )
    read = [measure for measure in scored.measures if measure.source]
    computed = _computed(metrics, [measure for measure in scored.measures if not measure.source])
    measures = (*computed, *_read(judged, read, computed, lower_is_better))
    return ScoredSet(judged, human, replace(scored, measures=measures), left_out)


def _metric_and_references(name: str, references: Iterable[str]) -> tuple[str, frozenset[str] | None]:
    """The name of a metric without its references, and which these are: none if it reads none, None if its name does
    not say.

    >>> _metric_and_references("COMET-refA.refB", ["refA", "refB"])[0]
    'COMET'
    >>> _metric_and_references("YiSi-1", ["refA"]), _metric_and_references("XCOMET-QE-src", ["refA"])
    (('YiSi-1', None), ('XCOMET-QE', frozenset()))
    """
    base, dash, end = name.rpartition("-")
    known = frozenset(references)
    if base and end == NO_REFERENCE:
        return base, frozenset()
    if base and end == ALL_REFERENCES:
        return base, known
    used = frozenset(end.split("."))
    return (base, used) if dash and base and used <= known else (name, None)


def _of_references(judged: JudgedSet, spec: str) -> str | None:
    """Of a folder, only the files of the metrics that are wanted. None: it has none."""
    where, names = with_choice(spec)
    if not os.path.isdir(where):
        return spec
    there = sorted({name.rsplit(".", 2)[0] for name in os.listdir(where) if name.endswith(MT_METRICS_EVAL)})
    wanted = [name for name in there if _is_wanted(judged, name)]
    if names:
        bases = {name: _metric_and_references(name, judged.folder.references)[0] for name in wanted}
        for name in names:
            if name not in there and name not in bases.values():
                raise BadParameter(
                    f"'{where}' has no scores of '{name}' with {_in_words(judged.references)}. It has "
                    f"{', '.join(sorted(set(bases.values())))}."
                )
        wanted = [name for name in there if name in names or bases.get(name) in names]
    return f"{where}:{','.join(wanted)}" if wanted else None


def _is_wanted(judged: JudgedSet, name: str) -> bool:
    """A metric must know no other references than those that were chosen."""
    _, used = _metric_and_references(name, judged.folder.references)
    return used is None or used <= frozenset(judged.references)


def _computed(metrics: Sequence[Metric], measures: Sequence[Measure]) -> list[Measure]:
    """Called alike in all sets, whatever the language chooses there."""
    labels = [metric.label for metric in metrics]
    names = [
        label if labels.count(label) == 1 else metric.spec
        for label, metric in zip(labels, metrics, strict=True)
    ]
    return [_called(measure, name) for measure, name in zip(measures, names, strict=True)]


def _read(
    judged: JudgedSet, read: Sequence[Measure], computed: Sequence[Measure], lower_is_better: Collection[str]
) -> list[Measure]:
    """Those of the chosen references, called alike in all sets, whatever the reference is called there."""
    kept = [measure for measure in read if _is_wanted(judged, measure.spec)]
    if not computed and not kept:
        raise BadInput(
            f"no metric has scores with {_in_words(judged.references)}. There are scores of "
            f"{', '.join(measure.spec for measure in read) or 'none'}."
        )
    names = [_short(measure.spec, judged) for measure in kept]
    taken = {measure.name for measure in computed}
    found = []
    for measure, short in zip(kept, names, strict=True):
        name = short if names.count(short) == 1 else measure.spec
        if name in taken:
            name = f"{name} (scores)"  # of --scores: the file may be called otherwise in every set
        taken.add(name)
        lower = bool({short, measure.spec} & set(lower_is_better))
        found.append(replace(_called(measure, name), lower_is_better=lower))
    return found


def _called(measure: Measure, name: str) -> Measure:
    return replace(measure, name=name, scores=replace(measure.scores, name=name))


def _short(name: str, judged: JudgedSet) -> str:
    base, used = _metric_and_references(name, judged.folder.references)
    return base + _NOREF if used is not None and not used else base


def _in_words(references: Iterable[str]) -> str:
    return ", ".join(references) or "no reference"
