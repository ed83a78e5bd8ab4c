"""Segments as data for the script of the HTML report: names once, then numbers and texts in the order of the names.

Similar values are adjacent and nothing is repeated, so that the data compress well.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from understudy.report.breakdowns import baseline_of
from understudy.report.summary import target
from understudy.report.tree_data import trees_by_segment, view_data

if TYPE_CHECKING:
    from understudy.breakdown.results import Breakdown, SegmentView
    from understudy.breakdown.tree_views import TreeView
    from understudy.comparing.results import Comparison
    from understudy.metrics.base.words import WordMetric


def segment_data(
    breakdown: Breakdown, comparison: Comparison, trees: Sequence[TreeView], digits: int
) -> dict[str, Any]:
    """All segments. Scores have two digits more than are shown, for the order of segments."""
    from understudy.breakdown.marked_text import Marker

    segments = breakdown.segments
    systems = [system.name for system in comparison.metrics[0].systems]
    metrics = [metric for metric in comparison.metrics if metric.spec in segments[0].scores]
    baseline = baseline_of(comparison)
    reader = _reader(segments, comparison)
    # Systems often say the same, or what a reference says: of a segment, each text is there once.
    texts = [list(dict.fromkeys([*segment.references, *segment.outputs.values()])) for segment in segments]
    sources = [segment.source for segment in segments]
    return {
        "systems": systems,
        "metrics": [
            {"label": metric.label, "lower": metric.higher_is_better is False, "target": target(metric)}
            for metric in metrics
        ],
        "digits": digits,
        "language": breakdown.language,
        "baseline": None if baseline is None else systems.index(baseline),
        "numbers": [segment.number for segment in segments],
        "documents": [segment.document for segment in segments],
        "lengths": [round(segment.length, 1) for segment in segments],
        **({} if sources[0] is None else {"sources": sources}),
        "texts": texts,
        # Which of the texts these are.
        "references": [
            [of_segment.index(text) for text in segment.references]
            for segment, of_segment in zip(segments, texts, strict=True)
        ],
        "outputs": [
            [of_segment.index(segment.outputs[name]) if name in segment.outputs else None for name in systems]
            for segment, of_segment in zip(segments, texts, strict=True)
        ],
        "marks": [
            [_steps(marker.marks(text)) if text in outputs else [] for text in of_segment]
            for segment, of_segment in zip(segments, texts, strict=True)
            for marker, outputs in [(Marker.of(segment.references, reader), set(segment.outputs.values()))]
        ],
        "scores": [
            [
                [_rounded(segment.scores[metric.spec][name], digits + 2) for name in systems]
                for segment in segments
            ]
            for metric in metrics
        ],
        **(
            {"views": view_data(trees), "trees": _with_names(trees_by_segment(trees, systems))}
            if trees
            else {}
        ),
    }


def marked_by(breakdown: Breakdown, comparison: Comparison) -> str:
    """The definition of a word in the marked text."""
    from understudy.breakdown.marked_text import cut_into_characters

    reader = _reader(breakdown.segments, comparison)
    texts = (
        text for segment in breakdown.segments for text in (*segment.references, *segment.outputs.values())
    )
    words = f"Tokenizer: {reader.tokenizer().name}{', ignoring case' if reader.lowercase else ''}"
    if any(cut_into_characters(text, reader) for text in texts):
        return f"{words}; in scripts without word boundaries, single characters."
    return f"{words}."


def _reader(segments: Sequence[SegmentView], comparison: Comparison) -> WordMetric:
    """The metric whose words are marked."""
    from understudy.breakdown.tokenized import word_reader
    from understudy.metrics.base.registry import metric as metric_of

    # Scores of another tool come without texts, and their names are no metrics of ours.
    specs = [metric.spec for metric in comparison.metrics if metric.spec in segments[0].scores]
    return word_reader([metric_of(spec) for spec in specs] if segments[0].outputs else [])


def _steps(marks: Sequence[tuple[int, int, int]]) -> list[int]:
    """For each mark: the number of characters since the previous mark, its length, and the order of the largest
    matching n-gram. Small numbers compress better than positions in the text.
    """
    found: list[int] = []
    done = 0
    for start, end, order in marks:
        found += [start - done, end - start, order]
        done = end
    return found


def _with_names(by_number: dict[int, Any]) -> dict[str, Any]:
    return {str(number): found for number, found in by_number.items()}


def _rounded(score: float, digits: int) -> float | None:
    """JSON has no NaN and no infinity."""
    return round(score, digits) if math.isfinite(score) else None
