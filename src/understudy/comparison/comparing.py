"""The verb `compare`: which differences between systems are real, by any metric and by any of the tests."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from understudy.comparison.evidence import Evidence, Floats
from understudy.comparison.fitness import fitness
from understudy.comparison.gathering import Gathered, Path, Runs, Systems, gather
from understudy.comparison.intervals import Bootstrap
from understudy.comparison.kinds import GivenKinds, Kinds
from understudy.comparison.labels import check_labels, documents_in
from understudy.comparison.many_pairs import clusters, corrected
from understudy.comparison.parser_sensitivity import parser_sensitivity
from understudy.comparison.plan import INTERVAL_SAMPLES, Plan
from understudy.comparison.power import smallest_detectable
from understudy.comparison.references_study import worths_by_reference
from understudy.comparison.results import Comparison, MetricComparison, PairResult, SystemResult
from understudy.comparison.samples import blocks_by_label, blocks_of_equal_size, blocks_of_size
from understudy.comparison.score_files import SegmentScores
from understudy.comparison.significance import (
    BlockTest,
    Pairs,
    blocks,
    bootstrap,
    is_real,
    permutation,
    randomization,
    t_test,
    wilcoxon,
)
from understudy.errors import BadParameter, did_you_mean
from understudy.metrics.scoring import Metrics, chosen_metrics


def compare(
    systems: Systems,
    references: Path | Iterable[Path] = (),
    metrics: Metrics = ("bleu",),
    *,
    lang: str | None = None,
    documents: Sequence[str] | None = None,
    kinds: GivenKinds = (),
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
    **plan: Any,
) -> Comparison:
    """Compares systems by metrics. The plan's settings are those of `Plan`: test, baseline, all_pairs, samples, seed,
    correct, significance, interval, level, block_count, block_size, by_document. Where files do not say which
    document a segment is of, `documents` does, for blocks and for metrics that look at documents. `lang` is the target
    language, as in `understudy.score`. `kinds` says which
    systems work alike, such as `{"nmt": ["A", "B"], "rule-based": ["C"]}`: then `fitness` says which comparisons the
    metrics are not fit for.

    >>> found = compare({"weak": "examples/system-weak.en", "strong": "examples/system-strong.en"},
    ...                 ["examples/reference-1.en"])
    >>> found
    <Comparison of 2 systems on 60 segments by BLEU: 1 of 1 differences are real>
    >>> found.pairs[0].better
    'strong'
    """
    chosen_plan = Plan(**plan)
    of_systems = Kinds.of(kinds, Runs.of(systems).systems) if kinds else Kinds()
    found = gather(
        systems,
        references,
        chosen_metrics(metrics, lang),
        level=chosen_plan.level,
        documents=documents,
        threads=threads,
        progress=progress,
    )
    return compare_gathered(found, chosen_plan, documents, of_systems, threads=threads)


def compare_gathered(
    gathered: Gathered,
    plan: Plan,
    documents: Sequence[str] | None = None,
    kinds: Kinds | None = None,
    *,
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Comparison:
    """Compares systems that are counted already. Where they are of different kinds and there are several references,
    their texts are read again, and scored with each reference alone: with it, `progress` is called.
    """
    if plan.by_document and documents is None:
        documents = documents_in(gathered.runs.files, gathered.reference_files)
    found = [
        compare_evidence(evidence, plan, references, documents=documents)
        for evidence, references in zip(gathered.evidence, gathered.references, strict=True)
    ]
    return Comparison(
        plan,
        gathered.segments,
        max(gathered.references),  # metrics that read none say 0
        found,
        parser_sensitivity(
            (evidence.metric, {system.name: system.score for system in compared.systems})
            for evidence, compared in zip(gathered.evidence, found, strict=True)
            if evidence.metric is not None
        ),
        fitness(
            found,
            gathered.evidence,
            gathered.references,
            kinds or Kinds(),
            _by_reference(gathered, plan, documents, kinds or Kinds(), threads=threads, progress=progress),
        ),
    )


def _by_reference(
    gathered: Gathered,
    plan: Plan,
    documents: Sequence[str] | None,
    kinds: Kinds,
    *,
    threads: int | None,
    progress: Callable[[int], None] | None,
) -> list[Floats | None]:
    metrics = [evidence.metric for evidence in gathered.evidence if evidence.metric is not None]
    if not kinds.pairs or max(most for _, most in gathered.references) < 2:
        return [None] * len(metrics)
    return worths_by_reference(
        gathered.runs,
        gathered.reference_files,
        metrics,
        level=plan.level,
        documents=documents,
        threads=threads,
        progress=progress,
    )


def compare_scores(
    scores: SegmentScores,
    *,
    lower_is_better: Collection[str] = (),
    documents: Sequence[str] | None = None,
    kinds: GivenKinds = (),
    **plan: Any,
) -> Comparison:
    """Compares systems by segment scores that another tool computed, as `read_segment_scores` reads them.

    Scores are better the higher they are, but for the metrics named in `lower_is_better`.
    """
    for name in lower_is_better:
        if name not in scores:
            raise BadParameter(f"no scores of '{name}'. {did_you_mean(name, scores)}")
    chosen_plan = Plan(**plan)
    of_systems = Kinds.of(kinds, list(next(iter(scores.values())))) if kinds else Kinds()
    evidence = [
        Evidence.of_scores(list(systems.items()), higher_is_better=metric not in lower_is_better)
        for metric, systems in scores.items()
    ]
    found = [
        compare_evidence(each, chosen_plan, label=metric, documents=documents)
        for metric, each in zip(scores, evidence, strict=True)
    ]
    fit = fitness(found, evidence, [(0, 0)] * len(found), of_systems)
    return Comparison(chosen_plan, evidence[-1].segments, (0, 0), found, fitness=fit)


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
        real = is_real(adjusted[index], plan.significance)
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
    return f"{evidence.metric.signature(references, plan.level, of_input=evidence.of_input)}|{own}"
