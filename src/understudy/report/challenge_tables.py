"""The results of challenge sets as tables, Markdown, LaTeX, JSON, TSV or CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from understudy.report.challenge_prose import challenge_findings
from understudy.report.challenge_sheets import as_data, as_sheets
from understudy.report.data_formats import DATA_FORMATS, data_text
from understudy.report.grid import Grid, GridColumn, printable, shown_p
from understudy.report.probe_tables import WIDTH, Named, wrapped, written_up
from understudy.report.probe_wording import percent, percent_with_interval, signed
from understudy.report.render_grid import drawn
from understudy.wording import number_of

if TYPE_CHECKING:
    from understudy.probing.challenge_sets.results import ChallengeResults

_DIGITS = 3
_TESTS = {"mcnemar": "exact McNemar test", "permutation": "permutation test of segments"}
_CORRECTIONS = {"holm": "Holm-corrected", "bh": "Benjamini-Hochberg-corrected", "none": "uncorrected"}


def render(
    found: ChallengeResults,
    format: str = "table",
    *,
    digits: int = _DIGITS,
    width: int | None = None,
    styled: bool = False,
) -> str:
    """In one of the formats of `understudy.report.scores`: what was found in one line each, then the tables."""
    if format in DATA_FORMATS:
        return data_text(found, format, as_data, as_sheets)
    lines = [finding.line for finding in challenge_findings(found)]
    named = as_grids(found, digits)
    if format != "table":
        return written_up(headline(found), lines, named, format)
    columns = width or WIDTH
    parts = [*wrapped([headline(found)], columns), "\n".join(wrapped(lines, columns, "- "))]
    for title, grid in named:
        parts += [title, *drawn([grid], "table", width=columns, styled=styled)]
    return "\n\n".join(parts)


def headline(found: ChallengeResults) -> str:
    """The file and its size."""
    phenomena = len(dict.fromkeys(each.phenomenon for each in found.phenomena))
    return (
        f"Challenge set {printable(found.file)}: {number_of(found.pairs, 'pair')} of translations, "
        f"{number_of(phenomena, 'phenomenon', 'phenomena')}."
    )


def as_grids(found: ChallengeResults, digits: int = _DIGITS) -> Named:
    """Accuracy by phenomenon; then ACES' categories, severities and the differences between metrics."""
    named = [("Accuracy by phenomenon", accuracy_grid(found))]
    if found.aces:
        named.append(("ACES score", aces_grid(found, digits)))
    if found.severities:
        named.append(("Severities", severities_grid(found, digits)))
    if found.differences:
        named.append(("Differences between metrics", differences_grid(found)))
    return named


def accuracy_grid(found: ChallengeResults) -> Grid:
    """Phenomena by metrics, the mean first."""
    phenomena = list(dict.fromkeys(each.phenomenon for each in found.phenomena))
    by_place = {(each.phenomenon, each.metric): each for each in found.phenomena}
    columns = [
        GridColumn(("phenomenon",), ["mean", *map(printable, phenomena)], numeric=False),
        GridColumn(("pairs",), [f"{found.pairs:,}", *(f"{by_place[name, 0].pairs:,}" for name in phenomena)]),
    ]
    for metric, label in enumerate(found.labels):
        mean = found.means[metric]
        of_metric = [by_place[name, metric] for name in phenomena]
        shares = [mean.accuracy, *(each.accuracy for each in of_metric)]
        intervals = [mean.interval, *(each.interval for each in of_metric)]
        columns.append(
            GridColumn(
                (printable(label),),
                [
                    percent_with_interval(share, interval)
                    for share, interval in zip(shares, intervals, strict=True)
                ],
                best=frozenset(_best_rows(found, phenomena, metric)),
            )
        )
    ties = sum(each.tied for each in found.means) / len(found.means)
    notes = [
        "Share of pairs in which the good translation scores better; ties count as wrong "
        f"({percent(ties)} on average). In parentheses: {found.plan.confidence:.0%} CI. mean: all phenomena with the "
        "same weight.",
        *(
            [f"{number_of(found.identical, 'pair')} with identical translations: always tied."]
            if found.identical
            else []
        ),
        *(
            f"Left out: {number_of(count, 'pair')} ({printable(reason)})."
            for reason, count in found.left_out.items()
        ),
    ]
    return Grid(columns, notes, caption=f"Accuracy on the challenge set {printable(found.file)}.")


def _best_rows(found: ChallengeResults, phenomena: Sequence[str], metric: int) -> list[int]:
    """The rows in which a metric has the highest accuracy of several."""
    if len(found.labels) == 1:
        return []
    rows = [[each.accuracy for each in found.means]]
    rows += [[each.accuracy for each in found.phenomena if each.phenomenon == name] for name in phenomena]
    return [row for row, shares in enumerate(rows) if shares[metric] == max(shares)]


def aces_grid(found: ChallengeResults, digits: int) -> Grid:
    """Categories by metrics, and the weighted score."""
    categories = list(dict.fromkeys(name for each in found.aces for name in each.categories))
    cells = [
        [
            "–" if each.score is None else f"{each.score:.{digits}f}",
            *(
                f"{each.categories[name]:.{digits}f}" if name in each.categories else "–"
                for name in categories
            ),
        ]
        for each in found.aces
    ]
    return Grid(
        [
            GridColumn(("category",), ["ACES score", *categories], numeric=False),
            *(
                GridColumn((printable(found.labels[each.metric]),), column)
                for each, column in zip(found.aces, cells, strict=True)
            ),
        ],
        [
            "Mean τ of the phenomena of each category; ACES score: their weighted sum. τ: pairs in which the good "
            "translation scores better minus all others, as a share of the pairs."
        ],
        caption="ACES scores.",
    )


def severities_grid(found: ChallengeResults, digits: int) -> Grid:
    """Accuracy and mean cost by severity, and whether more severe errors cost more."""
    severities = list(dict.fromkeys(each.severity for each in found.severities))
    by_place = {(each.severity, each.metric): each for each in found.severities}
    orders = {each.metric: each for each in found.severity_orders}
    columns = [
        GridColumn(
            ("severity",), [*map(printable, severities), *(["ordered"] if orders else [])], numeric=False
        ),
        GridColumn(
            ("pairs",),
            [
                *(f"{by_place[name, 0].pairs:,}" for name in severities),
                *([f"{orders[0].compared:,}"] if orders else []),
            ],
        ),
    ]
    for metric, label in enumerate(found.labels):
        of_metric = [by_place[name, metric] for name in severities]
        order = orders.get(metric)
        last = [] if order is None else [percent_with_interval(order.ordered, order.interval)]
        columns += [
            GridColumn(
                (printable(label), "accuracy"), [*(percent(each.accuracy) for each in of_metric), *last]
            ),
            GridColumn(
                (printable(label), "cost"),
                [*(signed(each.difference, digits) for each in of_metric), *([""] if last else [])],
            ),
        ]
    notes = ["cost: mean score of the good translation minus that of the incorrect one; positive is right."]
    if orders:
        within = "in the same segment " if found.severity_orders[0].within_segments else ""
        notes.append(
            f"ordered: share of the pairs of errors {within}of different severity in which the more severe one costs "
            "more."
        )
    if found.unranked:
        notes.append(f"Not ranked: {', '.join(map(printable, found.unranked))}.")
    return Grid(columns, notes, caption="Accuracy and cost of errors by severity.")


def differences_grid(found: ChallengeResults) -> Grid:
    """The mean of every two metrics, and the phenomena in which they differ significantly."""
    shown = [each for each in found.differences if each.phenomenon is None or each.significant]
    tests = list(dict.fromkeys(_TESTS.get(each.test, each.test) for each in shown))
    return Grid(
        [
            GridColumn(
                ("phenomenon",),
                ["mean" if each.phenomenon is None else printable(each.phenomenon) for each in shown],
                numeric=False,
            ),
            GridColumn(("metric",), [printable(found.labels[each.first]) for each in shown], numeric=False),
            GridColumn(("metric",), [printable(found.labels[each.second]) for each in shown], numeric=False),
            GridColumn(("difference",), [f"{100 * each.difference:+.1f}" for each in shown]),
            GridColumn(("only first",), [f"{each.only_first:,}" for each in shown]),
            GridColumn(("only second",), [f"{each.only_second:,}" for each in shown]),
            GridColumn(("p",), [shown_p(each.p_value) for each in shown]),
        ],
        [
            "difference: of the accuracies, first minus second, in percentage points; only first: pairs that only the "
            "first metric gets right.",
            f"{_CORRECTIONS[found.plan.correct]} p-values, {' and '.join(tests)}. Of the phenomena, only significant "
            f"differences are shown (alpha = {found.plan.significance:g}).",
        ],
        caption="Differences in accuracy between metrics.",
    )
