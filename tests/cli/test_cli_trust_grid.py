"""`understudy trust --grid` and `--sentinels`."""

from __future__ import annotations

import json

import pytest

GRID = "bleu:max_order=1..3,average=geometric|arithmetic,brevity_steepness=0|1"
FILES = [*(f"system-{name}.en" for name in ("strong", "medium", "rulebased", "weak")), "-r", "reference-1.en"]


def arguments(*more):
    given = ("--human", "judgments.tsv", "--measure", "adequacy", "--samples", "20", "--level", "segment")
    return ["trust", *FILES, *given, *more]


def test_all_settings_and_the_gain(run, examples):  # noqa: ARG001
    text = run(*arguments("--grid", GRID, "--labels", "documents.tsv")).stdout
    for said in (
        "bleu:max_order=3,average=arithmetic,brevity_steepness=0.0",
        "selected, of 12",
        "in-sample gain",
        "Best setting on all data, segment level: bleu:",
        "12 settings were tried and nothing else was fitted",
        "|average:arithmetic|",
    ):
        assert said in text, said


def test_shorthands_apply_to_settings(run, examples):  # noqa: ARG001
    done = run(*arguments("--grid", "bleu:max_order=1|2", "--lowercase", "--format", "json"))
    (search,) = json.loads(done.stdout)["measures"][0]["grids"]
    assert [each["spec"] for each in search["settings"]] == [
        *("bleu:lowercase=true,max_order=1", "bleu:lowercase=true,max_order=2")
    ]
    assert search["plain"]["spec"] == "bleu:lowercase=true"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("--grid", "bleu:max_ordr=1..2"), "unknown parameter 'max_ordr'"),
        (("--grid", "bleu:average=geometric|"), "has an empty alternative"),
        (("--grid", "bleu:max_order=1..100,smooth_value=1..100"), "10,000 settings, expected at most 1,000"),
        (("--grid", "stm:max_depth=1|2", "--parser", "a", "--parser", "b"), "--grid takes one --parser"),
        (("--labels", "documents.tsv"), "Add --learn, --learn-features, --grid or --sentinels"),
    ],
)
def test_what_is_refused(fails, examples, given, message):  # noqa: ARG001
    assert message in fails(*arguments(*given, *(("-m", "stm") if "--parser" in given else ())))


def test_a_grid_is_for_texts_of_one_test_set(fails, examples, tmp_path):  # noqa: ARG001
    (tmp_path / "scores.tsv").write_text("system\tm\na\t1\nb\t2\n")
    scores = ("trust", "--human", "judgments.tsv", "--scores", str(tmp_path / "scores.tsv"))
    assert "--grid has no effect: also give SYSTEM files" in fails(*scores, "--grid", GRID)
    assert "--grid cannot be combined with --set" in fails("trust", "--set", "a=.", "--grid", GRID)


def test_outliers_with_many_rows_and_segments_alone(run, examples):  # noqa: ARG001
    """With more than four metrics and sentinels, each is a row. R² is of systems."""
    pytest.importorskip("sklearn")  # for a sentinel
    metrics = [part for name in ("chrf", "ter", "wer") for part in ("-m", name)]
    text = run(*arguments("--sentinels", *metrics, "--coefficient", "kendall-b")).stdout
    _, _, table = text.partition("with → without")
    top, below, _, *rows = table.split("\n\n")[0].splitlines()
    assert top.split() == ["Kendall's", "τ-b"] * 3
    assert below.split()[2:] == ["no", "grouping", "group-by-item", "group-by-system"]
    assert [row.split()[0] for row in rows][-2:] == ["length", "candidate"]
    assert all(row.count(" → ") == 3 for row in rows)


def test_sentinels_stand_beside_the_metrics(run, examples, fails):  # noqa: ARG001
    text = run(*arguments("--sentinels")).stdout
    assert "length only" in text
    assert "Without source texts, there is no sentinel 'source only'." in text
    assert "--sentinels cannot be combined with --set" in fails("trust", "--set", "a=.", "--sentinels")
