"""The scores of groups of rows, as table, Markdown, LaTeX, JSON, TSV or CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from understudy.report.data_formats import DATA_FORMATS, data_text
from understudy.report.grid import Grid, GridColumn, printable
from understudy.report.json_values import plain
from understudy.report.render_grid import drawn
from understudy.report.scores import best_rows, header, titles
from understudy.report.sheets import Sheet
from understudy.version import __version__

if TYPE_CHECKING:
    from understudy.scoring.group_scores import GroupScores


def render(
    found: GroupScores,
    format: str = "table",
    *,
    digits: int = 2,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """The scores in one of the formats of `understudy score`."""
    if format in DATA_FORMATS:
        return data_text(found, format, as_data, as_sheets)
    (table,) = drawn([as_grid(found, digits)], format, width=width, styled=styled)
    return table


def as_data(found: GroupScores) -> dict[str, Any]:
    """The result as JSON values."""
    return {
        "understudy": __version__,
        "level": found.level,
        "groups": [
            {
                "group": dict(zip(found.by, map(_value, group), strict=True)),
                "segments": scores[0].segments,
                "scores": [
                    {
                        "metric": metric.label,
                        "spec": score.spec,
                        "value": plain(score.value),
                        **({} if score.interval is None else {"interval": vars(score.interval)}),
                        "detail": plain(score.detail),
                        "signature": str(score.signature),
                    }
                    for metric, score in zip(found.metrics, scores, strict=True)
                ],
            }
            for group, scores in found.groups.items()
        ],
    }


def as_sheets(found: GroupScores) -> list[Sheet]:
    """The long table: a row per group and metric."""
    rows = found.rows()
    cells = [[_label(row[name]) if name in found.by else row[name] for name in row] for row in rows]
    return [Sheet("scores", tuple(rows[0]), cells)]


def as_grid(found: GroupScores, digits: int) -> Grid:
    """A row per group and a column per metric."""
    columns = [
        GridColumn(
            (printable(name),), [printable(str(_label(group[place]))) for group in found], numeric=False
        )
        for place, name in enumerate(found.by)
    ]
    columns.append(GridColumn(("segments",), [f"{scores[0].segments:,}" for scores in found.groups.values()]))
    signatures: list[tuple[str, str]] = []
    for index, metric in enumerate(found.metrics):
        scores = [of_group[index] for of_group in found.groups.values()]
        cells = [f"{score.value:.{digits}f}" for score in scores]
        best = best_rows([score.value for score in scores], cells, metric)
        columns.append(GridColumn(header(metric, found), cells, best=best))
        intervals = [score.interval for score in scores if score.interval is not None]
        if intervals:
            bounds = [f"{each.low:.{digits}f} to {each.high:.{digits}f}" for each in intervals]
            columns.append(GridColumn((f"{intervals[0].confidence:.0%} CI",), bounds))
        title = " ".join(titles(metric, found.metrics))
        # Groups may differ in the number of references, and so in the signature.
        signatures += [
            (title, signature) for signature in dict.fromkeys(str(score.signature) for score in scores)
        ]
    return Grid(columns, signatures=signatures)


def _label(value: Any) -> Any:
    """The value of a column of groups; null has a name, because an empty cell could be an empty string."""
    return "null" if value is None else value


def _value(value: Any) -> Any:
    """A value of such a column for JSON: dates are text."""
    return value if value is None or isinstance(value, (str, int)) else str(value)
