"""Tables for programs: TSV, CSV and spreadsheets."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from material.optional import needs_packages
from understudy.report.sheets import Sheet, as_text, as_xlsx

pytestmark = pytest.mark.usefixtures("examples")
COMPARE = ["compare", "system-strong.en", "system-medium.en", "system-weak.en", "-r", "reference-1.en"]
TWO = ["-m", "bleu", "-m", "ter"]
needs_openpyxl = needs_packages("openpyxl")
COMMANDS = {
    "score": ["score", "system-weak.en", "system-strong.en", "-r", "reference-1.en", *TWO],
    "segments": ["score", "system-weak.en", "-r", "reference-1.en", "--level", "segment"],
    "compare": [*COMPARE, *TWO, "--samples", "100"],
    "explain": ["explain", "system-weak.en", "-r", "reference-1.en", "--against", "multi-bleu"],
    "trust": [
        *("trust", "system-strong.en", "system-weak.en", "system-medium.en", "-r", "reference-1.en"),
        *("--human", "judgments.tsv", "--measure", "adequacy", "--samples", "10"),
    ],
    "spans": ["trust", "--human-spans", "spans.tsv", "--spans", "spans-predicted.tsv", "--samples", "10"],
}


def rows_of(text: str, delimiter: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter=delimiter))


@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_csv_holds_what_tsv_holds(run, arguments: list[str]) -> None:
    by_tsv, by_csv = (run(*arguments, "-f", format).stdout for format in ("tsv", "csv"))
    table = [line.split("\t") for line in by_tsv.splitlines()]
    assert list(csv.reader(io.StringIO(by_csv))) == table
    assert len(table) > 1


def of_json(value: Any) -> str:
    """A value of JSON as a table writes it."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else value if isinstance(value, str) else repr(value)


@pytest.mark.parametrize(
    "test", [["--test", "blocks"], ["--test", "ttest"], ["--all-pairs", "--samples", "100"]]
)
def test_tables_of_comparisons_hold_all_that_json_holds_of_systems_and_pairs(run, test: list[str]) -> None:
    data = json.loads(run(*COMPARE, *TWO, *test, "-f", "json").stdout)
    rows = iter(rows_of(run(*COMPARE, *TWO, *test, "-f", "csv").stdout, ","))
    for metric in data["metrics"]:
        systems = {system["name"]: system for system in metric["systems"]}
        for pair in metric["pairs"]:
            row = next(rows)
            low, high = (pair["interval"].pop(name) for name in ("low", "high"))
            assert (row["low"], row["high"]) == (repr(low), repr(high))
            del pair["interval"]
            assert {name: row[name] for name in pair} == {
                name: of_json(value) for name, value in pair.items()
            }
            assert row["signature"] == metric["signature"]
            assert (row["statistic"], row["blocks"]) == (metric["statistic"], of_json(metric["blocks"]))
            for side in ("first", "second"):
                system = systems[pair[side]]
                assert row[f"{side}_score"] == repr(system["score"])
                assert row[f"{side}_low"] == repr(system["interval"]["low"])
                assert row[f"{side}_high"] == repr(system["interval"]["high"])
                for name in ("corpus_score", "block_deviation"):
                    assert row[f"{side}_{name}"] == of_json(system[name])
                for name in ("run_scores", "detail"):
                    assert json.loads(row[f"{side}_{name}"] or "{}") == system[name]
    assert next(rows, None) is None


def test_tables_of_comparisons_hold_the_levels_and_the_baseline(run) -> None:
    arguments = [*COMPARE, "--significance", "0.1", "--samples", "100"]
    data = json.loads(run(*arguments, "-f", "json").stdout)
    assert data["plan"]["baseline"] == "system-strong.en"  # the first
    rows = rows_of(run(*arguments, "-f", "csv").stdout, ",")
    levels = {(row["confidence"], row["significance"], row["baseline"]) for row in rows}
    assert levels == {("0.9", "0.1", "system-strong.en")}


def test_without_a_baseline_none_is_recorded(run) -> None:
    every = [*COMPARE, "--all-pairs", "--samples", "100"]
    assert json.loads(run(*every, "-f", "json").stdout)["plan"]["baseline"] is None
    assert {row["baseline"] for row in rows_of(run(*every, "-f", "csv").stdout, ",")} == {""}


def test_tables_of_comparisons_hold_the_scores_with_each_reference_alone(run) -> None:
    arguments = [*COMPARE, "-r", "reference-2.en", *TWO, "--samples", "100"]
    studies = {
        study["spec"]: {one["reference"]: one["scores"] for one in study["references"]}
        for study in json.loads(run(*arguments, "-f", "json").stdout)["single_references"]
    }
    rows = rows_of(run(*arguments, "-f", "csv").stdout, ",")
    assert len(rows) == 4
    for row in rows:
        for side in ("first", "second"):
            alone = json.loads(row[f"{side}_single_references"])
            by_reference = studies[row["metric"]]
            assert alone == {name: scores[row[side]] for name, scores in by_reference.items()}


@needs_openpyxl
@pytest.mark.parametrize("arguments", COMMANDS.values(), ids=COMMANDS)
def test_a_spreadsheet_holds_the_same_numbers(run, arguments: list[str], tmp_path: Path) -> None:
    from openpyxl import load_workbook

    target = tmp_path / "out.xlsx"
    result = run(*arguments, "-f", "xlsx", "-o", str(target))
    assert (result.exit_code, result.stdout) == (0, ""), result.stderr
    book = load_workbook(target)
    written = [[of_json(cell) for cell in row] for row in book.worksheets[-1].iter_rows(values_only=True)]
    for cells, texts in zip(
        written, csv.reader(io.StringIO(run(*arguments, "-f", "csv").stdout)), strict=True
    ):
        assert list(map(number_or_text, cells)) == list(map(number_or_text, texts))


def number_or_text(cell: str) -> Any:
    """openpyxl writes 16 digits of a number."""
    try:
        return pytest.approx(float(cell), rel=1e-15, abs=0)
    except ValueError:
        return cell


@needs_openpyxl
def test_a_spreadsheet_of_a_comparison_begins_with_the_systems(run, tmp_path: Path) -> None:
    from openpyxl import load_workbook

    target = tmp_path / "out.xlsx"
    run(*COMPARE, "--samples", "50", "--breakdown", "-f", "xlsx", "-o", str(target))
    assert load_workbook(target).sheetnames == ["systems", "pairs", "buckets", "n-grams", "segments"]


@needs_openpyxl
def test_names_are_no_formulas_and_break_no_file() -> None:
    from openpyxl import load_workbook

    names = ("=1+1", "a\x01b", "@x", "\udcff")
    book = load_workbook(io.BytesIO(as_xlsx([Sheet("names", ("system",), [(name,) for name in names])])))
    cells = [row[0] for row in book.active.iter_rows(min_row=2)]
    assert [cell.data_type for cell in cells] == ["s"] * 4
    assert [cell.value for cell in cells] == ["=1+1", r"a\x01b", "@x", r"\udcff"]


def test_numbers_of_numpy_are_numbers_and_none_is_empty() -> None:
    row = (np.float64(0.1), np.int64(3), np.bool_(True), float("nan"), None, float("-inf"))
    assert as_text([Sheet("x", tuple("abcdef"), [row])], "tsv").splitlines()[1] == "0.1\t3\ttrue\t\t\t-inf"


def test_a_spreadsheet_needs_a_file(fails) -> None:
    assert "--format xlsx is a file, not text: name it, -o FILE.xlsx." in fails(*COMPARE, "-f", "xlsx")


def test_a_spreadsheet_says_what_to_install(fails, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    said = fails(*COMPARE, "-f", "xlsx", "-o", str(tmp_path / "out.xlsx"))
    assert "spreadsheets need openpyxl: pip install" in said
