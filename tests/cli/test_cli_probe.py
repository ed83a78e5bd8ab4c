"""`understudy probe`: formats, options and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from material.optional import needs_packages, needs_report
from material.parsers import needs_english
from understudy import probe
from understudy.report.probe_tables import render
from understudy.report.terminal import display_width

pytestmark = pytest.mark.usefixtures("examples")
SYSTEM = ["probe", "system-strong.en", "-r", "reference-1.en"]
SMALL = [*SYSTEM, "--what", "permutations", "--what", "variants", "--variants", "2"]


@pytest.mark.parametrize("format", ["table", "json", "tsv", "csv", "markdown", "latex"])
def test_the_command_prints_what_the_library_renders(run, format: str) -> None:
    done = run(*SMALL, "-f", format)
    assert done.exit_code == 0, done.stderr
    found = probe("system-strong.en", ["reference-1.en"], what=["permutations", "variants"], variants=2)
    assert done.stdout == render(found, format) + "\n"


def test_everything_but_the_search_by_default(run) -> None:
    data = json.loads(run(*SYSTEM, "--samples", "20", "--strength", "0.5", "-f", "json").stdout)
    assert data["plan"]["what"] == ["permutations", "variants", "perturbations"]
    assert "search" not in data
    assert {each["strength"] for each in data["perturbations"]["responses"]} == {None, 0.5}


def test_lines_fit_a_hundred_columns(run) -> None:
    metrics = ["-m", "bleu", "-m", "chrf", "-m", "ter"]
    lines = run(*SYSTEM, *metrics, "--samples", "20", "--strength", "0.5").stdout.splitlines()
    assert max(map(display_width, lines)) <= 100


def test_a_search_with_a_limit(run) -> None:
    data = json.loads(run(*SYSTEM, "--what", "search", "-n", "1", "--seconds", "0.2", "-f", "json").stdout)
    assert {(each["goal"], each["metric"]) for each in data["search"]["searches"]} <= {
        ("best", "bleu"),
        ("worst", "bleu"),
    }
    assert data["plan"]["searched"] == 1


def test_perturbations_are_listed(run) -> None:
    listed = run("probe", "--list").stdout
    assert listed.splitlines()[0].split() == [
        "perturbation",
        "group",
        "kind",
        "graded",
        "needs",
        "description",
    ]
    assert "drop-words" in listed
    german = run("probe", "--lang", "de", "--list").stdout
    assert german == run("probe", "--list", "--lang", "de").stdout
    assert "Not available: antonyms" in german


def test_only_the_errors_that_are_named_are_applied(run) -> None:
    more = ["--what", "perturbations", "--perturbation", "drop-words", "--samples", "20", "-f", "json"]
    data = json.loads(run(*SYSTEM, *more).stdout)
    assert {each["perturbation"] for each in data["perturbations"]["blind_spots"]} == {"drop-words"}


@needs_english
def test_the_parser_for_tags(run) -> None:
    more = ["--what", "perturbations", "--perturbation", "drop-nouns", "--samples", "20", "-f", "json"]
    done = run(*SYSTEM, *more, "--parser", "english")
    assert done.stderr == ""
    data = json.loads(done.stdout)
    assert data["plan"]["parser"] == "english"
    assert {each["perturbation"] for each in data["perturbations"]["blind_spots"]} == {"drop-nouns"}


def test_challenge_sets(run) -> None:
    data = json.loads(run("probe", "--pairs", "pairs.tsv", "-m", "chrf", "-m", "ter", "-f", "json").stdout)
    assert data["specs"] == ["chrf", "ter"]
    assert data["pairs"] == 42
    ordered = run("probe", "--pairs", "pairs.tsv", "--severities", "critical,minor", "-f", "json").stdout
    assert json.loads(ordered)["plan"]["severities"] == ["critical", "minor"]


def test_scores_of_other_tools_take_part(run, tmp_path: Path) -> None:
    scores = tmp_path / "mine.tsv"
    rows = "".join(f"{number}\t{number + 1}\n" for number in range(42))
    scores.write_text(f"mine-good\tmine-bad\n{rows}", encoding="utf-8")
    more = ["--pairs", "pairs.tsv", "--scores", str(scores), "-f", "json"]
    higher, lower = (
        json.loads(run("probe", *more, *flags).stdout) for flags in ([], ["--lower-is-better", "mine"])
    )
    assert [data["means"][0]["accuracy"] for data in (higher, lower)] == [0.0, 1.0]


@needs_report
@pytest.mark.parametrize("arguments", [SMALL, ["probe", "--pairs", "pairs.tsv"]], ids=["system", "pairs"])
def test_reports_and_figures_are_written(run, tmp_path: Path, arguments: list[str]) -> None:
    report, figures = tmp_path / "probe.html", tmp_path / "figures"
    done = run(*arguments, "--report", str(report), "--figures", str(figures))
    assert done.exit_code == 0, done.stderr
    assert report.read_text(encoding="utf-8").endswith("</html>\n")
    assert {path.suffix for path in figures.iterdir()} == {".svg", ".png", ".csv"}


@needs_packages("openpyxl")
def test_a_spreadsheet_has_a_sheet_per_table(run, tmp_path: Path) -> None:
    import openpyxl

    path = tmp_path / "probe.xlsx"
    assert run(*SMALL, "-f", "xlsx", "-o", str(path)).exit_code == 0
    assert openpyxl.load_workbook(path).sheetnames == [
        "permutations",
        "variants",
        "noticed variants",
        "variant corpora",
    ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["probe"], "missing argument 'SYSTEM'. Give a hypothesis file, or --pairs for a challenge set."),
        (["probe", "system-weak.en"], "missing option '-r'. Give a reference translation."),
        ([*SYSTEM, "--pairs", "pairs.tsv"], "--pairs cannot be combined with SYSTEM."),
        ([*SYSTEM, "--parser", "auto", "--parser", "english"], "--parser is given more than once."),
        ([*SMALL, "--parser", "english"], "--parser has no effect"),
        (["probe", "--pairs", "pairs.tsv", "--what", "search"], "--what cannot be combined with --pairs."),
        (["probe", "--list", "-f", "json"], "--format cannot be combined with --list."),
        ([*SYSTEM, "--list"], "--reference cannot be combined with --list."),
        ([*SYSTEM, "--scores", "x.tsv"], "--scores has no effect: add --pairs, or omit it."),
        ([*SYSTEM, "--seconds", "3"], "--seconds has no effect: add --what search, or omit it."),
        ([*SMALL, "--strength", "0.5"], "--strength has no effect: add --what perturbations, or omit it."),
        ([*SYSTEM, "--strength", "2"], "expected a number above 0 and of at most 1, got '2'."),
        ([*SYSTEM, "--what", "search", "--seconds", "0"], "expected a number above 0, got '0'."),
        (["probe", "system-weak.en", *SYSTEM[1:]], "got 2 systems, expected one. Probe each system alone."),
        (
            ["probe", "system-weak.en", "-m", "self-bleu"],
            "self-bleu does not compare hypotheses with references",
        ),
        (
            [*SYSTEM, "--labels", "documents.tsv"],
            "--labels has no effect: none of the metrics uses documents.",
        ),
        (
            [*SYSTEM, "--perturbation", "dropwords"],
            "unknown perturbation 'dropwords'. Did you mean 'drop-words'",
        ),
        ([*SYSTEM, "-m", "self-bleu"], "does not compare hypotheses with references"),
        ([*SYSTEM, "-o", "reference-1.en"], "is one of the inputs, and would be overwritten"),
        (["probe", "documents.tsv", "-r", "reference-1.en"], "documents.tsv"),
        (["probe", "--pairs", "documents.tsv"], "documents.tsv"),
        (["probe", "--pairs", "nothing.tsv"], "nothing.tsv"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(fails, arguments: list[str], said: str) -> None:
    assert said in fails(*arguments)


def test_completion_knows_the_perturbations(run) -> None:
    done = run(
        env={"_UNDERSTUDY_COMPLETE": "bash_complete", "COMP_LINE": "understudy probe --perturbation drop-w"}
    )
    assert done.stdout.split() == ["plain,drop-words"]
