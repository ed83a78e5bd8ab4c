"""Agreement of error spans with human error spans, as tables, Markdown, LaTeX, JSON, TSV or CSV."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from understudy.report.agreement_details import DIGITS, NO_VALUE, interval_in_words
from understudy.report.data_formats import DATA_FORMATS, data_text
from understudy.report.grid import Grid, GridColumn, printable, shown_p
from understudy.report.json_values import plain
from understudy.report.render_grid import drawn
from understudy.report.sheets import Sheet
from understudy.version import __version__
from understudy.wording import number_of

if TYPE_CHECKING:
    from understudy.trusting.spans.results import SpanAgreement, SpanScores, SpanValue

# The columns of the second table: its header, and which value it is.
_BY_SEVERITY = (
    (("F1, severity", "ignored"), ("f1", "place")),
    (("F1,", "major"), ("f1", "major")),
    (("F1,", "minor"), ("f1", "minor")),
    (("recall, major", "found as any"), ("recall", "major-found")),
)


def render(
    found: SpanAgreement,
    format: str = "table",
    *,
    digits: int = DIGITS,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """In one of the formats of `understudy.report.scores`."""
    if format in DATA_FORMATS:
        return data_text(found, format, as_data, as_sheets)
    comment = "% " if format == "latex" else ""
    return "\n\n".join(
        [f"{comment}{headline(found)}", *drawn(as_grids(found, digits), format, width=width, styled=styled)]
    )


def headline(found: SpanAgreement) -> str:
    """The number of systems, segments, translations, raters and spans."""
    raters = len(found.human.raters)
    by = f" annotated by {raters} raters" if raters > 1 else " annotated"
    return (
        f"Human error spans: {printable(found.human.name)}. {number_of(len(found.systems), 'system')}, "
        f"{number_of(found.segments, 'segment')}, {number_of(found.translations, 'translation')}{by}, "
        f"{number_of(len(found.human.annotation), 'span')}."
    )


def as_grids(found: SpanAgreement, digits: int = DIGITS) -> list[Grid]:
    """The predictors; by severity; pairs of predictors; and one rater."""
    everything = found.one_rater is not None and found.one_rater.translations == found.translations
    baseline = [] if found.everything is None else [found.everything]
    rows = [*found.predictors, *([found.one_rater] if found.one_rater and everything else []), *baseline]
    grids = []
    if found.predictors:
        grids += [_main(rows, digits, _method(found)), _by_severity(rows, digits)]
        if found.pairs:
            grids.append(_pairs(found, digits))
    if found.one_rater is not None and not (everything and found.predictors):
        beside = [found.one_rater, *(baseline if everything else found.alike)]
        note = (
            f"On {number_of(found.one_rater.translations, 'translation')} annotated by several raters. "
            f"{_one_rater(found)}"
        )
        methods = [] if found.predictors else _method(found)
        grids += [_main(beside, digits, [note, *methods]), _by_severity(beside, digits)]
    elif found.one_rater is not None:
        grids[0].notes.append(_one_rater(found))
    grids[-1].notes.extend(map(printable, found.notes))
    return grids


def _main(rows: Sequence[SpanScores], digits: int, notes: list[str]) -> Grid:
    from understudy.trusting.spans.results import EVERYTHING, ONE_RATER

    names = (ONE_RATER, EVERYTHING)
    values = {number: each.of("f1").value for number, each in enumerate(rows) if each.name not in names}
    best = frozenset(number for number, value in values.items() if value == max(values.values()))
    marked = best if len(best) < len(values) else frozenset()
    columns = [GridColumn(("spans of",), [printable(each.name) for each in rows], numeric=False)]
    for measure, header in (("precision", "precision"), ("recall", "recall"), ("f1", "F1")):
        cells = [_cell(each.of(measure), digits) for each in rows]
        is_best = marked if measure == "f1" and len(rows) > 1 and len(marked) < len(rows) else frozenset()
        columns.append(GridColumn((header,), cells, best=is_best))
    means = [_cell(each.of("f1", average="macro"), digits) for each in rows]
    columns.append(GridColumn(("mean F1 per translation",), means))
    return Grid(columns, notes)


def _by_severity(rows: Sequence[SpanScores], digits: int) -> Grid:
    return Grid(
        [
            GridColumn(("spans of",), [printable(each.name) for each in rows], numeric=False),
            *(
                GridColumn(header, [_cell(each.of(*which), digits) for each in rows])
                for header, which in _BY_SEVERITY
            ),
        ]
    )


def _pairs(found: SpanAgreement, digits: int) -> Grid:
    return Grid(
        [
            GridColumn(("first",), [printable(pair.first) for pair in found.pairs], numeric=False),
            GridColumn(("second",), [printable(pair.second) for pair in found.pairs], numeric=False),
            GridColumn(("difference in F1",), [f"{pair.difference:+.{digits}f}" for pair in found.pairs]),
            GridColumn(("p",), [shown_p(pair.corrected) for pair in found.pairs]),
        ],
        [f"Approximate randomization of segments, {found.samples:,} resamples; Holm-corrected p-values."],
    )


def _method(found: SpanAgreement) -> list[str]:
    return [
        "Character-level precision, recall and F1 over all translations (micro-average); characters with the wrong "
        f"severity count {found.credit:g}.",
        f"In parentheses: {found.confidence:.0%} CI, {found.samples:,} bootstrap resamples of segments."
        if found.segments > 1
        else "Only one segment: no confidence intervals.",
    ]


def _one_rater(found: SpanAgreement) -> str:
    return f"One rater: each of {len(found.human.raters)} raters against each of the others."


def _cell(value: SpanValue, digits: int) -> str:
    if math.isnan(value.value):
        return NO_VALUE
    return f"{value.value:.{digits}f}{interval_in_words(value.interval, digits)}"


# --- for programs: full precision ------------------------------------------------------------------------------


def as_data(found: SpanAgreement) -> dict[str, Any]:
    """The result as JSON values."""
    return {
        "understudy": __version__,
        "human": found.human.name,
        "systems": list(found.systems),
        "segments": found.segments,
        "translations": found.translations,
        "spans": len(found.human.annotation),
        "raters": list(found.human.raters),
        "left_out": found.human.left_out,
        "plan": {
            name: getattr(found, name) for name in ("credit", "samples", "seed", "confidence", "significance")
        },
        "notes": found.notes,
        "predictors": [_scores_data(each) for each in found.predictors],
        "pairs": [plain(asdict(pair)) for pair in found.pairs],
        "everything": None if found.everything is None else _scores_data(found.everything),
        "one_rater": None if found.one_rater is None else _scores_data(found.one_rater),
        "on_the_translations_of_one_rater": [_scores_data(each) for each in found.alike],
    }


def _scores_data(found: SpanScores) -> dict[str, Any]:
    values = [
        plain({**vars(each), "interval": each.interval and vars(each.interval)}) for each in found.values
    ]
    return {"name": found.name, "translations": found.translations, "spans": found.spans, "values": values}


def as_sheets(found: SpanAgreement) -> list[Sheet]:
    """A row per predictor, average, kind of error and measure."""
    columns = ("name", "translations", "average", "errors", "measure", "value", "low", "high")
    beside = [each for each in (found.everything, found.one_rater) if each is not None]
    rows = [
        (
            *(each.name, each.translations, value.average, value.kind, value.measure, value.value),
            *((None, None) if value.interval is None else (value.interval.low, value.interval.high)),
        )
        for each in (*found.predictors, *beside, *found.alike)
        for value in each.values
        if not math.isnan(value.value)
    ]
    return [Sheet("spans", columns, rows)]
