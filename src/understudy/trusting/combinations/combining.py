"""A learned combination of all metrics, fitted to the given human scores, as an additional metric."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy.corpus.judgments import ScoreTable
from understudy.corpus.system_kinds import Kinds
from understudy.errors import BadInput, BadParameter, LengthMismatch
from understudy.trusting.alignment import AlignedScores
from understudy.trusting.combinations.features import HUMAN, Feature, Target
from understudy.trusting.combinations.learning import Learning, learn
from understudy.trusting.combinations.linear_methods import any_method
from understudy.trusting.metric_scores import Measure, MetricScores, align_with_human, with_learned
from understudy.wording import number_of

_PEOPLE = "human"  # the kind of systems that are people


@dataclass(frozen=True)
class Combination:
    """The settings of a learned combination."""

    method: str = "ridge"
    grouping: str = "none"  # or segment: only from differences between translations of a segment
    documents: Sequence[str] | None = None  # the document of every segment
    sentinels: bool = False  # whether what sentinels see is used, too: see `trusting/sentinels.py`


def combined(
    human: ScoreTable,
    scored: MetricScores,
    kinds: Kinds,
    combination: Combination,
    *,
    beside: Sequence[Measure] = (),
    seed: int,
    progress: Callable[[int], None] | None = None,
) -> tuple[MetricScores, Learning]:
    """The metrics and their learned combination, with out-of-fold scores. It also uses what stands `beside` the
    metrics.
    """
    method = combination.method
    of_labels = any_method(method).of_labels
    aim = _who_translated(scored, kinds) if of_labels else human
    known = {measure.spec for measure in scored.measures if measure.is_computed}
    used = (*scored.measures, *(measure for measure in beside if measure.spec not in known))
    if beside:
        align_with_human(aim, scored)  # an error names metrics, not what stands beside them
    paired = align_with_human(aim, replace(scored, measures=used))
    features = features_of(used, paired)
    if not features or aim.segments == ():
        raise BadInput("a learned combination needs segment scores of both humans and metrics.")
    first = next(iter(paired.pairings.values()))
    assert first.human is not None
    target = (
        Target.human_or_machine(paired.systems, kinds.members[_PEOPLE], first.human.shape[1])
        if of_labels
        else Target.of_scores(paired.systems, first.human, human.name)
    )
    found = learn(
        features,
        target,
        documents_of_segments(combination.documents, paired.segments),
        method=method,
        grouping=combination.grouping,
        seed=seed,
        progress=progress,
    )
    return with_learned(scored, f"learned ({method})", paired, found.predictions), found


def features_of(measures: Sequence[Measure], paired: AlignedScores) -> list[Feature]:
    """The aligned segment scores of those that have any."""
    found = []
    for measure in measures:
        scores = paired.pairings[measure.name].metric
        if scores is None:
            continue
        evidence = measure.evidence
        found.append(
            Feature(measure.name, scores)
            if evidence is None
            else Feature(measure.spec, scores, evidence.metric, measure.references, evidence.of_input)
        )
    return found


def _who_translated(scored: MetricScores, kinds: Kinds) -> ScoreTable:
    """As if people had scored who is one: all systems that all metrics scored."""
    if _PEOPLE not in kinds.members:
        raise BadParameter(
            f"svm and logistic separate human from machine translations, but no system has the type '{_PEOPLE}'. Name "
            f"the human translations, e.g. --kind {_PEOPLE}:refB."
        )
    common = [
        system
        for system in scored.measures[0].scores.systems
        if all(system in measure.scores.systems for measure in scored.measures)
    ]
    segments = next((one.scores.segments for one in scored.measures if one.scores.segments), ())
    labels = np.array([[HUMAN if system in kinds.members[_PEOPLE] else -HUMAN] for system in common])
    return ScoreTable(
        "who translated", tuple(common), segments, np.repeat(labels, len(segments), axis=1), labels[:, 0]
    )


def documents_of_segments(documents: Sequence[str] | None, segments: Sequence[int]) -> list[str] | None:
    """Documents of the segments with these numbers."""
    if documents is None:
        return None
    if len(documents) < segments[-1]:
        raise LengthMismatch(
            f"document labels cover {number_of(len(documents), 'segment')}, but segment {segments[-1]:,} has "
            "scores: expected a document for each segment."
        )
    return [documents[number - 1] for number in segments]
