"""Decisions as tables and charts: what was chosen, how it differs from the first candidates, and examples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from understudy.report.data_formats import DATA_FORMATS, data_text
from understudy.report.figure import PALETTE, SHOWN, Figure, Row, chart, count, line_height, names
from understudy.report.grid import Grid, GridColumn, arrow, printable
from understudy.report.json_values import plain
from understudy.report.render_grid import drawn
from understudy.report.sheets import Sheet
from understudy.wording import number_of

if TYPE_CHECKING:
    from understudy.deciding.results import Decision

_EXAMPLES = 10  # segments
_CANDIDATES = 5  # of an example, besides the first of its list
_PLACES = 10  # places in the list that have a row of their own
_BINS = 20
_METHODS = {
    "mbr": "Minimum Bayes risk decoding",
    "aggregated": "Minimum Bayes risk decoding with one aggregated reference",
    "pruned": "Minimum Bayes risk decoding with confidence-based pruning",
    "centroid": "Minimum Bayes risk decoding with centroids",
    "qe": "Choice by reference-free metrics",
    "oracle": "Oracle",
    "rerank": "Reranking",
}


def render(
    decision: Decision,
    format: str = "table",
    *,
    digits: int = 2,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """In one of the formats of `understudy.report.scores`."""
    if format in DATA_FORMATS:
        return data_text(decision, format, as_data, as_sheets)
    return "\n\n".join(drawn(as_grids(decision, digits), format, width=width, styled=styled))


def headline(decision: Decision) -> str:
    """What was decided, by which utility, and on what."""
    summary = decision.summary()
    return (
        f"{_METHODS[decision.plan.method]}, utility {decision.utility_is}. "
        f"{number_of(summary.segments, 'segment')}, {number_of(summary.candidates, 'candidate')}."
    )


# --- for programs: full precision --------------------------------------------------------------------------


def as_data(decision: Decision) -> dict[str, Any]:
    """The decision as JSON values: what `--format json` prints."""
    found: dict[str, Any] = plain(decision.to_dict())
    return found


def data_of_page(decision: Decision) -> dict[str, Any]:
    """The same without the utilities of all candidates, of which a list may have millions."""
    found = as_data(decision)
    found["segments"] = [
        {name: value for name, value in row.items() if name != "utilities"} for row in found["segments"]
    ]
    return found


def as_sheets(decision: Decision) -> list[Sheet]:
    """The chosen candidate of every segment."""
    first = _of_first(decision)
    rows = [
        (
            row["segment"],
            row["index"],
            row["utility"],
            None if np.isnan(before) else float(before),
            row["text"],
        )
        for row, before in zip(decision.to_dict()["segments"], first, strict=True)
    ]
    return [Sheet("segments", ("segment", "index", "utility", "utility of the first", "text"), rows)]


# --- for people --------------------------------------------------------------------------------------------


def as_grids(decision: Decision, digits: int = 2) -> list[Grid]:
    """First and chosen candidates, with corpus scores if there are references; then the places of the chosen."""
    return [_choices(decision, digits), _places(decision)]


def _choices(decision: Decision, digits: int) -> Grid:
    summary = decision.summary()
    first, chosen = _of_first(decision), _of_chosen(decision)
    means = [_mean(first, digits), _mean(chosen, digits)]
    oracle = bool(summary.totals)
    label = f"mean utility{_direction(decision)}"
    columns = [
        GridColumn(("choice",), ["first candidate", "chosen", *(["oracle"] * oracle)], numeric=False),
        GridColumn((label,), [*means, *([""] * oracle)]),
    ]
    for each in summary.totals:
        scores = each.scores
        way = arrow(each.metric.higher_is_better, each.metric.target)
        cells = [f"{scores[name].value:.{digits}f}" for name in ("first", "chosen", "oracle")]
        columns.append(GridColumn((f"{each.metric.label} {way}",), cells))
    notes = [
        f"{summary.changed:,} of {number_of(summary.segments, 'choice')} differ from the first candidate; utility: "
        f"{decision.utility_is}."
    ]
    if summary.totals:
        notes.append("Corpus scores against the references. Oracle: the best candidate by segment scores.")
    if summary.empty:
        lack = "segment has" if summary.empty == 1 else "segments have"
        notes.append(f"{summary.empty:,} {lack} no candidates, and an empty translation.")
    return Grid(columns, notes, _signatures(decision))


def _signatures(decision: Decision) -> list[tuple[str, str]]:
    """Of the utility, which is a segment score, and of the corpus scores."""
    of_utility = [] if decision.plan.method == "rerank" else decision.metrics
    return [
        *((f"{metric.label} (utility)", str(metric.signature(aggregate="segment"))) for metric in of_utility),
        *((each.metric.label, each.signature) for each in decision.totals),
    ]


def _places(decision: Decision) -> Grid:
    rows = _place_counts(decision)
    total = sum(number for _, number in rows)
    return Grid(
        [
            GridColumn(("place in the list",), [place for place, _ in rows], numeric=False),
            GridColumn(("segments",), [f"{number:,}" for _, number in rows]),
            GridColumn(("share",), [f"{100 * number / total:.1f}%" if total else "" for _, number in rows]),
        ],
        [
            "Place of the chosen candidate in its n-best list. Of several equal candidates, the first is chosen."
        ],
    )


def _place_counts(decision: Decision) -> list[tuple[str, int]]:
    """How often the candidate at each place of its list was chosen; the last places together."""
    found = np.array([index for index in decision.indices if index is not None], dtype=np.int64)
    most = int(decision.nbest.counts.max(initial=1))
    rows = [(str(place), int((found == place).sum())) for place in range(1, min(most, _PLACES) + 1)]
    if most > _PLACES:
        rows.append((f"{_PLACES + 1}–{most}", int((found > _PLACES).sum())))
    return rows


def examples(decision: Decision, digits: int = 2) -> Grid | None:
    """The segments whose choice differs most from the first candidate in utility: their best candidates."""
    gains = np.abs(_of_chosen(decision) - _of_first(decision))
    differing = [row for row in np.argsort(-np.nan_to_num(gains), kind="stable").tolist() if gains[row] > 0]
    shown = differing[:_EXAMPLES]
    rows = [line for segment in shown for line in _lines(decision, segment, digits)]
    if not rows:
        return None
    segments, ranks, utilities, places, texts = (list(cells) for cells in zip(*rows, strict=True))
    chosen = frozenset(row for row, rank in enumerate(ranks) if rank == "1")
    which = f"the {len(shown)} largest" if len(shown) < len(differing) else "all"
    return Grid(
        [
            GridColumn(("segment",), segments),
            GridColumn(("rank",), ranks),
            GridColumn(("utility",), utilities),
            GridColumn(("place",), places),
            GridColumn(("candidate",), texts, numeric=False, prose=True, best=chosen),
        ],
        [
            f"Segments whose choice and first candidate differ in utility: {which} of {len(differing):,} differences. "
            f"The {_CANDIDATES} best candidates, and the first of the list (place 1)."
        ],
    )


def _lines(decision: Decision, segment: int, digits: int) -> list[tuple[str, str, str, str, str]]:
    start, end = (int(place) for place in decision.nbest.offsets[segment : segment + 2])
    ranked = decision.order[start:end].tolist()
    return [
        (
            str(decision.first_segment + segment + 1),
            str(rank),
            f"{decision.utilities[row]:.{digits}f}",
            str(row - start + 1),
            printable(decision.nbest.texts[row] or ""),
        )
        for rank, row in enumerate(ranked, start=1)
        if rank <= _CANDIDATES or row == start
    ]


def figures(decision: Decision) -> list[Figure]:
    """The places of the chosen candidates, and the differences in utility from the first candidate."""
    return [_figure_of_places(decision), *_figure_of_gains(decision)]


def _figure_of_places(decision: Decision) -> Figure:
    rows: list[Row] = [
        {"place": place, "segments": number, SHOWN: f"Place {place}: {number_of(number, 'segment')}"}
        for place, number in _place_counts(decision)
    ]

    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        base = chart(rows).encode(y=names("place", width), description=f"{SHOWN}:N")
        bars = base.mark_bar(color=PALETTE[0]).encode(x=alt.X("segments:Q", title="segments"))
        return bars.properties(height=line_height(count(rows, "place")))

    caption = "Place of the chosen candidate in its n-best list."
    return Figure("places", "figures", "Places of the chosen candidates", caption, rows, draw)


def _figure_of_gains(decision: Decision) -> list[Figure]:
    gains = _of_chosen(decision) - _of_first(decision)
    gains = gains[np.isfinite(gains)]
    if not gains.any():
        return []
    edges = np.histogram_bin_edges(gains[gains != 0], bins=_BINS)
    numbers, _ = np.histogram(gains[gains != 0], bins=edges)
    rows: list[Row] = [
        {
            "from": float(low),
            "to": float(high),
            "segments": int(number),
            SHOWN: f"{low:+.2f} to {high:+.2f}: {number_of(int(number), 'segment')}",
        }
        for low, high, number in zip(edges[:-1], edges[1:], numbers, strict=True)
    ]

    def draw(rows: list[Row], width: int) -> Any:  # noqa: ARG001
        import altair as alt

        return (
            chart(rows)
            .mark_bar(color=PALETTE[0])
            .encode(
                x=alt.X("from:Q", bin="binned", title="difference in utility", scale=alt.Scale(zero=False)),
                x2="to:Q",
                y=alt.Y("segments:Q", title="segments"),
                description=f"{SHOWN}:N",
            )
            .properties(height=220)
        )

    same = int((gains == 0).sum())
    caption = (
        f"Utility of the chosen minus that of the first candidate. {number_of(same, 'segment')} without a difference "
        f"{'is' if same == 1 else 'are'} not shown."
    )
    return [Figure("gains", "figures", "Differences from the first candidate", caption, rows, draw)]


def _of_first(decision: Decision) -> Any:
    """The utility of the first candidate of every segment; NaN without candidates."""
    found = np.full(len(decision.chosen), np.nan)
    held = decision.nbest.counts > 0
    found[held] = decision.utilities[decision.nbest.offsets[:-1][held]]
    return found


def _of_chosen(decision: Decision) -> Any:
    found = np.full(len(decision.chosen), np.nan)
    held = decision.chosen >= 0
    found[held] = decision.utilities[decision.chosen[held]]
    return found


def _mean(values: Any, digits: int) -> str:
    held = values[np.isfinite(values)]
    return f"{held.mean():.{digits}f}" if held.size else ""


def _direction(decision: Decision) -> str:
    """Higher is better, unless the utility is the score of one metric where lower is better."""
    lower = decision.plan.method != "rerank" and [each.higher_is_better for each in decision.metrics] == [
        False
    ]
    return " " + arrow(not lower, None)
