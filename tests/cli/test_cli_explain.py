"""`understudy explain`: formats, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
ARGUMENTS = ["explain", str(EXAMPLES / "system-strong.en"), "-r", str(EXAMPLES / "reference-1.en")]
AGAINST = ["--against", "mteval-v13a"]


def test_the_table_names_the_choice(run) -> None:
    text = run(*ARGUMENTS, *AGAINST).stdout
    assert "bleu:mteval-v13a scores" in text
    assert "lowercase" in text
    assert "first 3 shown" in text
    assert "the first" not in run(*ARGUMENTS, *AGAINST, "-n", "0").stdout


def test_shorthands_are_for_both_specs_where_these_do_not_say(run, fails) -> None:
    """As everywhere: a setting in a spec, or in a preset, wins."""
    found = json.loads(run(*ARGUMENTS, "-a", "multi-bleu", "--tokenize", "intl", "-f", "json").stdout)
    assert (found["first"], found["second"]) == ("bleu:tokenize=intl", "bleu:multi-bleu")
    both = run(*ARGUMENTS, "--against", "smooth=floor", "--tokenize", "intl", "-f", "json")
    assert json.loads(both.stdout)["second"] == "bleu:tokenize=intl,smooth=floor"
    said = run(*ARGUMENTS, "--against", "tokenize=13a", "--tokenize", "intl", "-f", "json")
    assert json.loads(said.stdout)["second"] == "bleu"
    twice = ["--parser", "auto", "--parser", "english"]
    assert "--parser is given more than once" in fails(*ARGUMENTS, *AGAINST, *twice)


def test_json_and_tsv_hold_every_digit(run) -> None:
    found = json.loads(run(*ARGUMENTS, *AGAINST, "-f", "json", "-n", "2").stdout)
    assert found["difference"] == found["second_score"] - found["first_score"]
    assert found["steps"][0]["changes"] == {"lowercase": ["false", "ascii"]}
    assert len(found["partings"]) == 2
    header, start, *rows = (
        line.split("\t") for line in run(*ARGUMENTS, *AGAINST, "-f", "tsv").stdout.splitlines()
    )
    assert {len(row) for row in (header, start, *rows)} == {6}
    assert float(start[4]) == found["first_score"]
    assert [float(row[5]) for row in rows] == [step["contribution"] for step in found["steps"]]


@pytest.mark.parametrize(("format", "begins"), [("markdown", "| parameter |"), ("latex", "% Needs")])
def test_formats_for_papers(run, format: str, begins: str) -> None:
    assert run(*ARGUMENTS, *AGAINST, "-f", format).stdout.startswith(begins)


def test_several_references_and_a_file(run, tmp_path: Path) -> None:
    written = tmp_path / "explanation.json"
    more = ["-r", str(EXAMPLES / "reference-2.en"), "-m", "ter", "-a", "lowercase=false", "-f", "json"]
    assert run(*ARGUMENTS, *more, "-o", str(written)).stdout == ""
    found = json.loads(written.read_text(encoding="utf-8"))
    assert found["references"] == 2
    assert found["label"] == "TER"


def test_equal_specs_say_so(run) -> None:
    result = run(*ARGUMENTS, "--against", "sacrebleu")
    assert result.exit_code == 0
    assert "Both specs set the same parameters (bleu)" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([*ARGUMENTS, "--against", "chrf"], "different metrics"),
        (ARGUMENTS, "missing option '-a'"),
        ([*ARGUMENTS[:2], *AGAINST], "Give a reference translation"),
        ([*ARGUMENTS, *AGAINST, "-o", str(EXAMPLES / "system-strong.en")], "would be overwritten"),
        (["explain", "nowhere.txt", *ARGUMENTS[2:], *AGAINST], "nowhere.txt"),
    ],
)
def test_mistakes_are_refused(fails, arguments: list[str], says: str) -> None:
    assert says in fails(*arguments)
