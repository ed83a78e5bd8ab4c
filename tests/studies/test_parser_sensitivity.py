"""How scores and ranking move between parsers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from material.parsers import FlatParser, opens
from understudy.errors import BadParameter
from understudy.metrics.base.registry import metric
from understudy.report.parsers import render
from understudy.studies.parser_sensitivity import parser_sensitivity, study_parsers
from understudy.syntax import parsing

A, B, C = metric("hwcm:parser=a"), metric("hwcm:parser=b"), metric("hwcm:parser=c")


def test_the_same_ranking() -> None:
    (found,) = parser_sensitivity([(A, {"x": 10.0, "y": 20.0}), (B, {"x": 13.1, "y": 21.0})])
    assert (found.parsers, found.systems, found.changed, found.tau) == (["a", "b"], ["x", "y"], [], 1.0)
    assert found.spread == pytest.approx(3.1)
    assert str(found) == "HWCM: the ranking is the same under both parsers; scores differ by up to 3.1."


def test_systems_that_change_places() -> None:
    scores = [
        (A, {"x": 1.0, "y": 2.0, "z": 3.0}),
        (B, {"x": 2.0, "y": 1.0, "z": 3.0}),
        (C, {"x": 1.0, "y": 1.0, "z": 9.0}),
    ]
    (found,) = parser_sensitivity(scores)
    assert found.changed == [("x", "y")]
    assert found.ranks == {
        "a": {"x": 3, "y": 2, "z": 1},
        "b": {"x": 2, "y": 3, "z": 1},
        "c": {"x": 2, "y": 2, "z": 1},
    }
    assert found.tau == pytest.approx(1 / 3)
    assert str(found) == (
        "HWCM: x and y change ranks across parsers (Kendall's tau 0.33); scores differ by up to 6.0."
    )


def test_many_changes_are_counted() -> None:
    names = "vwxyz"
    rising = {name: float(rank) for rank, name in enumerate(names)}
    falling = {name: -rank for name, rank in rising.items()}
    (found,) = parser_sensitivity([(A, rising), (B, falling)])
    assert "v and w; v and x; v and y, and 7 more pairs, change ranks" in str(found)


def test_one_system() -> None:
    (found,) = parser_sensitivity([(A, {"x": 1.0}), (B, {"x": 2.5}), (C, {"x": 2.0})])
    assert str(found) == "HWCM: across all 3 parsers, scores differ by up to 1.5."


def test_only_metrics_that_differ_in_nothing_else_belong_together() -> None:
    scores = {"x": 1.0}
    other = metric("hwcm:parser=b,max_depth=2")
    assert parser_sensitivity([(A, scores), (other, scores), (metric("bleu"), scores)]) == []


def test_the_study_scores_under_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one", "two"):
        made = FlatParser(name=name, signature=f"{name}-1")
        monkeypatch.setitem(parsing._KINDS, name, ("", opens(made)))
    system, reference = tmp_path / "system.txt", tmp_path / "reference.txt"
    system.write_text("a b\n")
    reference.write_text("a c\n")
    found = study_parsers([system], [reference], ["hwcm", "stm"], ["one", "two"])
    assert [each.metric for each in found] == ["HWCM", "STM"]
    assert found[0].scores["one"] == found[0].scores["two"]
    table = render(found)
    assert "HWCM ↑" in table
    assert "HWCM: across both parsers, scores differ by up to 0.0." in table
    assert len(render(found, "tsv").splitlines()) == 1 + 4
    assert json.loads(render(found, "json"))["parsers"][1]["spread"] == 0
    assert "| system |" in render(found, "markdown")
    assert r"\begin{tabular}" in render(found, "latex")
    with pytest.raises(
        BadParameter, match=r"bleu is not a syntax-based metric\. Use (\w+, )*hwcm, (\w+, )*stm"
    ):
        study_parsers([system], [reference], ["bleu"], ["one", "two"])
    with pytest.raises(BadParameter, match="expected at least two different parsers"):
        study_parsers([system], [reference], ["stm"], ["one", "one"])
