"""The results of `trust`, as tables, Markdown, LaTeX, JSON, TSV or CSV."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from understudy.report import ceilings, feature_weights, fitness, settings_grids
from understudy.report.agreement_details import (
    DIGITS,
    MOST_COLUMNS,
    NO_VALUE,
    height,
    interval_in_words,
    length_grids,
    noticed_grid,
    outliers_in_short,
    plot,
    title,
)
from understudy.report.ceilings import ceiling_cell, ceiling_in_words, has_ceiling
from understudy.report.data_formats import DATA_FORMATS, data_text
from understudy.report.grid import Grid, GridColumn, printable, shown_p
from understudy.report.json_values import plain
from understudy.report.render_grid import drawn
from understudy.report.sheets import Sheet
from understudy.version import __version__
from understudy.wording import number_of

if TYPE_CHECKING:
    from understudy.metrics.base.score import Interval
    from understudy.trusting.by_order import AgreementByOrder
    from understudy.trusting.coefficients.by_name import CoefficientSpec
    from understudy.trusting.metric_tests.metric_ranking import MetricRanking
    from understudy.trusting.results import CoefficientResult, MetricTrust, Trust

_MUCH = 0.05  # by which metrics differ in what chance gives them: random permutations differ by less
BY_CHANCE = "~"  # behind a value that random scores often reach


def render(
    trust: Trust | Sequence[Trust],
    format: str = "table",
    *,
    digits: int = DIGITS,
    width: int | None = None,
    styled: bool = False,
    plots: bool = False,
    lengths: Sequence[Sequence[AgreementByOrder]] = (),
) -> str:
    """The results for one or several kinds of human scores, in one of the formats of `understudy.report.scores`.
    `lengths` has the agreement by order or depth for each of them.
    """
    found = list(trust) if isinstance(trust, Sequence) else [trust]
    by_length = lengths or [[] for _ in found]
    if format in DATA_FORMATS:
        return data_text(found, format, lambda each: whole_data(each, by_length), as_sheets)
    parts = []
    for each, of_each in zip(found, by_length, strict=True):
        grids = [*_as_grids(each, digits), *length_grids(of_each, digits)]
        comment = "% " if format == "latex" else ""
        parts += [f"{comment}{headline(each)}", *drawn(grids, format, width=width, styled=styled)]
        if format == "table" and plots:
            parts += [plot(each, metric) for metric in each.metrics if metric.regression]
    return "\n\n".join(parts)


# --- for programs: full precision ------------------------------------------------------------------------------


def whole_data(found: Sequence[Trust], lengths: Sequence[Sequence[AgreementByOrder]] = ()) -> dict[str, Any]:
    """All measures as JSON values."""
    by_length = lengths or [[] for _ in found]
    return {
        "understudy": __version__,
        "measures": [
            {**as_data(each), **({"by_length": plain([asdict(one) for one in of_each])} if of_each else {})}
            for each, of_each in zip(found, by_length, strict=True)
        ],
    }


def as_data(trust: Trust) -> dict[str, Any]:
    """The same of one measure."""
    return {
        "measure": trust.human.name,
        "systems": list(trust.systems),
        "segments": len(trust.segments),
        "judged": trust.judged,
        "judges": list(trust.human.judges),
        "plan": plain({**vars(trust.plan), "over": trust.over}),
        "notes": trust.notes,
        "outliers": list(trust.outliers),
        "human": plain(dict(zip(trust.systems, trust.human_systems.tolist(), strict=True))),
        "metrics": [_metric_data(trust, metric) for metric in trust.metrics],
        "one_judge": ceilings.as_data(trust.ceiling),
        "rankings": [plain(asdict(ranking)) for ranking in trust.rankings],
        **({} if trust.learning is None else {"learned": plain(asdict(trust.learning.model))}),
        **feature_weights.as_data(trust),
        **({} if trust.fitness is None else {"fitness": fitness.as_data(trust.fitness)}),
        **({"grids": list(map(settings_grids.as_data, trust.grids))} if trust.grids else {}),
    }


def _metric_data(trust: Trust, metric: MetricTrust) -> dict[str, Any]:
    return {
        "metric": metric.name,
        "spec": metric.spec,
        "signature": metric.signature,
        "source": metric.source,
        "scores": plain(dict(zip(trust.systems, metric.own_scores.tolist(), strict=True))),
        "coefficients": [
            plain(
                {
                    **asdict(each.agreement),
                    "chance": asdict(each.chance),
                }
            )
            for each in metric.agreed
        ],
        "tie_threshold": plain(metric.tie_threshold),
        "without_outliers": [plain(asdict(each)) for each in metric.without_outliers],
        "without_each": [plain(asdict(each)) for each in metric.without_each],
        "regression": None if metric.regression is None else plain(asdict(metric.regression)),
        "noticed": None
        if metric.noticed is None
        else [plain(asdict(each)) for each in metric.noticed.thresholds],
    }


def as_sheets(found: Iterable[Trust]) -> list[Sheet]:
    """One row per measure, metric and coefficient; then those of one rater, if there are several; then grids of
    settings.
    """
    found = list(found)
    columns = (
        *("measure", "metric", "level", "coefficient", "grouping", "value", "low", "high"),
        *("chance", "chance_upper", "chance_p", "points", "groups", "skipped"),
    )
    rows: list[tuple[Any, ...]] = []
    for trust in found:
        for metric in trust.metrics:
            for each in metric.agreed:
                seen, chance = each.agreement, each.chance
                rows.append(
                    (
                        *(trust.human.name, metric.name, seen.level, seen.coefficient, seen.grouping),
                        *(float(seen.value), *_bounds(seen.interval)),
                        *(float(chance.mean), float(chance.upper), float(chance.p_value)),
                        *(seen.points, seen.groups, seen.skipped),
                    )
                )
        rows += _ceiling_rows(trust)
    return [Sheet("coefficients", columns, rows), *settings_grids.as_sheets(found)]


def _ceiling_rows(trust: Trust) -> list[tuple[Any, ...]]:
    """With as many columns, of which those of chance, points and groups are empty."""
    from understudy.trusting.human_ceiling import ONE_JUDGE

    return [
        (
            *(trust.human.name, ONE_JUDGE, each.asked.level, each.asked.coefficient, each.asked.grouping),
            *(float(each.value), *_bounds(each.interval), *[None] * 6),
        )
        for each in (() if trust.ceiling is None else trust.ceiling.values)
    ]


def _bounds(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (float(interval.low), float(interval.high))


# --- for people ---------------------------------------------------------------------------------------------


def _as_grids(trust: Trust, digits: int = DIGITS) -> list[Grid]:
    """System-level and segment-level coefficients; the ranking of metrics; outliers; differences for human
    agreement.
    """
    grids = _coefficient_grids(trust, digits)
    grids += feature_weights.as_grids(trust, digits)
    grids += [_ranking(ranking, digits) for ranking in trust.rankings if ranking.clusters]
    grids += [grid for grid in (outliers_in_short(trust, digits), noticed_grid(trust)) if grid is not None]
    if trust.fitness is not None:
        grids += fitness.as_grids(trust.fitness)
    grids += settings_grids.as_grids(trust, digits)
    last = grids[-1]
    last.notes.extend(map(printable, trust.notes))
    last.signatures.extend((metric.name, metric.signature) for metric in trust.metrics if metric.signature)
    return grids


def _coefficient_grids(trust: Trust, digits: int = DIGITS) -> list[Grid]:
    """The system-level coefficients, then the segment-level coefficients."""
    return [
        grid
        for level in trust.plan.levels
        for grid in (_coefficients(trust, level, digits), ceilings.alike_grid(trust, level, digits))
        if grid is not None
    ]


def shown(trust: Trust, digits: int = DIGITS) -> list[Grid]:
    """The tables for a Python console, with the headline."""
    first, *others = [*_coefficient_grids(trust, digits), *settings_grids.as_grids(trust, digits)]
    return [replace(first, notes=[headline(trust), *first.notes]), *others]


def headline(trust: Trust) -> str:
    """The number of systems, segments, translations and raters."""
    human = trust.human
    judged = f", {number_of(trust.judged, 'translation')}" if human.segments else ", system scores"
    judges = f", {len(human.judges)} raters" if len(human.judges) > 1 else ""
    return (
        f"Human scores: {printable(human.name)}. {number_of(len(trust.systems), 'system')}, "
        f"{number_of(len(trust.segments), 'segment')}{judged}{judges}."
    )


def _coefficients(trust: Trust, level: str, digits: int) -> Grid | None:
    from understudy.trusting.human_ceiling import ONE_JUDGE

    asked = [one for one in trust.asked if one.level == level]
    if not asked:
        return None
    metrics = [metric for metric in trust.metrics if any(metric.of(one) for one in asked)]
    if len(metrics) > MOST_COLUMNS:
        metrics.sort(key=lambda metric: -height(metric, asked[0]))
    titles = [title(one) for one in asked]
    cells = [[_cell(metric.of(one), digits) for one in asked] for metric in metrics]
    best = [_best(metrics, one) for one in asked]
    chance = [chance_of(metrics, one, digits) for one in asked]
    names = [printable(metric.name) for metric in metrics]
    beside = {"permuted": chance}
    if has_ceiling(trust, level):
        of_judge = [ceiling_cell(trust.ceiling, one, digits) for one in asked]
        beside = {ONE_JUDGE: of_judge, **beside}
    if len(names) <= MOST_COLUMNS:
        columns = [GridColumn((f"{level} level",), titles, numeric=False)]
        for number, name in enumerate(names):
            marked = frozenset(row for row, rows in enumerate(best) if number in rows)
            columns.append(GridColumn((name,), cells[number], best=marked))
        columns += [GridColumn((name,), of_name) for name, of_name in beside.items()]
    else:
        columns = [GridColumn((f"{level} level",), [*names, *beside], numeric=False)]
        for place, of_title in enumerate(titles):
            values = [row[place] for row in cells]
            header = tuple(of_title.split(", "))
            others = [of_name[place] for of_name in beside.values()]
            columns.append(GridColumn(header, [*values, *others], best=best[place]))
    resampled = "systems and segments" if trust.over == "both" else trust.over
    notes = [
        f"In parentheses: {trust.plan.confidence:.0%} CI, {trust.plan.samples:,} bootstrap resamples of {resampled}.",
        f"permuted: mean coefficient over {permutations(metrics, level)} of each metric's scores.",
    ]
    if has_ceiling(trust, level) and trust.ceiling is not None:
        notes.append(ceiling_in_words(trust.ceiling))
    if any(BY_CHANCE in cell for row in cells for cell in row):
        notes.append(by_chance_in_words(trust.plan.significance))
    return Grid(columns, notes)


def _cell(agreed: CoefficientResult | None, digits: int) -> str:
    if agreed is None or math.isnan(agreed.value):
        return NO_VALUE
    chance = "" if agreed.above_chance else BY_CHANCE
    return f"{agreed.value:.{digits}f}{chance}{interval_in_words(agreed.agreement.interval, digits)}"


def _best(metrics: Sequence[MetricTrust], asked: CoefficientSpec) -> frozenset[int]:
    """The metrics with the highest value."""
    values = [math.nan if (each := metric.of(asked)) is None else each.value for metric in metrics]
    known = [value for value in values if not math.isnan(value)]
    if len(known) < 2 or min(known) == max(known):
        return frozenset()
    return frozenset(number for number, value in enumerate(values) if value == max(known))


def chance_of(metrics: Sequence[MetricTrust], asked: CoefficientSpec, digits: int) -> str:
    """The permutation baseline: the mean of all metrics, or the range if metrics differ, for example because one has
    many ties.
    """
    means = [each.chance.mean for metric in metrics if (each := metric.of(asked)) is not None]
    known = [mean for mean in means if not math.isnan(mean)]
    if not known:
        return NO_VALUE
    low, high = min(known), max(known)
    if high - low > _MUCH:
        return f"{low:.{digits}f} to {high:.{digits}f}"
    return f"{sum(known) / len(known):.{digits}f}"


def permutations(metrics: Sequence[MetricTrust], level: str) -> str:
    """The number of permutations for coefficients at this level."""
    found = next(each.chance for metric in metrics for each in metric.agreed if each.asked.level == level)
    kind = "" if found.exact else "random "
    number = f"all {found.deals:,}" if found.exact else f"{found.deals:,}"
    return f"{number} {kind}permutation{'' if found.deals == 1 else 's'}"


def by_chance_in_words(significance: float) -> str:
    return f"{BY_CHANCE} not significantly above the permutation baseline (alpha = {significance:g})."


def _ranking(ranking: MetricRanking, digits: int) -> Grid:
    """The metrics from best to worst, and p of every two."""
    cluster_of = {name: number for number, names in enumerate(ranking.clusters, 1) for name in names}
    order = [name for cluster in ranking.clusters for name in cluster]
    p_values = {frozenset((pair.first, pair.second)): pair.corrected for pair in ranking.pairs}
    columns = [
        GridColumn(("cluster",), [str(cluster_of[name]) for name in order]),
        GridColumn(("metric",), [printable(name) for name in order], numeric=False),
        GridColumn((title(ranking.asked),), [f"{ranking.values[name]:.{digits}f}" for name in order]),
    ]
    for number, other in enumerate(order[1:], start=2):
        cells = [_p(p_values.get(frozenset((name, other)))) if name != other else "" for name in order]
        columns.append(GridColumn((f"p vs. #{number}",), cells))
    level = ranking.asked.level
    return Grid(
        columns,
        [
            f"Metrics ranked by {level}-level {title(ranking.asked)}; {ranking.p_values_are}, {ranking.test} test.",
            ranking.clusters_are,
            *([ranking.caution] if ranking.caution else []),
        ],
    )


def _p(value: float | None) -> str:
    return NO_VALUE if value is None or math.isnan(value) else shown_p(value)
