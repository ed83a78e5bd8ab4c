"""What the verb `compare` found, as one HTML file that needs nothing else: no network and no other file."""

from __future__ import annotations

import base64
import gzip
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from understudy.report.charts import check_installed, figures, names_of, ranked
from understudy.report.comparisons import (
    as_json,
    as_tsv,
    best_first,
    clustered,
    direction,
    how_tested,
    remarks,
    target,
    verdict,
)
from understudy.report.figure import Figure
from understudy.report.fitness import for_page
from understudy.report.grid import printable, shown_p
from understudy.report.page import DENSE, Cell, Drawn, listed, render_page
from understudy.report.tree_data import trees_by_segment, view_data

if TYPE_CHECKING:
    from understudy.comparison.breakdown import Breakdown, SegmentView
    from understudy.comparison.references_study import ReferencesStudy
    from understudy.comparison.results import Comparison, MetricComparison, PairResult
    from understudy.comparison.tree_views import TreeView
    from understudy.metrics.words import WordMetric

SENTENCES = 6  # so many pairs are told in words at once; more are folded away
NAMES_LISTED = 4  # in one sentence; of more only the number is said
NGRAMS_SHOWN = 200


def html_report(
    comparison: Comparison,
    breakdown: Breakdown | None = None,
    studies: Sequence[ReferencesStudy] = (),
    trees: Sequence[TreeView] = (),
    *,
    title: str | None = None,
    digits: int = 2,
) -> str:
    """The whole page. What is not in the breakdown, or not studied, is not in the page."""
    check_installed()
    drawn = figures(comparison, breakdown, studies)
    return render_page(
        "compare.html",
        digits=digits,
        dense=len(comparison.metrics[0].systems) > DENSE,
        title=title or _title(comparison),
        comparison=comparison,
        verdict=verdict,
        facts=_facts(comparison),
        metrics=[
            _MetricPart.of(metric, name, drawn)
            for name, metric in zip(names_of(comparison), comparison.metrics, strict=True)
        ],
        bucket_figures=[Drawn.of(figure) for figure in drawn if figure.part == "buckets"],
        studies=studies,
        study_figures=[Drawn.of(figure) for figure in drawn if figure.part == "references"],
        ngrams=breakdown.ngrams[:NGRAMS_SHOWN] if breakdown else [],
        ngrams_left=max(0, len(breakdown.ngrams) - NGRAMS_SHOWN) if breakdown else 0,
        ngrams_csv=_ngrams_csv(breakdown) if breakdown else "",
        systems=[system.name for system in comparison.metrics[0].systems],
        marked_by=_marked_by(breakdown, comparison) if breakdown and breakdown.segments else "",
        trees=bool(trees),
        segments=_packed(_segment_data(breakdown.segments, comparison, trees, digits))
        if breakdown and breakdown.segments
        else None,
        **for_page(comparison.fitness),
        json=as_json(comparison),
        tsv=as_tsv(comparison),
    )


# --- what is said ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _MetricPart:
    """One metric, ready to be shown."""

    name: str
    result: MetricComparison
    direction: str
    headline: str
    sentences: list[tuple[bool, str]]  # whether the difference is significant, and the sentence
    sentences_folded: bool
    clustered: bool
    ranked: list[tuple[int | None, Any, bool]]  # the cluster, the system, whether a new cluster begins
    matrix: list[tuple[str, list[Cell | None]]] | None
    remarks: list[str]
    figures: list[Drawn]

    @classmethod
    def of(cls, metric: MetricComparison, name: str, drawn: Sequence[Figure]) -> _MetricPart:
        from understudy.comparison.results import in_words

        return cls(
            name=name,
            result=metric,
            direction=direction(metric),
            headline=headline(metric),
            sentences=[(pair.significant, in_words(pair, metric)) for pair in best_first(metric)],
            sentences_folded=len(metric.pairs) > SENTENCES,
            clustered=clustered(metric),
            ranked=_ranked(metric),
            matrix=_matrix(metric) if clustered(metric) else None,
            remarks=remarks(metric),
            figures=[Drawn.of(figure) for figure in drawn if figure.part == name],
        )


def headline(metric: MetricComparison) -> str:
    """What was found by one metric, in a sentence or two."""
    if metric.clusters is None:
        return _against_baseline(metric)
    best = metric.clusters[0][0]
    pairs = [pair for pair in metric.pairs if best in (pair.first, pair.second)]
    open_ = [pair.second if pair.first == best else pair.first for pair in pairs if pair.better is None]
    name, beaten = printable(best), len(pairs) - len(open_)
    if not open_:
        other = pairs[0].first if pairs[0].second == best else pairs[0].second
        beaten_ones = {1: printable(other), 2: "both others"}.get(beaten, f"all {beaten} others")
        return f"{name} is significantly better than {beaten_ones} by {metric.quantity}."
    others = (
        listed([printable(other) for other in open_])
        if len(open_) <= NAMES_LISTED
        else f"{len(open_)} of the {len(pairs)} others"
    )
    if not beaten:
        return f"{name} is not significantly different from {others} by {metric.quantity}."
    left = "one" if beaten == 1 else str(beaten)
    return (
        f"{name} scores best by {metric.quantity}. It is significantly better than {left} of the others, and not "
        f"significantly different from {others}."
    )


def _against_baseline(metric: MetricComparison) -> str:
    bases = {pair.second for pair in metric.pairs}
    against = printable(bases.pop()) if len(bases) == 1 else "their left neighbour"
    verdicts = [
        ("significantly better than", [pair.first for pair in metric.pairs if pair.better == pair.first]),
        ("significantly worse than", [pair.first for pair in metric.pairs if pair.better == pair.second]),
        ("not significantly different from", [pair.first for pair in metric.pairs if pair.better is None]),
    ]
    parts = [
        f"{_some(found)} {'is' if len(found) == 1 else 'are'} {verdict} {against}"
        for verdict, found in verdicts
        if found
    ]
    return f"By {metric.label}, {'; '.join(parts)}."


def _title(comparison: Comparison) -> str:
    names = [printable(system.name) for system in comparison.metrics[0].systems]
    return listed(names) if len(names) <= 3 else f"{len(names)} systems compared"


def _facts(comparison: Comparison) -> list[str]:
    from understudy.metrics.score import references_in_words

    pairs = len(comparison.metrics[0].pairs)
    return [
        f"{comparison.segments:,} segment{'s' if comparison.segments != 1 else ''}",
        *([references_in_words(comparison.references)] if comparison.references[1] else []),
        f"{pairs:,} pair{'s' if pairs != 1 else ''}",
        how_tested(comparison),
        f"significant: p ≤ {comparison.plan.significance:g}",
    ]


def _some(names: Sequence[str]) -> str:
    return listed(list(map(printable, names))) if len(names) <= NAMES_LISTED else f"{len(names)} systems"


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
    pairs = {frozenset((pair.first, pair.second)): pair for pair in metric.pairs}
    names = [system.name for system in ranked(metric)]
    return [
        (
            row,
            [
                _cell(pairs[key], row, metric) if (key := frozenset((row, column))) in pairs else None
                for column in names
            ],
        )
        for row in names
    ]


def _cell(pair: PairResult, row: str, metric: MetricComparison) -> Cell:
    from understudy.comparison.results import in_words

    kind = "same" if pair.better is None else "better" if pair.better == row else "worse"
    return Cell(kind, shown_p(pair.corrected, pair.p_is_bound), in_words(pair, metric))


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


# --- segments ----------------------------------------------------------------------------------------------


def _segment_data(
    segments: Sequence[SegmentView], comparison: Comparison, trees: Sequence[TreeView], digits: int
) -> dict[str, Any]:
    """What the page's script reads: names once, then numbers and texts in the order of those names."""
    from understudy.comparison.marked_text import Marker

    systems = [system.name for system in comparison.metrics[0].systems]
    metrics = [metric for metric in comparison.metrics if metric.spec in segments[0].scores]
    reader = _reader(segments, comparison)
    trees_of = trees_by_segment(trees, systems)
    return {
        "systems": systems,
        "metrics": [
            {"label": metric.label, "lower": metric.higher_is_better is False, "target": target(metric)}
            for metric in metrics
        ],
        "digits": digits,
        **({"trees": view_data(trees)} if trees else {}),
        "segments": [
            {
                "number": segment.number,
                "document": segment.document,
                "references": segment.references,
                "outputs": [segment.outputs.get(name) for name in systems],
                # From this character, to before that one, the longest n-gram of a reference; then the next.
                "marks": [
                    list(chain.from_iterable(marker.marks(segment.outputs.get(name) or "")))
                    for name in systems
                ],
                "scores": [
                    [_rounded(segment.scores[metric.spec][name], digits + 2) for name in systems]
                    for metric in metrics
                ],
                **({"trees": trees_of[segment.number]} if segment.number in trees_of else {}),
            }
            for segment in segments
            for marker in [Marker.of(segment.references, reader)]
        ],
    }


def _reader(segments: Sequence[SegmentView], comparison: Comparison) -> WordMetric:
    """The metric whose words are marked."""
    from understudy.comparison.tokenized import word_reader
    from understudy.metrics.registry import metric as metric_of

    # Scores of another tool come without texts, and their names are no metrics of ours.
    specs = [metric.spec for metric in comparison.metrics if metric.spec in segments[0].scores]
    return word_reader([metric_of(spec) for spec in specs] if segments[0].outputs else [])


def _marked_by(breakdown: Breakdown, comparison: Comparison) -> str:
    """What a word is, where words are marked."""
    from understudy.comparison.marked_text import cut_into_characters

    reader = _reader(breakdown.segments, comparison)
    texts = (
        text for segment in breakdown.segments for text in (*segment.references, *segment.outputs.values())
    )
    words = f"Words are those of the tokenizer {reader.tokenizer().name}{', case aside' if reader.lowercase else ''}"
    if any(cut_into_characters(text, reader) for text in texts):
        return f"{words}; in scripts without spaces, single characters."
    return f"{words}."


def _rounded(score: float, digits: int) -> float | None:
    """JSON has no NaN and no infinity."""
    return round(score, digits) if math.isfinite(score) else None


def _packed(data: dict[str, Any]) -> str:
    """Compressed, because outputs of the same segment are much alike, and as text that HTML leaves alone."""
    plain = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
    return base64.b64encode(gzip.compress(plain, compresslevel=6, mtime=0)).decode()
