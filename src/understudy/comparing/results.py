"""Comparison: what was found of systems by metrics. Renderings are in `understudy.report`."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from understudy.comparing.plan import Plan
from understudy.errors import MissingExtra
from understudy.fitness.findings import Fitness
from understudy.metrics.base.score import Interval
from understudy.resampling import student
from understudy.studies.parser_sensitivity import ParserSensitivity
from understudy.wording import digits_for

if TYPE_CHECKING:
    from understudy.studies.single_references import SingleReferences

REPORT_BLOCKS = 20  # of the BLEU report's test
PAIRS_LISTED = 6  # in one sentence

# What can be compared, and how it is called.
STATISTICS = {
    "corpus": "{metric}",
    "mean": "mean segment {metric}",
    "blocks": "{metric} on average over {blocks} blocks",
    "ranks": "{metric} in pseudo-median",  # systems have mean segment scores
    "scores": "{metric}",  # the mean of another tool's segment scores
}


@dataclass(frozen=True)
class SystemResult:
    """One system by one metric."""

    name: str
    score: float  # the statistic that is compared (`MetricComparison.statistic`), on average over its runs
    interval: Interval  # from other segments of the same kind and, of several runs, from other runs
    run_scores: tuple[float, ...]
    corpus_score: float | None = None  # where that is known and is not what is compared
    block_deviation: float | None = None  # of the scores of blocks
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
    p_is_bound: bool  # whether more samples would have made it smaller
    significant: bool  # no verdict where ranks and means disagree
    better: (
        str | None
    )  # the name of the better one, if the difference is significant and the metric has a direction
    effect_size: float | None  # the mean difference of segments by its standard deviation (Cohen's d)
    smallest_detectable: (
        float | None
    )  # which difference the test would find on 80 % of test sets like this one
    t_statistic: float | None = None  # of tests by Student's t
    contradicted: bool = False  # the test is significant, and of another sign than the difference
    run_share: float | None = (
        None  # of several runs: how much of the variance of the difference is due to them
    )

    def ahead(self, higher_is_better: bool | None) -> tuple[str, str]:
        """The system that is ahead and the other one. Without a direction, ahead is who scores higher."""
        first = (self.difference >= 0) == (higher_is_better is not False)
        return (self.first, self.second) if first else (self.second, self.first)

    @property
    def worse(self) -> str | None:
        """The name of the other one."""
        return None if self.better is None else self.second if self.better == self.first else self.first


@dataclass(frozen=True)
class MetricComparison:
    """All systems by one metric."""

    label: str
    spec: str
    higher_is_better: bool | None
    signature: str
    statistic: str  # what scores, differences, intervals, p-values and clusters are of: see `STATISTICS`
    systems: list[SystemResult]
    pairs: list[PairResult]
    clusters: (
        list[list[str]] | None
    )  # from best to worst; where all pairs were compared, and the metric has a direction
    blocks: int | None = None  # of the block test

    @property
    def quantity(self) -> str:
        """What is compared, as it is called in a sentence."""
        return STATISTICS[self.statistic].format(metric=self.label, blocks=self.blocks)


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
    single_references: list[SingleReferences] = field(default_factory=list)  # of metrics with several

    @property
    def pairs(self) -> list[PairResult]:
        """Every pair by every metric."""
        return [pair for metric in self.metrics for pair in metric.pairs]

    @property
    def runs(self) -> bool:
        """Whether a system has several training runs."""
        return any(len(system.run_scores) > 1 for system in self.metrics[0].systems)

    @property
    def cautions(self) -> list[str]:
        """What limits the conclusions, because of the plan or of the number of segments."""
        return self.plan.cautions(len(self.metrics[0].pairs), self.segments, runs=self.runs)

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
        verdicts = [in_words(pair, metric) for metric in self.metrics for pair in metric.pairs]
        return "\n".join([*verdicts, *(said for alone in self.single_references for said in alone.warnings)])

    def __repr__(self) -> str:
        found = sum(pair.significant for pair in self.pairs)
        return (
            f"<Comparison of {len(self.metrics[0].systems)} systems on {self.segments:,} segments by "
            f"{', '.join(metric.label for metric in self.metrics)}: {found} of {len(self.pairs)} differences "
            "are significant>"
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
    """What was found of a pair, as one would write it: from the side of the system that is ahead."""
    size = abs(pair.difference)
    digits = digits_for(size)
    bounds = sorted(
        bound if pair.difference >= 0 else -bound for bound in (pair.interval.low, pair.interval.high)
    )
    p = p_in_words(pair)
    if size == 0 and bounds == [0, 0]:
        return f"{pair.first} and {pair.second} score the same {metric.quantity} whatever the segments ({p})."
    interval = f"{pair.interval.confidence:.0%} CI {bounds[0]:.{digits}f} to {bounds[1]:.{digits}f}"
    evidence = f"{size:.{digits}f} {metric.quantity} ({interval}, {p})"
    ahead, behind = pair.ahead(metric.higher_is_better)
    if pair.better is not None:
        return f"{ahead} is better than {behind} by {evidence}."
    lead = f"{ahead} {'is higher' if metric.higher_is_better is None else 'leads'} by {evidence}"
    if pair.significant:  # by a metric of which neither more nor less is better
        return f"{pair.first} and {pair.second} differ significantly: {lead}."
    if pair.contradicted:
        return f"No verdict on {ahead} and {behind}: {lead}, but {behind} has the better mean segment score."
    found = f"{pair.first} and {pair.second} are not significantly different: {lead}."
    if pair.smallest_detectable is None or not size < pair.smallest_detectable:
        return found
    smallest = f"{pair.smallest_detectable:.{digits}f}"
    return f"{found} Minimum detectable difference (80% power): {smallest}." if float(smallest) else found


def p_in_words(pair: PairResult) -> str:
    """The corrected p-value, or what it is at most.

    >>> p_in_words(PairResult("bleu", "a", "b", 1, Interval(0, 2, 0.95), 1 / 8401, 105 / 8401, True, True, "a", 0.1, 1))
    'p ≤ 0.013'
    """
    if not pair.p_is_bound:
        return f"p = {pair.corrected:.2g}"
    unit = 10.0 ** (math.floor(math.log10(pair.corrected)) - 1)  # two digits, rounded up
    return f"p ≤ {math.ceil(pair.corrected / unit - 1e-6) * unit:.2g}"


def corpus_disagreements(metric: MetricComparison) -> list[str]:
    """Pairs whose better system by what was tested has the worse corpus score: whoever reads the verdict may have the
    corpus scores in mind.
    """
    corpus = {system.name: system.corpus_score for system in metric.systems}
    found = []
    for pair in metric.pairs:
        first, second = corpus[pair.first], corpus[pair.second]
        if pair.better is None or first is None or second is None:
            continue
        ahead = pair.first if (first > second) == (metric.higher_is_better is not False) else pair.second
        if first != second and ahead != pair.better:
            found.append(
                f"By corpus {metric.label}, {ahead} scores better than {pair.better}: "
                f"{corpus[ahead]:.2f} and {corpus[pair.better]:.2f}."
            )
    return found


def by_the_reports_rule(metric: MetricComparison) -> str | None:
    """Which differences between blocks the BLEU report would have called significant: "a t-statistic of 1.7 or above is
    95% significant" (Papineni et al. 2001, section 3), which is the one-sided bound for its 20 blocks.
    """
    if metric.blocks is None or metric.higher_is_better is None:
        return None
    bound = student.bound(0.05, metric.blocks - 1)
    tested = [pair for pair in metric.pairs if pair.t_statistic is not None]
    passed = [
        f"{better} over {worse} (t = {abs(pair.t_statistic):.2f})"
        for pair in tested
        for better, worse in [pair.ahead(metric.higher_is_better)]
        if pair.t_statistic is not None and abs(pair.t_statistic) >= bound
    ]
    rule = f"one-sided t-test, uncorrected: t ≥ {bound:.2f} for {metric.blocks} blocks"
    if abs(metric.blocks - REPORT_BLOCKS) <= 2:
        rule += ", 1.7 in the report"
    listed = f": {'; '.join(passed)}" if 0 < len(passed) <= PAIRS_LISTED else ""
    counted = f"{len(passed):,} of {len(tested):,} difference{'s' if len(tested) > 1 else ''}"
    return f"By the BLEU report's rule ({rule}), {counted} {'is' if len(passed) == 1 else 'are'} significant{listed}."


def _shown(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)
