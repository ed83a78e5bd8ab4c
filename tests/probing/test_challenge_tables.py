"""The results of challenge sets in every format."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from material.probes import challenge
from understudy.report.challenge_prose import challenge_findings
from understudy.report.challenge_sheets import as_sheets
from understudy.report.challenge_tables import accuracy_grid, render
from understudy.report.terminal import display_width


def test_findings_come_first() -> None:
    lines = render(challenge()).splitlines()
    assert lines[0] == "Challenge set aces.tsv: 120 pairs of translations, 3 phenomena."
    assert lines[2] == (
        "- comet prefers the good translation in 75% of pairs (mean over phenomena); chrF in 60%."
    )


def test_nothing_is_wider_than_a_hundred_columns() -> None:
    assert max(map(display_width, render(challenge()).splitlines())) <= 100


def test_the_best_metric_of_a_row_stands_out() -> None:
    columns = accuracy_grid(challenge()).columns
    assert [column.best for column in columns[2:]] == [frozenset(), frozenset(), frozenset(range(4))]


def test_one_metric_is_not_the_best_of_itself() -> None:
    found = challenge()
    alone = replace(
        found,
        labels=found.labels[:1],
        specs=found.specs[:1],
        phenomena=tuple(each for each in found.phenomena if each.metric == 0),
        means=found.means[:1],
        differences=(),
        severities=(),
        severity_orders=(),
        aces=(),
        missed=(),
    )
    text = render(alone)
    assert accuracy_grid(alone).columns[2].best == frozenset()
    assert "Differences between metrics" not in text
    assert "prefers the good translation" not in text


def test_the_worst_pair_of_the_worst_phenomenon_is_the_example() -> None:
    bleu = next(each for each in challenge_findings(challenge()) if each.line.startswith("BLEU is not"))
    (example,) = bleu.examples
    assert example.title == "real-world-knowledge-entailment, aces.tsv, line 7"
    assert [row.label for row in example.rows] == ["reference 1", "good translation", "incorrect translation"]
    assert [cell.change for cell in example.rows[-1].scores] == ["better", "same", "worse"]


def test_metrics_above_chance_are_named() -> None:
    bleu = next(each for each in challenge_findings(challenge()) if each.line.startswith("BLEU is not"))
    assert bleu.instead.startswith("None of the metrics is significantly above 50%")
    chrf = next(each for each in challenge_findings(_easy()) if each.line.startswith("chrF is not"))
    assert chrf.instead.startswith("Significantly above 50% on this phenomenon: comet.")


def _easy():
    """As if only additions had been tested."""
    found = challenge()
    return replace(found, phenomena=tuple(each for each in found.phenomena if each.phenomenon == "omission"))


def test_json_names_metrics_and_is_whole() -> None:
    data = json.loads(render(challenge(), "json"))
    assert data["phenomena"][1]["metric"] == "chrf"
    assert data["differences"][0]["first"] == "bleu"
    assert data["plan"]["correct"] == "holm"


def test_every_sheet_has_rectangular_rows() -> None:
    sheets = as_sheets(challenge())
    assert [sheet.name for sheet in sheets] == [
        "phenomena",
        "means",
        "differences",
        "severities",
        "order of severities",
        "aces",
        "missed pairs",
    ]
    for sheet in sheets:
        assert {len(row) for row in sheet.rows} == {len(sheet.columns)}, sheet.name


@pytest.mark.parametrize("format", ["markdown", "latex"])
def test_formats_for_papers_have_all_tables(format: str) -> None:
    text = render(challenge(), format)
    assert text.count(r"\begin{tabular}" if format == "latex" else "\n| :---") == 4
