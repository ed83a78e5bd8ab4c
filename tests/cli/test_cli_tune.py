"""`understudy tune`: output, files, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
NBEST, REFERENCE = str(EXAMPLES / "nbest.txt"), str(EXAMPLES / "reference-1.en")
TUNE = ["tune", NBEST, "-r", REFERENCE, "--restarts", "1"]


def test_tables_and_verdict(run) -> None:
    text = run(*TUNE, "-m", "bleu", "-m", "ter", "--metric-weight", "2", "--metric-weight", "1").stdout
    assert "(2 BLEU - TER) / 3 (higher is better)" in text
    assert "Weights tuned on 48 segments, not refitted on the 12 held out." in text
    assert "gain" in text
    assert "2 starts: " in text
    assert "tok:13a" in text


def test_the_weights_file_is_written_and_read_again(run, tmp_path) -> None:
    path = tmp_path / "weights.json"
    printed = run(*TUNE, "-m", "chrf", "-o", str(path), "-f", "json").stdout
    found = json.loads(path.read_text(encoding="utf-8"))
    assert json.loads(printed) == found
    assert list(found["weights"]) == ["LM", "TM_1", "TM_2", "WordPenalty"]
    assert found["metrics"][0]["signature"].startswith("nrefs:1|")
    assert found["held_out"]["segments"] == 12
    again = run(*TUNE, "-m", "chrf", "--start", str(path), "-f", "json")
    assert json.loads(again.stdout)["initial_weights"] == pytest.approx(found["weights"])
    chosen = run("decide", NBEST, "--method", "rerank", "--weights", str(path))
    assert len(chosen.stdout.splitlines()) == 60


def test_decide_selects_what_tune_has_scored(run, tmp_path) -> None:
    path, output = tmp_path / "weights.json", tmp_path / "chosen.txt"
    run(*TUNE, "--held-out", "0", "-o", str(path))
    run("decide", NBEST, "--method", "rerank", "--weights", str(path), "-o", str(output))
    scored = run("score", str(output), "-r", REFERENCE, "-f", "json")
    found = json.loads(path.read_text(encoding="utf-8"))
    assert json.loads(scored.stdout)["systems"][0]["scores"][0]["value"] == found["tuning"]["tuned"]


def test_the_same_seed_gives_the_same_bytes(run) -> None:
    first = run(*TUNE, "-f", "json", "--threads", "1").stdout
    assert run(*TUNE, "-f", "json", "--threads", "2").stdout == first
    assert run(*TUNE, "-f", "json", "--seed", "1").stdout != first


@pytest.mark.parametrize("format", ["tsv", "csv", "markdown", "latex"])
def test_other_formats(run, format) -> None:
    assert "WordPenalty" in run(*TUNE, "-f", format, "--method", "pro").stdout


def test_bounds_and_fixed_weights(run) -> None:
    found = json.loads(
        run(*TUNE, "--bounds", "TM_1=-0.5:0.5", "--bounds", "TM_2=:0", "--fix", "LM", "-f", "json").stdout
    )
    assert abs(found["weights"]["TM_1"]) <= 0.5
    assert found["weights"]["TM_2"] <= 0
    assert found["weights"]["LM"] == 0.25
    assert not found["normalized"]


REFUSED = {
    "no reference": (["tune", NBEST], "missing option '-r'"),
    "no list": (["tune"], "missing argument 'NBEST...'"),
    "no such list": (["tune", "no.nbest", "-r", REFERENCE], "no.nbest"),
    "bounds": ([*TUNE, "--bounds", "LM=1"], "expected NAME=LOW:HIGH"),
    "bounds in words": ([*TUNE, "--bounds", "LM=a:b"], "expected NAME=LOW:HIGH"),
    "bounds twice": ([*TUNE, "--bounds", "LM=0:", "--bounds", "LM=:1"], "has two ranges"),
    "bounds of nothing": ([*TUNE, "--bounds", "ML=0:"], "unknown feature 'ML'"),
    "one weight": ([*TUNE, "-m", "bleu", "-m", "ter", "--metric-weight", "1"], "1 number for 2 metrics"),
    "huge weight": (
        [*TUNE, "--metric-weight", "inf"],
        "--metric-weight: got inf, expected a number above 0 and",
    ),
    "both checks": ([*TUNE, "--folds", "3", "--held-out", "0.1"], "cannot be combined"),
    "directions": ([*TUNE, "--method", "pro", "--directions", "3"], "--directions has no effect"),
    "samples": ([*TUNE, "--held-out", "0", "--samples", "5"], "--samples has no effect"),
    "interpolation": ([*TUNE, "--interpolation", "0.5"], "--interpolation has no effect"),
    "reference-free": ([*TUNE, "-m", "self-bleu"], "self-bleu is reference-free"),
    "overwritten": ([*TUNE, "-o", NBEST], "is one of the inputs"),
}


@pytest.mark.parametrize(("arguments", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(fails, arguments, said) -> None:
    assert said in fails(*arguments)


def test_nothing_is_written_if_it_fails(fails, tmp_path) -> None:
    short = tmp_path / "short.en"
    short.write_text(
        "\n".join(Path(REFERENCE).read_text(encoding="utf-8").splitlines()[:59]) + "\n", encoding="utf-8"
    )
    said = fails("tune", NBEST, "-r", str(short), "-o", str(tmp_path / "w.json"))
    assert "60 segments" in said
    assert "59" in said
    assert list(tmp_path.iterdir()) == [short]


def test_a_lost_list_and_a_wrong_value_are_refused(fails, tmp_path) -> None:
    lines = Path(NBEST).read_text(encoding="utf-8").splitlines()
    path = tmp_path / "list.nbest"
    path.write_text("\n".join(line for line in lines if not line.startswith("7 ")) + "\n", encoding="utf-8")
    assert "segment 8 follows segment 6" in fails("tune", str(path), "-r", REFERENCE)
    path.write_text("\n".join([lines[0].replace("LM= ", "LM= nan # "), *lines[1:]]) + "\n", encoding="utf-8")
    assert "line 1" in fails("tune", str(path), "-r", REFERENCE)
