"""The results of challenge sets as one self-contained HTML file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from understudy.report.challenge_charts import challenge_figures
from understudy.report.challenge_prose import challenge_findings
from understudy.report.challenge_sheets import as_data, as_sheets
from understudy.report.challenge_tables import (
    accuracy_grid,
    aces_grid,
    differences_grid,
    headline,
    severities_grid,
)
from understudy.report.charts import check_installed
from understudy.report.data_formats import json_text
from understudy.report.grid import printable
from understudy.report.page import DrawnFigure
from understudy.report.probe_report import Part, findings_page, with_keys
from understudy.report.sheets import as_text
from understudy.wording import number_of

if TYPE_CHECKING:
    from understudy.probing.challenge_sets.results import ChallengeResults


def challenge_report(found: ChallengeResults, *, title: str | None = None, digits: int = 3) -> str:
    """The whole page."""
    check_installed()
    drawn = [DrawnFigure.of(figure) for figure in challenge_figures(found)]
    keyed = with_keys(challenge_findings(found))
    tables = [("Accuracy by phenomenon", accuracy_grid(found))]
    if found.aces:
        tables.append(("ACES score", aces_grid(found, digits)))
    if found.differences:
        tables.append(("Differences between metrics", differences_grid(found)))
    parts = [
        Part(
            "accuracy",
            "Accuracy",
            "Accuracy",
            "Each pair has a good and an incorrect translation of the same source. A metric is right if it scores the "
            "good translation better.",
            [finding for finding in keyed if finding.part == "accuracy"],
            tables,
            [one for one in drawn if one.figure.part == "accuracy"],
        )
    ]
    if found.severities:
        parts.append(
            Part(
                "severities",
                "Severities",
                "Severities",
                "More severe errors are expected to cost more.",
                [finding for finding in keyed if finding.part == "severities"],
                [("Severities", severities_grid(found, digits))],
                [one for one in drawn if one.figure.part == "severities"],
            )
        )
    labels = ", ".join(printable(label) for label in found.labels[:4])
    return findings_page(
        parts,
        digits=digits,
        drawn=drawn,
        kind="Challenge set",
        title=title or f"{labels} on {printable(found.file)}",
        facts=[headline(found)],
        lines=[(finding.line, finding.key) for finding in keyed],
        notes=[
            f"{number_of(count, 'pair')} left out: {printable(why)}." for why, count in found.left_out.items()
        ],
        method=_method(found),
        signatures=[],
        tsv=as_text(as_sheets(found), "tsv"),
        json=json_text(as_data(found)),
    )


def _method(found: ChallengeResults) -> list[str]:
    plan = found.plan
    return [
        f"{number_of(found.pairs, 'pair')} from {number_of(found.segments, 'segment')}, layout {found.layout}. "
        f"Metrics: {', '.join(map(printable, found.specs))}.",
        f"Confidence intervals of accuracies: Wilson, {plan.confidence:.0%}. Significance level {plan.significance:g}. "
        f"Random seed {plan.seed}.",
    ]
