"""Perturbations: the response of every metric to graded errors and to harmless changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from understudy.metrics.base.score import Interval

BLIND, SENSITIVE, UNDECIDED = "blind", "sensitive", "undecided"  # verdicts


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
    """A mean or a share over segments, with its confidence interval from bootstrap samples of segments; no interval
    with fewer than two segments.
    """

    value: float
    interval: Interval | None


@dataclass(frozen=True)
class Response:
    """How one metric reacts to one perturbation of one strength. A text taken from the references is scored against the
    other references, and so is the original it is compared with.
    """

    perturbation: str
    strength: float | None  # share of what can be changed; None if it is not graded
    metric: int  # its position
    changed: int  # segments; all others are unchanged because the perturbation does not apply
    # Perturbed minus original, in the metric's points. Level `segment`: mean over the changed segments. Level `corpus`:
    # difference of the corpus scores, with all segments.
    difference: Estimate
    corpus_difference: float
    worse: Estimate  # share of the changed segments that the metric scores worse
    tied: float  # share with the same score
    better: float


@dataclass(frozen=True)
class HarmlessComparison:
    """An error beside one harmless change of the same segments."""

    harmless: str  # name of the harmless change
    segments: int  # with both
    below_harmless: Estimate  # as in BlindSpot, and so are the others
    excess: Estimate
    verdict: str


@dataclass(frozen=True)
class BlindSpot:
    """An error beside harmless changes of the same segments, under one metric. A harmless change with several strengths
    takes part in each segment at the strength that is closest in size to the error, in character edits. Where a segment
    has several harmless changes, the mean over their groups counts, in which the changes of a group weigh the same.
    Texts are compared that were scored against the same references.
    """

    perturbation: str
    strength: float | None
    metric: int
    segments: int  # with both the error and a harmless change
    # Share of them in which the error costs more than the harmless change; ties count half. 50%: the metric does not
    # tell them apart.
    below_harmless: Estimate
    # By how much more it costs, in points on a scale where higher is better. Level `segment`: mean over the segments.
    # Level `corpus`: harmless minus error, of the corpus scores of the segments that have both, the same mean
    # over the harmless changes.
    excess: Estimate
    sensitivity: (
        Estimate  # share of these segments in which the metric scores the error worse than the original
    )
    false_alarms: Estimate  # share in which it scores the harmless change worse than the original
    beside: tuple[HarmlessComparison, ...]  # the same with each harmless change alone
    # From the interval of `below_harmless` (level `segment`: below or above 55%) or of `excess` (level `corpus`: at
    # most or above 0). Undecided if the interval has both, and with fewer than 10 segments.
    verdict: str  # blind, sensitive or undecided


@dataclass(frozen=True)
class PerturbedExample:
    """A segment before and after, with its scores. Of an error, the segment in which the metrics notice it least; of a
    harmless change, the one in which they punish it most.
    """

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
    # By metric, the least noticed first: by `below_harmless`, at level `corpus` by `excess`. The intervals are not
    # corrected for the number of comparisons, which is the number of entries.
    blind_spots: tuple[BlindSpot, ...]
    examples: tuple[PerturbedExample, ...]  # one of each perturbation
    left_out: Mapping[str, str]  # by name: why it was not applied

    def curve(self, perturbation: str, metric: int) -> tuple[Response, ...]:
        """The responses of one metric to one perturbation, by strength."""
        return tuple(
            response
            for response in self.responses
            if (response.perturbation, response.metric) == (perturbation, metric)
        )
