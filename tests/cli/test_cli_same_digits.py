"""The command line, files in Python and texts in memory give the same digits on real test sets."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from material.optional import needs_report
from material.wmt import DATA, needs_data
from understudy import Corpus, break_down, compare, explain, score, trust
from understudy.cli import program
from understudy.report import breakdowns

HOME = DATA / "wmt23.zh-en"
NAMES = ("ANVITA", "GPT4-5shot", "HW-TSC", "ONLINE-A")
REFERENCE = HOME / "refA.txt"
HUMAN = HOME / "human.mqm.seg.tsv.gz"
METRICS = ["bleu", "chrf", "ter"]
CHOSEN = [argument for metric in METRICS for argument in ("-m", metric)]

pytestmark = needs_data


def file_of(name: str) -> Path:
    return next((HOME / "systems").glob(f"{name}.*"))


def texts(path: Path) -> list[str]:
    (column,) = Corpus.read([path]).systems.values()
    return [column[row] or "" for row in range(len(column))]


@pytest.fixture(scope="module")
def systems() -> dict[str, list[str]]:
    return {name: texts(file_of(name)) for name in NAMES}


@pytest.fixture(scope="module")
def reference() -> list[str]:
    return texts(REFERENCE)


def run(*arguments: str) -> None:
    done = CliRunner().invoke(program, list(arguments))
    assert done.exit_code == 0, done.output


def by_command(folder: Path, *arguments: str) -> Any:
    """What a command writes as JSON."""
    run(*arguments, "--format", "json", "-o", str(folder / "out.json"))
    return json.loads((folder / "out.json").read_text(encoding="utf-8"))


def files(*names: str) -> list[str]:
    return [f"{name}={file_of(name)}" for name in names]


def test_score(systems: dict[str, list[str]], reference: list[str], tmp_path: Path) -> None:
    command = by_command(tmp_path, "score", *files(*NAMES), "-r", str(REFERENCE), *CHOSEN)
    assert score(systems, reference, METRICS).to_dict() == command
    assert score({name: file_of(name) for name in NAMES}, REFERENCE, METRICS).to_dict() == command


def test_compare(systems: dict[str, list[str]], reference: list[str], tmp_path: Path) -> None:
    asked = ("--all-pairs", "--samples", "50")
    command = by_command(tmp_path, "compare", *files(*NAMES), "-r", str(REFERENCE), *CHOSEN, *asked)
    assert compare(systems, reference, METRICS, all_pairs=True, samples=50).to_dict() == command


def test_explain(systems: dict[str, list[str]], reference: list[str], tmp_path: Path) -> None:
    asked = ("--against", "nltk", "--segments", "5")
    command = by_command(tmp_path, "explain", *files("ANVITA"), "-r", str(REFERENCE), *asked)
    assert explain(systems["ANVITA"], reference, against="nltk", segments=5).to_dict() == command


def test_trust(systems: dict[str, list[str]], reference: list[str], tmp_path: Path) -> None:
    asked = ("--human", str(HUMAN), "--samples", "20")
    command = by_command(tmp_path, "trust", *files(*NAMES), "-r", str(REFERENCE), *CHOSEN, *asked)
    assert trust(HUMAN, systems, reference, METRICS, samples=20).to_dict() == command


def test_breakdown(systems: dict[str, list[str]], reference: list[str], tmp_path: Path) -> None:
    asked = ("--breakdown", "--samples", "20")
    command = by_command(tmp_path, "compare", *files(*NAMES[:2]), "-r", str(REFERENCE), *CHOSEN, *asked)
    corpus = Corpus({name: systems[name] for name in NAMES[:2]}, reference)
    found, broken_down = compare(corpus, metrics=METRICS, samples=20), break_down(corpus, metrics=METRICS)
    assert json.loads(breakdowns.render(found, broken_down, format="json")) == command
    assert broken_down.to_dict()["bucketings"] == command["breakdown"]["bucketings"]


@needs_report
def test_reports(systems: dict[str, list[str]], reference: list[str], tmp_path: Path) -> None:
    page = tmp_path / "command.html"
    asked = ("-m", "bleu", "--samples", "20", "--report", str(page), "-o", str(tmp_path / "out.txt"))
    run("compare", *files(*NAMES[:2]), "-r", str(REFERENCE), *asked)
    found = compare({name: systems[name] for name in NAMES[:2]}, reference, samples=20)
    found.report(tmp_path / "python.html")
    assert (tmp_path / "python.html").read_bytes() == page.read_bytes()


@needs_report
def test_the_report_of_trust(systems: dict[str, list[str]], reference: list[str], tmp_path: Path) -> None:
    page = tmp_path / "command.html"
    asked = ("--human", str(HUMAN), "--samples", "20", "--report", str(page), "-o", str(tmp_path / "out.txt"))
    run("trust", *files(*NAMES), "-r", str(REFERENCE), *asked)
    trust(HUMAN, systems, reference, samples=20).report(tmp_path / "python.html")
    assert (tmp_path / "python.html").read_bytes() == page.read_bytes()
