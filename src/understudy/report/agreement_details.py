"""Further results of `trust` as tables: outliers, differences for human agreement, orders; and a plot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from understudy.report.grid import Grid, GridColumn, printable
from understudy.report.scatter import scatter

if TYPE_CHECKING:
    from understudy.metrics.base.score import Interval
    from understudy.trusting.by_order import AgreementByOrder
    from understudy.trusting.coefficients.by_name import CoefficientSpec
    from understudy.trusting.outliers import WithoutSystems
    from understudy.trusting.results import MetricTrust, Trust

DIGITS = 3
MOST_COLUMNS = 4  # of metrics: with more of them, a metric is a row
NO_VALUE = "–"


def title(asked: CoefficientSpec) -> str:
    """The coefficient and its grouping, in words."""
    from understudy.trusting.coefficients.by_name import coefficient_named

    coefficient = coefficient_named(asked.coefficient, asked.level)
    if asked.level == "system":
        return coefficient.title
    grouping = {"none": "no grouping", "segment": "group-by-item", "system": "group-by-system"}[
        asked.grouping
    ]
    return f"{coefficient.title}, {grouping}"


def interval_in_words(interval: Interval | None, digits: int) -> str:
    return "" if interval is None else f" ({interval.low:.{digits}f} to {interval.high:.{digits}f})"


def height(metric: MetricTrust, asked: CoefficientSpec) -> float:
    """The value of a coefficient; without one, less than any."""
    agreed = metric.of(asked)
    return -math.inf if agreed is None or math.isnan(agreed.value) else agreed.value


def outliers_grid(trust: Trust, digits: int) -> Grid | None:
    """Every coefficient with and without outliers; without outliers, the systems with the largest leave-one-out
    effect.
    """
    if trust.outliers:
        rows = [(metric, each) for metric in trust.metrics for each in metric.without_outliers]
        heading = f"Outliers by human score: {', '.join(map(printable, trust.outliers))}."
    else:
        rows = [(metric, each) for metric in trust.metrics for each in influential(metric)]
        heading = (
            "No outliers by human score. Excluded: the system with the largest leave-one-out effect on R²."
        )
    rows = [row for row in rows if not (math.isnan(row[1].with_them) and math.isnan(row[1].without_them))]
    if not rows:
        return None
    columns = [
        GridColumn(("metric",), [printable(metric.name) for metric, _ in rows], numeric=False),
        GridColumn(("coefficient",), [title(each.asked) for _, each in rows], numeric=False),
        GridColumn(
            ("excluded",), [", ".join(map(printable, each.systems)) for _, each in rows], numeric=False
        ),
        GridColumn(("with",), [f"{each.with_them:.{digits}f}" for _, each in rows]),
        GridColumn(("without",), [f"{each.without_them:.{digits}f}" for _, each in rows]),
    ]
    sentences = [f"{metric.name}: {each.sentence}" for metric, each in rows if each.asked.coefficient == "r2"]
    return Grid(columns, [heading, *(printable(sentence) for sentence in sentences if trust.outliers)])


def outliers_in_short(trust: Trust, digits: int) -> Grid | None:
    """The coefficients with and without outliers; without outliers, R² without the system with the largest effect. With
    many metrics only R², without each outlier and without all, or a row for each of them if there is no R².
    """
    known = [
        (metric, [each for each in found if not math.isnan(each.with_them + each.without_them)])
        for metric in trust.metrics
        for found in [metric.without_outliers if trust.outliers else influential(metric)]
    ]
    found = [(metric, of_metric) for metric, of_metric in known if of_metric]
    if not found:
        return None
    r2 = [
        (metric, each) for metric, of_metric in found for each in of_metric if each.asked.coefficient == "r2"
    ]
    if not trust.outliers:
        columns = [
            GridColumn(("metric",), [printable(metric.name) for metric, _ in r2], numeric=False),
            GridColumn(("excluded",), [_names(each.systems) for _, each in r2], numeric=False),
            GridColumn(("R²",), [f"{each.with_them:.{digits}f}" for _, each in r2]),
            GridColumn(("leave-one-out R²",), [f"{each.without_them:.{digits}f}" for _, each in r2]),
        ]
        return Grid(
            columns,
            ["No outliers by human score. Excluded: the system with the largest leave-one-out effect on R²."],
        )
    heading = f"Outliers by human score: {_names(trust.outliers)}."
    if len(found) > MOST_COLUMNS and r2:
        return Grid(_r2_by_metric(r2, digits), [heading])
    rows = list(dict.fromkeys(each.asked for _, of_metric in found for each in of_metric))
    cells = [
        [
            f"{each.with_them:.{digits}f} → {each.without_them:.{digits}f}"
            if (each := without_all.get(one))
            else NO_VALUE
            for one in rows
        ]
        for _, of_metric in found
        for without_all in [
            {each.asked: each for each in of_metric if len(each.systems) == len(trust.outliers)}
        ]
    ]
    sides, names = list(map(title, rows)), [printable(metric.name) for metric, _ in found]
    tops: list[tuple[str, ...]] = [(name,) for name in names]
    if len(found) > MOST_COLUMNS:
        sides, tops = names, [tuple(each.split(", ")) for each in sides]
        cells = [list(row) for row in zip(*cells, strict=True)]
    columns = [GridColumn(("with → without", "all outliers"), sides, numeric=False)]
    columns += [GridColumn(top, row) for top, row in zip(tops, cells, strict=True)]
    return Grid(columns, [heading, *(printable(f"{metric.name}: {each.sentence}") for metric, each in r2)])


def _r2_by_metric(r2: Sequence[tuple[MetricTrust, WithoutSystems]], digits: int) -> list[GridColumn]:
    by_metric: dict[str, dict[tuple[str, ...], WithoutSystems]] = {}
    for metric, each in r2:
        by_metric.setdefault(metric.name, {})[each.systems] = each
    sets = list(dict.fromkeys(each.systems for _, each in r2))
    columns = [
        GridColumn(("metric",), list(map(printable, by_metric)), numeric=False),
        GridColumn(
            ("R²",),
            [f"{next(iter(found.values())).with_them:.{digits}f}" for found in by_metric.values()],
        ),
    ]
    for left_out in sets:
        cells = [
            f"{found[left_out].without_them:.{digits}f}" if left_out in found else NO_VALUE
            for found in by_metric.values()
        ]
        columns.append(GridColumn(("without", _names(left_out)), cells))
    return columns


def _names(systems: Sequence[str]) -> str:
    return ", ".join(map(printable, systems))


def influential(metric: MetricTrust) -> list[WithoutSystems]:
    """The system with the largest leave-one-out effect on R²."""
    known = [each for each in metric.without_each if not math.isnan(each.with_them - each.without_them)]
    return sorted(known, key=lambda each: -abs(each.with_them - each.without_them))[:1]


def noticed_grid(trust: Trust) -> Grid | None:
    """Metric differences for 80% and 95% human agreement."""
    metrics = [metric for metric in trust.metrics if metric.noticed is not None]
    if not metrics:
        return None
    columns = [GridColumn(("metric",), [printable(metric.name) for metric in metrics], numeric=False)]
    shares = [threshold.share for threshold in metrics[0].noticed.thresholds] if metrics[0].noticed else []
    for place, share in enumerate(shares):
        cells = []
        for metric in metrics:
            threshold = metric.noticed.thresholds[place] if metric.noticed else None
            if threshold is None or threshold.difference is None:
                cells.append("at no difference")
            else:
                bounds = threshold.interval
                high = "" if bounds is None else "any" if math.isinf(bounds.high) else f"{bounds.high:.3g}"
                inside = "" if bounds is None else f" ({bounds.low:.3g} to {high})"
                cells.append(f"{threshold.difference:.3g}{inside}")
        columns.append(GridColumn((f"{share:.0%} agreement",), cells))
    return Grid(
        columns,
        [
            "Smallest metric difference, in metric points, at which humans prefer the same system in the given share "
            "of pairs."
        ],
    )


def length_grids(found: Sequence[AgreementByOrder], digits: int = DIGITS) -> list[Grid]:
    """A table for each level: one row per order or depth, one column per metric, as in Liu & Gildea."""
    grids = []
    for asked in dict.fromkeys(each.asked for each in found):
        of_level = [each for each in found if each.asked == asked]
        lengths = list(dict.fromkeys(length for each in of_level for length in each.lengths))
        whole = [each for each in of_level if not each.lengths]
        columns = [GridColumn(("order", "or depth"), [*map(str, lengths), *(["all"] if whole else [])])]
        for each in of_level:
            shown = [NO_VALUE if math.isnan(value) else f"{value:.{digits}f}" for value in each.values]
            cells = [*shown, *([""] if whole else [])] if each.lengths else [*([""] * len(lengths)), *shown]
            columns.append(GridColumn((printable(each.metric),), cells))
        grids.append(
            Grid(
                columns,
                [f"{asked.level.capitalize()}-level {title(asked)}, by maximum n-gram order or tree depth."],
            )
        )
    return grids


def plot(trust: Trust, metric: MetricTrust) -> str:
    """Human scores against metric scores, with the regression line."""
    line = metric.regression
    human, own = trust.human_systems, metric.own_scores
    sign = -1.0 if metric.lower_is_better else 1.0
    drawn = scatter(
        list(zip(trust.systems, own.tolist(), human.tolist(), strict=True)),
        x=metric.name,
        y=f"human: {printable(trust.human.name)}",
        line=None if line is None else lambda at: line.intercept + line.slope * sign * at,
        kinds=[trust.kinds[system] or "" for system in trust.systems],
    )
    if line is None:
        return drawn
    return (
        f"{drawn}\nhuman = {line.intercept:.4g} {sign * line.slope:+.4g} x {metric.name}, R² = {line.r2:.3f}"
    )
