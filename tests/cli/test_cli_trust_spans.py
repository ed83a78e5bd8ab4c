"""`understudy trust --human-spans`: options, formats and complaints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
SYSTEMS = [str(EXAMPLES / f"system-{name}.en") for name in ("strong", "medium", "rulebased", "weak")]
HUMAN, PREDICTED = str(EXAMPLES / "spans.tsv"), str(EXAMPLES / "spans-predicted.tsv")


def test_predictors_raters_and_the_baseline(run) -> None:
    text = run("trust", *SYSTEMS, "--human-spans", HUMAN, "--spans", PREDICTED, "--samples", "50").stdout
    names = [line.split("  ")[0] for line in text.split("\n\n")[1].split("\n")[2:]]
    assert names == ["cautious", "eager", "one rater", "all characters, minor"]


def test_credit_and_names_reach_the_library(run, tmp_path: Path) -> None:
    only = tmp_path / "only.tsv"
    lines = Path(PREDICTED).read_text().splitlines(keepends=True)
    only.write_text("".join(line for line in lines if not line.startswith("cautious")))
    found = []
    for credit in ("0", "1"):
        result = run(
            *("trust", "--human-spans", HUMAN, "--spans", f"mine={only}", "--severity-credit", credit),
            *("--samples", "2", "-f", "json"),
        )
        data = json.loads(result.stdout)["predictors"]
        assert [each["name"] for each in data] == ["mine"]
        found.append(data[0]["values"][2]["value"])
    assert found[0] < found[1]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["--human-spans", HUMAN, "-m", "bleu"],
            "--metric cannot be combined with --human-spans",
        ),
        (["--human-spans", HUMAN, "--report", "x.html"], "--report cannot be combined with --human-spans"),
        (["--human", HUMAN, "--spans", PREDICTED], "--spans has no effect: add --human-spans"),
        (["--human-spans", "nowhere.tsv"], "nowhere.tsv"),
        (["--human-spans", HUMAN, "--spans", PREDICTED, "-o", PREDICTED], "is one of the inputs"),
    ],
)
def test_what_cannot_be_meant_is_refused_in_one_line(run, arguments: list[str], said: str) -> None:
    result = run("trust", *arguments)
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.strip().splitlines()) == 1


def test_spans_beyond_the_text_are_refused(run, tmp_path: Path) -> None:
    human = tmp_path / "h.tsv"
    human.write_text("system\tseg\trater\tstart\tend\tseverity\nsystem-weak.en\t1\tJ1\t0\t999\tminor\n")
    result = run("trust", *SYSTEMS, "--human-spans", str(human), "--spans", PREDICTED)
    assert result.exit_code == 2
    assert "ends at character 999 of segment 1 of 'system-weak.en', which has 26 characters" in result.stderr
