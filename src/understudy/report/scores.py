"""The results of `score`, as table, Markdown, LaTeX, JSON, TSV or CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from understudy.report.grid import Grid, GridColumn, arrow, printable
from understudy.report.json_values import plain
from understudy.report.render_grid import drawn
from understudy.report.sheets import FORMATS as OF_SHEETS
from understudy.report.sheets import Sheet, as_text
from understudy.report.test_sets import named_set_data, segments_in_words
from understudy.version import __version__

if TYPE_CHECKING:
    from understudy.metrics.base.metric import Metric
    from understudy.metrics.base.score import Interval
    from understudy.scoring.group_scores import GroupScores
    from understudy.scoring.run import Scores
    from understudy.studies.parser_sensitivity import ParserSensitivity

FORMATS = ("table", "json", *OF_SHEETS, "markdown", "latex")

# Components of a score, shown if there is room: name in `Score.detail`, header, decimal places.
_DETAIL = {
    "precisions": ("p", 1),
    "precision": ("P", 1),
    "recall": ("R", 1),
    "information": ("info", 2),
    "brevity_penalty": ("BP", 3),
    "length_ratio": ("length ratio", 3),
}


def render(
    scores: Scores, format: str = "table", *, digits: int = 2, width: int | None = None, styled: bool = False
) -> str:
    """The scores in one of FORMATS. `digits` applies to table, Markdown and LaTeX; `width` and `styled` to the table.

    >>> from understudy import score
    >>> result = score({"weak": "examples/system-weak.en"}, ["examples/reference-1.en"])
    >>> print(render(result, "tsv").partition("|")[0].expandtabs(10))
    system    metric    value     signature
    weak      bleu      10.10517001001426   nrefs:1
    """
    if format == "json":
        import json  # a table does not need it

        return json.dumps(as_data(scores), indent=None if scores.level == "segment" else 2, allow_nan=False)
    if format in OF_SHEETS:
        return as_text(as_sheets(scores), format)
    (table,) = drawn([as_grid(scores, digits)], format, width=width, styled=styled)
    return table


# --- for programs: full precision ----------------------------------------------------------------------


def as_data(scores: Scores) -> dict[str, Any]:
    """The result as JSON values; `references` is a number, or [minimum, maximum] if segments differ."""

    fewest, most = scores.references
    between_parsers = [plain(asdict(found)) for found in _between_parsers(scores)]
    return {
        "understudy": __version__,
        "level": scores.level,
        **named_set_data(scores.test_set),
        "segments": scores.segments,
        "references": most if fewest == most else [fewest, most],
        "systems": [
            {
                "name": system.name,
                "scores": [
                    {
                        "metric": metric.label,
                        "spec": metric.spec,
                        **(
                            {"values": plain(system.segments[i].tolist())}
                            if scores.level == "segment"
                            else {
                                "value": plain(system.scores[i].value),
                                **_interval(system.scores[i].interval),
                                "detail": plain(system.scores[i].detail),
                            }
                        ),
                        "signature": _signature(scores, metric),
                    }
                    for i, metric in enumerate(scores.metrics)
                ],
            }
            for system in scores.systems
        ],
        **({"parsers": between_parsers} if between_parsers else {}),
    }


def as_sheets(scores: Scores) -> list[Sheet]:
    """The long table: a row per system, metric and, at level segment, segment. `metric` is the spec."""
    if scores.level == "segment":
        of_segments = [
            (system.name, number, metric.spec, value)
            for system in scores.systems
            for metric, values in zip(scores.metrics, system.segments, strict=True)
            for number, value in enumerate(values.tolist(), start=1)
        ]
        return [Sheet("scores", ("system", "segment", "metric", "value"), of_segments)]
    with_intervals = scores.systems[0].scores[0].interval is not None
    rows = [
        (
            *(system.name, metric.spec, score.value, _signature(scores, metric)),
            *(() if score.interval is None else (score.interval.low, score.interval.high)),
        )
        for system in scores.systems
        for metric, score in zip(scores.metrics, system.scores, strict=True)
    ]
    bounds = ("low", "high") if with_intervals else ()
    return [Sheet("scores", ("system", "metric", "value", "signature", *bounds), rows)]


def numbers(scores: Scores, digits: int = 2) -> str:
    """Bare scores, one per line: by system, then by metric, then by segment."""
    values = [
        value
        for system in scores.systems
        for value in (
            [value for column in system.segments for value in column.tolist()]
            if scores.level == "segment"
            else [score.value for score in system.scores]
        )
    ]
    return "\n".join(f"{value:.{digits}f}" for value in values)


def _between_parsers(scores: Scores) -> list[ParserSensitivity]:
    """Parser sensitivity, if metrics are computed with several parsers."""
    if scores.level == "segment" or not any("parser" in metric.parameters() for metric in scores.metrics):
        return []
    from understudy.studies.parser_sensitivity import parser_sensitivity

    return parser_sensitivity(
        (metric, {system.name: system.scores[index].value for system in scores.systems})
        for index, metric in enumerate(scores.metrics)
    )


def _interval(interval: Interval | None) -> dict[str, Any]:
    return {} if interval is None else {"interval": vars(interval)}


# --- for people ----------------------------------------------------------------------------------------


def as_grid(scores: Scores, digits: int = 2) -> Grid:
    """A row per system and a column per metric; at level segment a row per segment."""
    from understudy.metrics.base.score import references_in_words

    columns = (
        _segment_columns(scores, digits) if scores.level == "segment" else _system_columns(scores, digits)
    )
    return Grid(
        columns,
        notes=[
            f"{segments_in_words(scores.segments, scores.test_set)}, {references_in_words(scores.references)}",
            *(printable(str(found)) for found in _between_parsers(scores)),
        ],
        signatures=[
            (" ".join(titles(metric, scores.metrics)), _signature(scores, metric))
            for metric in scores.metrics
        ],
        cited=scores.test_set,
    )


def _system_columns(scores: Scores, digits: int) -> list[GridColumn]:
    columns = [GridColumn(("system",), [printable(system.name) for system in scores.systems], numeric=False)]
    for i, metric in enumerate(scores.metrics):
        values = [system.scores[i].value for system in scores.systems]
        cells = [f"{value:.{digits}f}" for value in values]
        columns.append(GridColumn(header(metric, scores), cells, best=best_rows(values, cells, metric)))
        if (interval := scores.systems[0].scores[i].interval) is not None:
            found = [system.scores[i].interval for system in scores.systems]
            bounds = [
                f"{each.low:.{digits}f} to {each.high:.{digits}f}" for each in found if each is not None
            ]
            columns.append(GridColumn((f"{interval.confidence:.0%} CI",), bounds))
    if len(scores.metrics) == 1:
        columns += _detail_columns([system.scores[0].detail for system in scores.systems])
    return columns


def _detail_columns(details: Sequence[Any]) -> list[GridColumn]:
    columns = []
    for name, (title, digits) in _DETAIL.items():
        if not all(name in detail for detail in details):
            continue
        if isinstance(details[0][name], list):
            for order in range(len(details[0][name])):
                cells = [f"{detail[name][order]:.{digits}f}" for detail in details]
                columns.append(GridColumn((f"{title}{order + 1}",), cells))
        else:
            columns.append(GridColumn((title,), [f"{detail[name]:.{digits}f}" for detail in details]))
    return columns


def _segment_columns(scores: Scores, digits: int) -> list[GridColumn]:
    columns = [GridColumn(("segment",), [str(number) for number in range(1, scores.segments + 1)])]
    for system in scores.systems:
        for metric, values in zip(scores.metrics, system.segments, strict=True):
            own = (printable(system.name), *header(metric, scores))
            columns.append(GridColumn(own, [f"{value:.{digits}f}" for value in values.tolist()]))
    return columns


def header(metric: Metric, scores: Scores | GroupScores) -> tuple[str, ...]:
    """The header of a metric's column, with its level and direction."""
    title, *settings = titles(metric, scores.metrics)
    of = "mean segment " if scores.level == "mean" else ""
    return (f"{of}{title} {arrow(metric.higher_is_better, metric.target)}", *settings)


def titles(metric: Metric, metrics: Sequence[Metric]) -> tuple[str, ...]:
    """The metric's label, with its parameters if another metric has the same label."""
    if sum(other.label == metric.label for other in metrics) == 1:
        return (metric.label,)
    settings = metric.spec.partition(":")[2]
    return (metric.label, *(printable(setting) for setting in settings.split(",") if setting))


def best_rows(values: list[float], cells: list[str], metric: Metric) -> frozenset[int]:
    """The rows with the best value. Rows that show the same digits are tied."""
    if len(values) < 2:
        return frozenset()
    shown = [metric.worth(float(cell)) for cell in cells]
    best = shown[values.index(max(values, key=metric.worth))]
    return frozenset(row for row, worth in enumerate(shown) if worth == best)


def _signature(scores: Scores, metric: Metric) -> str:
    if scores.level != "segment":
        return str(scores.systems[0].scores[scores.metrics.index(metric)].signature)
    of_input = scores.of_input[scores.metrics.index(metric)]
    return str(metric.signature(scores.references, scores.level, of_input=of_input))
