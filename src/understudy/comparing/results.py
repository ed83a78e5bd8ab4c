"""Comparison: the results of `compare`. Renderings are in `understudy.report`."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from understudy.comparing.plan import Plan
from understudy.corpus.test_sets.test_set import NamedSet
from understudy.fitness.findings import Fitness
from understudy.metrics.base.score import Interval
from understudy.renderable import Renderable
from understudy.resampling import student
from understudy.studies.parser_sensitivity import ParserSensitivity
from understudy.wording import digits_for

if TYPE_CHECKING:
    from understudy.corpus.score_files import SegmentScores
    from understudy.scoring.counted_systems import CountedSystems
    from understudy.studies.single_references import SingleReferences

_REPORT_BLOCKS = 20  # of the BLEU report's test
_PAIRS_LISTED = 6  # in one sentence

# What can be compared, and how it is called.
_STATISTICS = {
    "corpus": "{metric}",
    "mean": "mean segment {metric}",
    "blocks": "mean {metric} of {blocks} blocks",
    "ranks": "pseudo-median {metric}",  # systems have mean segment scores
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
        """The standard deviation across training runs, if there are several."""
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
    statistic: str  # what scores, differences, intervals, p-values and clusters are of: see `_STATISTICS`
    systems: list[SystemResult]
    pairs: list[PairResult]
    clusters: (
        list[list[str]] | None
    )  # from best to worst; where all pairs were compared, and the metric has a direction
    blocks: int | None = None  # of the block test
    unique_label: bool = True  # among the metrics of the comparison

    @property
    def title(self) -> str:
        """The label, or the spec if another metric has the same label."""
        return self.label if self.unique_label else self.spec

    @property
    def quantity(self) -> str:
        """The compared statistic, as named in a sentence."""
        return _STATISTICS[self.statistic].format(metric=self.title, blocks=self.blocks)

    @property
    def best(self) -> list[str]:
        """The system with the best score, or those that share it; none by a metric without a direction."""
        if self.higher_is_better is None:
            return []
        best = (max if self.higher_is_better else min)(system.score for system in self.systems)
        return [system.name for system in self.systems if system.score == best]

    @property
    def level_with_best(self) -> list[str]:
        """Systems whose difference from the best was tested and is not significant. Only where all pairs were tested:
        who is best is known after the fact, and p-values must allow for every pair that it might have been.
        """
        if self.clusters is None:
            return []
        best = self.clusters[0][0]
        found = [
            pair.second if pair.first == best else pair.first
            for pair in self.pairs
            if best in (pair.first, pair.second) and not pair.significant and not pair.contradicted
        ]
        return [name for name in found if name not in self.best]


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Renderable):
    """The results of a comparison of systems by metrics.

    `report(path)` writes the same HTML report as the command; `breakdown` and `studies` add a breakdown with labels, or
    a references study.
    """

    plan: Plan
    segments: int
    references: tuple[int, int]
    metrics: list[MetricComparison]
    parsers: list[ParserSensitivity] = field(default_factory=list)  # of metrics under several of them
    fitness: Fitness = field(
        default_factory=Fitness
    )  # what speaks against comparing these systems by metrics
    single_references: list[SingleReferences] = field(default_factory=list)  # of metrics with several
    # What it rests on, for reports: counts, or scores of another tool. And the target language, if it was given.
    counted: CountedSystems | SegmentScores | None = field(default=None, compare=False)
    lang: str | None = field(default=None, compare=False)
    test_set: NamedSet | None = None

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
    def baseline(self) -> str | None:
        """The system that all others were compared with, if there is one."""
        if self.plan.baseline is not None:
            return self.plan.baseline
        compared_with = {pair.second for pair in self.metrics[0].pairs}
        return None if self.plan.all_pairs or len(compared_with) > 1 else compared_with.pop()

    def verdicts(self, metric: MetricComparison) -> dict[str, str]:
        """By the system's name: better or worse than the baseline, or neither (an empty text). Without a baseline, than
        the system before it, as blocks are compared; where all pairs were compared there are none.
        """
        baseline = self.baseline
        if baseline is None and self.plan.all_pairs:
            return {}
        found = {}
        for pair in metric.pairs:
            if baseline is None or baseline in (pair.first, pair.second):
                name = pair.second if pair.first == baseline else pair.first
                found[name] = "" if pair.better is None else "better" if pair.better == name else "worse"
        return found

    def regressions(self, metrics: Sequence[str] = ()) -> list[tuple[MetricComparison, PairResult]]:
        """The pairs in which a system is significantly worse than the baseline, by these metrics or by any."""
        from understudy.comparing.regressions import regressions

        return regressions(self, metrics)

    def __str__(self) -> str:
        verdicts = [in_words(pair, metric) for metric in self.metrics for pair in metric.pairs]
        return "\n".join([*verdicts, *(said for alone in self.single_references for said in alone.warnings)])


def in_words(pair: PairResult, metric: MetricComparison) -> str:
    """The result for a pair as a sentence that starts with the better system."""
    size = abs(pair.difference)
    digits = digits_for(size)
    bounds = sorted(
        bound if pair.difference >= 0 else -bound for bound in (pair.interval.low, pair.interval.high)
    )
    p = p_in_words(pair)
    if size == 0 and bounds == [0, 0]:
        return f"{pair.first} and {pair.second} have the same {metric.quantity} in every resample ({p})."
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
    """The corrected p-value, or its upper bound.

    >>> p_in_words(PairResult("bleu", "a", "b", 1, Interval(0, 2, 0.95), 1 / 8401, 105 / 8401, True, True, "a", 0.1, 1))
    'p ≤ 0.013'
    """
    if not pair.p_is_bound:
        return f"p = {pair.corrected:.2g}"
    unit = 10.0 ** (math.floor(math.log10(pair.corrected)) - 1)  # two digits, rounded up
    return f"p ≤ {math.ceil(pair.corrected / unit - 1e-6) * unit:.2g}"


def corpus_disagreements(metric: MetricComparison) -> list[str]:
    """Pairs whose better system has the worse corpus score: readers may expect the verdict to be about corpus
    scores.
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
                f"Corpus {metric.label} favors {ahead} over {pair.better}: {corpus[ahead]:.2f} vs. "
                f"{corpus[pair.better]:.2f}."
            )
    return found


def by_the_reports_rule(metric: MetricComparison) -> str | None:
    """Differences between blocks that are significant by the rule of the BLEU report: "a t-statistic of 1.7 or above is
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
    if abs(metric.blocks - _REPORT_BLOCKS) <= 2:
        rule += ", 1.7 in the report"
    listed = f": {'; '.join(passed)}" if 0 < len(passed) <= _PAIRS_LISTED else ""
    counted = f"{len(passed):,} of {len(tested):,} difference{'s' if len(tested) > 1 else ''}"
    return f"By the BLEU report's rule ({rule}), {counted} {'is' if len(passed) == 1 else 'are'} significant{listed}."
