"""The results of `compare` as sheets for programs: everything JSON contains on systems and pairs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from understudy.report.fitness import as_sheet as fitness_sheet
from understudy.report.json_values import plain
from understudy.report.sheets import Sheet

if TYPE_CHECKING:
    from understudy.comparing.results import Comparison, MetricComparison, PairResult, SystemResult

# Of a pair, by the names that JSON has for it.
_OF_PAIR = (
    *("p_value", "corrected", "p_is_bound", "significant", "better", "effect_size", "smallest_detectable"),
    *("t_statistic", "contradicted", "run_share"),
)
_OF_SYSTEM = (
    *("score", "low", "high", "corpus_score", "block_deviation", "run_deviation", "run_scores", "cluster"),
    *("detail", "single_references"),
)
_OF_METRIC = ("statistic", "blocks", "segments", "confidence", "significance", "baseline", "signature")


def as_sheets(comparison: Comparison) -> list[Sheet]:
    """The pairs; then, if kinds of systems are known, what speaks against comparing them."""
    findings = comparison.fitness.findings if comparison.fitness.kinds else []
    return [_pairs_sheet(comparison), *([fitness_sheet(findings)] if findings else [])]


def all_sheets(comparison: Comparison) -> list[Sheet]:
    """The same, and the systems, whose figures the pairs repeat."""
    return [*as_sheets(comparison), systems_sheet(comparison)]


def _pairs_sheet(comparison: Comparison) -> Sheet:
    """A row per metric and pair, with the figures of both systems: one rectangular table that every program reads."""
    columns = (
        *("metric", "first", "second", "difference", "low", "high", *_OF_PAIR),
        *(f"{side}_{name}" for side in ("first", "second") for name in _OF_SYSTEM),
        *_OF_METRIC,
    )
    rows = []
    for metric in comparison.metrics:
        systems = {system.name: _system(system, metric, comparison) for system in metric.systems}
        rows += [
            (*_pair(pair), *systems[pair.first], *systems[pair.second], *_metric(metric, comparison))
            for pair in metric.pairs
        ]
    return Sheet("pairs", columns, rows)


def systems_sheet(comparison: Comparison) -> Sheet:
    """A row per metric and system."""
    rows = [
        (metric.spec, system.name, *_system(system, metric, comparison), *_metric(metric, comparison))
        for metric in comparison.metrics
        for system in metric.systems
    ]
    return Sheet("systems", ("metric", "system", *_OF_SYSTEM, *_OF_METRIC), rows)


def _pair(pair: PairResult) -> tuple[Any, ...]:
    names = (pair.metric, pair.first, pair.second)
    numbers = (pair.difference, pair.interval.low, pair.interval.high)
    return (*names, *numbers, *(getattr(pair, name) for name in _OF_PAIR))


def _system(system: SystemResult, metric: MetricComparison, comparison: Comparison) -> tuple[Any, ...]:
    """Lists, what a score is made of, and the scores with each reference alone are JSON in a cell."""
    alone = _with_single_references(system, metric, comparison)
    clusters = metric.clusters or []
    cluster = next((number for number, names in enumerate(clusters, start=1) if system.name in names), None)
    return (
        *(system.score, system.interval.low, system.interval.high),
        *(system.corpus_score, system.block_deviation, system.run_deviation),
        json.dumps(plain(system.run_scores)),
        cluster,
        json.dumps(plain(system.detail)) if system.detail else None,
        json.dumps(plain(alone)) if alone else None,
    )


def _with_single_references(
    system: SystemResult, metric: MetricComparison, comparison: Comparison
) -> dict[str, float]:
    """The scores of a system by the name of the only reference."""
    return {
        one.reference: one.scores[system.name]
        for study in comparison.single_references
        if study.spec == metric.spec
        for one in study.references
    }


def _metric(metric: MetricComparison, comparison: Comparison) -> tuple[Any, ...]:
    confidence = metric.systems[0].interval.confidence
    test = (confidence, comparison.plan.significance, comparison.baseline)
    return (metric.statistic, metric.blocks, comparison.segments, *test, metric.signature)
