"""Comparison: what was found of systems by metrics. Renderings are in `understudy.report`."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from understudy.comparison.findings import Fitness
from understudy.comparison.parser_sensitivity import ParserSensitivity
from understudy.comparison.plan import Plan
from understudy.comparison.significance import REPORT_RULE
from understudy.errors import MissingExtra
from understudy.metrics.score import Interval


@dataclass(frozen=True)
class SystemResult:
    """One system by one metric."""

    name: str
    score: float  # the mean over its runs
    interval: Interval  # from other segments of the same kind
    run_scores: tuple[float, ...]
    block_mean: float | None = None  # of the block test
    block_deviation: float | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)  # what the score is made of, all runs together

    @property
    def run_deviation(self) -> float | None:
        """The standard deviation over runs, if there are several."""
        return float(np.std(self.run_scores, ddof=1)) if len(self.run_scores) > 1 else None


@dataclass(frozen=True)
class PairResult:
    """Two systems by one metric: `first` minus `second`."""

    metric: str  # its spec
    first: str
    second: str
    difference: float
    interval: Interval
    p_value: float
    corrected: float  # the p-value that allows for the number of pairs
    significant: bool
    better: str | None  # the name of the better one, if the difference is significant
    effect_size: float | None  # the mean difference of segments by its standard deviation (Cohen's d)
    smallest_detectable: float  # what a test set like this one could show
    t_statistic: float | None = None  # of the block test


@dataclass(frozen=True)
class MetricComparison:
    """All systems by one metric."""

    label: str
    spec: str
    higher_is_better: bool | None
    signature: str
    systems: list[SystemResult]
    pairs: list[PairResult]
    clusters: list[list[str]] | None  # from best to worst; only where all pairs were compared


@dataclass(frozen=True)
class Comparison:
    """What was found. Renderings are in `understudy.report.comparisons`."""

    plan: Plan
    segments: int
    references: tuple[int, int]
    metrics: list[MetricComparison]
    parsers: list[ParserSensitivity] = field(default_factory=list)  # of metrics under several of them
    fitness: Fitness = field(
        default_factory=Fitness
    )  # what speaks against comparing these systems by metrics

    @property
    def pairs(self) -> list[PairResult]:
        """Every pair by every metric."""
        return [pair for metric in self.metrics for pair in metric.pairs]

    @property
    def caution(self) -> str | None:
        """Why nothing could be found, if the plan made it so."""
        return self.plan.caution(len(self.metrics[0].pairs), self.segments)

    @property
    def table(self) -> list[dict[str, Any]]:
        """A row for every system and metric: what it scored, and between which bounds."""
        return [
            {
                "metric": metric.spec,
                "system": system.name,
                "score": system.score,
                "low": system.interval.low,
                "high": system.interval.high,
            }
            for metric in self.metrics
            for system in metric.systems
        ]

    def to_frame(self) -> Any:
        """The pairs as a pandas data frame."""
        try:
            import pandas  # type: ignore[import-untyped]
        except ImportError:
            raise MissingExtra("a data frame needs pandas: pip install pandas") from None
        return pandas.DataFrame(
            [
                {
                    **{name: value for name, value in vars(pair).items() if name != "interval"},
                    "low": pair.interval.low,
                    "high": pair.interval.high,
                }
                for pair in self.pairs
            ]
        )

    def __str__(self) -> str:
        return "\n".join(in_words(pair, metric) for metric in self.metrics for pair in metric.pairs)

    def __repr__(self) -> str:
        real = sum(pair.significant for pair in self.pairs)
        return (
            f"<Comparison of {len(self.metrics[0].systems)} systems on {self.segments:,} segments by "
            f"{', '.join(metric.label for metric in self.metrics)}: {real} of {len(self.pairs)} differences are real>"
        )

    def _repr_html_(self) -> str:
        heads = ("metric", "system", "score", "low", "high")
        rows = "".join(
            "<tr>" + "".join(f"<td>{html.escape(_shown(row[head]))}</td>" for head in heads) + "</tr>"
            for row in self.table
        )
        verdicts = "".join(f"<li>{html.escape(line)}</li>" for line in str(self).splitlines())
        header = "".join(f"<th>{head}</th>" for head in heads)
        return f"<table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table><ul>{verdicts}</ul>"


def in_words(pair: PairResult, metric: MetricComparison) -> str:
    """What was found of a pair, as one would write it."""
    size = abs(pair.difference)
    digits = digits_for(size)
    bounds = sorted(
        bound if pair.difference >= 0 else -bound for bound in (pair.interval.low, pair.interval.high)
    )
    if size == 0 and bounds == [0, 0]:
        return (
            f"{pair.first} and {pair.second} score the same {metric.label} on every sample of the segments "
            f"(p = {pair.corrected:.2g})."
        )
    interval = f"{pair.interval.confidence:.0%} interval {bounds[0]:.{digits}f} to {bounds[1]:.{digits}f}"
    evidence = f"{size:.{digits}f} {metric.label} ({interval}, p = {pair.corrected:.2g})."
    if pair.better is not None:
        worse = pair.second if pair.better == pair.first else pair.first
        return f"{pair.better} is better than {worse} by {evidence}"
    found = f"{pair.first} and {pair.second} cannot be told apart: they differ by {evidence}"
    smallest = f"{pair.smallest_detectable:.{digits}f}"
    # Samples of one segment are all alike; and the smallest difference is the bootstrap's: other tests may see less.
    if float(smallest) == 0 or size >= pair.smallest_detectable:
        return found
    return f"{found} Test sets like this one show differences from about {smallest} on."


def digits_for(size: float) -> int:
    """Two, or as many as it takes to see two digits of a small difference: scores need not go up to 100.

    >>> digits_for(12.5), digits_for(0.5), digits_for(0.0123)
    (2, 2, 3)
    """
    return 2 if size == 0 else min(8, max(2, 1 - math.floor(math.log10(size))))


def by_the_reports_rule(metric: MetricComparison) -> str | None:
    """Which differences between blocks the BLEU report would have called significant."""
    statistics = [pair.t_statistic for pair in metric.pairs if pair.t_statistic is not None]
    if not statistics:
        return None
    count = sum(abs(statistic) >= REPORT_RULE for statistic in statistics)
    return (
        f"By the BLEU report's rule, t of {REPORT_RULE} or more, {count} of {len(statistics)} differences "
        f"{'is' if count == 1 else 'are'} significant at 95%, one-sided and uncorrected."
    )


def _shown(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)
