"""The results of `trust` as one self-contained HTML file."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from understudy.report import feature_weights
from understudy.report.agreement_details import (
    NO_VALUE,
    height,
    interval_in_words,
    noticed_grid,
    outliers_grid,
    title,
)
from understudy.report.agreements import (
    BY_CHANCE,
    by_chance_in_words,
    chance_of,
    headline,
    permutations,
    render,
)
from understudy.report.ceilings import alike_grid, ceiling_cell, ceiling_in_words, has_ceiling
from understudy.report.charts import check_installed
from understudy.report.figure import apart
from understudy.report.fitness import for_page
from understudy.report.grid import Grid, printable, shown_p
from understudy.report.page import DENSE, Cell, DrawnFigure, render_page
from understudy.report.settings_grids import titled_grids
from understudy.report.trust_charts import (
    DRAWN,
    drawn_metrics,
    main_coefficients,
    of_level,
    trust_figures,
)
from understudy.report.trust_headlines import Sentence, counted, some
from understudy.report.trust_prose import takeaways
from understudy.trusting.metric_scores import SENTINEL
from understudy.trusting.permutation_baseline import RANKED
from understudy.wording import listed, number_of

if TYPE_CHECKING:
    from understudy.trusting.by_order import AgreementByOrder
    from understudy.trusting.coefficients.by_name import Coefficient, CoefficientSpec
    from understudy.trusting.metric_tests.metric_ranking import MetricPair, MetricRanking
    from understudy.trusting.results import CoefficientResult, Trust

_FEW_ROWS = 6  # a table of no more stands beside another
MATRIX = 24  # metrics: of more, the best are in the matrix


def trust_report(
    found: Sequence[Trust],
    *,
    by_length: Sequence[AgreementByOrder] = (),
    title: str | None = None,
    digits: int = 3,
) -> str:
    """The whole page, for one or several kinds of human scores."""
    check_installed()
    figures = [DrawnFigure.of(figure) for figure in trust_figures(found, by_length=by_length)]
    parts = [
        _Part.of(key, trust, several=len(found) > 1, digits=digits)
        for key, trust in zip(apart([trust.human.name for trust in found]), found, strict=True)
    ]
    return render_page(
        "trust.html",
        digits=digits,
        charts=figures,
        title=title or _title(found),
        facts=_facts(found),
        parts=parts,
        figures={
            name: [drawn for drawn in figures if drawn.figure.part == name]
            for name in ("forest", "regression", "measures", "normalized", "without", "noticed", "lengths")
        },
        drawn_of=(DRAWN, len(found[0].metrics)) if len(found[0].metrics) > DRAWN else None,
        outliers_wide=any(part.outliers.rows > _FEW_ROWS for part in parts if part.outliers),
        rankings=[ranking for part in parts for ranking in part.rankings],
        definitions=_definitions(found),
        plan=_plan(found),
        signatures=[(metric.name, metric.signature) for metric in found[0].metrics if metric.signature],
        sources=_sources(found[0]),
        by_chance=BY_CHANCE,
        json=render(found, "json"),
        tsv=render(found, "tsv"),
    )


# --- what is shown of one measure of people ----------------------------------------------------------------


@dataclass(frozen=True)
class _Part:
    key: str
    name: str
    suffix: str  # of titles: which measure, if there are several
    headline: str
    sentences: list[Sentence]
    notes: list[str]  # all that the terminal says beside the tables, of the tests first
    tables: list[_Table]
    rankings: list[_Ranking]
    outliers: Grid | None
    outliers_left: int  # metrics that are not in the table of outliers
    noticed: Grid | None
    learned: list[Grid]  # of learned feature weights: the gain, and the largest effects
    fitness: dict[str, Any] | None  # what templates/fitness.html asks for
    grids: list[tuple[str, Grid]]  # of settings, with titles: all of them, and the gain

    @classmethod
    def of(cls, key: str, trust: Trust, *, several: bool, digits: int) -> _Part:
        shown = drawn_metrics(trust, DRAWN)
        suffix = f" ({printable(trust.human.name)})" if several else ""
        return cls(
            key=key,
            name=printable(trust.human.name),
            suffix=suffix,
            headline=headline(trust),
            sentences=takeaways(trust, digits),
            notes=[*_cautions(trust.rankings), *map(printable, trust.notes)],
            tables=[_Table.of(key, trust, asked, suffix, digits) for asked in main_coefficients(trust)],
            rankings=[_Ranking.of(key, ranking, suffix, digits) for ranking in trust.rankings],
            outliers=outliers_grid(replace(trust, metrics=shown), digits),
            outliers_left=len(trust.metrics) - len(shown),
            noticed=noticed_grid(trust),
            learned=feature_weights.as_grids(trust, digits),
            fitness=None if trust.fitness is None else for_page(trust.fitness),
            grids=titled_grids(trust, digits),
        )


def _cautions(rankings: Sequence[MetricRanking]) -> list[str]:
    return list(dict.fromkeys(ranking.caution for ranking in rankings if ranking.caution))


@dataclass(frozen=True)
class _Value:
    """A coefficient of a metric in a table."""

    number: float | None
    shown: str
    bounds: str
    by_chance: bool
    best: bool
    title: str


@dataclass(frozen=True)
class _Row:
    metric: str
    cluster: int | None
    begins: bool  # a new cluster
    values: list[_Value]


@dataclass(frozen=True)
class _Table:
    """All coefficients at one level: a row for each metric."""

    id: str
    title: str
    columns: list[str]
    clusters: str  # what they are; empty: there are none
    caution: str  # of the test behind the clusters; empty: none
    rows: list[_Row]
    chance: list[str]
    one_judge: list[tuple[str, str]]  # values and intervals; empty: several judges are not known
    of_judges: str  # what that row is
    alike: Grid | None  # metrics in the place of a judge
    doubt: str  # what the mark of chance means

    @classmethod
    def of(cls, key: str, trust: Trust, main: CoefficientSpec, suffix: str, digits: int) -> _Table:
        """Sorted by the main coefficient, which is that of the clusters if there are any."""
        asked = [one for one in trust.asked if one.level == main.level]
        ranking = next((each for each in trust.rankings if each.asked == main), None)
        clusters = ranking.clusters if ranking else []
        cluster_of = {name: number for number, names in enumerate(clusters, start=1) for name in names}
        metrics = [metric for metric in trust.metrics if any(metric.of(one) for one in asked)]
        metrics.sort(key=lambda metric: -height(metric, main))
        heights = [[height(metric, one) for metric in metrics] for one in asked]
        # Where all are the same, none is the best.
        best = [max(of_one) if min(of_one) < max(of_one) else math.inf for of_one in heights]
        rows: list[_Row] = []
        for metric in metrics:
            cluster = cluster_of.get(metric.name)
            values = [_value(metric.of(one), most, digits) for one, most in zip(asked, best, strict=True)]
            begins = bool(rows) and rows[-1].cluster != cluster
            rows.append(_Row(printable(metric.name), cluster, begins, values))
        return cls(
            id=f"coefficients-{key}-{main.level}",
            title=f"{main.level.capitalize()} level{suffix}",
            columns=[title(one) for one in asked],
            clusters=ranking.clusters_are if ranking and cluster_of else "",
            caution=ranking.caution if ranking else "",
            rows=rows,
            chance=[chance_of(trust.metrics, one, digits) for one in asked],
            one_judge=[_of_one_judge(trust, one, digits) for one in asked]
            if has_ceiling(trust, main.level)
            else [],
            of_judges="" if trust.ceiling is None else ceiling_in_words(trust.ceiling),
            alike=alike_grid(trust, main.level, digits),
            doubt=by_chance_in_words(trust.plan.significance),
        )


def _of_one_judge(trust: Trust, asked: CoefficientSpec, digits: int) -> tuple[str, str]:
    value, _, bounds = ceiling_cell(trust.ceiling, asked, digits).partition(" ")
    return value, bounds.strip("()")


def _value(agreed: CoefficientResult | None, best: float, digits: int) -> _Value:
    if agreed is None or math.isnan(agreed.value):
        reason = "" if agreed is None else agreed.agreement.reason or ""
        return _Value(None, NO_VALUE, "", by_chance=False, best=False, title=reason)
    chance = agreed.chance
    return _Value(
        agreed.value,
        f"{agreed.value:.{digits}f}",
        interval_in_words(agreed.agreement.interval, digits).strip(" ()"),
        by_chance=not agreed.above_chance,
        best=agreed.value == best,
        title=f"permutation baseline {chance.mean:.{digits}f}, p = {shown_p(chance.p_value)}"
        if math.isfinite(chance.mean)
        else "",
    )


@dataclass(frozen=True)
class _Ranking:
    """Every two metrics, by one coefficient."""

    id: str
    title: str
    test: str
    caution: str  # that goes with it; empty: none
    matrix: list[tuple[str, list[Cell | None]]]
    dense: bool
    left: int  # metrics that are not in it

    @classmethod
    def of(cls, key: str, ranking: MetricRanking, suffix: str, digits: int) -> _Ranking:
        order = [name for cluster in ranking.clusters for name in cluster]
        kept = order[:MATRIX]
        pairs = {(pair.first, pair.second): pair for pair in ranking.pairs}
        cells = [(row, [_cell(pairs, row, column, digits) for column in kept]) for row in kept]
        return cls(
            id=f"pairs-{key}-{ranking.asked.level}",
            title=f"{of_level(ranking.asked)}{suffix}: metric in the row vs. metric in the column",
            test=ranking.test,
            caution=ranking.caution,
            matrix=cells,
            dense=len(kept) > DENSE,
            left=len(order) - len(kept),
        )


def _cell(pairs: Mapping[tuple[str, str], MetricPair], row: str, column: str, digits: int) -> Cell | None:
    turned = (row, column) not in pairs
    pair = pairs.get((column, row) if turned else (row, column))
    if pair is None or math.isnan(pair.corrected):
        return None
    difference = -pair.difference if turned else pair.difference
    kind = "same" if not pair.significant else "better" if difference > 0 else "worse"
    said = (
        f"{printable(row)} minus {printable(column)}: {difference:+.{digits}f}, p = {shown_p(pair.corrected)}"
    )
    return Cell(kind, shown_p(pair.corrected), said)


# --- title, facts and method -------------------------------------------------------------------------------


def _title(found: Sequence[Trust]) -> str:
    metrics = [metric.name for metric in found[0].metrics if metric.source != SENTINEL]
    people = listed([printable(trust.human.name) for trust in found])
    return f"{some(metrics, f'{len(metrics)} metrics')} vs. {people}"


def _facts(found: Sequence[Trust]) -> list[str]:
    first = found[0]
    systems, segments = len(first.systems), len(first.segments)
    judged, judges = (
        sum(trust.judged for trust in found),
        {name for trust in found for name in trust.human.judges},
    )
    return [
        counted(first.metrics),
        number_of(systems, "system"),
        *([number_of(segments, "segment")] if segments else []),
        f"{judged:,} rated translations" if judged else "system-level human scores",
        *([f"{len(judges)} raters"] if len(judges) > 1 else []),
    ]


def _plan(found: Sequence[Trust]) -> list[str]:
    """How it was measured, in sentences."""
    first = found[0]
    plan = first.plan
    said = [
        f"Confidence intervals: {plan.confidence:.0%}, {plan.samples:,} bootstrap resamples of {first.over}; random "
        f"seed {plan.seed}."
    ]
    permuted = {
        each.asked.level: permutations(trust.metrics, each.asked.level)
        for trust in found
        for metric in trust.metrics
        for each in metric.agreed
    }
    if permuted:
        times = listed([f"{number} at {level} level" for level, number in permuted.items()])
        said.append(
            f"Permutation baseline: {times} of the metric's scores. A coefficient is significantly above it if p ≤ "
            f"{plan.significance:g}, where p is the share of permutations with at least the same coefficient. With "
            f"fewer than {RANKED} permutations, p is estimated by Student's t."
        )
    said += [
        f"Metrics are ranked by {ranking.asked.level}-level {title(ranking.asked)}; {ranking.p_values_are}, "
        f"{ranking.test} test. {ranking.clusters_are}"
        for ranking in first.rankings
    ]
    return said


def _definitions(found: Sequence[Trust]) -> list[tuple[Coefficient, str]]:
    """Every coefficient in the page, with its title."""
    from understudy.trusting.coefficients.by_name import coefficient_named

    asked = dict.fromkeys(
        (one.coefficient, one.level) for trust in found for one in (*trust.asked, *main_coefficients(trust))
    )
    return [(each, f"{each.level} level") for each in (coefficient_named(*one) for one in asked)]


def _sources(trust: Trust) -> list[tuple[str, str]]:
    """The files of scores, and which metrics they had."""
    found: dict[str, list[str]] = {}
    for metric in trust.metrics:
        if metric.source and metric.source != SENTINEL:
            found.setdefault(metric.source, []).append(printable(metric.name))
    return [(printable(source), ", ".join(names)) for source, names in found.items()]
