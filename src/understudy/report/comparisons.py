"""The results of `compare`, as tables, Markdown, LaTeX, JSON, TSV or CSV."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from understudy.report import fitness, parsers
from understudy.report.comparison_sheets import as_sheets
from understudy.report.data_formats import DATA_FORMATS, data_text
from understudy.report.grid import Grid, GridColumn, printable, shown_p
from understudy.report.json_values import plain
from understudy.report.latex import latex
from understudy.report.render_grid import drawn
from understudy.report.summary import legend, ranked_names, score_column, score_header, summary_grid
from understudy.report.test_sets import named_set_data, segments_in_words
from understudy.version import __version__

if TYPE_CHECKING:
    from understudy.comparing.plan import Plan
    from understudy.comparing.results import Comparison, MetricComparison, PairResult, SystemResult

_SENTENCES = 6  # so many pairs are told in words below a table; of more, the matrix says it better

_MEANING_OF_CLUSTERS = (
    "Clusters: every system is significantly better than every system in the clusters below it; systems within a "
    "cluster may also differ significantly."
)


def render(
    comparison: Comparison,
    format: str = "table",
    *,
    digits: int = 2,
    pairs: bool = False,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """The comparison in one of the formats of `understudy.report.scores`: one table, and with `pairs` what was found of
    every pair below it.
    """
    if format in DATA_FORMATS:
        return data_text(comparison, format, as_data, as_sheets)
    grids = _as_grids(comparison, digits, pairs=pairs)
    others = [parsers.as_grid(each, digits) for each in comparison.parsers]
    if comparison.fitness.kinds:
        others += fitness.as_grids(comparison.fitness)
    if format == "latex":
        return "\n\n".join([*(_for_paper(grid, comparison) for grid in grids), *drawn(others, format)])
    if format == "markdown":
        grids = [replace(grid, notes=[*grid.notes, *meaning_of_bold(grid)]) for grid in grids]
    elif not pairs:
        grids[0].notes.extend(_hint(comparison))
    return "\n\n".join(drawn(grids + others, format, width=width, styled=styled))


# --- for programs: full precision ---------------------------------------------------------------------------


def as_data(comparison: Comparison) -> dict[str, Any]:
    """The result as JSON values: the plan, and for each metric its systems, pairs and clusters."""
    fewest, most = comparison.references
    return {
        "understudy": __version__,
        **named_set_data(comparison.test_set),
        "segments": comparison.segments,
        "references": most if fewest == most else [fewest, most],
        "plan": plain(
            {**vars(comparison.plan), "baseline": comparison.baseline}
        ),  # also if it is the first system
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
        "fitness": plain(fitness.as_data(comparison.fitness)),
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
        **({"parsers": plain([asdict(each) for each in comparison.parsers])} if comparison.parsers else {}),
    }


# --- for people ------------------------------------------------------------------------------------------


def _as_grids(comparison: Comparison, digits: int = 2, *, pairs: bool = False) -> list[Grid]:
    """By one metric, the systems with their intervals; by several, systems by metrics. Then, if they are asked for, the
    pairs of every metric.
    """
    first, *others = comparison.metrics
    if not others:
        systems = _systems_of(comparison, first, digits)
        explained = legend(comparison) if any(column.marks for column in systems.columns) else []
        notes = [*_of_test_set(comparison), *explained, *_found(comparison, told=True)]
        whole = replace(
            systems,
            notes=[*notes, *remarks(first)],
            signatures=[(first.label, first.signature)],
            cited=comparison.test_set,
        )
        return [whole, *(_matrices(comparison, first) if pairs else [])]
    told = len(first.systems) == 2
    notes = [*_of_test_set(comparison), *legend(comparison), *_found(comparison, told=told)]
    if not pairs:
        notes += dict.fromkeys(said for metric in comparison.metrics for said in _caveats(metric))
    signatures = [(metric.title, metric.signature) for metric in comparison.metrics]
    whole = replace(
        summary_grid(comparison, digits), notes=notes, signatures=signatures, cited=comparison.test_set
    )
    return [whole, *(_details(comparison, digits, told=told) if pairs else [])]


def shown(comparison: Comparison, digits: int = 2) -> list[Grid]:
    """Systems by metrics in short, as at the end of a line of Python."""
    notes = [*_of_test_set(comparison), *legend(comparison)]
    signatures = [(metric.title, metric.signature) for metric in comparison.metrics]
    return [replace(summary_grid(comparison, digits), notes=notes, signatures=signatures)]


def _details(comparison: Comparison, digits: int, *, told: bool) -> list[Grid]:
    """Below the table of all metrics, that of each. `told`: sentences are there already."""
    from understudy.comparing.results import in_words

    grids = []
    for metric in comparison.metrics:
        few = len(metric.pairs) <= _SENTENCES and not told
        sentences = [in_words(pair, metric) for pair in best_first(metric)] if few else []
        systems = _systems_of(comparison, metric, digits)
        grids += [
            replace(systems, notes=[*sentences, *remarks(metric)]),
            *_matrices(comparison, metric),
        ]
    return grids


def _of_test_set(comparison: Comparison) -> list[str]:
    from understudy.metrics.base.score import references_in_words

    segments = segments_in_words(comparison.segments, comparison.test_set)
    return [f"{segments}, {references_in_words(comparison.references)}; {how_tested(comparison)}"]


def _found(comparison: Comparison, *, told: bool) -> list[str]:
    """What limits the conclusions; if it is to be told, what was found of few pairs; and what single references say."""
    from understudy.comparing.results import in_words

    notes = [*comparison.cautions, *fitness.unsaid(comparison.fitness)]
    for metric in comparison.metrics:
        if told and len(metric.pairs) <= _SENTENCES:
            notes += [in_words(pair, metric) for pair in best_first(metric)]
        for alone in comparison.single_references:
            notes += map(printable, alone.warnings if alone.spec == metric.spec else ())
    return notes


def _hint(comparison: Comparison) -> list[str]:
    """A hint at further output."""
    if len(comparison.metrics) > 1:
        return ["Use --pairs for the confidence intervals, differences and p-values of each metric."]
    return (
        ["Use --pairs for the p-values of all pairs."] if _matrices(comparison, comparison.metrics[0]) else []
    )


def remarks(metric: MetricComparison) -> list[str]:
    """Notes for the table of one metric: what was compared, the meaning of clusters, variance across training runs, and
    the rule of the BLEU report.
    """
    from understudy.comparing.results import by_the_reports_rule

    rule = by_the_reports_rule(metric)
    clusters = [_MEANING_OF_CLUSTERS] if clustered(metric) else []
    return [*clusters, *_caveats(metric), *([rule] if rule else []), *run_sentences(metric)]


def _caveats(metric: MetricComparison) -> list[str]:
    """Notes for readers of the scores: the statistic that was compared, and where another one disagrees."""
    from understudy.comparing.results import corpus_disagreements

    found = []
    if metric.statistic == "mean":
        found.append(
            f"Scores, test and confidence intervals use mean segment scores; corpus {metric.title} may differ."
        )
    if metric.statistic == "ranks":
        found.append(
            "Scores are mean segment scores. Differences, their confidence intervals and p-values are for the "
            "pseudo-median of the segment differences, which the Wilcoxon test compares."
        )
        if len(metric.pairs) > _SENTENCES and any(pair.contradicted for pair in metric.pairs):
            found.append("No verdict: the pseudo-median and the means favor different systems.")
    if metric.higher_is_better is None:
        found.append(f"{metric.title} does not measure quality; systems are not ranked by it.")
    disagreements = corpus_disagreements(metric)
    found += disagreements[:_SENTENCES]
    if len(disagreements) > _SENTENCES:
        found.append(
            f"Corpus {metric.title} disagrees with {len(disagreements) - _SENTENCES:,} more verdicts."
        )
    return found


def run_sentences(metric: MetricComparison) -> list[str]:
    """How far training alone moves a score, and which source of variance dominates a difference."""
    if len(metric.systems) > _SENTENCES or all(system.run_deviation is None for system in metric.systems):
        return []
    found = [
        f"{printable(system.name)}: SD {deviation:.2f} {metric.quantity} across {len(system.run_scores)} training runs."
        for system in _ranked(metric)
        if (deviation := system.run_deviation) is not None
    ]
    for pair in best_first(metric)[:_SENTENCES]:
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


def _systems_of(comparison: Comparison, metric: MetricComparison, digits: int) -> Grid:
    """The systems by one metric; beside each, if it was compared with one other, how it differs from it. Marks are for
    more than the one pair of two systems.
    """
    beside = [] if _all_pairs(comparison, metric) else _pair_columns(metric, digits)
    marked = not beside and len(metric.systems) > 2
    return Grid([*_system_columns(comparison, metric, digits, marked=marked), *beside])


def _all_pairs(comparison: Comparison, metric: MetricComparison) -> bool:
    return comparison.plan.all_pairs or metric.clusters is not None


def _ranked(metric: MetricComparison) -> list[SystemResult]:
    by_name = {system.name: system for system in metric.systems}
    return [by_name[name] for name in ranked_names(metric)]


def _system_columns(
    comparison: Comparison, metric: MetricComparison, digits: int, *, marked: bool
) -> list[GridColumn]:
    systems = _ranked(metric)
    names = [system.name for system in systems]
    columns = [GridColumn(("system",), [printable(name) for name in names], numeric=False)]
    if metric.clusters is not None and clustered(metric):
        cluster_of = {
            name: number for number, of_cluster in enumerate(metric.clusters, start=1) for name in of_cluster
        }
        columns.insert(0, GridColumn(("cluster",), [str(cluster_of[name]) for name in names]))
    columns.append(score_column(comparison, metric, names, digits, marked=marked))
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


def _matrices(comparison: Comparison, metric: MetricComparison) -> list[Grid]:
    """The p-values of all pairs, where they are too many to be told in words."""
    if len(metric.pairs) <= _SENTENCES or not _all_pairs(comparison, metric):
        return []
    return [Grid(_matrix(metric), [_meaning_of_matrix(comparison)])]


def _matrix(metric: MetricComparison) -> list[GridColumn]:
    """The corrected p-values of all pairs, in the order of the table."""
    names = ranked_names(metric)
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
        "p-values of the system in the row against the system with that number in the table above; significant if at "
        f"most {comparison.plan.significance:g}."
    )


def meaning_of_bold(grid: Grid) -> list[str]:
    """The meaning of bold scores, if there are any."""
    if not any(column.best for column in grid.columns):
        return []
    return ["Bold: significant difference." if grid.columns[0].header == ("p",) else "Bold: best score."]


# --- for papers ------------------------------------------------------------------------------------------

_TESTS_IN_WORDS = {
    "bootstrap": "paired bootstrap",
    "randomization": "approximate randomization",
    "multeval": "approximate randomization across training runs (MultEval)",
    "permutation": "paired permutation test of segment scores",
    "blocks": "paired t-test of blocks",
    "ttest": "paired t-test of segment scores",
    "wilcoxon": "Wilcoxon signed-rank test of segment scores",
}
_CORRECTIONS_IN_WORDS = {"holm": "Holm-corrected", "bh": "Benjamini-Hochberg-corrected"}


def how_tested(comparison: Comparison) -> str:
    """The test as a paper names it, with its samples and its correction."""
    return plan_in_words(comparison.plan, len(comparison.metrics[0].pairs), runs=comparison.runs)


def plan_in_words(plan: Plan, pairs: int, *, runs: bool = False) -> str:
    """The same, of a plan for so many pairs."""
    drawn = plan.drawn(pairs, runs=runs)
    test = _TESTS_IN_WORDS[plan.test]
    if runs and plan.test == "bootstrap":
        test = "t-test with variance across segments (bootstrap) and training runs"
    elif runs and plan.test != "multeval":
        test = f"{test} with variance across training runs"
    samples = f", {drawn:,} resamples" if drawn is not None else ""
    corrected = plan.correct in _CORRECTIONS_IN_WORDS and pairs > 1
    correction = f", {_CORRECTIONS_IN_WORDS[plan.correct]}" if corrected else ""
    return f"{test}{samples}{correction}"


def _for_paper(grid: Grid, comparison: Comparison) -> str:
    """A table that floats, with a caption that says all it needs to; other sentences are comments, for the text."""
    of_matrix = grid.columns[0].header == ("p",)
    in_caption = grid.notes if of_matrix else [*_of_test_set(comparison), *legend(comparison)]
    first, *others = [note for note in grid.notes if note in in_caption] or [""]
    caption = " ".join(
        [
            first if of_matrix else f"{_subject(grid, comparison)}{'; ' if first else ''}{first}.",
            *meaning_of_bold(grid),
            *others,
        ]
    )
    comments = "\n".join(f"% {note}" for note in grid.notes if note not in in_caption)
    table = latex(replace(grid, notes=[], caption=caption))
    return f"{comments}\n\n{table}" if comments else table


def _subject(grid: Grid, comparison: Comparison) -> str:
    """What a table shows."""
    from understudy.wording import listed

    headers = {column.header[0] for column in grid.columns}
    shown = [metric for metric in comparison.metrics if score_header(metric)[0] in headers]
    said = listed(list(dict.fromkeys(metric.quantity for metric in shown)))
    confidence = f"{shown[0].systems[0].interval.confidence:.0%}"
    intervals = f" with {confidence} confidence intervals" if f"{confidence} CI" in headers else ""
    return f"{said[0].upper()}{said[1:]} of {len(shown[0].systems)} systems{intervals}"


# ---------------------------------------------------------------------------------------------------------


def clustered(metric: MetricComparison) -> bool:
    """Whether to show clusters. With two systems, they would repeat the verdict."""
    return metric.clusters is not None and len(metric.systems) > 2


def best_first(metric: MetricComparison) -> list[PairResult]:
    """The pairs in the order of the table of systems."""
    place = {name: place for place, name in enumerate(ranked_names(metric))}
    return sorted(metric.pairs, key=lambda pair: sorted((place[pair.first], place[pair.second])))
