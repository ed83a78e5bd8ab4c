"""Scores without some of the systems."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from understudy.corpus.judgments import ScoreTable
from understudy.errors import BadInput, BadParameter, did_you_mean
from understudy.trusting.metric_scores import MetricScores


def excluding(
    human: ScoreTable, scored: MetricScores, names: Collection[str]
) -> tuple[ScoreTable, MetricScores]:
    """Human and metric scores without these systems. Each system must have scores."""
    if not names:
        return human, scored
    known = dict.fromkeys(
        (*human.systems, *(system for measure in scored.measures for system in measure.scores.systems))
    )
    for name in names:
        if name not in known:
            raise BadParameter(f"cannot exclude unknown system '{name}'. {did_you_mean(name, known)}")
    measures = (replace(each, scores=without_systems(each.scores, names)) for each in scored.measures)
    return without_systems(human, names), replace(scored, measures=tuple(measures))


def without_systems(scores: ScoreTable, names: Collection[str]) -> ScoreTable:
    """All systems but these."""
    kept = [place for place, system in enumerate(scores.systems) if system not in names]
    if not kept:
        raise BadInput(f"all systems with '{scores.name}' scores are excluded: {', '.join(scores.systems)}.")
    return replace(
        scores,
        systems=tuple(scores.systems[place] for place in kept),
        scores=scores.scores[kept],
        system_scores=scores.system_scores[kept],
        ratings=None if scores.ratings is None else scores.ratings.of_rows(kept),
    )
