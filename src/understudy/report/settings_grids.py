"""Grids of settings as tables: the agreement of every setting, and the gain of the selected one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from understudy.report.agreement_details import DIGITS, NO_VALUE, interval_in_words, title
from understudy.report.grid import Grid, GridColumn, printable
from understudy.report.json_values import plain
from understudy.report.sheets import Sheet

if TYPE_CHECKING:
    from understudy.trusting.grids.results import GridSearch
    from understudy.trusting.results import Trust


def as_grids(trust: Trust, digits: int = DIGITS) -> list[Grid]:
    """For each grid, a table of all settings and one of the gain."""
    return [table for _, table in titled_grids(trust, digits)]


def titled_grids(trust: Trust, digits: int = DIGITS) -> list[tuple[str, Grid]]:
    """The same with titles."""
    by_grid: dict[str, list[GridSearch]] = {}
    for search in trust.grids:
        by_grid.setdefault(search.grid, []).append(search)
    return [
        titled
        for grid, searches in by_grid.items()
        for titled in (
            (f"Agreement of all settings of {printable(grid)}", _settings(searches, digits)),
            (f"Gain of a selected setting of {printable(grid)}", _gain(searches, trust, digits)),
        )
    ]


def _settings(searches: Sequence[GridSearch], digits: int) -> Grid:
    """From best to worst, by the last level: that of segments, if there are two."""
    order = sorted(
        range(len(searches[0].settings)), key=lambda place: -_height(searches[-1].settings[place].value)
    )
    columns = [
        GridColumn(
            ("setting",), [printable(searches[0].settings[place].spec) for place in order], numeric=False
        )
    ]
    for search in searches:
        settings = [search.settings[place] for place in order]
        best = frozenset(row for row, each in enumerate(settings) if each.spec == search.best.spec)
        level = f"{search.asked.level} level"
        columns += [
            GridColumn(
                (level, title(search.asked)), [_number(each.value, digits) for each in settings], best=best
            ),
            GridColumn(
                (level, f"selected, of {len(search.parts)}"), [str(each.selected) for each in settings]
            ),
        ]
    first = searches[0]
    return Grid(
        columns,
        [
            f"All {len(first.settings):,} settings of {first.grid}, on all data. selected: number of held-out parts of "
            "the data for which cross-validation selects the setting."
        ],
    )


def _gain(searches: Sequence[GridSearch], trust: Trust, digits: int) -> Grid:
    resampled = "systems and segments" if trust.over == "both" else trust.over
    columns = [
        GridColumn(
            ("out of fold",),
            [f"{search.asked.level} level, {title(search.asked)}" for search in searches],
            numeric=False,
        ),
        GridColumn(
            (printable(searches[0].plain.spec),), [_number(each.plain.held_out, digits) for each in searches]
        ),
        GridColumn(("selected",), [_number(each.selected, digits) for each in searches]),
        GridColumn(
            ("gain",),
            [f"{_signed(each.gain, digits)}{interval_in_words(each.interval, digits)}" for each in searches],
        ),
        GridColumn(("in-sample gain",), [_signed(each.in_sample_gain, digits) for each in searches]),
        GridColumn(("optimism",), [_signed(each.optimism, digits) for each in searches]),
    ]
    return Grid(
        columns,
        [
            f"Means over held-out parts; gain of the selected settings over {searches[0].plain.spec}. In parentheses: "
            f"{trust.plan.confidence:.0%} CI, {searches[0].resamples:,} bootstrap resamples of {resampled}, paired, "
            "with a new selection in each.",
            "in-sample gain: by the best setting on all data, in the same parts. optimism: in-sample gain minus gain.",
            *(
                f"Best setting on all data, {search.asked.level} level: {search.best.spec}"
                for search in searches
            ),
        ],
        list(dict.fromkeys((search.best.spec, search.best.signature) for search in searches)),
    )


def _height(value: float) -> float:
    return -math.inf if math.isnan(value) else value


def _number(value: float, digits: int) -> str:
    return NO_VALUE if math.isnan(value) else f"{value:.{digits}f}"


def _signed(value: float, digits: int) -> str:
    return NO_VALUE if math.isnan(value) else f"{value:+.{digits}f}"


# --- for programs: full precision ------------------------------------------------------------------------------


def as_data(search: GridSearch) -> dict[str, Any]:
    return {
        **plain(asdict(search)),
        "in_sample_gain": plain(search.in_sample_gain),
        "optimism": plain(search.optimism),
    }


def as_sheets(found: Iterable[Trust]) -> list[Sheet]:
    """All settings, all held-out parts, and the gains; none if there are no grids."""
    settings: list[tuple[Any, ...]] = []
    parts: list[tuple[Any, ...]] = []
    gains: list[tuple[Any, ...]] = []
    for trust in found:
        for search in trust.grids:
            asked = search.asked
            which = (trust.human.name, search.grid, asked.level, asked.coefficient, asked.grouping)
            plain_too = () if search.plain in search.settings else (search.plain,)
            settings += [
                (*which, each.spec, each.signature, each.value, each.held_out, each.selected)
                for each in (*search.settings, *plain_too)
            ]
            parts += [
                (
                    *(*which, " ".join(each.documents), " ".join(each.systems), each.translations),
                    *(each.selected, each.value, each.plain),
                )
                for each in search.parts
            ]
            bounds = (None, None) if search.interval is None else (search.interval.low, search.interval.high)
            gains.append(
                (
                    *(*which, search.best.spec, search.best.signature, search.plain.spec),
                    *(len(search.settings), search.plain.held_out, search.selected, search.gain, *bounds),
                    *(search.in_sample_gain, search.optimism),
                )
            )
    if not gains:
        return []
    names = ("measure", "grid", "level", "coefficient", "grouping")
    return [
        Sheet("settings", (*names, "setting", "signature", "value", "held_out", "selected"), settings),
        Sheet(
            "held-out parts",
            (*names, "documents", "systems", "translations", "selected", "value", "plain"),
            parts,
        ),
        Sheet(
            "gains",
            (
                *(*names, "best", "signature", "plain", "settings", "plain_held_out", "selected_held_out"),
                *("gain", "low", "high", "in_sample_gain", "optimism"),
            ),
            gains,
        ),
    ]
