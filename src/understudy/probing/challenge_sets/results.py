"""ChallengeResults: how often each metric prefers the good translation, by phenomenon."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from understudy.metrics.base.score import Interval
from understudy.renderable import Renderable


@dataclass(frozen=True)
class PhenomenonResult:
    """One metric on the pairs of one phenomenon."""

    phenomenon: str
    severity: str  # empty if the file has none
    metric: int  # its position
    pairs: int
    right: int  # pairs in which the good translation scores higher
    tied: int
    accuracy: float  # right / pairs: ties count as wrong
    interval: Interval | None
    tau: float  # (right - wrong - tied) / pairs, as in ACES
    difference: float  # mean of good minus incorrect, on a scale where higher is better


@dataclass(frozen=True)
class MetricDifference:
    """The difference in accuracy between two metrics on the pairs of one phenomenon, or on all."""

    phenomenon: str | None  # None: the mean over phenomena
    first: int
    second: int
    difference: float  # of the accuracies, first minus second
    p_value: float  # corrected
    significant: bool


@dataclass(frozen=True)
class SeverityOrder:
    """Whether larger errors cost more, under one metric."""

    metric: int
    by_severity: Mapping[str, float]  # mean difference, good minus incorrect, the least severe first
    ordered: float  # share of pairs of items of different severity in which the more severe one costs more
    interval: Interval | None


@dataclass(frozen=True, eq=False, repr=False)
class ChallengeResults(Renderable):
    """The results of `probe --pairs`."""

    file: str
    layout: str  # demetr, aces or table
    labels: list[str]  # of the metrics
    specs: list[str]
    pairs: int
    left_out: Mapping[str, int]  # items, by reason
    phenomena: tuple[PhenomenonResult, ...]
    means: tuple[PhenomenonResult, ...]  # by metric: the mean over phenomena
    differences: tuple[MetricDifference, ...]
    severities: tuple[SeverityOrder, ...]  # empty if the file has none
    aces_scores: tuple[float, ...]  # by metric; empty if the phenomena are not those of ACES
