"""Texts of `probe` one below the other: what was changed, and which metric notices it."""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from understudy.report.grid import Grid, GridColumn, printable
from understudy.report.probe_wording import BETTER, SAME, WORSE, change, metric_labels, strength_in_words
from understudy.text.scripts import UNSPACED

if TYPE_CHECKING:
    from understudy.metrics.base.metric import Metric
    from understudy.probing.perturbations.results import PerturbedExample
    from understudy.probing.results import Probe
    from understudy.probing.search.results import Search
    from understudy.probing.variants.results import SegmentVariants, Variants

MARKS = {WORSE: "▼", BETTER: "▲", SAME: ""}
_LEGEND = "▼ scored worse than the hypothesis, ▲ better; without a mark: the same."
_PIECE = re.compile(
    rf"\s+|[{UNSPACED}]|[^\s{UNSPACED}]+"
)  # a word, or a character in a script without word boundaries


@dataclass(frozen=True)
class ScoreCell:
    """The score of a text under one metric."""

    metric: str
    value: float
    change: str  # against the first text: worse, better or same; empty for the first text itself


@dataclass(frozen=True)
class TextRow:
    """One text, in pieces: those that the text above it does not have are marked."""

    label: str
    pieces: tuple[tuple[str, bool], ...]
    scores: tuple[ScoreCell, ...]

    @property
    def text(self) -> str:
        return "".join(piece for piece, _ in self.pieces)


@dataclass(frozen=True)
class Example:
    """A text and what became of it."""

    title: str
    rows: tuple[TextRow, ...]
    harmless: bool = False  # the change: a metric should not score it worse


# --- examples of each part ---------------------------------------------------------------------------------


def variant_examples(found: Probe) -> list[Example]:
    """One segment per construction: of those with the most variants, that of median length."""
    if found.variants is None:
        return []
    examples = []
    for construction in dict.fromkeys(notice.construction for notice in found.variants.notices):
        numbers = [
            sum(variant.construction == construction for variant in segment.variants)
            for segment in found.variants.segments
        ]
        if most := max(numbers, default=0):
            pairs = zip(found.variants.segments, numbers, strict=True)
            full = sorted(
                (segment for segment, number in pairs if number == most),
                key=lambda segment: len(segment.hypothesis),
            )
            examples.append(segment_example(found, full[len(full) // 2], construction, most=1))
    return examples


def segment_example(
    found: Probe, segment: SegmentVariants, construction: str | None = None, *, most: int | None = None
) -> Example:
    """A hypothesis and its variants: of one construction or of all, all of them or so many."""
    chosen = [each for each in segment.variants if construction in (None, each.construction)][:most]
    title = f"segment {segment.segment + 1}"
    first = _first_row("hypothesis", segment.hypothesis, found.metrics, segment.scores)
    return Example(
        title if construction is None else f"{construction}, {title}",
        (
            first,
            *(
                _row(each.construction, each.text, first, metrics=found.metrics, scores=each.scores)
                for each in chosen
            ),
        ),
    )


def perturbed_example(found: Probe, example: PerturbedExample) -> Example:
    """A hypothesis before and after a perturbation."""
    name = f"{example.perturbation} {strength_in_words(example.strength)}".rstrip()
    first = _first_row("hypothesis", example.before, found.metrics, example.scores_before)
    changed = _row(name, example.after, first, metrics=found.metrics, scores=example.scores_after)
    facts = found.perturbations.facts if found.perturbations else ()
    harmless = any(each.harmless for each in facts if each.name == example.perturbation)
    return Example(f"{name}, segment {example.segment + 1}", (first, changed), harmless)


def search_example(found: Probe, search: Search) -> Example:
    """The path of a search, edit by edit, with the score of the metric that was searched against."""
    metric = found.metrics[search.metric]
    label = metric_labels(found.metrics)[search.metric]
    rows = [
        TextRow("start", pieces(search.start), (ScoreCell(label, search.start_score, ""),)),
    ]
    before = search.start
    for step in search.steps:
        kind = change(metric, search.start_score, step.score)
        rows.append(
            TextRow(printable(step.edit), pieces(step.text, before), (ScoreCell(label, step.score, kind),))
        )
        before = step.text
    return Example(f"{label}, segment {search.segment + 1}", tuple(rows))


def segments_with_variants(variants: Variants) -> list[SegmentVariants]:
    return [segment for segment in variants.segments if segment.variants]


# --- rows --------------------------------------------------------------------------------------------------


def _first_row(label: str, text: str, metrics: Sequence[Metric], scores: Sequence[float]) -> TextRow:
    cells = zip(metric_labels(metrics), scores, strict=True)
    return TextRow(label, pieces(text), tuple(ScoreCell(name, value, "") for name, value in cells))


def _row(
    label: str, text: str, first: TextRow, *, metrics: Sequence[Metric], scores: Sequence[float]
) -> TextRow:
    """Compared with the first text."""
    cells = zip(metrics, first.scores, scores, strict=True)
    return TextRow(
        label,
        pieces(text, first.text),
        tuple(ScoreCell(old.metric, value, change(metric, old.value, value)) for metric, old, value in cells),
    )


def pieces(text: str, before: str | None = None) -> tuple[tuple[str, bool], ...]:
    """The text in pieces, marked where it differs from the text before it.

    >>> pieces("It cost 6.4 million", "It cost 4.6 million")
    (('It cost ', False), ('6.4', True), (' million', False))
    """
    shown = printable(text)
    if before is None:
        return ((shown, False),)
    new, old = _PIECE.findall(shown), _PIECE.findall(printable(before))
    kept = difflib.SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    same = {place for block in kept for place in range(block.b, block.b + block.size)}
    marked = [place not in same for place in range(len(new))]
    for place, piece in enumerate(new):  # a space is marked between two marked words only
        if piece.isspace():
            marked[place] = all(marked[max(place - 1, 0) : place]) and all(marked[place + 1 : place + 2])
    return tuple(
        ("".join(new[place] for place in run), is_marked)
        for is_marked, run in itertools.groupby(range(len(new)), key=marked.__getitem__)
    )


# --- for the terminal --------------------------------------------------------------------------------------


def example_grid(examples: Iterable[Example], digits: int, *, caption: str = "") -> Grid:
    """The rows of all examples with the scores of all metrics, and the text last."""
    shown = list(examples)
    rows = [row for example in shown for row in example.rows]
    columns = [GridColumn(("change",), [row.label for row in rows], numeric=False)]
    for number, cell in enumerate(rows[0].scores):
        columns.append(
            GridColumn(
                (cell.metric,),
                [f"{row.scores[number].value:.{digits}f}" for row in rows],
                marks=tuple(MARKS.get(row.scores[number].change, "") for row in rows),
            )
        )
    columns.append(GridColumn(("text",), [row.text for row in rows], numeric=False, prose=True))
    titles = "; ".join(example.title for example in shown)
    return Grid(columns, [f"{titles}. {_LEGEND}"], caption=caption)
