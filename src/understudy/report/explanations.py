"""Explanations of the difference between two specs, as table, Markdown, LaTeX, JSON, TSV or CSV."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from understudy.report.data_formats import DATA_FORMATS, data_text
from understudy.report.grid import Grid, GridColumn, printable
from understudy.report.json_values import plain
from understudy.report.render_grid import drawn
from understudy.report.sheets import Sheet
from understudy.report.test_sets import named_set_data, segments_in_words
from understudy.version import __version__

if TYPE_CHECKING:
    from understudy.comparing.explanation import DifferingSegment, Explanation, ProcessedSegment, Step

_SHOWN_CHANGES = 6  # components of a score shown in a table; JSON has all


def render(
    explanation: Explanation,
    format: str = "table",
    *,
    digits: int = 2,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """The explanation in one of the formats of `understudy.report.scores`."""
    if format in DATA_FORMATS:
        return data_text(explanation, format, as_data, as_sheets)
    return "\n\n".join(drawn(as_grids(explanation, digits), format, width=width, styled=styled))


# --- for programs: full precision --------------------------------------------------------------------------


def as_data(explanation: Explanation) -> dict[str, Any]:
    """The explanation as JSON values: both scores, the steps, and the first segments in which the specs differ."""
    fewest, most = explanation.references
    values = plain(asdict(explanation))
    del values["test_set"]
    return {
        "understudy": __version__,
        **named_set_data(explanation.test_set),
        **values,
        "references": most if fewest == most else [fewest, most],
        "difference": plain(explanation.difference),
    }


def as_sheets(explanation: Explanation) -> list[Sheet]:
    """A row per step, after one for the start."""
    rows: list[tuple[Any, ...]] = [(0, None, None, None, explanation.first_score, None)]
    for number, step in enumerate(explanation.steps, start=1):
        before, after = (",".join(pair[side] for pair in step.changes.values()) for side in (0, 1))
        rows.append((number, ",".join(step.changes), before, after, step.score, step.contribution))
    return [Sheet("steps", ("step", "parameters", "from", "to", "score", "contribution"), rows)]


# --- for people --------------------------------------------------------------------------------------------


def as_grids(explanation: Explanation, digits: int = 2) -> list[Grid]:
    """The steps; then the segments in which the specs differ, if any."""
    steps = _steps(explanation, digits)
    return [steps, _segments(explanation, digits)] if explanation.partings else [steps]


def _steps(explanation: Explanation, digits: int) -> Grid:
    from understudy.metrics.base.score import references_in_words

    steps = explanation.steps
    segments = segments_in_words(explanation.segments, explanation.test_set)
    notes = [f"{segments}, {references_in_words(explanation.references)}", explanation.in_words(digits)]
    return Grid(
        [
            GridColumn(
                ("parameter",),
                [explanation.first, *(", ".join(step.changes) for step in steps)],
                numeric=False,
            ),
            GridColumn(("from",), ["", *(_side_of(step, 0) for step in steps)], numeric=False),
            GridColumn(("to",), ["", *(_side_of(step, 1) for step in steps)], numeric=False),
            GridColumn(
                (explanation.label,),
                [
                    f"{score:.{digits}f}"
                    for score in (explanation.first_score, *(step.score for step in steps))
                ],
            ),
            GridColumn(("step",), ["", *(f"{step.contribution:+.{digits}f}" for step in steps)]),
            GridColumn(("affected statistics",), ["", *map(_changes, steps)], numeric=False, prose=True),
        ],
        notes,
        list(zip((explanation.first, explanation.second), explanation.signatures, strict=True)),
        cited=explanation.test_set,
    )


def _side_of(step: Step, side: int) -> str:
    return ", ".join(printable(pair[side]) for pair in step.changes.values())


def _changes(step: Step) -> str:
    """The counts that changed; otherwise the ratios and penalties derived from them."""
    counts = {name: pair for name, pair in step.changed.items() if any(type(value) is int for value in pair)}
    chosen = counts or step.changed
    if not chosen:
        return "none"
    shown = [f"{name} {_number(before)} → {_number(after)}" for name, (before, after) in chosen.items()]
    more = len(shown) - _SHOWN_CHANGES
    return ", ".join(shown[:_SHOWN_CHANGES]) + (f", and {more} more" if more > 0 else "")


def _number(value: object) -> str:
    if value is None:
        return "none"
    return f"{value:.2f}" if isinstance(value, float) else str(value)


def _segments(explanation: Explanation, digits: int) -> Grid:
    rows = [
        (str(parting.number), *row)
        for parting in explanation.partings
        for row in _rows(parting, explanation, digits)
    ]
    columns = [list(cells) for cells in zip(*rows, strict=True)]
    shown, parted = len(explanation.partings), explanation.parted
    few = "first one shown" if shown == 1 else f"first {shown} shown"
    which = few if shown < parted else "all shown"
    note = f"The specs differ in {parted:,} of {explanation.segments:,} segments" + (
        f"; {which}." if parted > 1 else "."
    )
    return Grid(
        [
            GridColumn(("segment",), columns[0]),
            GridColumn(("",), columns[1], numeric=False),
            GridColumn((explanation.label,), columns[2]),
            GridColumn(("tokens",), columns[3], numeric=False, prose=True),
        ],
        [note],
    )


def _rows(parting: DifferingSegment, explanation: Explanation, digits: int) -> list[tuple[str, str, str]]:
    sides = ((explanation.first, parting.first), (explanation.second, parting.second))
    rows = [(spec, f"{side.score:.{digits}f}", _seen(side, parting)) for spec, side in sides]
    if parting.first.references != parting.second.references:
        for number in range(len(parting.first.references)):
            rows += [
                (f"{spec}, reference {number + 1}", "", printable(" ".join(side.references[number])))
                for spec, side in sides
            ]
    else:
        rows += [
            (f"reference {number}", "", printable(" ".join(tokens)))
            for number, tokens in enumerate(parting.first.references, start=1)
            if tokens
        ]
    rows += [
        (f"{spec}, unique matches", "", " | ".join(map(printable, side.only_here)))
        for spec, side in sides
        if side.only_here
    ]
    return rows


def _seen(side: ProcessedSegment, parting: DifferingSegment) -> str:
    return printable(" ".join(side.tokens) if side.tokens else parting.hypothesis)
