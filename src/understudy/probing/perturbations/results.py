"""Perturbations: the response of every metric to graded errors and to harmless changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from understudy.metrics.base.score import Interval


@dataclass(frozen=True)
class PerturbationFacts:
    """A perturbation, as tables and reports describe it."""

    name: str  # such as drop-words
    group: str  # such as words, facts, meaning, segments, surface
    harmless: bool  # whether a translation stays as good as it was
    description: str  # what it does, in one sentence
    needs: str  # the resource: none, or what it is
    graded: bool  # whether it has strengths


@dataclass(frozen=True)
class Estimate:
    """A mean or a share over segments, with its confidence interval; no interval with fewer than two segments."""

    value: float
    interval: Interval | None


@dataclass(frozen=True)
class Response:
    """How one metric reacts to one perturbation of one strength."""

    perturbation: str
    strength: float | None  # share of what can be changed; None if it is not graded
    metric: int  # its position
    changed: int  # segments; all others are unchanged because the perturbation does not apply
    difference: Estimate  # mean over the changed segments: perturbed minus original, in the metric's points
    corpus_difference: float  # of the corpus scores, with all segments
    worse: Estimate  # share of the changed segments that the metric scores worse
    tied: float  # share with the same score
    better: float


@dataclass(frozen=True)
class BlindSpot:
    """An error beside harmless changes of the same segments, under one metric."""

    perturbation: str
    strength: float | None
    metric: int
    segments: int  # with both the error and a harmless change
    below_harmless: (
        Estimate  # share of them in which the error costs more than the harmless change; ties count half
    )
    sensitivity: Estimate  # share of changed segments that the metric scores worse
    false_alarms: Estimate  # share of harmlessly changed segments that it scores worse by at least as much


@dataclass(frozen=True)
class PerturbedExample:
    """A segment before and after, with its scores."""

    perturbation: str
    strength: float | None
    segment: int  # from 0
    before: str
    after: str
    scores_before: tuple[float, ...]  # by metric
    scores_after: tuple[float, ...]


@dataclass(frozen=True)
class Perturbations:
    """The responses of all metrics to all perturbations."""

    facts: tuple[PerturbationFacts, ...]  # of those that were applied
    responses: tuple[Response, ...]
    blind_spots: tuple[BlindSpot, ...]  # by metric, the least noticed first
    examples: tuple[PerturbedExample, ...]  # one of each perturbation
    left_out: Mapping[str, str]  # by name: why it was not applied
