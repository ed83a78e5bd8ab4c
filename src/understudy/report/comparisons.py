"""What the verb `compare` found, as tables, Markdown, LaTeX, JSON or TSV."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from understudy.report import fitness, parsers
from understudy.report.drawn_grids import drawn
from understudy.report.grid import Grid, GridColumn, arrow, printable, shown_p
from understudy.report.latex import latex
from understudy.report.plain_data import plain
from understudy.version import __version__

if TYPE_CHECKING:
    from understudy.comparison.references_study import ReferencesStudy
    from understudy.comparison.results import Comparison, MetricComparison, PairResult

SENTENCES = 6  # so many pairs are told in words below a table; of more, the matrix says it better


def render(
    comparison: Comparison,
    format: str = "table",
    *,
    digits: int = 2,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """The comparison in one of the formats of `understudy.report.scores`."""
    if format == "json":
        return as_json(comparison)
    if format == "tsv":
        findings = comparison.fitness.findings if comparison.fitness.kinds else []
        return "\n\n".join([as_tsv(comparison), *([fitness.as_tsv(findings)] if findings else [])])
    of_all_metrics = [parsers.as_grid(each, digits) for each in comparison.parsers]
    if comparison.fitness.kinds:
        of_all_metrics += fitness.as_grids(comparison.fitness)
    if format == "latex":
        papers = [_paper(comparison, metric, digits) for metric in comparison.metrics]
        return "\n\n".join([*papers, *drawn(of_all_metrics, format)])
    grids = [grid for metric in comparison.metrics for grid in as_grids(comparison, metric, digits)]
    grids += of_all_metrics
    if format == "markdown":
        grids = [replace(grid, notes=[*grid.notes, *_meaning_of_bold(grid, comparison)]) for grid in grids]
    return "\n\n".join(drawn(grids, format, width=width, styled=styled))


# --- for programs: every digit ---------------------------------------------------------------------------


def as_json(comparison: Comparison) -> str:
    """One object: the plan, and for each metric its systems, pairs and clusters."""
    return json.dumps(as_data(comparison), indent=2, allow_nan=False)


def as_data(comparison: Comparison) -> dict[str, Any]:
    """What JSON can hold."""
    fewest, most = comparison.references
    return {
        "understudy": __version__,
        "segments": comparison.segments,
        "references": most if fewest == most else [fewest, most],
        "plan": vars(comparison.plan),
        "caution": comparison.caution,
        "metrics": [
            {
                "metric": metric.label,
                "spec": metric.spec,
                "signature": metric.signature,
                "systems": [plain(vars(system)) for system in metric.systems],
                "pairs": [plain(vars(pair)) for pair in metric.pairs],
                "clusters": metric.clusters,
            }
            for metric in comparison.metrics
        ],
        "fitness": fitness.as_data(comparison.fitness),
        **({"parsers": [asdict(each) for each in comparison.parsers]} if comparison.parsers else {}),
    }


def as_tsv(comparison: Comparison) -> str:
    """A row per metric and pair."""
    lines = ["metric\tfirst\tsecond\tdifference\tlow\thigh\tp\tcorrected\tbetter"]
    for pair in comparison.pairs:
        numbers = (pair.difference, pair.interval.low, pair.interval.high, pair.p_value, pair.corrected)
        names = (printable(pair.metric), printable(pair.first), printable(pair.second))
        lines.append("\t".join([*names, *map(repr, numbers), printable(pair.better or "")]))
    return "\n".join(lines)


# --- for people ------------------------------------------------------------------------------------------


def as_grids(comparison: Comparison, metric: MetricComparison, digits: int = 2) -> list[Grid]:
    """The systems; where all pairs were compared and there are many, the matrix of p-values too."""
    from understudy.comparison.results import by_the_reports_rule, in_words
    from understudy.metrics.score import references_in_words

    segments = f"{comparison.segments:,} segment{'s' if comparison.segments != 1 else ''}"
    notes = [f"{segments}, {references_in_words(comparison.references)}"]
    if comparison.caution:
        notes.append(comparison.caution)
    if metric is comparison.metrics[0]:
        notes += fitness.unsaid(comparison.fitness)
    if len(metric.pairs) <= SENTENCES:
        notes += [in_words(pair, metric) for pair in best_first(metric)]
    if rule := by_the_reports_rule(metric):
        notes.append(rule)
    if len(metric.systems) <= SENTENCES:
        notes += run_sentences(metric)
    signatures = [(metric.label, metric.signature)]
    columns = _system_columns(metric, digits)
    if metric.clusters is None:
        columns += _pair_columns(metric, digits)
    if len(metric.pairs) <= SENTENCES:
        return [Grid(columns, notes, signatures)]
    matrix = Grid(_matrix(metric), [_meaning_of_matrix(comparison)])
    return (
        [Grid(columns, notes, signatures), matrix] if metric.clusters else [Grid(columns, notes, signatures)]
    )


def run_sentences(metric: MetricComparison) -> list[str]:
    """How far training alone moves a score, beside how far the choice of segments does."""
    return [
        f"{printable(system.name)}: over its {len(system.run_scores)} runs {metric.label} varies with a standard "
        f"deviation of {deviation:.2f}; other segments of the same kind would move their mean between "
        f"{system.interval.low:.2f} and {system.interval.high:.2f}."
        for system in (metric.systems[index] for index in _order(metric))
        if (deviation := system.run_deviation) is not None
    ]


def _system_columns(metric: MetricComparison, digits: int) -> list[GridColumn]:
    order = _order(metric)
    systems = [metric.systems[index] for index in order]
    columns = [GridColumn(("system",), [printable(system.name) for system in systems], numeric=False)]
    if metric.clusters is not None:
        cluster_of = {name: number for number, names in enumerate(metric.clusters, start=1) for name in names}
        columns.insert(0, GridColumn(("cluster",), [str(cluster_of[system.name]) for system in systems]))
    columns.append(
        GridColumn(
            (f"{metric.label} {direction(metric)}",),
            [f"{system.score:.{digits}f}" for system in systems],
            best=_best(metric, [system.name for system in systems]),
        )
    )
    confidence = f"{systems[0].interval.confidence:.0%} interval"
    columns.append(
        GridColumn(
            (confidence,),
            [f"{system.interval.low:.{digits}f} to {system.interval.high:.{digits}f}" for system in systems],
        )
    )
    if any(system.run_deviation is not None for system in systems):
        columns.append(
            GridColumn(
                ("deviation", "over runs"),
                [
                    "" if (found := system.run_deviation) is None else f"{found:.{digits}f}"
                    for system in systems
                ],
            )
        )
    if systems[0].block_mean is not None:
        means = [f"{system.block_mean:.{digits}f}" for system in systems]
        deviations = [f"{system.block_deviation:.{digits}f}" for system in systems]
        columns += [
            GridColumn(("mean of", "blocks"), means),
            GridColumn(("deviation", "of blocks"), deviations),
        ]
    return columns


def _pair_columns(metric: MetricComparison, digits: int) -> list[GridColumn]:
    """Beside each system, how it differs from the one it is compared with."""
    by_first = {pair.first: pair for pair in metric.pairs}
    pairs = [by_first.get(system.name) for system in metric.systems]

    def cells(shown: Any) -> list[str]:
        return ["" if pair is None else shown(pair) for pair in pairs]

    columns = [
        GridColumn(("difference",), cells(lambda pair: f"{pair.difference:+.{digits}f}")),
        GridColumn(
            ("interval",),
            cells(lambda pair: f"{pair.interval.low:+.{digits}f} to {pair.interval.high:+.{digits}f}"),
        ),
    ]
    if any(pair.t_statistic is not None for pair in metric.pairs):
        columns.append(GridColumn(("t",), cells(lambda pair: f"{pair.t_statistic:+.2f}")))
    columns += [
        GridColumn(("p",), cells(lambda pair: shown_p(pair.corrected))),
        GridColumn(("verdict",), cells(_verdict), numeric=False),
    ]
    return columns


def _verdict(pair: PairResult) -> str:
    if pair.better is None:
        return "cannot be told apart"
    return "better" if pair.better == pair.first else "worse"


def _matrix(metric: MetricComparison) -> list[GridColumn]:
    """The corrected p-values of all pairs, in the order of the table."""
    names = [metric.systems[index].name for index in _order(metric)]
    p_values = {frozenset((pair.first, pair.second)): pair.corrected for pair in metric.pairs}
    significant = {frozenset((pair.first, pair.second)) for pair in metric.pairs if pair.significant}
    columns = [GridColumn(("p",), [printable(name) for name in names], numeric=False)]
    for number, other in enumerate(names, start=1):
        cells = [
            "" if frozenset((name, other)) not in p_values else shown_p(p_values[frozenset((name, other))])
            for name in names
        ]
        real = frozenset(row for row, name in enumerate(names) if frozenset((name, other)) in significant)
        columns.append(GridColumn((f"{number}",), cells, best=real))
    return columns


def _meaning_of_matrix(comparison: Comparison) -> str:
    return (
        f"Each number is p of the system of its row and the one of that place in the table; up to "
        f"{comparison.plan.significance:g} the difference is real."
    )


def _best(metric: MetricComparison, names: Sequence[str]) -> frozenset[int]:
    """The first cluster; where systems are not ranked, those that are better than what they are compared with. If that
    is all of them, nobody stands out.
    """
    if metric.clusters is not None:
        best = set(metric.clusters[0])
    else:
        best = {pair.first for pair in metric.pairs if pair.better == pair.first}
    return frozenset(row for row, name in enumerate(names) if name in best and len(best) < len(names))


def _meaning_of_bold(grid: Grid, comparison: Comparison) -> list[str]:
    """What bold letters say, where there are any."""
    if not any(column.best for column in grid.columns):
        return []
    if grid.columns[0].header == ("p",):
        return ["Bold: the difference is real."]
    if comparison.metrics[0].clusters is None:
        return [f"Bold: better than what it is compared with (p at most {comparison.plan.significance:g})."]
    return [
        f"Bold: the best cluster, better than all systems below it (p at most {comparison.plan.significance:g})."
    ]


# --- for papers ------------------------------------------------------------------------------------------

TESTS_IN_WORDS = {
    "bootstrap": "paired bootstrap",
    "randomization": "approximate randomization",
    "permutation": "paired permutation of segment scores",
    "blocks": "paired t-test over blocks",
    "ttest": "paired t-test of segment scores",
    "wilcoxon": "Wilcoxon's signed-rank test of segment scores",
}
CORRECTIONS_IN_WORDS = {"holm": "Holm", "bh": "Benjamini and Hochberg"}


def how_tested(comparison: Comparison) -> str:
    """The test as a paper names it, with its samples and its correction."""
    plan, pairs = comparison.plan, len(comparison.metrics[0].pairs)
    drawn = plan.drawn(pairs)
    samples = f", {drawn:,} samples" if drawn is not None else ""
    corrected = plan.correct in CORRECTIONS_IN_WORDS and pairs > 1
    correction = f", corrected after {CORRECTIONS_IN_WORDS[plan.correct]}" if corrected else ""
    return f"{TESTS_IN_WORDS[plan.test]}{samples}{correction}"


def _paper(comparison: Comparison, metric: MetricComparison, digits: int) -> str:
    """Tables with captions that say all they need to; the sentences are comments, for the text."""
    systems, *others = as_grids(comparison, metric, digits)
    of_test_set, *sentences = systems.notes
    caption = " ".join(
        [
            f"{metric.label} of {len(metric.systems)} systems with "
            f"{metric.systems[0].interval.confidence:.0%} intervals; {of_test_set}; {how_tested(comparison)}.",
            *_meaning_of_bold(systems, comparison),
        ]
    )
    written = [latex(replace(systems, notes=[], caption=caption))]
    for matrix in others:
        bold = _meaning_of_bold(matrix, comparison)
        written.append(latex(replace(matrix, notes=[], caption=" ".join([*matrix.notes, *bold]))))
    return "\n\n".join(["\n".join(f"% {sentence}" for sentence in sentences), *written]).lstrip("\n")


# ---------------------------------------------------------------------------------------------------------


def direction(metric: MetricComparison | ReferencesStudy) -> str:
    """The arrow that says which way is better: up, down, or towards a number."""
    return arrow(metric.higher_is_better, target(metric))


def target(metric: MetricComparison | ReferencesStudy) -> float | None:
    """The best value, where it is neither the highest nor the lowest."""
    from understudy.metrics.registry import metric as metric_of

    return metric_of(metric.spec).target if metric.higher_is_better is None else None


def best_first(metric: MetricComparison) -> list[PairResult]:
    """The pairs in the order of the table of systems."""
    place = {metric.systems[index].name: place for place, index in enumerate(_order(metric))}
    return sorted(metric.pairs, key=lambda pair: sorted((place[pair.first], place[pair.second])))


def _order(metric: MetricComparison) -> list[int]:
    """From best to worst where clusters rank the systems, else as they were given."""
    if metric.clusters is None:
        return list(range(len(metric.systems)))
    names = [system.name for system in metric.systems]
    return [names.index(name) for cluster in metric.clusters for name in cluster]
