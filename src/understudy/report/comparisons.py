"""What the verb `compare` found, as tables, Markdown, LaTeX, JSON or TSV."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from understudy.report import fitness, parsers
from understudy.report.grid import Grid, GridColumn, arrow, printable, shown_p
from understudy.report.json_values import plain
from understudy.report.latex import latex
from understudy.report.render_grid import drawn
from understudy.version import __version__

if TYPE_CHECKING:
    from understudy.comparing.results import Comparison, MetricComparison, PairResult
    from understudy.studies.references_study import ReferencesStudy

SENTENCES = 6  # so many pairs are told in words below a table; of more, the matrix says it better

MEANING_OF_CLUSTERS = (
    "Clusters: every system is significantly better than every system in the clusters below it; systems within a "
    "cluster may differ significantly, too."
)


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
        "cautions": comparison.cautions,
        "metrics": [
            {
                "metric": metric.label,
                "spec": metric.spec,
                "signature": metric.signature,
                "statistic": metric.statistic,
                "blocks": metric.blocks,
                "systems": [plain(vars(system)) for system in metric.systems],
                "pairs": [plain(vars(pair)) for pair in metric.pairs],
                "clusters": metric.clusters,
            }
            for metric in comparison.metrics
        ],
        "fitness": fitness.as_data(comparison.fitness),
        **(
            {
                "single_references": [
                    {**plain(asdict(alone)), "warnings": alone.warnings}
                    for alone in comparison.single_references
                ]
            }
            if comparison.single_references
            else {}
        ),
        **({"parsers": [asdict(each) for each in comparison.parsers]} if comparison.parsers else {}),
    }


def as_tsv(comparison: Comparison) -> str:
    """A row per metric and pair."""
    lines = ["metric\tfirst\tsecond\tdifference\tlow\thigh\tp\tcorrected\tp_is_bound\tbetter"]
    for pair in comparison.pairs:
        numbers = (pair.difference, pair.interval.low, pair.interval.high, pair.p_value, pair.corrected)
        names = (printable(pair.metric), printable(pair.first), printable(pair.second))
        bound = "true" if pair.p_is_bound else "false"
        lines.append("\t".join([*names, *map(repr, numbers), bound, printable(pair.better or "")]))
    return "\n".join(lines)


# --- for people ------------------------------------------------------------------------------------------


def as_grids(comparison: Comparison, metric: MetricComparison, digits: int = 2) -> list[Grid]:
    """The systems; where all pairs were compared and there are many, the matrix of p-values too."""
    from understudy.comparing.results import in_words
    from understudy.metrics.base.score import references_in_words

    segments = f"{comparison.segments:,} segment{'s' if comparison.segments != 1 else ''}"
    notes = [f"{segments}, {references_in_words(comparison.references)}; {how_tested(comparison)}"]
    notes += comparison.cautions
    if metric is comparison.metrics[0]:
        notes += fitness.unsaid(comparison.fitness)
    if len(metric.pairs) <= SENTENCES:
        notes += [in_words(pair, metric) for pair in best_first(metric)]
    for alone in comparison.single_references:
        notes += map(printable, alone.warnings if alone.spec == metric.spec else ())
    notes += remarks(metric)
    signatures = [(metric.label, metric.signature)]
    columns = _system_columns(metric, digits)
    all_pairs = comparison.plan.all_pairs or metric.clusters is not None
    if not all_pairs:
        columns += _pair_columns(metric, digits)
    systems = Grid(columns, notes, signatures)
    if len(metric.pairs) <= SENTENCES or not all_pairs:
        return [systems]
    return [systems, Grid(_matrix(metric), [_meaning_of_matrix(comparison)])]


def remarks(metric: MetricComparison) -> list[str]:
    """What goes with the table of one metric, beside its pairs: what was compared, what clusters mean, which variance
    is due to training runs, what the BLEU report would have said.
    """
    from understudy.comparing.results import by_the_reports_rule, corpus_disagreements

    found = []
    if metric.statistic == "mean":
        found.append(
            f"Scores, test and intervals are of mean segment scores; corpus {metric.label} may differ."
        )
    if metric.statistic == "ranks":
        found.append(
            "Scores are mean segment scores. Differences, their intervals and p-values are of the pseudo-median of the "
            "segment differences, which the Wilcoxon test is about."
        )
        if len(metric.pairs) > SENTENCES and any(pair.contradicted for pair in metric.pairs):
            found.append("No verdict: the pseudo-median and the means favor different systems.")
    if clustered(metric):
        found.append(MEANING_OF_CLUSTERS)
    if metric.higher_is_better is None:
        found.append(f"{metric.label} is no measure of quality: systems are not ranked by it.")
    disagreements = corpus_disagreements(metric)
    found += disagreements[:SENTENCES]
    if len(disagreements) > SENTENCES:
        found.append(
            f"Corpus {metric.label} disagrees with {len(disagreements) - SENTENCES:,} more verdicts."
        )
    if rule := by_the_reports_rule(metric):
        found.append(rule)
    return [*found, *run_sentences(metric)]


def run_sentences(metric: MetricComparison) -> list[str]:
    """How far training alone moves a score, and which source of variance dominates a difference."""
    if len(metric.systems) > SENTENCES or all(system.run_deviation is None for system in metric.systems):
        return []
    found = [
        f"{printable(system.name)}: SD {deviation:.2f} {metric.quantity} across {len(system.run_scores)} training runs."
        for system in (metric.systems[index] for index in _order(metric))
        if (deviation := system.run_deviation) is not None
    ]
    for pair in best_first(metric)[:SENTENCES]:
        if pair.run_share is not None:
            larger = "training runs" if pair.run_share > 0.5 else "segments"
            found.append(
                f"{printable(pair.first)} and {printable(pair.second)}: {pair.run_share:.0%} of the variance of the "
                f"difference is across training runs, {1 - pair.run_share:.0%} across segments; {larger} dominate."
            )
    if any(len(system.run_scores) == 1 for system in metric.systems):
        found.append(
            "A system with one training run is assumed to vary across runs as much as the system it is compared with."
        )
    return found


def _system_columns(metric: MetricComparison, digits: int) -> list[GridColumn]:
    order = _order(metric)
    systems = [metric.systems[index] for index in order]
    columns = [GridColumn(("system",), [printable(system.name) for system in systems], numeric=False)]
    if metric.clusters is not None and clustered(metric):
        cluster_of = {name: number for number, names in enumerate(metric.clusters, start=1) for name in names}
        columns.insert(0, GridColumn(("cluster",), [str(cluster_of[system.name]) for system in systems]))
    columns.append(
        GridColumn(
            score_header(metric),
            [f"{system.score:.{digits}f}" for system in systems],
            best=_best(metric, [system.name for system in systems]),
        )
    )
    columns.append(
        GridColumn(
            (f"{systems[0].interval.confidence:.0%} CI",),
            [f"{system.interval.low:.{digits}f} to {system.interval.high:.{digits}f}" for system in systems],
        )
    )
    if any(system.run_deviation is not None for system in systems):
        columns.append(
            GridColumn(
                ("SD across", "runs"),
                [
                    "" if (found := system.run_deviation) is None else f"{found:.{digits}f}"
                    for system in systems
                ],
            )
        )
    if metric.blocks is not None:
        deviations = [f"{system.block_deviation:.{digits}f}" for system in systems]
        columns.append(GridColumn(("SD across", "blocks"), deviations))
    if all(system.corpus_score is not None for system in systems):
        scores = [f"{system.corpus_score:.{digits}f}" for system in systems]
        columns.append(GridColumn((f"corpus {metric.label}",), scores))
    return columns


def score_header(metric: MetricComparison) -> tuple[str, ...]:
    """What the scores of systems are, in lines."""
    shown = {
        "corpus": (),
        "scores": (),
        "mean": ("segment", "mean"),
        "ranks": ("segment", "mean"),
        "blocks": ("mean of", "blocks"),
    }
    return (f"{metric.label} {direction(metric)}", *shown[metric.statistic])


def _pair_columns(metric: MetricComparison, digits: int) -> list[GridColumn]:
    """Beside each system, how it differs from the one it is compared with."""
    by_first = {pair.first: pair for pair in metric.pairs}
    pairs = [by_first.get(system.name) for system in metric.systems]

    def cells(shown: Any) -> list[str]:
        return ["" if pair is None else shown(pair) for pair in pairs]

    columns = []
    if len({pair.second for pair in metric.pairs}) > 1:
        columns.append(
            GridColumn(("compared with",), cells(lambda pair: printable(pair.second)), numeric=False)
        )
    columns += [
        GridColumn(("difference",), cells(lambda pair: f"{pair.difference:+.{digits}f}")),
        GridColumn(
            (f"{metric.systems[0].interval.confidence:.0%} CI",),
            cells(lambda pair: f"{pair.interval.low:+.{digits}f} to {pair.interval.high:+.{digits}f}"),
        ),
    ]
    if any(pair.t_statistic is not None for pair in metric.pairs):
        columns.append(GridColumn(("t",), cells(lambda pair: f"{pair.t_statistic:+.2f}")))
    columns += [
        GridColumn(("p",), cells(lambda pair: shown_p(pair.corrected, pair.p_is_bound))),
        GridColumn(("verdict",), cells(verdict), numeric=False),
    ]
    return columns


def verdict(pair: PairResult) -> str:
    """On the first of the two."""
    if pair.better is None:
        return "differs" if pair.significant else "no verdict" if pair.contradicted else "not significant"
    return "better" if pair.better == pair.first else "worse"


def _matrix(metric: MetricComparison) -> list[GridColumn]:
    """The corrected p-values of all pairs, in the order of the table."""
    names = [metric.systems[index].name for index in _order(metric)]
    p_values = {
        frozenset((pair.first, pair.second)): shown_p(pair.corrected, pair.p_is_bound)
        for pair in metric.pairs
    }
    significant = {frozenset((pair.first, pair.second)) for pair in metric.pairs if pair.significant}
    columns = [GridColumn(("p",), [printable(name) for name in names], numeric=False)]
    for number, other in enumerate(names, start=1):
        cells = [p_values.get(frozenset((name, other)), "") for name in names]
        real = frozenset(row for row, name in enumerate(names) if frozenset((name, other)) in significant)
        columns.append(GridColumn((f"{number}",), cells, best=real))
    return columns


def _meaning_of_matrix(comparison: Comparison) -> str:
    return (
        "p-values of the row's system against the system at that place in the table above; significant up to "
        f"{comparison.plan.significance:g}."
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
        return ["Bold: significant difference."]
    if comparison.metrics[0].clusters is None:
        return [
            f"Bold: significantly better than the system compared with (p ≤ {comparison.plan.significance:g})."
        ]
    level = f"p ≤ {comparison.plan.significance:g}"
    return [f"Bold: the best cluster, significantly better than all systems below it ({level})."]


# --- for papers ------------------------------------------------------------------------------------------

TESTS_IN_WORDS = {
    "bootstrap": "paired bootstrap",
    "randomization": "approximate randomization",
    "multeval": "approximate randomization across training runs (MultEval)",
    "permutation": "paired permutation test of segment scores",
    "blocks": "paired t-test of blocks",
    "ttest": "paired t-test of segment scores",
    "wilcoxon": "Wilcoxon signed-rank test of segment scores",
}
CORRECTIONS_IN_WORDS = {"holm": "Holm-corrected", "bh": "Benjamini-Hochberg-corrected"}


def how_tested(comparison: Comparison) -> str:
    """The test as a paper names it, with its samples and its correction."""
    plan, pairs = comparison.plan, len(comparison.metrics[0].pairs)
    drawn = plan.drawn(pairs, runs=comparison.runs)
    test = TESTS_IN_WORDS[plan.test]
    if comparison.runs and plan.test == "bootstrap":
        test = "t-test with variance across segments (bootstrap) and training runs"
    elif comparison.runs and plan.test != "multeval":
        test = f"{test} with variance across training runs"
    samples = f", {drawn:,} resamples" if drawn is not None else ""
    corrected = plan.correct in CORRECTIONS_IN_WORDS and pairs > 1
    correction = f", {CORRECTIONS_IN_WORDS[plan.correct]}" if corrected else ""
    return f"{test}{samples}{correction}"


def _paper(comparison: Comparison, metric: MetricComparison, digits: int) -> str:
    """Tables with captions that say all they need to; the sentences are comments, for the text."""
    systems, *others = as_grids(comparison, metric, digits)
    of_test_set, *sentences = systems.notes
    caption = " ".join(
        [
            f"{metric.quantity[0].upper()}{metric.quantity[1:]} of {len(metric.systems)} systems with "
            f"{metric.systems[0].interval.confidence:.0%} confidence intervals; {of_test_set}.",
            *_meaning_of_bold(systems, comparison),
        ]
    )
    written = [latex(replace(systems, notes=[], caption=caption))]
    for matrix in others:
        bold = _meaning_of_bold(matrix, comparison)
        written.append(latex(replace(matrix, notes=[], caption=" ".join([*matrix.notes, *bold]))))
    return "\n\n".join(["\n".join(f"% {sentence}" for sentence in sentences), *written]).lstrip("\n")


# ---------------------------------------------------------------------------------------------------------


def clustered(metric: MetricComparison) -> bool:
    """Whether clusters are worth showing: those of two systems say no more than the one verdict."""
    return metric.clusters is not None and len(metric.systems) > 2


def direction(metric: MetricComparison | ReferencesStudy) -> str:
    """The arrow that says which way is better: up, down, or towards a number."""
    return arrow(metric.higher_is_better, target(metric))


def target(metric: MetricComparison | ReferencesStudy) -> float | None:
    """The best value, where it is neither the highest nor the lowest."""
    from understudy.metrics.base.registry import metric as metric_of

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
