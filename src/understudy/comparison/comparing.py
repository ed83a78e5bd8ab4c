"""The verb `compare`: which differences between systems are real, by any metric and by any of the tests."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from understudy.comparison.evidence import Evidence, Floats
from understudy.comparison.gathering import Gathered, Path, Systems, checked_baseline, gather
from understudy.comparison.intervals import Bootstrap
from understudy.comparison.labels import check_labels, documents_in
from understudy.comparison.many_pairs import clusters, corrected
from understudy.comparison.power import smallest_detectable
from understudy.comparison.samples import blocks_by_label, blocks_of_equal_size, blocks_of_size
from understudy.comparison.score_files import SegmentScores
from understudy.comparison.significance import (
    BlockTest,
    Pairs,
    blocks,
    bootstrap,
    permutation,
    randomization,
    t_test,
    wilcoxon,
)
from understudy.errors import BadParameter, MissingExtra, did_you_mean
from understudy.metrics.base import Metric
from understudy.metrics.score import Interval

SAMPLES = {
    "bootstrap": 1000,
    "randomization": 10_000,
    "permutation": 10_000,
}  # tests that draw, and how often
TESTS = (*SAMPLES, "blocks", "ttest", "wilcoxon")
INTERVAL_SAMPLES = 1000


@dataclass(frozen=True)
class Plan:
    """How systems are compared: everything but the systems and the metrics."""

    test: str = "bootstrap"
    baseline: str | None = None  # compare all others with this one; default: with the first
    all_pairs: bool = False
    samples: int | None = None  # default: what is usual for the test
    seed: int = 12345
    correct: str = "holm"
    significance: float = 0.05
    interval: str = "percentile"
    level: str = "corpus"
    block_count: int = 20
    block_size: int | None = None
    by_document: bool = False  # a block is a document

    def __post_init__(self) -> None:
        if self.test not in TESTS:
            raise BadParameter(f"no test '{self.test}'. {did_you_mean(self.test, TESTS)}")
        if self.samples is not None and self.samples < 1:
            raise BadParameter(f"samples={self.samples}: expected at least 1.")
        if self.level not in ("corpus", "mean"):
            raise BadParameter(f"level '{self.level}': expected corpus or mean.")
        if not 0 < self.significance < 1:
            raise BadParameter(f"significance={self.significance}: expected a number between 0 and 1.")
        if self.baseline is not None and self.all_pairs:
            raise BadParameter("a baseline and all pairs exclude each other: choose one.")
        if self.by_document and self.test != "blocks":
            raise BadParameter(f"blocks by document belong to the test 'blocks', not to '{self.test}'.")
        if self.by_document and self.block_size is not None:
            raise BadParameter("blocks by document and blocks of a size exclude each other: choose one.")

    def drawn(self, pairs: int) -> int | None:
        """How many samples the test draws, if it does: as many as are usual, or as many as it takes to show that a
        difference is real beside so many others. With n samples no p is below 1 / (n + 1), and Holm multiplies it by
        the number of pairs.
        """
        if self.test not in SAMPLES:
            return None
        needed = math.ceil(4 * pairs / self.significance) if self.correct == "holm" else 0
        return self.samples or max(SAMPLES[self.test], needed)

    def caution(self, pairs: int) -> str | None:
        """What must be said of a plan by which nothing can be found."""
        drawn = self.drawn(pairs)
        if drawn is None or self.correct != "holm" or pairs / (drawn + 1) < self.significance:
            return None
        return (
            f"With {drawn:,} samples and {pairs:,} pairs no difference can be called real at {self.significance:g}: "
            f"draw at least {math.ceil(pairs / self.significance):,}."
        )

    def choices(self, pairs: int) -> dict[str, str]:
        """For the signature."""
        found = {"test": self.test}
        if self.test == "blocks":
            found["blocks"] = f"size-{self.block_size}" if self.block_size else str(self.block_count)
            if self.by_document:
                found["blocks"] = "documents"
        if (drawn := self.drawn(pairs)) is not None:
            found |= {"samples": str(drawn), "seed": str(self.seed)}
        return {**found, "correct": self.correct, "ci": f"{self.interval}-{INTERVAL_SAMPLES}-{self.seed}"}

    def pairs(self, systems: Sequence[str]) -> list[tuple[int, int]]:
        """Which systems are compared with which, by number."""
        if len(systems) < 2:
            raise BadParameter(f"there is only '{systems[0]}': expected at least two systems to compare.")
        if self.all_pairs:
            return [(b, a) for a, b in combinations(range(len(systems)), 2)]
        if self.baseline is not None:
            base = list(systems).index(checked_baseline(systems, self.baseline))
            return [(other, base) for other in range(len(systems)) if other != base]
        if self.test == "blocks":
            return [(right, right - 1) for right in range(1, len(systems))]  # the report's left neighbours
        return [(other, 0) for other in range(1, len(systems))]


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

    @property
    def pairs(self) -> list[PairResult]:
        """Every pair by every metric."""
        return [pair for metric in self.metrics for pair in metric.pairs]

    @property
    def caution(self) -> str | None:
        """Why nothing could be found, if the plan made it so."""
        return self.plan.caution(len(self.metrics[0].pairs))

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
    bounds = sorted(
        bound if pair.difference >= 0 else -bound for bound in (pair.interval.low, pair.interval.high)
    )
    interval = f"{pair.interval.confidence:.0%} interval {bounds[0]:.2f} to {bounds[1]:.2f}"
    if size == 0 and bounds == [0, 0]:
        return (
            f"{pair.first} and {pair.second} score the same {metric.label} on every sample of the segments."
        )
    evidence = f"{interval}, p = {pair.corrected:.2g}"
    if pair.better is None:
        return (
            f"{pair.first} and {pair.second} cannot be told apart: they differ by {size:.2f} {metric.label} "
            f"({evidence}). Test sets like this one show differences from about {pair.smallest_detectable:.2f} on."
        )
    worse = pair.second if pair.better == pair.first else pair.first
    return f"{pair.better} is better than {worse} by {size:.2f} {metric.label} ({evidence})."


def _shown(value: object) -> str:
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def compare(
    systems: Systems,
    references: Iterable[Path] = (),
    metrics: Iterable[str | Metric] = ("bleu",),
    *,
    documents: Sequence[str] | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    **plan: Any,
) -> Comparison:
    """Compares systems by metrics. The plan's settings are those of `Plan`: test, baseline, all_pairs, samples, seed,
    correct, significance, interval, level, block_count, block_size, by_document. Where files do not say which
    document a segment is of, `documents` does.

    >>> found = compare({"weak": "examples/system-weak.en", "strong": "examples/system-strong.en"},
    ...                 ["examples/reference-1.en"])
    >>> found
    <Comparison of 2 systems on 60 segments by BLEU: 1 of 1 differences are real>
    >>> found.pairs[0].better
    'strong'
    """
    chosen_plan = Plan(**plan)
    found = gather(systems, references, metrics, level=chosen_plan.level, threads=threads, progress=progress)
    return compare_gathered(found, chosen_plan, documents)


def compare_gathered(gathered: Gathered, plan: Plan, documents: Sequence[str] | None = None) -> Comparison:
    """Compares systems that are counted already."""
    if plan.by_document and documents is None:
        documents = documents_in(gathered.runs.files, gathered.reference_files)
    return Comparison(
        plan,
        gathered.segments,
        max(gathered.references),  # metrics that read none say 0
        [
            compare_evidence(evidence, plan, references, documents=documents)
            for evidence, references in zip(gathered.evidence, gathered.references, strict=True)
        ],
    )


def compare_scores(
    scores: SegmentScores,
    *,
    lower_is_better: Collection[str] = (),
    documents: Sequence[str] | None = None,
    **plan: Any,
) -> Comparison:
    """Compares systems by segment scores that another tool computed, as `read_segment_scores` reads them.

    Scores are better the higher they are, but for the metrics named in `lower_is_better`.
    """
    for name in lower_is_better:
        if name not in scores:
            raise BadParameter(f"no scores of '{name}'. {did_you_mean(name, scores)}")
    chosen_plan = Plan(**plan)
    found = []
    for metric, systems in scores.items():
        evidence = Evidence.of_scores(list(systems.items()), higher_is_better=metric not in lower_is_better)
        found.append(compare_evidence(evidence, chosen_plan, label=metric, documents=documents))
    return Comparison(chosen_plan, evidence.segments, (0, 0), found)


def compare_evidence(
    evidence: Evidence,
    plan: Plan,
    references: tuple[int, int] | None = None,
    label: str = "score",
    documents: Sequence[str] | None = None,
) -> MetricComparison:
    """One metric. `label` names scores of unknown origin."""
    pairs = plan.pairs(evidence.systems)
    resampled = Bootstrap(
        evidence, INTERVAL_SAMPLES, plan.seed, method=plan.interval, confidence=1 - plan.significance
    )
    block_test = _block_test(evidence, pairs, plan, documents) if plan.test == "blocks" else None
    p_values = block_test.p_values if block_test is not None else _p_values(evidence, pairs, plan)
    adjusted = corrected(p_values, plan.correct)
    worths = evidence.worth(evidence.scores)
    results = []
    for index, (a, b) in enumerate(pairs):
        real = bool(adjusted[index] < plan.significance)
        results.append(
            PairResult(
                metric=evidence.metric.spec if evidence.metric else label,
                first=evidence.systems[a],
                second=evidence.systems[b],
                difference=float(evidence.scores[a] - evidence.scores[b]),
                interval=resampled.of_difference(a, b),
                p_value=float(p_values[index]),
                corrected=float(adjusted[index]),
                significant=real,
                better=evidence.systems[a if worths[a] > worths[b] else b] if real else None,
                effect_size=_effect_size(evidence.segment_scores[a] - evidence.segment_scores[b]),
                smallest_detectable=smallest_detectable(
                    resampled.drawn[:, a] - resampled.drawn[:, b], plan.significance
                ),
                t_statistic=None if block_test is None else float(block_test.t_statistics[index]),
            )
        )
    return MetricComparison(
        label=evidence.metric.label if evidence.metric else label,
        spec=evidence.metric.spec if evidence.metric else label,
        higher_is_better=evidence.higher_is_better,
        signature=_signature(evidence, plan, len(pairs), references),
        systems=[
            SystemResult(
                name,
                float(evidence.scores[index]),
                resampled.of_score(index),
                tuple(evidence.run_scores[evidence.runs_of(index)].tolist()),
                None if block_test is None else float(block_test.means[index]),
                None if block_test is None else float(block_test.deviations[index]),
                evidence.detail(index),
            )
            for index, name in enumerate(evidence.systems)
        ],
        pairs=results,
        clusters=[
            [evidence.systems[index] for index in cluster]
            for cluster in clusters(worths, pairs, [pair.significant for pair in results])
        ]
        if plan.all_pairs or len(evidence.systems) == 2
        else None,
    )


def _p_values(evidence: Evidence, pairs: Pairs, plan: Plan) -> Floats:
    drawing = {"bootstrap": bootstrap, "randomization": randomization, "permutation": permutation}
    if (drawn := plan.drawn(len(pairs))) is not None:
        return drawing[plan.test](evidence, pairs, drawn, plan.seed)
    return {"ttest": t_test, "wilcoxon": wilcoxon}[plan.test](evidence, pairs)


def _block_test(evidence: Evidence, pairs: Pairs, plan: Plan, documents: Sequence[str] | None) -> BlockTest:
    if plan.by_document:
        if documents is None:
            raise BadParameter("blocks by document: which document is each segment of? Give its labels.")
        check_labels("documents", documents, evidence.segments)
        return blocks(evidence, pairs, blocks_by_label(documents))
    if plan.block_size is not None:
        return blocks(evidence, pairs, blocks_of_size(evidence.segments, plan.block_size))
    return blocks(evidence, pairs, blocks_of_equal_size(evidence.segments, plan.block_count))


def _effect_size(differences: Floats) -> float | None:
    if len(differences) < 2:
        return None
    spread = float(differences.std(ddof=1))
    if spread == 0:
        return 0.0 if differences[0] == 0 else math.copysign(math.inf, differences[0])
    return float(differences.mean()) / spread


def _signature(evidence: Evidence, plan: Plan, pairs: int, references: tuple[int, int] | None) -> str:
    own = "|".join(f"{name}:{value}" for name, value in plan.choices(pairs).items())
    if evidence.metric is None:
        return own
    return f"{evidence.metric.signature(references, plan.level)}|{own}"
