"""The results of `compare` as one self-contained HTML file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from understudy.report import single_references
from understudy.report.breakdowns import HOW_SEGMENTS_ARE_ORDERED, baseline_of, bucket_grids
from understudy.report.charts import check_installed, figures, names_of, ranked
from understudy.report.comparison_sheets import as_sheets
from understudy.report.comparisons import (
    as_data,
    best_first,
    clustered,
    how_tested,
    meaning_of_bold,
    remarks,
    verdict,
)
from understudy.report.data_formats import json_text
from understudy.report.fitness import for_page
from understudy.report.grid import Grid, printable, shown_p
from understudy.report.headlines import headline
from understudy.report.page import DENSE, Cell, DrawnFigure, packed, render_page
from understudy.report.page import as_json as page_json
from understudy.report.segment_data import marked_by, segment_data
from understudy.report.sheets import as_text
from understudy.report.summary import legend, score_header, summary_grid
from understudy.wording import listed, number_of

if TYPE_CHECKING:
    from understudy.breakdown.results import Breakdown
    from understudy.breakdown.tree_views import TreeView
    from understudy.comparing.results import Comparison, MetricComparison, PairResult
    from understudy.report.figure import Figure
    from understudy.studies.references_study import ReferencesStudy

_SENTENCES = 6  # so many pairs are told in words at once; more are folded away
_MANY_ROWS = 30  # tables with more are scrolled
_MANY_PAIRS = 45  # those of ten systems: tables of more are packed until someone opens them
_NGRAMS_SHOWN = 200


def html_report(
    comparison: Comparison,
    breakdown: Breakdown | None = None,
    studies: Sequence[ReferencesStudy] = (),
    trees: Sequence[TreeView] = (),
    *,
    title: str | None = None,
    digits: int = 2,
) -> str:
    """The whole page, without sections for missing parts."""
    check_installed()
    charts = _charts(comparison, breakdown, studies, digits)
    shown = breakdown if breakdown and breakdown.segments else None
    return render_page(
        "compare.html",
        digits=digits,
        charts=charts,
        dense=len(comparison.metrics[0].systems) > DENSE,
        title=title or _title(comparison),
        comparison=comparison,
        verdict=verdict,
        facts=_facts(comparison),
        summary=_summary(comparison, digits),
        metrics=[
            _MetricPart.of(metric, name, charts)
            for name, metric in zip(names_of(comparison), comparison.metrics, strict=True)
        ],
        many_rows=_MANY_ROWS,
        many_pairs=_MANY_PAIRS,
        bucket_figures=[drawn for drawn in charts if drawn.figure.part == "buckets"],
        studies=studies,
        single_references=[
            (study.metric, table) for study in studies if (table := single_references.as_grid(study, digits))
        ],
        study_figures=[drawn for drawn in charts if drawn.figure.part == "references"],
        ngrams=breakdown.ngrams[:_NGRAMS_SHOWN] if breakdown else [],
        ngrams_left=max(0, len(breakdown.ngrams) - _NGRAMS_SHOWN) if breakdown else 0,
        ngrams_csv=_ngrams_csv(breakdown) if breakdown else "",
        language=(breakdown.language if breakdown else None) or "",
        systems=[system.name for system in comparison.metrics[0].systems],
        how_segments_are_ordered=HOW_SEGMENTS_ARE_ORDERED,
        marked_by=marked_by(shown, comparison) if shown else "",
        trees=bool(trees),
        segments=packed(page_json(segment_data(shown, comparison, trees, digits))) if shown else None,
        **for_page(comparison.fitness),
        json=json_text(as_data(comparison)),
        tsv=as_text(as_sheets(comparison), "tsv"),
    )


def report_of(
    comparison: Comparison,
    *,
    breakdown: Breakdown | None = None,
    studies: Sequence[ReferencesStudy] = (),
    title: str | None = None,
    digits: int = 2,
    threads: int | None = None,
) -> str:
    """The page of a comparison that knows what it rests on: broken down as by default, unless a breakdown is given, and
    with the trees that metrics looked at.
    """
    from understudy.breakdown.tree_views import tree_views
    from understudy.scoring.counted_systems import CountedSystems

    check_installed()
    shown = _broken_down(comparison) if breakdown is None else breakdown
    trees: Sequence[TreeView] = ()
    if shown is not None and isinstance(comparison.counted, CountedSystems):
        base = baseline_of(comparison)
        trees = tree_views(comparison.counted, shown.segments, baseline=base, threads=threads)
    return html_report(comparison, shown, studies, trees, title=title, digits=digits)


def figures_of(
    comparison: Comparison,
    *,
    breakdown: Breakdown | None = None,
    studies: Sequence[ReferencesStudy] = (),
) -> list[Figure]:
    """The figures of that page."""
    check_installed()
    return figures(comparison, _broken_down(comparison) if breakdown is None else breakdown, studies)


def _broken_down(comparison: Comparison) -> Breakdown | None:
    """Where systems differ, as far as the texts or the scores of segments are known."""
    from understudy.breakdown.results import Breakdown
    from understudy.breakdown.run import break_down
    from understudy.breakdown.segment_views import views_of_scores
    from understudy.scoring.counted_systems import CountedSystems

    counted, plan = comparison.counted, comparison.plan
    if isinstance(counted, CountedSystems):
        if counted.corpus.references is None:
            return None
        return break_down(
            counted.corpus,
            metrics=counted.metrics,
            baseline=plan.baseline,
            all_pairs=plan.all_pairs,
            lang=comparison.lang,
            level=counted.level,
        )
    return None if counted is None else Breakdown([], [], views_of_scores(counted))


def _charts(
    comparison: Comparison, breakdown: Breakdown | None, studies: Sequence[ReferencesStudy], digits: int
) -> list[DrawnFigure]:
    """All figures; and tables of those bucketings of which not all buckets are drawn."""
    tables = iter(bucket_grids(breakdown, comparison.metrics, digits) if breakdown else [])
    charts = []
    for figure in figures(comparison, breakdown, studies):
        table = next(tables) if figure.part == "buckets" else None
        charts.append(DrawnFigure.of(figure, table if figure.drawn is not None else None))
    return charts


# --- sentences ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _MetricPart:
    """One metric, ready to be shown."""

    name: str
    result: MetricComparison
    score_header: str
    headline: str
    sentences: list[tuple[bool, str]]  # whether the difference is significant, and the sentence
    sentences_folded: bool
    clustered: bool
    ranked: list[tuple[int | None, Any, bool]]  # the cluster, the system, whether a new cluster begins
    matrix: list[tuple[str, list[Cell | None]]] | None
    remarks: list[str]
    figures: list[DrawnFigure]

    @classmethod
    def of(cls, metric: MetricComparison, name: str, charts: Sequence[DrawnFigure]) -> _MetricPart:
        from understudy.comparing.results import in_words

        return cls(
            name=name,
            result=metric,
            score_header=" ".join(score_header(metric)),
            headline=headline(metric),
            # A single pair is all that the headline speaks of.
            sentences=[(pair.significant, in_words(pair, metric)) for pair in best_first(metric)]
            if len(metric.pairs) > 1
            else [],
            sentences_folded=len(metric.pairs) > _SENTENCES,
            clustered=clustered(metric),
            ranked=_ranked(metric),
            matrix=_matrix(metric) if clustered(metric) else None,
            remarks=remarks(metric),
            figures=[drawn for drawn in charts if drawn.figure.part == name],
        )


def _title(comparison: Comparison) -> str:
    names = [printable(system.name) for system in comparison.metrics[0].systems]
    return listed(names) if len(names) <= 3 else f"{len(names)} systems compared"


def _summary(comparison: Comparison, digits: int) -> Grid | None:
    """Systems by metrics, where there are several metrics."""
    if len(comparison.metrics) == 1:
        return None
    table = summary_grid(comparison, digits)
    return replace(
        table, notes=[*meaning_of_bold(table), *legend(comparison), f"Test: {how_tested(comparison)}."]
    )


def _facts(comparison: Comparison) -> list[str]:
    from understudy.metrics.base.score import references_in_words

    pairs = len(comparison.metrics[0].pairs)
    return [
        number_of(comparison.segments, "segment"),
        *([references_in_words(comparison.references)] if comparison.references[1] else []),
        number_of(pairs, "pair"),
        how_tested(comparison),
        f"significant: p ≤ {comparison.plan.significance:g}",
    ]


# --- tables ------------------------------------------------------------------------------------------------


def _ranked(metric: MetricComparison) -> list[tuple[int | None, Any, bool]]:
    if metric.clusters is None or not clustered(metric):
        return [(None, system, False) for system in ranked(metric)]
    cluster_of = {name: number for number, names in enumerate(metric.clusters, start=1) for name in names}
    found: list[tuple[int | None, Any, bool]] = []
    for system in ranked(metric):
        number = cluster_of[system.name]
        found.append((number, system, bool(found) and found[-1][0] != number))
    return found


def _matrix(metric: MetricComparison) -> list[tuple[str, list[Cell | None]]]:
    """A row and a column for each system, from best to worst."""
    pairs = {
        frozenset((pair.first, pair.second)): (number, pair) for number, pair in enumerate(best_first(metric))
    }
    names = [system.name for system in ranked(metric)]
    return [
        (
            row,
            [
                _cell(*pairs[key], row) if (key := frozenset((row, column))) in pairs else None
                for column in names
            ],
        )
        for row in names
    ]


def _cell(sentence: int, pair: PairResult, row: str) -> Cell:
    kind = "same" if pair.better is None else "better" if pair.better == row else "worse"
    return Cell(kind, shown_p(pair.corrected, pair.p_is_bound), sentence)


def _ngrams_csv(breakdown: Breakdown) -> str:
    import csv
    import io

    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    systems = list(breakdown.ngrams[0].matches) if breakdown.ngrams else []
    table.writerow(["n-gram", "order", "in references", *systems])
    for found in breakdown.ngrams:
        table.writerow(
            [found.ngram, found.order, found.in_references, *(found.matches[name] for name in systems)]
        )
    return written.getvalue()
