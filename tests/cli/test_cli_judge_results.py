"""`understudy judge results`, `export` and `import`: formats, options and complaints."""

from __future__ import annotations

import csv
import io
import json

import pytest

from material.optional import needs_packages, needs_report

pytestmark = pytest.mark.usefixtures("examples")

QUICK = ("--samples", "20")
HOSTILE = "<script>&\x1b[31m_%$"


def test_the_table_ranks_systems(run):
    text = run("judge", "results", "judgments.tsv", "--question", "adequacy", *QUICK).stdout
    table = text.split("\n\n")[2].split("\n")
    assert [line.split()[1] for line in table[2:]] == [
        "system-strong.en",
        "reference-2.en",
        "system-medium.en",
        "system-rulebased.en",
        "system-weak.en",
    ]


def test_json_has_full_precision_and_no_nan(run):
    found = json.loads(
        run("judge", "results", "judgments.tsv", *QUICK, "-f", "json").stdout, parse_constant=pytest.fail
    )
    (best, *_) = found["questions"]["adequacy"]["means"]
    assert best["mean"]["value"] == pytest.approx(4.975, abs=1e-12)


def test_csv_begins_with_the_systems(run):
    text = run("judge", "results", "judgments.tsv", *QUICK, "-f", "csv").stdout
    rows = list(csv.DictReader(io.StringIO(text.split("\n\n")[0])))
    assert len(rows) == 10
    assert float(rows[0]["mean"]) == pytest.approx(4.975)


def test_latex_and_markdown_end_with_the_methods(run):
    for format in ("latex", "markdown"):
        text = run("judge", "results", "judgments.tsv", *QUICK, "-f", format).stdout
        assert "2 judges judged translations of 60 segments by 5 systems" in text.strip().split("\n")[-1]


def test_details_show_judges_pairs_and_items(run):
    text = run("judge", "results", "judgments.tsv", "--question", "fluency", "--details", *QUICK).stdout
    for title in ("fluency: judges", "fluency: pairs\n", "fluency: items with the largest disagreement"):
        assert title in text


def test_settings_reach_the_library(run):
    found = json.loads(
        run(
            *("judge", "results", "judgments.tsv", "--samples", "30", "--seed", "7", "--significance", "0.1"),
            *("--confidence", "0.9", "--correct", "bh", "--top", "3", "-f", "json"),
        ).stdout
    )
    assert found["plan"] == {
        **{"questions": [], "group": None, "samples": 30, "seed": 7, "confidence": 0.9},
        **{"significance": 0.1, "correction": "bh", "top": 3},
    }


@needs_report
def test_the_report_has_tables_figures_and_methods(run, tmp_path):
    run(
        "judge",
        "results",
        "judgments.tsv",
        *QUICK,
        "--report",
        str(tmp_path / "r.html"),
        "-o",
        str(tmp_path / "t"),
    )
    page = (tmp_path / "r.html").read_text()
    for part in ("adequacy: systems", "differences between adjacent systems", "2 judges judged translations"):
        assert part in page


@needs_report
def test_figures_of_means_and_neighbors(run, tmp_path):
    run("judge", "results", "judgments.tsv", "--question", "fluency", *QUICK, "--figures", str(tmp_path))
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == [
        "fluency-adjacent.svg",
        "fluency-means.svg",
    ]


@pytest.mark.parametrize("format", ["table", "markdown", "latex", "json", "tsv", "csv"])
def test_hostile_names_in_every_format(run, tmp_path, format):
    names = [f"{HOSTILE}{number}" for number in range(2)]
    rows = [
        (system, str(segment), judge, str((segment * 7 + len(judge)) % 5))
        for system in names
        for segment in range(1, 9)
        for judge in (f"j{HOSTILE}", "k")
    ]
    path = tmp_path / "h.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("system", "seg", "judge", f"q{HOSTILE}"), *rows])
    result = run("judge", "results", str(path), *QUICK, "--details", "-f", format)
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout


def test_trust_reads_an_export(run, tmp_path):
    written = str(tmp_path / "human.tsv")
    run("judge", "export", "judgments.tsv", "--to", written)
    how = (
        "system-weak.en",
        "system-strong.en",
        "-r",
        "reference-1.en",
        "--measure",
        "adequacy",
        *QUICK,
        "-f",
        "json",
    )
    one, other = (
        json.loads(run("trust", "--human", human, *how).stdout) for human in ("judgments.tsv", written)
    )
    assert one == other


@needs_packages("sqlalchemy")
def test_an_imported_campaign_has_status_results_and_exports(run, tmp_path):
    campaign = str(tmp_path / "c.campaign")
    assert "80 judgments imported" in run("judge", "import", campaign, "spans.tsv").stderr
    assert "tasks done" in run("judge", "status", campaign).stdout
    assert "MQM: systems" in run("judge", "results", campaign, *QUICK).stdout
    run("judge", "export", campaign, "--to", str(tmp_path / "out"))
    assert (tmp_path / "out" / "human-spans.tsv").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("results", "nothing.tsv"), "nothing.tsv"),
        (("results", "judgments.tsv", "--question", "beauty"), "unknown question 'beauty'"),
        (("results", "judgments.tsv", "--group", "experts"), "unknown group 'experts'"),
        (("results", "judgments.tsv", "--weights", "minor"), "expected NAME=WEIGHT"),
        (("results", "judgments.tsv", "--kind", "rankings"), "line 1 has no column"),
        (("results", "reference-1.en"), "reference-1.en"),
        (("export", "judgments.tsv", "--to", "x", "--layout", "mt-metrics-eval"), "--language-pair"),
        (("export", "judgments.tsv", "--to", "x.tsv", "--layout", "spans"), "has no spans. It has ratings"),
        (("results",), "missing argument"),
    ],
)
def test_complaints_are_one_line(fails, arguments, said):
    assert said in fails("judge", *arguments)
