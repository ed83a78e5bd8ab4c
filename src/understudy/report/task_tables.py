"""Metrics on several test sets as one table, ordered by their average: for readers, papers and programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from understudy.report.agreement_details import DIGITS, NO_VALUE
from understudy.report.data_formats import DATA_FORMATS, data_text
from understudy.report.grid import Grid, GridColumn, printable, shown_p
from understudy.report.json_values import plain
from understudy.report.render_grid import drawn
from understudy.report.sheets import Sheet
from understudy.version import __version__
from understudy.wording import number_of

if TYPE_CHECKING:
    from understudy.trusting.coefficients.by_name import CoefficientSpec
    from understudy.trusting.sets.averages import RankedMetrics
    from understudy.trusting.sets.results import ComparedSet, SetsTrust, SetTask

_MOST_IN_MATRIX = 10  # metrics whose p-values are shown; JSON has those of all
_SHORT = {"spa": "SPA"}


def render(
    trust: SetsTrust,
    format: str = "table",
    *,
    digits: int = DIGITS,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """In one of the formats of `understudy.report.scores`."""
    if format in DATA_FORMATS:
        return data_text(trust, format, as_data, as_sheets)
    comment = "% " if format == "latex" else ""
    lines = "\n".join(f"{comment}{headline(each)}" for each in trust.sets)
    return "\n\n".join([lines, *drawn(as_grids(trust, digits), format, width=width, styled=styled)])


# --- for programs: full precision ------------------------------------------------------------------------------


def as_data(trust: SetsTrust) -> dict[str, Any]:
    """The result as JSON values."""
    return {
        "understudy": __version__,
        "sets": [plain(vars(each)) for each in trust.sets],
        "plan": plain(vars(trust.plan)),
        "notes": trust.notes,
        "average": _ranked_data(trust.average),
        "tasks": [_task_data(task) for task in trust.tasks],
        **({} if trust.by is None else {"by": trust.by, "parts": [_task_data(task) for task in trust.parts]}),
    }


def _task_data(task: SetTask) -> dict[str, Any]:
    return {
        "set": task.of_set,
        "label": task.label,
        **vars(task.asked),
        "test": task.test,
        "weight": task.weight,
        **_ranked_data(task.ranked),
    }


def _ranked_data(ranked: RankedMetrics) -> dict[str, Any]:
    return {
        "metrics": [
            {"metric": name, "value": plain(value), "rank": ranked.ranks[name]}
            for name, value in ranked.values.items()
        ],
        "pairs": [
            {"first": first, "second": second, "p_value": plain(p)}
            for (first, second), p in ranked.p_values.items()
        ],
    }


def as_sheets(trust: SetsTrust) -> list[Sheet]:
    """A row per metric and task; those of the average first."""
    rows = trust.rows()
    return [Sheet("tasks", tuple(rows[0]), [tuple(row.values()) for row in rows])]


# --- for people ---------------------------------------------------------------------------------------------


def headline(each: ComparedSet) -> str:
    """What was compared in a set."""
    references = f", {_references(each.references)}" if each.references else ""
    return (
        f"{printable(each.name)}: human scores {printable(each.human)}, {number_of(len(each.systems), 'system')}, "
        f"{number_of(each.segments, 'segment')}, {number_of(each.judged, 'translation')}{references}."
    )


def as_grids(trust: SetsTrust, digits: int = DIGITS) -> list[Grid]:
    """The table; the same by label; p-values of the average."""
    names = trust.metrics
    several = len(trust.tasks) > 1
    columns = [GridColumn(("", "", "metric"), [printable(name) for name in names], numeric=False)]
    if several:
        columns.append(_column(("", "", "average"), trust.average, names, digits))
    columns += [_column(_header(task), task.ranked, names, digits) for task in trust.tasks]
    grids = [Grid(columns, _said(trust))]
    if trust.parts:
        by_label = [_column(_header(task), task.ranked, names, digits) for task in trust.parts]
        grids.append(Grid([columns[0], *by_label], [f"By {trust.by}; not part of the average."]))
    ranked = trust.average if several else trust.tasks[0].ranked
    if 2 <= len(ranked.values) <= _MOST_IN_MATRIX:
        grids.append(_matrix(ranked, "average" if several else _name(trust.tasks[0].asked), digits))
    last = grids[-1]
    last.notes.extend([*_weights(trust), *map(printable, trust.notes)])
    last.signatures.extend(_signatures(trust.sets))
    return grids


def _column(header: tuple[str, ...], ranked: RankedMetrics, names: Sequence[str], digits: int) -> GridColumn:
    cells = [
        f"{ranked.values[name]:.{digits}f} ({ranked.ranks[name]})" if name in ranked.values else NO_VALUE
        for name in names
    ]
    first = frozenset(place for place, name in enumerate(names) if ranked.ranks.get(name) == 1)
    return GridColumn(header, cells, best=first if len(first) < len(ranked.values) else frozenset())


def _header(task: SetTask) -> tuple[str, ...]:
    where = printable(task.of_set if task.label is None else f"{task.of_set} {task.label}")
    return where, f"{task.asked.level} level", _name(task.asked)


def _name(asked: CoefficientSpec) -> str:
    from understudy.trusting.coefficients.by_name import coefficient_named

    short = _SHORT.get(asked.coefficient, asked.coefficient)
    usual = asked.coefficient == "acc-eq" and asked.grouping == "segment"
    if usual or len(coefficient_named(asked.coefficient, asked.level).groupings) == 1:
        return short
    return f"{short}:{asked.grouping}"


def _matrix(ranked: RankedMetrics, what: str, digits: int) -> Grid:
    order = list(ranked.values)
    columns = [
        GridColumn(("rank",), [str(ranked.ranks[name]) for name in order]),
        GridColumn(("metric",), [printable(name) for name in order], numeric=False),
        GridColumn((what,), [f"{ranked.values[name]:.{digits}f}" for name in order]),
    ]
    for number, other in enumerate(order[1:], start=2):
        cells = [
            shown_p(p) if (p := ranked.p_values.get((name, other))) is not None else "" for name in order
        ]
        columns.append(GridColumn((f"p vs. #{number}",), cells))
    return Grid(columns, [f"p-values of the difference in {what} for each pair of metrics."])


def _said(trust: SetsTrust) -> list[str]:
    """What the numbers in brackets are, by which tests, and what must be said of those."""
    from understudy.trusting.metric_tests.clusters import CLUSTERS, P_VALUES
    from understudy.trusting.metric_tests.metric_ranking import CAUTIONS

    rule = CLUSTERS[trust.plan.clusters]
    tests: dict[str, list[str]] = {}
    for task in trust.tasks:
        names = tests.setdefault(task.test, [])
        if (name := _name(task.asked)) not in names:
            names.append(name)
    listed = ", ".join(f"{test} for {', '.join(names)}" for test, names in tests.items())
    return [
        f"In parentheses: {rule[0].lower()}{rule[1:]}",
        f"Permutation tests: {listed}; {trust.plan.samples:,} resamples each; significance level "
        f"{trust.plan.significance:g}; {P_VALUES[trust.plan.clusters]}.",
        *(CAUTIONS[test] for test in tests if test in CAUTIONS),
    ]


def _weights(trust: SetsTrust) -> list[str]:
    if len({task.weight for task in trust.tasks}) == 1:
        return []
    listed = ", ".join(f"{task.of_set} {_name(task.asked)} {task.weight:g}" for task in trust.tasks)
    return [f"Weights in the average: {listed}."]


def _references(names: Sequence[str]) -> str:
    return f"reference{'s' if len(names) > 1 else ''} {', '.join(map(printable, names))}"


def _signatures(sets: Sequence[ComparedSet]) -> list[tuple[str, str]]:
    """Those of a metric that are the same in all sets stand once."""
    found: dict[tuple[str, str], list[str]] = {}
    for each in sets:
        for name, signature in each.signatures.items():
            found.setdefault((name, signature), []).append(each.name)
    names = [name for name, _ in found]
    return [
        (name if names.count(name) == 1 else f"{name} ({', '.join(where)})", signature)
        for (name, signature), where in found.items()
    ]
