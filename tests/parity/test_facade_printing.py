"""sacreBLEU's functions that print, beside its own."""

from __future__ import annotations

import argparse
from typing import Any

import pytest

pytest.importorskip("sacrebleu")
import sacrebleu.sacrebleu
import sacrebleu.significance
import sacrebleu.utils

import understudy.compat.sacrebleu.sacrebleu
import understudy.compat.sacrebleu.significance
import understudy.compat.sacrebleu.utils

SIDES: list[Any] = [sacrebleu, understudy.compat.sacrebleu]
SYSTEMS = [("Baseline: a", ["a cat sat", "it rains"]), ("b", ["the cat sat", "it rained"])]


def printed(capsys: pytest.CaptureFixture[str], name: str, arguments: Any) -> list[str]:
    """What the function of either side prints; every side has its own arguments, because sacreBLEU changes them."""
    found = []
    for side in SIDES:
        getattr(side.utils, name)(*arguments(side))
        found.append(capsys.readouterr().out)
    return found


@pytest.fixture(params=[False, True], ids=["plain", "in color"])
def colors(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    for side in SIDES:
        monkeypatch.setattr(side.utils.Color, "ENABLE_COLORS", request.param)


def options(format: str, **other: Any) -> argparse.Namespace:
    paired = {"paired_bs": False, "paired_ar": False, "paired_bs_n": 100, "paired_ar_n": 100}
    return argparse.Namespace(format=format, width=2, **{**paired, **other})


@pytest.mark.parametrize("format", ["text", "latex", "json"])
@pytest.mark.parametrize("test", [None, "ar"])  # with NumPy 2, sacreBLEU cannot print the others as JSON
@pytest.mark.usefixtures("colors")
def test_tables(format: str, test: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    def arguments(side: Any) -> tuple[Any, ...]:
        if test is None:
            results: Any = {"System": ["a", "b"], "BLEU": ["10.00", "9.50"]}
            return results, {"BLEU": "nrefs:1"}, options(format)
        metric = side.metrics.BLEU(references=[["the cat sat", "it rains"]])
        signatures, results = side.significance.PairedTest(
            SYSTEMS, {"BLEU": metric}, references=None, test_type=test, n_samples=100
        )()
        return results, signatures, options(format, paired_ar=True)

    theirs, ours = printed(capsys, "print_results_table", arguments)
    assert ours == theirs


@pytest.mark.parametrize("format", ["text", "json"])
@pytest.mark.parametrize(
    "results", [["BLEU = 1"], ["BLEU = 1.0 (μ = 1.0 ± 0.1)", "chrF2|x = 2.0 (μ = 2.0 ± 0.1)"]]
)
@pytest.mark.usefixtures("colors")
def test_single_results(format: str, results: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    theirs, ours = printed(capsys, "print_single_results", lambda _side: (list(results), options(format)))
    assert ours == theirs


@pytest.mark.usefixtures("colors")
@pytest.mark.parametrize("color", ["red", "CYAN", "LIGHTBLUE_EX", "reset", "nosuch"])
def test_colors(color: str) -> None:
    assert understudy.compat.sacrebleu.utils.Color.format("a", color) == sacrebleu.utils.Color.format(
        "a", color
    )


def test_options(monkeypatch: pytest.MonkeyPatch) -> None:
    line = [
        "sacrebleu",
        "ref",
        "-i",
        "a",
        "b",
        "-m",
        "bleu",
        "ter",
        "-w",
        "3",
        "--chrf-word-order",
        "2",
        "-lc",
    ]
    monkeypatch.setattr("sys.argv", line)
    theirs, ours = (vars(side.sacrebleu.parse_args()) for side in SIDES)
    assert {name: value for name, value in ours.items() if name != "strict"} == theirs
