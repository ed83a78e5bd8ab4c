"""The summary table for papers and releases: systems by metrics, best in bold, with significance marks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from understudy.report.grid import Grid, GridColumn, arrow, printable

if TYPE_CHECKING:
    from understudy.comparing.results import Comparison, MetricComparison
    from understudy.metrics.base.metric import Metric
    from understudy.studies.references_study import ReferencesStudy

BETTER, WORSE, LEVEL = "▲", "▼", "≈"

# What the scores of systems are, in lines of a header below the metric's.
_STATISTICS = {
    "corpus": (),
    "scores": (),
    "mean": ("segment", "mean"),
    "ranks": ("segment", "mean"),
    "blocks": ("mean of", "blocks"),
}


def summary_grid(comparison: Comparison, digits: int = 2) -> Grid:
    """A row per system, in the order of the first metric, and a column per metric; without notes and signatures."""
    names = ranked_names(comparison.metrics[0])
    columns = [GridColumn(("system",), [printable(name) for name in names], numeric=False)]
    return Grid(columns + [score_column(comparison, metric, names, digits) for metric in comparison.metrics])


def score_column(
    comparison: Comparison,
    metric: MetricComparison,
    names: Sequence[str],
    digits: int,
    *,
    marked: bool = True,
) -> GridColumn:
    """The scores of the systems by a metric. Systems with the same shown digits as the best are also bold; if all are
    equal, none is.
    """
    scores = {system.name: f"{system.score:.{digits}f}" for system in metric.systems}
    cells = [scores[name] for name in names]
    shown_best = {scores[name] for name in metric.best}
    best = frozenset(row for row, cell in enumerate(cells) if cell in shown_best)
    return GridColumn(
        (*score_header(metric), *_settings(metric, comparison.metrics)),
        cells,
        best=best if len(best) < len(cells) else frozenset(),
        marks=_marks(comparison, metric, names) if marked else (),
    )


def _marks(comparison: Comparison, metric: MetricComparison, names: Sequence[str]) -> tuple[str, ...]:
    verdicts, level = comparison.verdicts(metric), metric.level_with_best
    signs = {"better": BETTER, "worse": WORSE}
    return tuple(signs.get(verdicts.get(name, ""), "") + (LEVEL if name in level else "") for name in names)


def legend(comparison: Comparison) -> list[str]:
    """The meaning of the marks, and the tests."""
    level = f"{comparison.plan.significance:g}"
    found = []
    ranked = [metric for metric in comparison.metrics if metric.higher_is_better is not None]
    if not ranked:
        return []
    than = "the preceding system" if comparison.baseline is None else printable(comparison.baseline)
    if any(comparison.verdicts(metric) for metric in ranked):
        found.append(f"{BETTER} significantly better, {WORSE} significantly worse than {than} (p ≤ {level}).")
    all_pairs = any(metric.clusters is not None for metric in ranked)
    if any(metric.level_with_best for metric in ranked):
        found.append(f"{LEVEL} not significantly different from the best system (p > {level}).")
    if not all_pairs:
        # Who is best is known after the fact: to test against it takes all pairs, and a correction for all of them.
        found.append(f"Only differences from {than} were tested.")
    pairs = len(ranked[0].pairs)
    if pairs > 1 and comparison.plan.correct == "none":
        found.append(f"p-values are not corrected for the {pairs} pairs.")
    elif len(comparison.metrics) > 1 and pairs > 1:
        found.append(f"p-values are corrected for {pairs} pairs per metric, not for the number of metrics.")
    return found


def score_header(metric: MetricComparison) -> tuple[str, ...]:
    """What the scores of systems are, in lines."""
    return (f"{metric.label} {direction(metric)}", *_STATISTICS[metric.statistic])


def _settings(metric: MetricComparison, metrics: Sequence[MetricComparison]) -> tuple[str, ...]:
    """Of a metric beside another of the same label: how they differ."""
    if sum(other.label == metric.label for other in metrics) == 1:
        return ()
    return tuple(printable(setting) for setting in metric.spec.partition(":")[2].split(",") if setting)


def direction(metric: MetricComparison | ReferencesStudy | Metric) -> str:
    """The arrow for the better direction: up, down, or towards a number."""
    return arrow(metric.higher_is_better, target(metric))


def target(metric: MetricComparison | ReferencesStudy | Metric) -> float | None:
    """The best value, where it is neither the highest nor the lowest."""
    from understudy.metrics.base.registry import metric as metric_of

    return metric_of(metric.spec).target if metric.higher_is_better is None else None


def ranked_names(metric: MetricComparison) -> list[str]:
    """From best to worst where clusters rank the systems, else as they were given."""
    if metric.clusters is None:
        return [system.name for system in metric.systems]
    return [name for cluster in metric.clusters for name in cluster]
