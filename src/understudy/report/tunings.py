"""Tuned weights, as tables, Markdown, LaTeX, JSON, TSV or CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from understudy.report.data_formats import DATA_FORMATS, data_text, json_text
from understudy.report.figure import PALETTE, SHOWN, Figure, Row, chart, count, line_height, names
from understudy.report.grid import Grid, GridColumn, printable, shown_p
from understudy.report.json_values import plain
from understudy.report.render_grid import drawn
from understudy.report.sheets import Sheet
from understudy.version import __version__
from understudy.wording import digits_for, listed, number_of

if TYPE_CHECKING:
    from understudy.deciding.tuning.held_out import Part
    from understudy.deciding.tuning.results import Tuning

_SMALLEST_P = 0.01  # a test that cannot reach it is noted

_METHODS = {
    "mert": "minimum error rate training",
    "pro": "pairwise ranking optimization",
}


def render(
    tuning: Tuning,
    format: str = "table",
    *,
    digits: int = 2,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """In one of the formats of `understudy.report.scores`."""
    if format in DATA_FORMATS:
        return data_text(tuning, format, as_data, as_sheets)
    comment = "% " if format == "latex" else ""
    return "\n\n".join(
        [f"{comment}{headline(tuning)}", *drawn(as_grids(tuning, digits), format, width=width, styled=styled)]
    )


def headline(tuning: Tuning) -> str:
    """What was tuned, how, and on what."""
    removed = f", {number_of(tuning.duplicates, 'duplicate')} removed" if tuning.duplicates else ""
    return (
        f"{number_of(len(tuning.weights), 'feature')}, {number_of(tuning.segments, 'segment')}, "
        f"{number_of(tuning.candidates, 'candidate')}{removed}. {_METHODS[tuning.method].capitalize()} of "
        f"{tuning.objective}."
    )


# --- for programs: full precision --------------------------------------------------------------------------


def weights_file(tuning: Tuning) -> str:
    """The weights and how they were found, as a JSON file that `--weights` and `--start` read."""
    return json_text(as_data(tuning))


def as_data(tuning: Tuning) -> dict[str, Any]:
    """The result as JSON values."""
    fewest, most = tuning.references
    held_out = tuning.held_out
    data: dict[str, Any] = plain(
        {
            "understudy": __version__,
            "weights": tuning.weights,
            "initial_weights": tuning.initial,
            "weight_deviations": tuning.spread,
            "normalized": tuning.normalized,
            "method": tuning.method,
            "objective": tuning.objective,
            "metrics": [
                {"spec": spec, "label": label, "weight": weight, "signature": signature}
                for spec, label, weight, signature in zip(
                    tuning.metrics, tuning.labels, tuning.metric_weights, tuning.signatures, strict=True
                )
            ],
            "segments": tuning.segments,
            "candidates": tuning.candidates,
            "duplicates_removed": tuning.duplicates,
            "references": most if fewest == most else [fewest, most],
            "features_fingerprint": tuning.features,
            "constant_features": tuning.constant,
            "tuning": _part(tuning.tuned_on),
            "held_out": None
            if held_out is None
            else {
                **_part(held_out),
                "interval": held_out.interval,
                "p_value": held_out.p_value,
                "significant": held_out.significant,
                "better": held_out.better,
                "folds": held_out.folds,
                "samples": tuning.samples,
            },
            "refitted": tuning.refitted,
            "restarts": [
                {"tuning": each.tuned, "held_out": each.held_out, "weights": each.weights}
                for each in tuning.restarts
            ],
            "restarts_at_best": tuning.reached,
            "restart_deviation": tuning.deviation,
            "restart_deviation_held_out": tuning.held_out_deviation,
            "seed": tuning.seed,
            "verdict": tuning.verdict(),
        }
    )
    return data


def _part(part: Part) -> dict[str, Any]:
    return {
        "segments": part.segments,
        "initial": part.initial,
        "tuned": part.tuned,
        "difference": part.difference,
        "initial_scores": part.initial_scores,
        "tuned_scores": part.tuned_scores,
    }


def as_sheets(tuning: Tuning) -> list[Sheet]:
    """The weights, the parts and the restarts."""
    deviations = tuning.spread
    parts = []
    for name, part in _parts(tuning):
        values = [(tuning.label, part.initial, part.tuned)]
        if tuning.combined:
            values += list(zip(tuning.labels, part.initial_scores, part.tuned_scores, strict=True))
        for number, (label, initial, tuned) in enumerate(values):
            test = tuning.held_out if part is tuning.held_out and number == 0 else None
            interval = None if test is None else test.interval
            bounds = (
                None if interval is None else interval.low,
                None if interval is None else interval.high,
                None if test is None else test.p_value,
            )
            parts.append((name, part.segments, label, initial, tuned, tuned - initial, *bounds))
    return [
        Sheet(
            "weights",
            ("feature", "initial", "tuned", "deviation"),
            [(name, tuning.initial[name], value, deviations[name]) for name, value in tuning.weights.items()],
        ),
        Sheet(
            "parts",
            ("part", "segments", "metric", "initial", "tuned", "difference", "low", "high", "p"),
            parts,
        ),
        Sheet(
            "restarts",
            ("restart", "tuning", "held_out"),
            [(number, each.tuned, each.held_out) for number, each in enumerate(tuning.restarts)],
        ),
    ]


def _parts(tuning: Tuning) -> list[tuple[str, Part]]:
    found: list[tuple[str, Part]] = [("tuning", tuning.tuned_on)]
    if tuning.held_out is not None:
        found.append(("out-of-fold" if tuning.held_out.folds else "held-out", tuning.held_out))
    return found


# --- for people --------------------------------------------------------------------------------------------


def as_grids(tuning: Tuning, digits: int = 2) -> list[Grid]:
    """The weights; then the objective on both parts."""
    return [_weights(tuning), _objective(tuning, digits)]


def _weights(tuning: Tuning) -> Grid:
    deviations = tuning.spread
    notes = [tuning.final_weights_in_words()]
    notes.append(
        "Weights are normalized: their absolute values sum to 1."
        if tuning.normalized
        else "Weights are not normalized: fixed weights or bounds set their scale."
    )
    if tuning.constant:
        feature = "Feature" if len(tuning.constant) == 1 else "Features"
        does = "does" if len(tuning.constant) == 1 else "do"
        notes.append(
            f"{feature} {listed(tuning.constant)} {does} not differ between candidates of any segment, so the weight "
            "has no effect and was not tuned."
        )
    columns = [
        GridColumn(("feature",), list(map(printable, tuning.weights)), numeric=False),
        GridColumn(("initial",), [f"{value:.4g}" for value in tuning.initial.values()]),
        GridColumn(("tuned",), [f"{value:.4g}" for value in tuning.weights.values()]),
    ]
    if len(tuning.restarts) > 1:
        columns.append(
            GridColumn(
                ("SD across", "starts" if tuning.method == "mert" else "samples"),
                [f"{deviations[name]:.2g}" for name in tuning.weights],
            )
        )
    return Grid(columns, notes)


def _objective(tuning: Tuning, digits: int) -> Grid:
    rows = []
    for name, part in _parts(tuning):
        values = [(tuning.label, part.initial, part.tuned)]
        if tuning.combined:
            values += list(zip(tuning.labels, part.initial_scores, part.tuned_scores, strict=True))
        for number, (label, initial, tuned) in enumerate(values):
            test = tuning.held_out if part is tuning.held_out and number == 0 else None
            places = max(digits, digits_for(abs(tuned - initial)))
            rows.append(
                (
                    name,
                    f"{part.segments:,}",
                    label,
                    f"{initial:.{places}f}",
                    f"{tuned:.{places}f}",
                    f"{tuned - initial:+.{places}f}",
                    ""
                    if test is None or test.interval is None
                    else f"{test.interval.low:+.{places}f} to {test.interval.high:+.{places}f}",
                    "" if test is None else shown_p(test.p_value),
                )
            )
    headers = (
        *(("part", False), ("segments", True), ("metric", False), ("initial", True), ("tuned", True)),
        *(("difference", True), ("95% CI", True), ("p", True)),
    )
    columns = [
        GridColumn((header,), [row[number] for row in rows], numeric=numeric)
        for number, (header, numeric) in enumerate(headers)
    ]
    shown = columns if tuning.held_out is not None else columns[:6]
    return Grid(
        shown,
        [tuning.verdict(digits), *_notes(tuning, digits)],
        list(zip(tuning.labels, tuning.signatures, strict=True)),
    )


def _notes(tuning: Tuning, digits: int) -> list[str]:
    notes = []
    if tuning.held_out is not None:
        notes.append(
            f"p: approximate randomization; CI: percentiles of bootstrap samples; {tuning.samples:,} resamples of "
            f"segments each, of {tuning.label}, seed {tuning.seed}."
        )
        if tuning.held_out.folds:
            notes.append("Folds share tuning segments: the p-value is too small, the CI too narrow.")
        smallest = 2.0 ** (1 - tuning.held_out.segments)  # all segments change sides, or none
        if smallest > _SMALLEST_P:
            notes.append(
                f"With {number_of(tuning.held_out.segments, 'segment')}, no p-value is below {smallest:.2g}."
            )
    if len(tuning.restarts) > 1:
        kind = "start" if tuning.method == "mert" else "sample of pairs"
        plural = "starts" if tuning.method == "mert" else "samples of pairs"
        places = max(digits, digits_for(tuning.deviation))
        text = (
            f"{number_of(len(tuning.restarts), kind, plural)}: {tuning.reached:,} reached the best {tuning.label} on "
            f"the tuning segments, SD {tuning.deviation:.{places}f}"
        )
        if tuning.held_out_deviation is not None:
            text += f"; SD {tuning.held_out_deviation:.{places}f} on held-out segments"
        notes.append(f"{text}.")
    if tuning.float_statistics:
        notes.append("Some statistics are floating-point numbers, so their sums are rounded.")
    return notes


def figures(tuning: Tuning) -> list[Figure]:
    """The weights before and after."""
    rows: list[Row] = [
        {
            "feature": printable(name),
            "weight": value,
            "initial": tuning.initial[name],
            SHOWN: f"{printable(name)}: {tuning.initial[name]:.4g}, tuned {value:.4g}",
        }
        for name, value in tuning.weights.items()
    ]

    def draw(rows: list[Row], width: int) -> Any:
        import altair as alt

        base = chart(rows).encode(y=names("feature", width), description=f"{SHOWN}:N")
        bars = base.mark_bar(color=PALETTE[0]).encode(x=alt.X("weight:Q", title="weight"))
        ticks = base.mark_tick(color="black", thickness=2).encode(x="initial:Q")
        return (bars + ticks).properties(height=line_height(count(rows, "feature")))

    caption = "Bar: tuned weight. Tick: initial weight."
    return [Figure("weights", "figures", "Weights", caption, rows, draw)]
