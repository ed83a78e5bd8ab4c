"""`understudy trust --set`: the table of several test sets, its formats, and complaints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from material.judged_set_folders import write_mt_metrics_eval
from understudy.trusting.sets.results import AVERAGE

EXAMPLES = Path(__file__).parents[2] / "examples"
OF_EXAMPLES = (
    *("trust", "--set", f"adequacy={EXAMPLES}", "--set", f"fluency={EXAMPLES}", "--human", "judgments.tsv"),
    *("--measure", "adequacy:adequacy", "--measure", "fluency:fluency", "--systems", "system-*.en"),
    *("-r", "reference-1.en", "-m", "bleu", "-m", "ter", "--samples", "20"),
)


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write_mt_metrics_eval(tmp_path_factory.mktemp("sets") / "made-up"))


def of_published(published: str, *more: str) -> list[str]:
    return ["trust", "--set", published, "--human", "mqm", "-r", "refA", "--samples", "20", *more]


def test_one_table_of_all_sets(run) -> None:
    text = run(*OF_EXAMPLES).stdout
    lines = text.splitlines()
    assert lines[0].startswith("adequacy: human scores adequacy, 4 systems, 60 segments, 240 translations")
    assert lines[3].split() == ["adequacy", "adequacy", "fluency", "fluency"]
    assert lines[5].split() == ["metric", "average", "SPA", "acc-eq", "SPA", "acc-eq"]
    assert "perm-both for SPA" in text
    assert "p-values of the difference in average for each pair of metrics." in text


def test_domains_are_columns_of_a_second_table(run, published: str) -> None:
    text = run(*of_published(published, "--by", "domain")).stdout
    assert "By domain; not part of the average." in text
    assert text.count("de-en news") == 2


def test_every_digit_in_json_and_tsv(run, published: str) -> None:
    data = json.loads(run(*of_published(published, "-f", "json", "--by", "domain")).stdout)
    lines = run(*of_published(published, "-f", "tsv", "--by", "domain")).stdout.splitlines()
    rows = [dict(zip(lines[0].split("\t"), line.split("\t"), strict=True)) for line in lines[1:]]
    averages = {row["metric"]: float(row["value"]) for row in rows if row["set"] == AVERAGE}
    assert averages == {one["metric"]: one["value"] for one in data["average"]["metrics"]}
    in_json = [
        (task["set"], task["label"] or "", task["coefficient"], one["metric"], one["value"], str(one["rank"]))
        for task in (*data["tasks"], *data["parts"])
        for one in task["metrics"]
    ]
    in_tsv = [
        (row["set"], row["label"], row["coefficient"], row["metric"], float(row["value"]), row["rank"])
        for row in rows
        if row["set"] != AVERAGE
    ]
    assert sorted(in_json) == sorted(in_tsv)
    assert len(data["average"]["pairs"]) == 6


def test_weights_are_shown_and_used(run, published: str) -> None:
    data = json.loads(run(*of_published(published, "-f", "json", "--weight", "de-en=2")).stdout)
    assert [task["weight"] for task in data["tasks"]] == [2, 2, 1, 1]
    shown = run(*of_published(published, "--weight", "de-en:system=2")).stdout
    assert "Weights in the average: de-en SPA 2, de-en acc-eq 1, en-cs SPA 1, en-cs acc-eq 1." in shown


def test_papers_get_a_table(run, published: str) -> None:
    assert "| metric |" in run(*of_published(published, "-f", "markdown")).stdout.replace("<br>", "")
    assert "\\begin{tabular}{lrrrrr}" in run(*of_published(published, "-f", "latex")).stdout


def test_systems_are_excluded_with_sets_and_without(run) -> None:
    alone = ["trust", str(EXAMPLES / "system-weak.en"), str(EXAMPLES / "system-medium.en")]
    alone += [
        str(EXAMPLES / "system-strong.en"),
        "--human",
        str(EXAMPLES / "judgments.tsv"),
        "--measure",
        "fluency",
    ]
    alone += ["-r", str(EXAMPLES / "reference-1.en"), "--samples", "5", "--exclude", "system-weak.en"]
    assert "fluency. 2 systems" in run(*alone).stdout
    assert (
        "human scores fluency, 3 systems" in run(*OF_EXAMPLES, "--exclude", "fluency:system-weak.en").stdout
    )


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--plot"], "--plot cannot be combined with --set"),
        (["--learn", "ridge"], "--learn cannot be combined with --set"),
        (["--weight", "de-en"], "--weight de-en: expected SET=WEIGHT"),
        (["--set", "nowhere"], "set 'nowhere': no such folder: 'nowhere'"),
        (["--by", "genre"], "unknown segment labels 'genre'. Known: document, domain."),
        (["--human", "esa"], "'mqm' and 'esa': expected one per set."),
    ],
)
def test_complaints_are_one_line(run, published: str, more: list[str], said: str) -> None:
    result = run(*of_published(published, *more))
    assert result.exit_code == 2
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_no_file_of_a_set_is_overwritten(run, published: str) -> None:
    file = Path(published) / "human-scores" / "de-en.mqm.seg.score"
    before = file.read_bytes()
    result = run(*of_published(published, "-o", str(file)))
    assert "is one of the inputs, and would be overwritten" in result.stderr
    assert file.read_bytes() == before


@pytest.mark.parametrize("option", [["--by", "domain"], ["--references-as-systems"], ["--weight", "a=1"]])
def test_options_of_sets_need_sets(run, option: list[str]) -> None:
    result = run("trust", str(EXAMPLES / "system-weak.en"), *option)
    assert f"{option[0]} has no effect: add --set" in result.stderr


def test_excluded_systems_are_not_in_the_table_by_length(run, tmp_path: Path) -> None:
    systems = [str(EXAMPLES / f"system-{name}.en") for name in ("weak", "medium", "strong", "rulebased")]
    asked = (
        "--measure",
        "fluency",
        "-r",
        str(EXAMPLES / "reference-1.en"),
        "--samples",
        "5",
        "--up-to",
        "2",
        "-f",
        "json",
    )
    judgments = (EXAMPLES / "judgments.tsv").read_text(encoding="utf-8").splitlines(keepends=True)
    fewer = tmp_path / "judgments.tsv"
    fewer.write_text(
        "".join(line for line in judgments if not line.startswith("system-weak.en")), encoding="utf-8"
    )
    excluded = run(
        "trust", *systems, "--human", str(EXAMPLES / "judgments.tsv"), *asked, "--exclude", "system-weak.en"
    )
    never = run("trust", *systems[1:], "--human", str(fewer), *asked)
    lengths = [json.loads(result.stdout)["measures"][0]["by_length"] for result in (excluded, never)]
    assert lengths[0] == lengths[1]
