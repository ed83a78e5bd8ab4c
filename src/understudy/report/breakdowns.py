"""Breakdown and references study, shown below a comparison, in all formats."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from understudy.choices import TOP
from understudy.report import comparison_sheets, comparisons, single_references
from understudy.report.data_formats import json_text
from understudy.report.grid import HIGHER, Grid, GridColumn, printable
from understudy.report.json_values import plain
from understudy.report.render_grid import drawn
from understudy.report.sheets import FORMATS, Sheet, as_text
from understudy.report.summary import direction

if TYPE_CHECKING:
    from understudy.breakdown.results import Breakdown, Bucketing, NgramDifference, SegmentView
    from understudy.comparing.results import Comparison, MetricComparison
    from understudy.metrics.base.metric import Metric
    from understudy.metrics.base.words import WordMetric
    from understudy.studies.references_study import ReferencesStudy

_TITLE_WIDTH = 26
_MATCHES_MARKED = "[matched n-grams] in brackets"
HOW_SEGMENTS_ARE_ORDERED = (
    "Segments are ranked by the difference in segment score times the reference length in characters."
)


def render(
    comparison: Comparison,
    breakdown: Breakdown | None = None,
    studies: Sequence[ReferencesStudy] = (),
    format: str = "table",
    *,
    top: int = TOP,
    digits: int = 2,
    pairs: bool = False,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """The comparison, what it breaks down into and what fewer references would have said, in one of the formats of
    `understudy.report.scores`. Of n-grams and segments those that differ most are shown.
    """
    base = baseline_of(comparison)
    shown = None if breakdown is None else most_different(breakdown, comparison.metrics[0], base, top)
    if format == "json":
        data = comparisons.as_data(comparison)
        if shown is not None:
            data["breakdown"] = as_data(shown)
        if studies:
            data["references_study"] = [plain(asdict(study)) for study in studies]
        return json_text(data)
    if format in FORMATS:
        return as_text(as_sheets(comparison, breakdown, studies, top=top), format)
    whole = comparisons.render(comparison, format, digits=digits, pairs=pairs, width=width, styled=styled)
    grids = [] if shown is None else as_grids(shown, comparison.metrics, base, digits)
    for study in studies:
        alone = single_references.as_grid(study, digits)
        grids += [_study_grid(study, digits), *([] if alone is None else [alone])]
    return "\n\n".join([whole, *drawn(grids, format, width=width, styled=styled)])


def most_different(
    breakdown: Breakdown, first: MetricComparison | Metric, base: str | None, top: int
) -> Breakdown:
    """With those n-grams and segments that are shown: the latter by the first metric."""
    from understudy.breakdown.segment_views import most_different as most_different_segments
    from understudy.metrics.base.registry import metric

    more, less = _halves(breakdown.ngrams, base)
    kept = {id(one) for one in [*more[:top], *less[:top]]}
    return replace(
        breakdown,
        ngrams=[one for one in breakdown.ngrams if id(one) in kept],
        segments=most_different_segments(breakdown.segments, metric(first.spec), baseline=base, limit=top),
    )


def baseline_of(comparison: Comparison) -> str | None:
    """The system that the others are compared with, if there is one."""
    if comparison.plan.all_pairs:
        return None
    return comparison.plan.baseline or comparison.metrics[0].systems[0].name


def _halves(
    ngrams: Sequence[NgramDifference], base: str | None
) -> tuple[list[NgramDifference], list[NgramDifference]]:
    """Those that the baseline gets more often than others, and the rest; without a baseline all are in the first."""
    from understudy.breakdown.ngram_differences import gets_more

    more = [one for one in ngrams if base is None or gets_more(one, base)]
    return more, [one for one in ngrams if base is not None and not gets_more(one, base)]


# --- for programs: full precision ---------------------------------------------------------------------------


def as_sheets(
    comparison: Comparison,
    breakdown: Breakdown | None = None,
    studies: Sequence[ReferencesStudy] = (),
    *,
    top: int = TOP,
) -> list[Sheet]:
    """Those of the comparison, of the breakdown and of the study of references."""
    base = baseline_of(comparison)
    shown = []
    if breakdown is not None:
        shown = breakdown_sheets(most_different(breakdown, comparison.metrics[0], base, top))
    return [*comparison_sheets.as_sheets(comparison), *shown, *(_study_sheets(studies) if studies else [])]


def as_data(breakdown: Breakdown) -> dict[str, Any]:
    """Everything but the metrics and the baseline, which a comparison has."""
    parts = {"bucketings": breakdown.bucketings, "ngrams": breakdown.ngrams, "segments": breakdown.segments}
    return {**plain(parts), "language": breakdown.language}


def breakdown_sheets(breakdown: Breakdown) -> list[Sheet]:
    """Three tables: a row for every system and bucket, n-gram, or segment and metric."""
    buckets = [
        (found.title, found.unit, found.metric, bucket.label, bucket.size(system), system, score)
        for found in breakdown.bucketings
        for bucket in found.buckets
        for system, score in bucket.scores.items()
    ]
    ngrams = [
        (one.ngram, one.order, one.in_references, system, matches)
        for one in breakdown.ngrams
        for system, matches in one.matches.items()
    ]
    segments = [
        (view.number, view.document, spec, system, score, view.outputs[system])
        for view in breakdown.segments
        for spec, scores in view.scores.items()
        for system, score in scores.items()
    ]
    return [
        Sheet("buckets", ("bucketing", "unit", "metric", "bucket", "size", "system", "value"), buckets),
        Sheet("n-grams", ("ngram", "order", "in_references", "system", "matches"), ngrams),
        Sheet("segments", ("segment", "document", "metric", "system", "value", "output"), segments),
    ]


def _study_sheets(studies: Sequence[ReferencesStudy]) -> list[Sheet]:
    """A row for every metric, number of references and system; then, if there are any, for every whole reference."""
    rows = [
        (
            *(study.spec, step.references, step.draws, step.tau, step.same_ranking),
            *(system, score, step.deviations[system]),
        )
        for study in studies
        for step in study.steps
        for system, score in step.scores.items()
    ]
    columns = ("metric", "references", "draws", "tau", "same_ranking", "system", "value", "deviation")
    alone = single_references.as_sheet(studies)
    return [Sheet("references", columns, rows), *([alone] if alone.rows else [])]


# --- for people ------------------------------------------------------------------------------------------


def as_grids(
    breakdown: Breakdown,
    metrics: Sequence[MetricComparison | Metric],
    base: str | None,
    digits: int = 2,
) -> list[Grid]:
    """Buckets, then n-grams, then segments."""
    from understudy.breakdown.tokenized import word_reader
    from understudy.metrics.base.registry import metric

    reader = word_reader([metric(found.spec) for found in metrics])
    grids = bucket_grids(breakdown, metrics, digits)
    for half, verb in zip(_halves(breakdown.ngrams, base), ("more", "less"), strict=True):
        title = (
            "n-grams with different match counts"
            if base is None
            else f"n-grams matched {verb} often by {base}"
        )
        if half:
            grids.append(_ngrams(half, title))
    labels = {found.spec: found.label for found in metrics}
    shown = [_segment(view, labels, reader, digits) for view in breakdown.segments]
    if shown:
        shown[-1] = replace(shown[-1], notes=[HOW_SEGMENTS_ARE_ORDERED])
    return grids + shown


def bucket_grids(
    breakdown: Breakdown, metrics: Sequence[MetricComparison | Metric], digits: int = 2
) -> list[Grid]:
    """A table for each bucketing, with all of its buckets."""
    ways = {
        name: (metric.higher_is_better, direction(metric))
        for metric in metrics
        for name in (metric.label, metric.spec)
    }
    # What is not one of the metrics is a share of words that match.
    return [
        _buckets(found, *ways.get(found.metric, (True, HIGHER)), digits) for found in breakdown.bucketings
    ]


def _buckets(found: Bucketing, higher_is_better: bool | None, arrow: str, digits: int) -> Grid:
    systems = list(found.buckets[0].scores) if found.buckets else []
    best: list[frozenset[str]] = []
    for bucket in found.buckets:
        scores = [score for score in bucket.scores.values() if math.isfinite(score)]
        of_bucket = (max if higher_is_better else min)(scores)
        winners = [system for system, score in bucket.scores.items() if score == of_bucket]
        # Where all are equal, or neither more nor less is better, none stands out.
        stand_out = higher_is_better is not None and len(winners) < len(scores)
        best.append(frozenset(winners if stand_out else ()))
    sizes_differ = any(bucket.denominators is not None for bucket in found.buckets)
    columns = [
        GridColumn(_lines(found.title), [printable(bucket.label) for bucket in found.buckets], numeric=False)
    ]
    if not sizes_differ:
        columns.append(GridColumn((found.unit,), [f"{bucket.segments:,}" for bucket in found.buckets]))
    for system in systems:
        if sizes_differ:
            sizes = [
                f"{size:,}" if isinstance(size := bucket.size(system), int) else f"{size:,.1f}"
                for bucket in found.buckets
            ]
            columns.append(GridColumn((printable(system), found.unit), sizes))
        columns.append(
            GridColumn(
                (printable(system), f"{found.metric} {arrow}"),
                [
                    f"{score:.{digits}f}" if math.isfinite(score := bucket.scores[system]) else ""
                    for bucket in found.buckets
                ],
                best=frozenset(row for row, winners in enumerate(best) if system in winners),
            )
        )
    return Grid(columns, [f"{found.unit.capitalize()}: {found.counted}."] if sizes_differ else [])


def _ngrams(ngrams: Sequence[NgramDifference], title: str) -> Grid:
    return Grid(
        [
            GridColumn(_lines(title), [printable(one.ngram) for one in ngrams], numeric=False),
            GridColumn(("in", "references"), [f"{one.in_references:,}" for one in ngrams]),
            *(
                GridColumn((printable(system),), [f"{one.matches[system]:,}" for one in ngrams])
                for system in ngrams[0].matches
            ),
        ]
    )


def _lines(title: str) -> tuple[str, ...]:
    """A title as it stands above a column."""
    return tuple(
        textwrap.wrap(printable(title), _TITLE_WIDTH, break_long_words=False, break_on_hyphens=False)
    )


def _segment(view: SegmentView, labels: dict[str, str], reader: WordMetric, digits: int) -> Grid:
    references = [
        "reference" if len(view.references) == 1 else f"reference {number}"
        for number in range(1, len(view.references) + 1)
    ]
    if view.source is not None:
        references.insert(0, "source")
    blank = [""] * len(references)
    place = (f"segment {view.number}", *((printable(view.document),) if view.document else ()))
    return Grid(
        [
            GridColumn(place, [*references, *map(printable, view.outputs)], numeric=False),
            *(
                GridColumn(
                    (labels.get(spec, spec),),
                    [*blank, *(f"{scores[system]:.{digits}f}" for system in view.outputs)],
                )
                for spec, scores in view.scores.items()
            ),
            GridColumn(
                (f"text, {_MATCHES_MARKED}",),
                [
                    *([] if view.source is None else [printable(view.source)]),
                    *map(printable, view.references),
                    *(printable(_marked(text, view.references, reader)) for text in view.outputs.values()),
                ],
                numeric=False,
                prose=True,
            ),
        ]
    )


def _marked(text: str, references: Sequence[str], reader: WordMetric) -> str:
    """The text with its matches in brackets.

    >>> from understudy import BLEU
    >>> _marked("The cat, it sat.", ["The cat sat."], BLEU())
    '[The cat], it [sat.]'
    """
    from understudy.breakdown.marked_text import Marker

    pieces = Marker.of(references, reader).pieces(text)
    return "".join(f"[{piece.text}]" if piece.order else piece.text for piece in pieces)


def _study_grid(study: ReferencesStudy, digits: int = 2) -> Grid:
    """A row for every number of references."""
    steps = study.steps
    header = f"{study.metric} {direction(study)}"
    return Grid(
        [
            GridColumn(("references",), [f"{step.references}" for step in steps]),
            GridColumn(("draws",), [f"{step.draws}" for step in steps]),
            GridColumn(("same", "ranking"), [f"{step.same_ranking:.0%}" for step in steps]),
            GridColumn(("Kendall's", "tau"), [f"{step.tau:.2f}" for step in steps]),
            *(
                GridColumn(
                    (printable(system), header),
                    [f"{step.scores[system]:.{digits}f}" for step in steps],
                )
                for system in steps[0].scores
            ),
        ],
        [
            printable(str(study)),
            f"References are selected at random for each {study.unit} (random seed {study.seed}); scores are means "
            "over the draws.",
        ],
    )
