"""The verb `compare`: significance tests of differences between systems."""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats, one_blas_thread
from understudy.comparing.plan import INTERVAL_SAMPLES, STUDENT, Plan
from understudy.comparing.results import Comparison, MetricComparison, PairResult, SystemResult
from understudy.corpus.label_input import documents_given
from understudy.corpus.score_files import SegmentScores, read_segment_scores
from understudy.corpus.score_tables import Table
from understudy.corpus.segment_label_files import check_labels
from understudy.corpus.system_kinds import GivenKinds, Kinds
from understudy.errors import BadInput, BadParameter, did_you_mean
from understudy.fitness.without_judgments import fitness
from understudy.metrics.base.score import Interval
from understudy.resampling.evidence import Evidence
from understudy.resampling.intervals import Bootstrap, student_intervals
from understudy.resampling.multiple_testing import at_most, clusters, corrected, levels_for
from understudy.resampling.power import minimum_detectable
from understudy.resampling.run_variance import (
    RunVariance,
    covariance_of_means,
    covariance_of_samples,
    tested_with_runs,
)
from understudy.resampling.samples import (
    blocks_by_label,
    blocks_of_equal_size,
    blocks_of_size,
    bootstrap_scores,
)
from understudy.resampling.significance_tests import (
    Pairs,
    TestResults,
    bootstrap,
    is_real,
    multeval,
    permutation,
    randomization,
    t_test,
    wilcoxon,
)
from understudy.scoring.counted_systems import CountedSystems, count_systems
from understudy.scoring.run import Metrics, chosen_metrics
from understudy.settings import checked_names, refuse_unknown_keywords
from understudy.studies.parser_sensitivity import parser_sensitivity
from understudy.studies.single_references import SingleReferences, single_references


@one_blas_thread()
def compare(
    systems: Any,
    references: Any = None,
    metrics: Metrics = ("bleu",),
    *,
    lang: str | None = None,
    sources: Any = None,
    documents: Any = None,
    kinds: GivenKinds = (),
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    **plan: Any,
) -> Comparison:
    """Test differences between systems for significance. Systems are a `Corpus`, or anything a corpus can be made of,
    files or texts in memory. `plan` has the settings of `Plan`: test, baseline, all_pairs, samples, seed, correct,
    significance, interval, level, blocks, block_size, by_document. `sources` is the source text, for metrics that read
    it, and for reports. `documents` are the document labels, for blocks
    and for metrics that use documents, if the files have none. `lang` is the target language, as in `understudy.score`.
    `kinds` are the system types, such as `{"nmt": ["A", "B"], "rule-based": ["C"]}`; `fitness` then lists comparisons
    that the metrics are not suitable for.

    Files are read in parts, and only their counts are kept: memory grows by two bytes per count of a segment, in most
    cases, and not with the length of the texts. `report` reads them again.

    >>> found = compare({"weak": "examples/system-weak.en", "strong": "examples/system-strong.en"},
    ...                 ["examples/reference-1.en"])
    >>> found
    system  BLEU ↑
    ---------------
    strong   57.81▲
    weak     10.11
    60 segments, 1 reference; approximate randomization, 10,000 resamples
    ▲ significantly better, ▼ significantly worse than weak (p ≤ 0.05).
    >>> found.pairs[0].better
    'strong'
    """
    refuse_unknown_keywords(plan, compare, Plan)
    chosen_plan = Plan(**plan)
    counted = count_systems(
        systems,
        references,
        chosen_metrics(metrics, lang),
        level=chosen_plan.level,
        sources=sources,
        documents=documents,
        each_reference=True,
        check_names=lambda names: Kinds.of(kinds, names),
        threads=threads,
        progress=progress,
    )
    of_systems = Kinds.of(kinds, list(counted.runs))
    decided = chosen_plan.for_segments(counted.segments, runs=counted.evidence[0].has_runs)
    blocks = _documents(counted) if decided.by_document else None
    found = compare_evidence(counted.evidence, decided, counted.references, documents=blocks)
    return Comparison(
        decided,
        counted.segments,
        max(counted.references),  # metrics that read none say 0
        found,
        parser_sensitivity(
            (evidence.metric, {system.name: system.score for system in compared.systems})
            for evidence, compared in zip(counted.evidence, found, strict=True)
            if evidence.metric is not None
        ),
        fitness(
            found,
            counted.evidence,
            counted.references,
            of_systems,
            [_worths(alone) if of_systems.pairs else None for alone in counted.by_reference],
        ),
        _single_references(counted, found, decided, blocks),
        counted=replace(counted),  # without the evidence, which would take as much memory again
        lang=lang,
        test_set=counted.test_set,
    )


def _documents(counted: CountedSystems) -> Sequence[str]:
    if counted.documents is None:
        raise BadParameter(
            "the files have no document labels. Give a label file with the document of segment i in line i."
        )
    return counted.documents


def _single_references(
    counted: CountedSystems, found: Sequence[MetricComparison], plan: Plan, documents: Sequence[str] | None
) -> list[SingleReferences]:
    """For metrics with several references and a direction in which systems can be ranked."""
    return [
        single_references(
            compared,
            by_reference,
            {name: _compared(alone, plan, documents).scores for name, alone in by_reference.items()},
            plan,
            functools.partial(compare_evidence, documents=documents),
            left_out=counted.partial_references,
        )
        for compared, by_reference in zip(found, counted.by_reference or [{} for _ in found], strict=True)
        if by_reference and compared.higher_is_better is not None
    ]


def _worths(by_reference: Mapping[str, Evidence]) -> Floats | None:
    """Scores of systems with each reference alone [references, systems], where they were counted."""
    if not by_reference:
        return None
    return np.array([evidence.worth(evidence.scores) for evidence in by_reference.values()])


@one_blas_thread()
def compare_scores(
    scores: SegmentScores | Table,
    *,
    lower_is_better: Collection[str] = (),
    documents: Any = None,
    kinds: GivenKinds = (),
    **plan: Any,
) -> Comparison:
    """Compare systems by segment scores of another tool: from a file or a table, as read by `read_segment_scores`, or
    by metric and system, `{"COMET": {"a": [...], "b": [...]}}`.

    Higher is better, except for the metrics in `lower_is_better`.
    """
    by_system = isinstance(scores, Mapping) and all(isinstance(each, Mapping) for each in scores.values())
    if not by_system:
        scores = read_segment_scores(scores)
    lower_is_better = checked_names("lower_is_better", lower_is_better)
    if not scores or not all(scores.values()):
        raise BadParameter("there are no scores. Give a metric with scores of at least two systems.")
    for name in lower_is_better:
        if name not in scores:
            raise BadParameter(f"unknown metric '{name}' in the scores. {did_you_mean(name, scores)}")
    refuse_unknown_keywords(plan, compare_scores, Plan)
    chosen_plan = Plan(**plan)
    of_systems = Kinds.of(kinds, list(next(iter(scores.values()))))
    evidence = [
        Evidence.of_scores(
            [(name, _segment_scores(metric, name, values)) for name, values in systems.items()],
            higher_is_better=metric not in lower_is_better,
        )
        for metric, systems in scores.items()
    ]
    chosen_plan = chosen_plan.for_segments(min(each.segments for each in evidence))
    blocks = None if documents is None else documents_given(documents)
    found = compare_evidence(evidence, chosen_plan, labels=list(scores), documents=blocks)
    fit = fitness(found, evidence, [(0, 0)] * len(found), of_systems)
    return Comparison(chosen_plan, evidence[-1].segments, (0, 0), found, fitness=fit, counted=scores)


def _segment_scores(metric: str, system: str, values: Any) -> Floats:
    try:
        scores = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"{metric} scores of '{system}': expected a number for every segment.") from None
    if scores.ndim != 1:
        raise BadInput(
            f"{metric} scores of '{system}' have the shape {scores.shape}: expected a number for every segment."
        )
    return scores


def compare_evidence(
    evidence: Sequence[Evidence],
    plan: Plan,
    references: Sequence[tuple[int, int]] = (),
    labels: Sequence[str] = (),
    documents: Sequence[str] | None = None,
) -> list[MetricComparison]:
    """Compare by every metric. `labels` are the names of scores without a metric. All metrics use the same samples of
    segments.
    """
    pairs = plan.pairs(evidence[0].systems)
    (found,) = compare_families(
        evidence, plan, [pairs], references=references, labels=labels, documents=documents
    )
    return found


def compare_families(
    evidence: Sequence[Evidence],
    plan: Plan,
    families: Sequence[Pairs],
    *,
    references: Sequence[tuple[int, int]] = (),
    labels: Sequence[str] = (),
    documents: Sequence[str] | None = None,
) -> list[list[MetricComparison]]:
    """The same for these pairs of systems. Each family of pairs is corrected for multiple testing by itself; all use
    the same samples of segments.
    """
    runs = evidence[0].has_runs
    names = [
        each.metric.label if each.metric else labels[index] if labels else "score"
        for index, each in enumerate(evidence)
    ]
    compared = [_compared(each, plan, documents) for each in evidence]
    drawn: Sequence[Floats | None] = [None] * len(compared)
    if plan.test not in STUDENT:
        most = max(map(len, families))
        for_test = plan.drawn(most, runs=runs) if plan.test == "bootstrap" else None
        drawn = bootstrap_scores(compared, max(INTERVAL_SAMPLES, for_test or 0), plan.seed)
    return [
        [
            compare_metric(
                each,
                tested,
                samples,
                plan,
                pairs,
                references=references[index] if references else None,
                label=names[index],
                unique_label=names.count(names[index]) == 1,
            )
            for index, (each, tested, samples) in enumerate(zip(evidence, compared, drawn, strict=True))
        ]
        for pairs in families
    ]


def compare_metric(
    evidence: Evidence,
    compared: Evidence,
    drawn: Floats | None,
    plan: Plan,
    pairs: Pairs,
    *,
    references: tuple[int, int] | None,
    label: str,
    unique_label: bool = True,
) -> MetricComparison:
    """By one metric. What is compared is the evidence itself, or what its blocks score."""
    metric = evidence.metric
    tested = _tested(compared, pairs, plan, drawn)
    adjusted = corrected(tested.p_values, plan.correct)
    bounds = at_most(tested.p_values, plan.correct, tested.floor)
    levels = levels_for(tested.p_values, plan.correct, plan.significance)
    detectable = minimum_detectable(tested, levels, plan.smallest_p(compared.segments))
    of_systems, of_pairs = _intervals(compared, pairs, plan, tested, drawn)
    results = []
    for index, (a, b) in enumerate(pairs):
        difference = float(tested.differences[index])
        passed = is_real(adjusted[index], plan.significance)
        # Systems are ranked by their scores: of a test of ranks the difference need not be that of the scores.
        contradicted = passed and bool(difference * (compared.scores[a] - compared.scores[b]) < 0)
        ahead = (
            None
            if evidence.higher_is_better is None
            else a
            if (difference > 0) == evidence.higher_is_better
            else b
        )
        significant = passed and not contradicted
        results.append(
            PairResult(
                metric=metric.spec if metric else label,
                first=evidence.systems[a],
                second=evidence.systems[b],
                difference=difference,
                interval=of_pairs[index],
                p_value=float(tested.p_values[index]),
                corrected=float(adjusted[index]),
                p_is_bound=bool(bounds[index]),
                significant=significant,
                better=evidence.systems[ahead] if significant and ahead is not None else None,
                effect_size=evidence.effect_size(a, b),
                smallest_detectable=detectable[index],
                t_statistic=float(tested.t_statistics[index]) if plan.test in STUDENT else None,
                contradicted=contradicted,
                run_share=_known(tested.run_shares, index),
            )
        )
    ranked = evidence.higher_is_better is not None and (plan.all_pairs or len(evidence.systems) == 2)
    blocks = compared.segments if plan.test == "blocks" else None
    return MetricComparison(
        label=label,
        spec=metric.spec if metric else label,
        higher_is_better=evidence.higher_is_better,
        signature=_signature(evidence, plan, len(pairs), references),
        statistic=_statistic(plan, metric is None),
        systems=[
            SystemResult(
                name,
                float(compared.scores[index]),
                of_systems[index],
                tuple(compared.run_scores[compared.runs_of(index)].tolist()),
                None if compared.corpus_scores is None else float(compared.corpus_scores[index]),
                float(compared.segment_scores[index].std(ddof=1)) if blocks else None,
                evidence.detail(index),
            )
            for index, name in enumerate(evidence.systems)
        ],
        pairs=results,
        clusters=[
            [evidence.systems[index] for index in cluster]
            for cluster in clusters(
                compared.worth(compared.scores), pairs, [pair.better is not None for pair in results]
            )
        ]
        if ranked
        else None,
        blocks=blocks,
        unique_label=unique_label,
    )


def _tested(evidence: Evidence, pairs: Pairs, plan: Plan, drawn: Floats | None) -> TestResults:
    if plan.test == "multeval":
        return multeval(evidence, pairs, _samples(plan, pairs), plan.seed)
    if evidence.has_runs:
        return tested_with_runs(evidence, pairs, _run_variance(evidence, drawn).of_differences(pairs))
    if plan.test == "bootstrap":
        assert drawn is not None
        return bootstrap(evidence, pairs, drawn[: plan.drawn(len(pairs))])
    if plan.test in ("randomization", "permutation"):
        test = randomization if plan.test == "randomization" else permutation
        return test(evidence, pairs, _samples(plan, pairs), plan.seed)
    if plan.test == "wilcoxon":
        return wilcoxon(evidence, pairs, 1 - plan.significance)
    return t_test(evidence, pairs)


def _known(shares: Floats | None, index: int) -> float | None:
    return None if shares is None or np.isnan(shares[index]) else float(shares[index])


def _samples(plan: Plan, pairs: Pairs) -> int:
    return plan.drawn(len(pairs)) or 0


def _run_variance(evidence: Evidence, drawn: Floats | None) -> RunVariance:
    covariance = covariance_of_means(evidence) if drawn is None else covariance_of_samples(drawn)
    return RunVariance(evidence, covariance)


def _intervals(
    evidence: Evidence, pairs: Pairs, plan: Plan, tested: TestResults, drawn: Floats | None
) -> tuple[list[Interval], list[Interval]]:
    """Confidence intervals of systems and of pairs: Student's t if the test uses it, otherwise bootstrap."""
    confidence = 1 - plan.significance
    if drawn is not None and (plan.test == "multeval" or not evidence.has_runs):
        samples = drawn[:INTERVAL_SAMPLES]
        found = Bootstrap(evidence, samples, method=plan.resampled_interval, confidence=confidence)
        if tested.bounds is not None:
            return found.of_scores(), [
                Interval(float(low), float(high), confidence)
                for low, high in zip(*tested.bounds, strict=True)
            ]
        return found.of_scores(), found.of_differences(pairs)
    of_systems = _run_variance(evidence, drawn).of_scores()
    return (
        student_intervals(evidence.scores, of_systems.standard_errors, of_systems.degrees, confidence),
        student_intervals(tested.differences, tested.standard_errors, tested.degrees, confidence),
    )


def _compared(evidence: Evidence, plan: Plan, documents: Sequence[str] | None) -> Evidence:
    """The evidence itself, or what its blocks score."""
    return evidence.in_blocks(_blocks(evidence, plan, documents)) if plan.test == "blocks" else evidence


def _blocks(evidence: Evidence, plan: Plan, documents: Sequence[str] | None) -> NDArray[np.intp]:
    if plan.by_document:
        if documents is None:
            raise BadParameter("blocks by document need document labels. Give a label for each segment.")
        check_labels("documents", documents, evidence.segments)
        return blocks_by_label(documents)
    if plan.block_size is not None:
        return blocks_of_size(evidence.segments, plan.block_size)
    return blocks_of_equal_size(evidence.segments, plan.blocks)


def _statistic(plan: Plan, of_unknown_origin: bool) -> str:
    """See `_STATISTICS` in results.py."""
    if plan.test in ("blocks", "wilcoxon"):
        return "blocks" if plan.test == "blocks" else "ranks"
    return "scores" if of_unknown_origin else plan.level


def _signature(evidence: Evidence, plan: Plan, pairs: int, references: tuple[int, int] | None) -> str:
    own = "|".join(f"{name}:{value}" for name, value in plan.choices(pairs, runs=evidence.has_runs).items())
    if evidence.metric is None:
        return own
    return f"{evidence.metric.signature(references, plan.level, of_input=evidence.of_input)}|{own}"
