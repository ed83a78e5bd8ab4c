"""The agreement of one rater with the others, as cells, as a table, and for programs."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from understudy.report.agreement_details import MOST_COLUMNS, NO_VALUE, interval_in_words, title
from understudy.report.grid import Grid, GridColumn, printable
from understudy.report.json_values import plain

if TYPE_CHECKING:
    from understudy.trusting.coefficients.by_name import CoefficientSpec
    from understudy.trusting.human_ceiling import Ceiling
    from understudy.trusting.results import Trust


def has_ceiling(trust: Trust, level: str) -> bool:
    """Whether one rater has any coefficient at this level."""
    return trust.ceiling is not None and any(
        trust.ceiling.of(one) for one in trust.asked if one.level == level
    )


def ceiling_cell(ceiling: Ceiling | None, asked: CoefficientSpec, digits: int) -> str:
    found = None if ceiling is None else ceiling.of(asked)
    return (
        NO_VALUE if found is None else f"{found.value:.{digits}f}{interval_in_words(found.interval, digits)}"
    )


def ceiling_in_words(ceiling: Ceiling) -> str:
    """The definition of the column."""
    return f"one rater: agreement of one rater with the mean of the others, averaged over {ceiling.judges} raters."


def alike_grid(trust: Trust, level: str, digits: int) -> Grid | None:
    """Metrics and one rater on the same translations; None if the metrics' own coefficients use the same ones."""
    from understudy.trusting.human_ceiling import ONE_JUDGE

    ceiling = trust.ceiling
    if ceiling is None or not ceiling.metrics or not has_ceiling(trust, level):
        return None
    places = {each.asked: number for number, each in enumerate(ceiling.values)}
    asked = [one for one in trust.asked if one.level == level and ceiling.of(one)]
    values = {
        ONE_JUDGE: [ceiling.values[places[one]].value for one in asked],
        **{
            printable(name): [of_metric[places[one]] for one in asked]
            for name, of_metric in ceiling.metrics.items()
            if not all(math.isnan(of_metric[places[one]]) for one in asked)
        },
    }
    cells = {name: [_number(value, digits) for value in of_one] for name, of_one in values.items()}
    corner = (f"{level} level,", "same translations")
    if len(cells) <= MOST_COLUMNS + 1:
        columns = [
            GridColumn(corner, [title(one) for one in asked], numeric=False),
            *(GridColumn((name,), of_one) for name, of_one in cells.items()),
        ]
    else:
        columns = [
            GridColumn(corner, list(cells), numeric=False),
            *(
                GridColumn(tuple(title(one).split(", ")), [of_one[place] for of_one in cells.values()])
                for place, one in enumerate(asked)
            ),
        ]
    note = (
        f"Metrics and one rater against the mean of the other raters, on the {ceiling.translations:,} translations "
        "scored by several raters."
    )
    return Grid(columns, [note])


def as_data(ceiling: Ceiling | None) -> dict[str, Any] | None:
    """The result as JSON values."""
    if ceiling is None:
        return None
    return {
        "judges": ceiling.judges,
        "translations": ceiling.translations,
        "judged": ceiling.judged,
        "coefficients": [
            plain(
                {
                    **asdict(each.asked),
                    "value": each.value,
                    "interval": None if each.interval is None else vars(each.interval),
                    "lowest": each.range[0],
                    "highest": each.range[1],
                    "reason": each.reason,
                    "judges": [asdict(judge) for judge in each.judges],
                    "metrics": {name: values[number] for name, values in ceiling.metrics.items()},
                }
            )
            for number, each in enumerate(ceiling.values)
        ],
    }


def _number(value: float, digits: int) -> str:
    return NO_VALUE if math.isnan(value) else f"{value:.{digits}f}"
