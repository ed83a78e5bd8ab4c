"""Scores of groups of rows in every format, as `understudy spark` prints them."""

from __future__ import annotations

import datetime
import json
from dataclasses import replace

import pytest

import understudy
from understudy.metrics.base.score import Interval
from understudy.report.group_scores import render
from understudy.scoring.group_scores import GroupScores


@pytest.fixture
def found():
    metrics = [understudy.metric("bleu"), understudy.metric("ter")]
    groups = {
        ("a|b\n", datetime.date(2026, 1, 2)): [
            metric.corpus(["a b c d"] * 1200, ["a b c d"] * 1200) for metric in metrics
        ],
        (None, None): [metric.corpus(["a x c d e"], [["a b c d", "a x"]]) for metric in metrics],
    }
    for scores in groups.values():
        scores[0] = replace(scores[0], interval=Interval(10, 20.125, 0.95))
    return GroupScores(("system", "day"), "corpus", metrics, groups)


def test_a_table_has_a_row_per_group(found):
    lines = render(found).splitlines()
    assert lines[0].split() == ["system", "day", "segments", "BLEU", "↑", "95%", "CI", "TER", "↓"]
    assert lines[2].split() == [r"a|b\n", "2026-01-02", "1,200", "100.00", "10.00", "to", "20.12", "0.00"]
    assert lines[3].split()[:3] == ["null", "null", "1"]
    signatures = [line for line in lines if line.startswith(("BLEU  ", "TER  "))]
    assert [line[:13] for line in signatures] == [
        "BLEU  nrefs:1",
        "BLEU  nrefs:2",
        "TER  nrefs:1|",
        "TER  nrefs:2|",
    ]
    assert r"a|b" not in render(found, "markdown").splitlines()[2]  # escaped, or the row had a cell more


def test_tables_for_programs_have_every_digit(found):
    header, *rows = (line.split("\t") for line in render(found, "tsv").splitlines())
    assert header == ["system", "day", "metric", "score", "low", "high", "segments", "signature"]
    assert [row[:3] for row in rows[2:]] == [["null", "null", "bleu"], ["null", "null", "ter"]]
    assert [row[4:6] for row in rows] == [["10", "20.125"], ["", ""]] * 2
    data = json.loads(render(found, "json"))
    assert data["groups"][0]["group"] == {"system": "a|b\n", "day": "2026-01-02"}
    assert data["groups"][1]["group"] == {"system": None, "day": None}
    first, second = data["groups"][1]["scores"]
    assert (first["value"], second["value"]) == tuple(score.value for score in found[None, None])
    assert first["interval"] == {"low": 10, "high": 20.125, "confidence": 0.95}
    assert "interval" not in second
