"""ChallengeResults: how often each metric prefers the good translation, by phenomenon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from understudy.metrics.base.score import Interval
from understudy.probing.challenge_sets.plan import ChallengePlan
from understudy.renderable import Renderable


@dataclass(frozen=True)
class PhenomenonResult:
    """One metric on the pairs of one phenomenon."""

    phenomenon: str
    severity: str  # empty if its pairs have none, or several
    metric: int  # its position
    pairs: int
    segments: int  # different segments among them
    right: int  # pairs in which the good translation scores higher
    tied: int
    accuracy: float  # right / pairs: ties count as wrong
    interval: Interval  # Wilson's, with the effective number of pairs if pairs share segments
    tau: float  # (right - wrong - tied) / pairs, as in ACES
    difference: float  # mean of good minus incorrect, on a scale where higher is better


@dataclass(frozen=True)
class MeanResult:
    """One metric over all phenomena, each with the same weight."""

    metric: int
    phenomena: int
    pairs: int
    accuracy: float  # mean of the accuracies
    interval: Interval  # Wilson's, with the effective number of pairs
    tied: float  # mean share of ties
    tau: float  # mean


@dataclass(frozen=True)
class MetricDifference:
    """The difference in accuracy between two metrics on the pairs of one phenomenon, or in the mean accuracy."""

    phenomenon: str | None  # None: the mean over phenomena
    first: int
    second: int
    only_first: int  # pairs that only the first metric gets right
    only_second: int
    difference: float  # of the accuracies, first minus second
    test: str  # mcnemar: exact; permutation: of segments, where some have several pairs, and for the mean
    uncorrected: float  # p-value
    p_value: float  # corrected: over all phenomena and pairs of metrics; for the mean, over pairs of metrics
    significant: bool


@dataclass(frozen=True)
class SeverityResult:
    """One metric on the pairs of one severity."""

    severity: str
    metric: int
    pairs: int
    accuracy: float
    difference: float  # mean of good minus incorrect, on a scale where higher is better


@dataclass(frozen=True)
class SeverityOrder:
    """Whether more severe errors cost more, under one metric. The cost of an error is the score of the good translation
    minus that of the incorrect one.
    """

    metric: int
    within_segments: bool  # whether only errors in the same segment are compared; else all of them
    compared: int  # pairs of errors of different severity
    ordered: float  # share of them in which the more severe error costs more
    tied: float  # share with the same cost
    interval: Interval | None  # of `ordered`, over segments; None with fewer than two of them


@dataclass(frozen=True)
class AcesScore:
    """ACES' results for one metric: the mean tau of each category, and their weighted sum."""

    metric: int
    categories: Mapping[str, float]  # in ACES' order; those without a pair are missing
    score: float | None  # None if a category is missing


@dataclass(frozen=True)
class MissedPair:
    """The pair of a phenomenon that a metric gets most wrong: the incorrect translation scores highest above the good
    one, or the two are tied.
    """

    phenomenon: str
    metric: int
    where: str  # file and line
    source: str | None
    references: tuple[str, ...]
    good: str
    incorrect: str
    scores: tuple[tuple[float, float], ...]  # by metric: of the good and of the incorrect translation


@dataclass(frozen=True, eq=False, repr=False)
class ChallengeResults(Renderable):
    """The results of `probe --pairs`. Phenomena are in the order of the file."""

    plan: ChallengePlan
    file: str  # files and folders as given, with commas
    layout: str  # demetr, aces or table
    columns: Mapping[str, str]  # role, such as good, to the name of its column
    labels: list[str]  # of the metrics
    specs: list[str]  # of scores of other tools: their names
    higher_is_better: list[bool | None]  # by metric; None: the value closest to a target
    pairs: int
    segments: int
    identical: int  # pairs whose translations are the same text: always tied
    left_out: Mapping[str, int]  # pairs, by reason
    phenomena: tuple[PhenomenonResult, ...]  # by phenomenon, then by metric
    means: tuple[MeanResult, ...]  # by metric
    differences: tuple[MetricDifference, ...]  # the means first, then by phenomenon; empty with one metric
    severities: tuple[
        SeverityResult, ...
    ]  # the least severe first, unranked ones last; empty if the file has none
    severity_orders: tuple[SeverityOrder, ...]  # by metric; empty with fewer than two ranked severities
    unranked: tuple[str, ...]  # severities that are not in `plan.severities`, such as base
    aces: tuple[AcesScore, ...]  # by metric; empty if a phenomenon is not one of ACES
    missed: tuple[MissedPair, ...]  # by phenomenon and metric; none where a metric gets all pairs right

    def of(self, phenomenon: str, metric: int = 0) -> PhenomenonResult:
        """The result of one metric on one phenomenon."""
        return next(
            found for found in self.phenomena if (found.phenomenon, found.metric) == (phenomenon, metric)
        )
