"""`understudy track` on the command line."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import pytest

from cli.conftest import SYSTEMS, Run, Shell
from material.optional import needs_packages, needs_report
from understudy import Track
from understudy.cli import program

ANSWER = ("-r", "reference-1.en")


@pytest.fixture
def track(run: Run, examples: Path, tmp_path: Path) -> str:  # noqa: ARG001
    """The example systems as runs, from the worst to the best."""
    path = str(tmp_path / "track.sqlite")
    for number, name in enumerate(reversed(SYSTEMS), start=1):
        added = run(
            *("track", "add", name, f"system-{name}.en", *ANSWER, "-m", "bleu", "-m", "chrf"),
            *("--note", f"the {name} one", "--date", f"2026-03-0{number}", "--test-set", "examples"),
            *("--track", path),
        )
        assert added.exit_code == 0
        assert added.stdout == ""
        assert added.stderr == f"understudy: added {name} to {path}: bleu, chrf on test set examples.\n"
    return path


def test_show_has_every_run_with_its_change(run: Run, track: str) -> None:
    shown = run("track", "show", "--track", track).stdout
    bleu, chrf = shown.split("\n\nrun ")
    assert "weak       2026-03-01 00:00  the weak one        10.11   7.32 to 12.57" in bleu
    assert "strong     2026-03-04 00:00  the strong one      57.81" in bleu
    assert "BLEU: 3 of 3 changes are significant" in bleu
    assert "p-values are corrected for 3 tests" in bleu
    assert "chrF ↑" in chrf


@pytest.mark.parametrize("format", ["json", "tsv", "csv", "markdown", "latex"])
def test_show_has_the_formats_of_other_commands(run: Run, track: str, tmp_path: Path, format: str) -> None:
    printed = run("track", "show", "--track", track, "-f", format)
    assert printed.exit_code == 0
    assert "rulebased" in printed.stdout
    file = tmp_path / "shown"
    assert run("track", "show", "--track", track, "-f", format, "-o", str(file)).stdout == ""
    assert file.read_text(encoding="utf-8") == printed.stdout


def test_json_has_full_precision(run: Run, track: str) -> None:
    found = json.loads(run("track", "show", "--track", track, "-f", "json", "-m", "bleu").stdout)
    compared = json.loads(
        run(
            "compare", "system-weak.en", "system-rulebased.en", *ANSWER, "--samples", "5000", "-f", "json"
        ).stdout
    )
    (pair,) = compared["metrics"][0]["pairs"]
    step = json.loads(
        run("track", "show", "--track", track, "-f", "json", "-m", "bleu", "--samples", "5000").stdout
    )
    previous = step["metrics"][0]["runs"][1]["previous"]
    assert (previous["difference"], previous["p_value"]) == (pair["difference"], pair["p_value"])
    assert found["metrics"][0]["runs"][0]["date"] == "2026-03-01T00:00:00+00:00"


@pytest.mark.parametrize("metric", ["bleu", "chrf", "ter", "nist"])
def test_compare_prints_what_compare_prints(run: Run, track: str, metric: str) -> None:
    for name in SYSTEMS[:2]:
        run("track", "add", name, f"system-{name}.en", *ANSWER, "-m", metric, "--track", track)
    of_files = run("compare", *(f"{name}=system-{name}.en" for name in SYSTEMS[:2]), *ANSWER, "-m", metric)
    stored = run("track", "compare", *SYSTEMS[:2], "-m", metric, "--track", track)
    assert stored.stdout == of_files.stdout
    assert "better than" in stored.stdout


def test_list_rename_remove_and_import(run: Run, track: str, tmp_path: Path) -> None:
    assert run("track", "rename", "medium", "middle", "--track", track).exit_code == 0
    assert run("track", "remove", "weak", "--track", track).stderr.startswith("understudy: removed weak")
    other = str(tmp_path / "other.sqlite")
    assert "added 3 runs" in run("track", "import", track, "--track", other).stderr
    listed = run("track", "list", "--track", other, "-f", "tsv").stdout.splitlines()
    assert [line.split("\t")[1] for line in listed] == ["run", "rulebased", "middle", "strong"]


def test_metrics_are_added_from_kept_text(run: Run, track: str) -> None:
    arguments = ("track", "add", "strong", "system-strong.en", *ANSWER, "--keep-text", "--track", track)
    assert run(*arguments).exit_code == 0
    assert run("track", "add", "strong", "-m", "ter", "--track", track).exit_code == 0
    assert "bleu, chrf, ter" in run("track", "list", "--track", track).stdout


def test_check_is_a_gate(run: Run, track: str) -> None:
    passed = run("track", "check", "--track", track)
    assert passed.exit_code == 0
    assert passed.stdout.startswith(
        "passed: strong is not significantly worse than medium, the run before (+"
    )
    failed = run("track", "check", "system-weak.en", *ANSWER, "--baseline", "best", "--track", track)
    assert failed.exit_code == 1
    sentence, *_ = failed.stdout.splitlines()
    assert sentence.startswith(
        "failed: system-weak.en is significantly worse than the best of 4 earlier runs (-"
    )
    assert (
        "Holm-corrected for 2 metrics and Bonferroni-corrected for the selection from 4 runs, alpha 0.05"
        in sentence
    )
    named = run("track", "check", "rulebased", "--baseline", "strong", "-m", "chrf", "--track", track)
    assert named.exit_code == 1
    margin = ("track", "check", "rulebased", "--baseline", "strong", "-m", "chrf", "--margin", "50")
    assert run(*margin, "--track", track).exit_code == 0
    assert json.loads(run(*margin, "--track", track, "-f", "json").stdout)["passed"] is True


def test_alpha_is_the_significance_level(run: Run, track: str) -> None:
    assert "alpha 0.01," in run("track", "check", "--alpha", "0.01", "--track", track).stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("add", "last", "system-weak.en", *ANSWER), "'last' is a baseline"),
        (("add", "x", "system-weak.en"), "missing option '-r'"),
        (("add", "x", "missing.txt", *ANSWER), "missing.txt"),
        (("add", "strong", "system-weak.en", *ANSWER), "run 'strong' exists with other hypotheses"),
        (("add", "strong", "-m", "ter"), "the text of run 'strong' was not kept"),
        (("add", "strong", *ANSWER), "--reference has no effect: give a SYSTEM"),
        (("add", "x", "system-weak.en", *ANSWER, "--date", "1 May"), "date='1 May': expected a date"),
        (("show", "--test-set", "news"), "unknown test set 'news'"),
        (("show", "-m", "ter"), "unknown metric 'ter' of the track, which has bleu, chrf"),
        (("compare", "weak"), "expected at least two different runs"),
        (("compare", "weak", "week"), "unknown run 'week'. Did you mean 'weak'?"),
        (("check", "weak"), "there is no run before 'weak'"),
        (("check", "--margin", "1"), "in units of one metric, got bleu, chrf"),
        (("check", "--threads", "2"), "--threads has no effect: give a SYSTEM with -r"),
        (("check", "system-weak.en", "-r", "reference-2.en"), "no run of the track has these references"),
        (("remove", "nobody"), "unknown run 'nobody'"),
        (("report", "no/where.html"), "the directory 'no' does not exist"),
    ],
    ids=" ".join,
)
def test_bad_input_is_one_line(
    fails: Callable[..., str], track: str, arguments: tuple[str, ...], said: str
) -> None:
    assert said in fails("track", *arguments, "--track", track)


def test_a_track_that_is_none_is_one_line(fails: Callable[..., str], examples: Path, tmp_path: Path) -> None:
    assert "no such track: 'understudy-track.sqlite'" in fails("track", "show")
    assert "is not a track" in fails("track", "show", "--track", str(examples / "README.md"))
    assert "is a directory" in fails("track", "list", "--track", str(tmp_path))


@needs_report
def test_the_report_is_one_file(run: Run, track: str, tmp_path: Path) -> None:
    page, figures = tmp_path / "track.html", tmp_path / "figures"
    assert run("track", "report", str(page), "--figures", str(figures), "--track", track).exit_code == 0
    assert "the rulebased one" in page.read_text(encoding="utf-8")
    assert {file.name for file in figures.iterdir()} >= {"bleu-over-time.svg", "chrf-over-time.csv"}


@needs_packages("openpyxl")
def test_show_writes_a_spreadsheet(run: Run, track: str, tmp_path: Path) -> None:
    file = tmp_path / "track.xlsx"
    assert run("track", "show", "--track", track, "-f", "xlsx", "-o", str(file)).exit_code == 0
    assert file.stat().st_size > 1000


def test_the_track_is_not_overwritten(fails: Callable[..., str], track: str) -> None:
    before = Path(track).read_bytes()
    assert "would be overwritten" in fails("track", "show", "--track", track, "-o", track)
    assert Path(track).read_bytes() == before


def test_in_a_shell(shell: Shell, tmp_path: Path) -> None:
    path = str(tmp_path / "track.sqlite")
    arguments = ("add", "weak", "system-weak.en", *ANSWER, "--track", path)
    assert shell("track", *arguments).returncode == 0
    checked = shell("track", "check", "system-strong.en", *ANSWER, "--track", path)
    assert checked.returncode == 0, checked.stderr
    assert shell("track").returncode == 2


# Python's methods have the names of flags as keywords, except for the arguments of the commands.
METHODS: dict[str, tuple[Callable[..., Any], set[str]]] = {
    "add": (Track.add, {"run", "system", "progress", "documents"}),
    "list": (Track.runs, set()),
    "show": (Track.show, {"plan"}),
    "compare": (Track.compare, {"runs", "plan"}),
    "check": (Track.check, {"run", "system", "plan", "documents"}),
    "rename": (Track.rename, {"run", "name"}),
    "remove": (Track.remove, {"run"}),
    "import": (Track.import_runs, {"other"}),
}


@pytest.mark.parametrize("command", METHODS)
def test_a_keyword_is_the_name_of_a_flag(command: str) -> None:
    method, arguments = METHODS[command]
    group = program.get_command(click.Context(program), "track")
    assert isinstance(group, click.Group)
    found = group.get_command(click.Context(group), command)
    assert found is not None
    flags = {flag.lstrip("-").replace("-", "_") for option in found.params for flag in option.opts}
    for keyword in set(inspect.signature(method).parameters) - {"self"} - arguments:
        assert {keyword, keyword.removesuffix("s")} & flags, keyword
    options = [option for option in found.params if isinstance(option, click.Option)]
    assert all(option.help for option in options)
