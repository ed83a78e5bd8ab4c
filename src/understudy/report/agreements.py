"""What the verb `trust` found, as tables, Markdown, LaTeX, JSON or TSV."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from understudy.report.comparisons import shown_p
from understudy.report.grid import Grid, GridColumn, printable
from understudy.report.latex import latex
from understudy.report.markdown import markdown
from understudy.report.scatter import scatter
from understudy.report.terminal import draw
from understudy.version import __version__

if TYPE_CHECKING:
    from understudy.agreement.intervals import Asked
    from understudy.agreement.metric_tests import MetricRanking
    from understudy.agreement.results import Agreed, MetricTrust, Trust
    from understudy.metrics.score import Interval

DIGITS = 3
MOST_COLUMNS = 4  # of metrics: with more of them, a metric is a row
NO_VALUE = "–"
BY_CHANCE = "~"  # behind a value that random scores often reach


def render(
    trust: Trust | Sequence[Trust],
    format: str = "table",
    *,
    digits: int = DIGITS,
    width: int | None = None,
    styled: bool = False,
    plots: bool = False,
) -> str:
    """What was found, by one measure of people or by several, in one of the formats of `understudy.report.scores`."""
    found = list(trust) if isinstance(trust, Sequence) else [trust]
    if format == "json":
        data = {"understudy": __version__, "measures": [as_data(each) for each in found]}
        return json.dumps(data, indent=2, allow_nan=False)
    if format == "tsv":
        return as_tsv(found)
    parts = []
    for each in found:
        grids = as_grids(each, digits)
        if format == "markdown":
            parts += [headline(each), *map(markdown, grids)]
        elif format == "latex":
            parts += [f"% {headline(each)}", *map(latex, grids)]
        else:
            parts += [headline(each), *(draw(grid, width=width, styled=styled) for grid in grids)]
            parts += [plot(each, metric) for metric in each.metrics if plots and metric.regression]
    return "\n\n".join(parts)


# --- for programs: every digit ------------------------------------------------------------------------------


def as_data(trust: Trust) -> dict[str, Any]:
    """What JSON can hold."""
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
        "rankings": [plain(asdict(ranking)) for ranking in trust.rankings],
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
                    **asdict(each.estimate.agreement),
                    "interval": None if each.estimate.interval is None else vars(each.estimate.interval),
                    "undefined_samples": each.estimate.undefined,
                    "chance": asdict(each.chance),
                }
            )
            for each in metric.agreed
        ],
        "without_outliers": [plain(asdict(each)) for each in metric.without_outliers],
        "without_each": [plain(asdict(each)) for each in metric.without_each],
        "regression": None if metric.regression is None else plain(asdict(metric.regression)),
        "noticed": None
        if metric.noticed is None
        else [plain(asdict(each)) for each in metric.noticed.thresholds],
    }


def as_tsv(found: Iterable[Trust]) -> str:
    """A row per measure, metric and coefficient."""
    header = (
        "measure metric level coefficient grouping value low high chance chance_upper chance_p "
        "points groups skipped"
    )
    lines = [header.replace(" ", "\t")]
    for trust in found:
        for metric in trust.metrics:
            for each in metric.agreed:
                seen, interval = each.estimate.agreement, each.estimate.interval
                bounds = (math.nan, math.nan) if interval is None else (interval.low, interval.high)
                numbers = (seen.value, *bounds, each.chance.mean, each.chance.upper, each.chance.p_value)
                names = (trust.human.name, metric.name, seen.level, seen.coefficient, seen.grouping)
                counts = (seen.points, seen.groups, seen.skipped)
                lines.append("\t".join([*map(printable, names), *map(_repr, numbers), *map(str, counts)]))
    return "\n".join(lines)


def _repr(value: float) -> str:
    return "" if math.isnan(value) else repr(float(value))


def plain(value: Any) -> Any:
    """As JSON has it: null for what is no number, lists for arrays."""
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    return None if isinstance(value, float) and not math.isfinite(value) else value


# --- for people ---------------------------------------------------------------------------------------------


def as_grids(trust: Trust, digits: int = DIGITS) -> list[Grid]:
    """The coefficients of systems, of segments; the metrics in order; outliers; what people notice."""
    grids = [grid for level in trust.plan.levels if (grid := _coefficients(trust, level, digits)) is not None]
    grids += [_ranking(ranking, digits) for ranking in trust.rankings]
    grids += [grid for grid in (outliers_grid(trust, digits), noticed_grid(trust)) if grid is not None]
    last = grids[-1]
    last.notes.extend(map(printable, trust.notes))
    last.signatures.extend((metric.name, metric.signature) for metric in trust.metrics if metric.signature)
    return grids


def headline(trust: Trust) -> str:
    """Who judged what."""
    human = trust.human
    judged = f", {trust.judged:,} translations judged" if human.segments else ", judged as wholes"
    judges = f" by {len(human.judges)} judges" if len(human.judges) > 1 else ""
    return (
        f"Human scores: {printable(human.name)}. {_count(len(trust.systems), 'system')}, "
        f"{_count(len(trust.segments), 'segment')}{judged}{judges}."
    )


def _coefficients(trust: Trust, level: str, digits: int) -> Grid | None:
    asked = [one for one in trust.asked if one.level == level]
    if not asked:
        return None
    metrics = [metric for metric in trust.metrics if any(metric.of(one) for one in asked)]
    if len(metrics) > MOST_COLUMNS:
        metrics.sort(key=lambda metric: _height(metric, asked[0]))
    titles = [title(one) for one in asked]
    cells = [[_cell(metric.of(one), digits) for one in asked] for metric in metrics]
    best = [_best(metrics, one) for one in asked]
    chance = [_chance(metrics, one, digits) for one in asked]
    names = [printable(metric.name) for metric in metrics]
    if len(names) <= MOST_COLUMNS:
        columns = [GridColumn((f"of {level}s",), titles, numeric=False)]
        for number, name in enumerate(names):
            marked = frozenset(row for row, rows in enumerate(best) if number in rows)
            columns.append(GridColumn((name,), cells[number], best=marked))
        columns.append(GridColumn(("chance",), chance))
    else:
        columns = [GridColumn((f"of {level}s",), [*names, "chance"], numeric=False)]
        for place, of_title in enumerate(titles):
            values = [row[place] for row in cells]
            header = tuple(of_title.split(", "))
            columns.append(GridColumn(header, [*values, chance[place]], best=best[place]))
    notes = [
        f"In brackets: {trust.plan.confidence:.0%} intervals, {trust.plan.samples:,} samples over {trust.over}. "
        "Chance: the same scores dealt out at random.",
    ]
    if any(BY_CHANCE in cell for row in cells for cell in row):
        notes.append(f"{BY_CHANCE} no better than scores dealt out at random.")
    return Grid(columns, notes)


def title(asked: Asked) -> str:
    """The coefficient and its grouping, in words."""
    from understudy.agreement.coefficients import coefficient_named

    coefficient = coefficient_named(asked.coefficient, asked.level)
    if asked.level == "system":
        return coefficient.title
    grouping = {"none": "all together", "segment": "by segment", "system": "by system"}[asked.grouping]
    return f"{coefficient.title}, {grouping}"


def _cell(agreed: Agreed | None, digits: int) -> str:
    if agreed is None or math.isnan(agreed.value):
        return NO_VALUE
    chance = "" if agreed.above_chance else BY_CHANCE
    return f"{agreed.value:.{digits}f}{chance}{interval_in_words(agreed.estimate.interval, digits)}"


def interval_in_words(interval: Interval | None, digits: int) -> str:
    return "" if interval is None else f" ({interval.low:.{digits}f} to {interval.high:.{digits}f})"


def _height(metric: MetricTrust, asked: Asked) -> float:
    """The higher the value, the smaller; without one, infinite."""
    agreed = metric.of(asked)
    return math.inf if agreed is None or math.isnan(agreed.value) else -agreed.value


def _best(metrics: Sequence[MetricTrust], asked: Asked) -> frozenset[int]:
    """The metrics with the highest value."""
    values = [math.nan if (each := metric.of(asked)) is None else each.value for metric in metrics]
    known = [value for value in values if not math.isnan(value)]
    if len(known) < 2 or min(known) == max(known):
        return frozenset()
    return frozenset(number for number, value in enumerate(values) if value == max(known))


def _chance(metrics: Sequence[MetricTrust], asked: Asked, digits: int) -> str:
    """Of all metrics together: it hardly depends on the metric."""
    means = [each.chance.mean for metric in metrics if (each := metric.of(asked)) is not None]
    known = [mean for mean in means if not math.isnan(mean)]
    return f"{sum(known) / len(known):.{digits}f}" if known else NO_VALUE


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
        columns.append(GridColumn((f"p to {number}",), cells))
    level = ranking.asked.level
    return Grid(
        columns,
        [
            f"Metrics by agreement on {level}s, told apart by {ranking.test}; p allows for the number of pairs (Holm)."
        ],
    )


def _p(value: float | None) -> str:
    return NO_VALUE if value is None or math.isnan(value) else shown_p(value)


def outliers_grid(trust: Trust, digits: int) -> Grid | None:
    """Every coefficient with the outliers and without them; without any outlier, the systems that matter most."""
    if trust.outliers:
        rows = [(metric, each) for metric in trust.metrics for each in metric.without_outliers]
        heading = f"Outliers by their human scores: {', '.join(map(printable, trust.outliers))}."
    else:
        rows = [(metric, each) for metric in trust.metrics for each in influential(metric)]
        heading = "No system is an outlier by its human score; left out is the one that changes R² most."
    rows = [row for row in rows if not (math.isnan(row[1].with_them) and math.isnan(row[1].without_them))]
    if not rows:
        return None
    columns = [
        GridColumn(("metric",), [printable(metric.name) for metric, _ in rows], numeric=False),
        GridColumn(("coefficient",), [title(each.asked) for _, each in rows], numeric=False),
        GridColumn(
            ("left out",), [", ".join(map(printable, each.systems)) for _, each in rows], numeric=False
        ),
        GridColumn(("with",), [f"{each.with_them:.{digits}f}" for _, each in rows]),
        GridColumn(("without",), [f"{each.without_them:.{digits}f}" for _, each in rows]),
    ]
    sentences = [f"{metric.name}: {each.sentence}" for metric, each in rows if each.asked.coefficient == "r2"]
    return Grid(columns, [heading, *(printable(sentence) for sentence in sentences if trust.outliers)])


def influential(metric: MetricTrust) -> list[Any]:
    """The system whose removal changes R² most."""
    known = [each for each in metric.without_each if not math.isnan(each.with_them - each.without_them)]
    return sorted(known, key=lambda each: -abs(each.with_them - each.without_them))[:1]


def noticed_grid(trust: Trust) -> Grid | None:
    """How far apart two systems must be for people to agree."""
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
                high = "" if bounds is None else "any" if math.isinf(bounds.high) else f"{bounds.high:.2f}"
                inside = "" if bounds is None else f" ({bounds.low:.2f} to {high})"
                cells.append(f"{threshold.difference:.2f}{inside}")
        columns.append(GridColumn((f"{share:.0%} agree",), cells))
    return Grid(
        columns,
        [
            "How far apart a metric must set two systems, in its own points, for people to prefer the same one so "
            "often."
        ],
    )


def plot(trust: Trust, metric: MetricTrust) -> str:
    """Human scores over the metric's, with the line of least squares."""
    line = metric.regression
    human, own = trust.human_systems, metric.own_scores
    sign = -1.0 if metric.lower_is_better else 1.0
    drawn = scatter(
        list(zip(trust.systems, own.tolist(), human.tolist(), strict=True)),
        x=metric.name,
        y=f"human: {printable(trust.human.name)}",
        line=None if line is None else lambda at: line.intercept + line.slope * sign * at,
    )
    if line is None:
        return drawn
    return (
        f"{drawn}\nhuman = {line.intercept:.4g} {sign * line.slope:+.4g} x {metric.name}, R² = {line.r2:.3f}"
    )


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
