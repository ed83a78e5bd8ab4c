"""`understudy compare`: options and verdicts."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest

from material.optional import needs_report
from material.pages import unpacked

EXAMPLES = Path(__file__).parents[2] / "examples"
FILES = {name: EXAMPLES / f"system-{name}.en" for name in ("strong", "medium", "rulebased", "weak")}
REFERENCE = [EXAMPLES / "reference-1.en"]


def arguments(*more: str) -> list[str]:
    return ["compare", *map(str, FILES.values()), "-r", str(REFERENCE[0]), "--samples", "200", *more]


def test_the_table_says_it_in_words(run) -> None:
    text = run(*arguments()).stdout
    assert "system-strong.en is better than system-weak.en by" in text
    assert "|test:randomization|samples:200|seed:12345|correct:holm|" in text


@pytest.mark.parametrize("format", ["json", "tsv", "csv", "markdown", "latex"])
def test_every_format(run, format: str) -> None:
    result = run(*arguments("--all-pairs", "-f", format))
    assert result.exit_code == 0, result.stderr
    if format == "json":
        found = json.loads(result.stdout)
        assert len(found["metrics"][0]["pairs"]) == 6
        assert found["metrics"][0]["clusters"][0] == ["system-strong.en"]
    if format == "tsv":
        header, *rows = (line.split("\t") for line in result.stdout.splitlines())
        assert len(rows) == 6
        assert {len(row) for row in rows} == {len(header)}


def test_many_pairs_are_a_matrix(run) -> None:
    more = [f"copy{i}={FILES['weak']}" for i in range(3)]
    text = run(*arguments("--all-pairs", *more)).stdout
    assert "is better than" not in text
    assert "p-values of the system in the row against" not in text
    assert (
        "p-values of the system in the row against" in run(*arguments("--all-pairs", "--pairs", *more)).stdout
    )


def test_systems_by_pattern_and_by_folder(run, tmp_path: Path) -> None:
    for folder, names in (("new", ("strong", "medium")), ("old", ("rulebased", "weak"))):
        (tmp_path / folder).mkdir()
        for name in names:
            (tmp_path / folder / f"{name}.txt").write_bytes(FILES[name].read_bytes())
    reference = ["-r", str(REFERENCE[0]), "-f", "json", "--samples", "50"]
    patterns = [f"{folder}={tmp_path / folder / '*.txt'}" for folder in ("new", "old")]
    by_pattern = json.loads(run("compare", *patterns, *reference).stdout)
    files = [str(path) for folder in ("new", "old") for path in sorted((tmp_path / folder).iterdir())]
    by_folder = json.loads(run("compare", *files, "--runs", *reference).stdout)
    assert by_pattern == by_folder
    assert len(by_pattern["metrics"][0]["systems"][0]["run_scores"]) == 2
    in_words = run("compare", *patterns, "-r", str(REFERENCE[0]), "--samples", "50").stdout
    assert "new: SD 13.33 BLEU across 2 training runs." in in_words
    assert "no file matches" in run("compare", "new=nothing-*.txt", *reference).stderr


def test_files_of_one_name_are_named_as_score_names_them(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder, name in (("a", "strong"), ("b", "weak")):
        Path(folder).mkdir()
        Path(folder, "out.txt").write_bytes(FILES[name].read_bytes())
    given = ["a/out.txt", "b/out.txt", "-r", str(REFERENCE[0]), "-f", "json"]
    names = [system["name"] for system in json.loads(run("score", *given).stdout)["systems"]]
    found = json.loads(run("compare", *given, "--baseline", "a/out.txt").stdout)["metrics"][0]
    assert [system["name"] for system in found["systems"]] == names == ["a/out.txt", "b/out.txt"]


@pytest.mark.parametrize("suffix", ["sgm", "xml"])
@pytest.mark.parametrize("more", [[], ["--breakdown"]], ids=["counts only", "with texts"])
def test_all_systems_of_a_file_are_compared(run, tmp_path: Path, suffix: str, more: list[str]) -> None:
    """As `score` scores them; a name cannot mean all of them."""
    texts = {name: path.read_text(encoding="utf-8").splitlines() for name, path in FILES.items()}
    segments = {
        name: "".join(f'<seg id="{number}">{escape(line)}</seg>' for number, line in enumerate(lines, 1))
        for name, lines in texts.items()
    }
    if suffix == "sgm":
        documents = "".join(f'<doc docid="d" sysid="{name}">{segments[name]}</doc>' for name in segments)
        written = f'<tstset setid="t" srclang="de" trglang="en">{documents}</tstset>'
    else:
        systems = "".join(f'<hyp system="{name}"><p>{segments[name]}</p></hyp>' for name in segments)
        written = f'<dataset id="t"><doc id="d">{systems}</doc></dataset>'
    (file := tmp_path / f"all.{suffix}").write_text(written, encoding="utf-8")
    rest = ["-r", str(REFERENCE[0]), "--samples", "200", "-f", "json", *more]
    result = run("compare", str(file), *rest)
    assert result.exit_code == 0, result.stderr
    systems = json.loads(result.stdout)["metrics"][0]["systems"]
    expected = json.loads(run(*arguments("-f", "json")).stdout)["metrics"][0]["systems"]
    assert [each["name"] for each in systems] == [f"all:{name}" for name in FILES]
    assert [each["score"] for each in systems] == [each["score"] for each in expected]
    refused = run("compare", f"new={file}", *rest)
    assert (refused.exit_code, "cannot all be named 'new'" in refused.stderr) == (2, True)


def test_folders_of_one_name_are_different_systems(run, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    files = []
    for folder, name in (("x/base", "strong"), ("y/base", "weak")):
        Path(folder).mkdir(parents=True)
        for number in (1, 2):
            files.append(f"{folder}/{number}.txt")
            Path(files[-1]).write_bytes(FILES[name].read_bytes())
    found = json.loads(run("compare", "--runs", *files, "-r", str(REFERENCE[0]), "-f", "json").stdout)
    systems = found["metrics"][0]["systems"]
    assert [(system["name"], len(system["run_scores"])) for system in systems] == [
        ("x/base", 2),
        ("y/base", 2),
    ]


def test_references_that_contradict_each_other_are_told_though_one_comes_from_a_pipe(
    run, tmp_path: Path
) -> None:
    weak, strong = FILES["weak"].read_bytes(), FILES["strong"].read_bytes()
    for name, text in (("refA", weak), ("refB", strong)):
        (tmp_path / name).write_bytes(text)
    given = [f"strong={FILES['strong']}", "-r", str(tmp_path / "refA"), "-r", str(tmp_path / "refB")]
    text = run("compare", "weak=-", *given, input=weak).stdout
    assert "Single references rank different systems first by BLEU: weak with refA (by " in text
    study = run("compare", f"weak={FILES['weak']}", *given, "--references-study", "--draws", "2").stdout
    assert "Single references rank different systems first by BLEU: weak with refA (by " in study
    assert "refA       weak " in study
    tsv = run(
        "compare", f"weak={FILES['weak']}", *given, "--references-study", "--draws", "2", "-f", "tsv"
    ).stdout
    assert "metric\treference\tfirst\tlead\ttau\tsystem\tvalue\nbleu\trefA\tweak\t" in tsv


def test_blocks_state_the_rule_of_the_bleu_report(run) -> None:
    files = [str(FILES[name]) for name in ("weak", "rulebased", "medium")]
    said = "t ≥ 1.73 for 20 blocks, 1.7 in the report), 2 of 2 differences are significant: system-rulebased.en over"
    assert said in run("compare", *files, "-r", str(REFERENCE[0]), "--test", "blocks").stdout


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["compare"], "either SYSTEM files or --scores"),
        (["compare", "a", "b", "--scores", "c"], "either SYSTEM files or --scores"),
        (["compare", "--scores", "c", "-r", "d"], "instead of --scores"),
        (["compare", "--scores", "c", "-m", "bleu"], "instead of --scores"),
        (["compare", str(FILES["weak"]), str(FILES["strong"])], "missing option '-r'"),
        (["compare", str(FILES["weak"]), "-r", str(REFERENCE[0])], "expected at least two"),
        (["compare", str(FILES["weak"]), str(FILES["weak"]), "-r", str(REFERENCE[0])], "use different names"),
    ],
)
def test_what_cannot_be_meant_is_refused(run, more: list[str], said: str) -> None:
    result = run(*more)
    assert result.exit_code == 2
    assert said in result.stderr
    assert result.stderr.count("\n") == 1


@needs_report
def test_figures_are_files(run, tmp_path: Path) -> None:
    systems = [f"{name}={path}" for name, path in FILES.items()]
    folder = tmp_path / "figures"
    done = run("compare", *systems, "-r", str(REFERENCE[0]), "--samples", "50", "--figures", str(folder))
    assert done.exit_code == 0, done.stderr
    assert (folder / "bleu-precisions.png").read_bytes().startswith(b"\x89PNG")
    svg = (folder / "bleu-intervals.svg").read_text(encoding="utf-8")
    assert svg.startswith("<svg")
    assert "currentColor" not in svg
    assert (folder / "bleu-intervals.csv").read_text(encoding="utf-8").startswith("system,score,low,high\n")


@needs_report
def test_the_command_writes_the_report(run, tmp_path: Path) -> None:
    systems = [f"{name}={FILES[name]}" for name in ("strong", "weak")]
    target = tmp_path / "report.html"
    done = run("compare", *systems, "-r", str(REFERENCE[0]), "--samples", "50", "--report", str(target))
    assert done.exit_code == 0, done.stderr
    assert "strong" in done.stdout  # the table is printed too
    assert 'id="segment-data"' in target.read_text(encoding="utf-8")
    nowhere = run("compare", *systems, "-r", str(REFERENCE[0]), "--report", str(tmp_path / "no" / "r.html"))
    assert nowhere.exit_code == 2
    assert "--report" in nowhere.stderr


@needs_report
@pytest.mark.parametrize(("given", "expected"), [((), "en"), (("--lang", "en-pt"), "pt")])
def test_the_report_marks_texts_with_their_language(run, tmp_path: Path, given, expected: str) -> None:
    target = tmp_path / "report.html"
    done = run(*arguments(*given, "--report", str(target)))
    assert done.exit_code == 0, done.stderr
    packed = re.search(r'id="segment-data">([^<]+)<', target.read_text(encoding="utf-8"))[1]
    assert json.loads(unpacked(packed))["language"] == expected
    wrong = run(*arguments("--lang", "elvish", "--report", str(target)))
    assert wrong.exit_code == 2
    assert "--lang: 'elvish' is not a language code." in wrong.stderr


@needs_report
def test_the_report_breaks_the_comparison_down(run, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    labels = ["--labels", str(EXAMPLES / "documents.tsv")]
    done = run(*arguments("--all-pairs", *labels, "--report", str(target)))
    assert done.exit_code == 0, done.stderr
    assert "BLEU by document" not in done.stdout  # without --breakdown it is in the report alone
    page = target.read_text(encoding="utf-8")
    for part in (
        "figure-bleu-by-document",
        "figure-bleu-by-reference-length",
        "ngrams-table",
        "segments",
    ):
        assert f'id="{part}"' in page


@needs_report
def test_the_study_of_references_is_in_the_report_and_among_the_figures(run, tmp_path: Path) -> None:
    files = [str(FILES["weak"]), str(FILES["strong"])]
    references = ["-r", str(REFERENCE[0]), "-r", str(REFERENCE[0].with_name("reference-2.en"))]
    report = tmp_path / "report.html"
    written = ["--report", str(report), "--figures", str(tmp_path / "figures"), "--samples", "50"]
    result = run("compare", *files, *references, "--references-study", "--draws", "2", *written)
    said = "With 1 of 2 references, the ranking by BLEU is the same as with all references in all 2 draws."
    assert said in result.stdout
    assert said in report.read_text(encoding="utf-8")
    assert (tmp_path / "figures" / "bleu-by-references.png").read_bytes().startswith(b"\x89PNG")


@needs_report
def test_a_report_of_what_can_be_read_once(run, tmp_path: Path) -> None:
    arguments = [
        "compare",
        "a=-",
        str(FILES["weak"]),
        "-r",
        str(REFERENCE[0]),
        "--report",
        str(tmp_path / "r.html"),
    ]
    result = run(*arguments, input=FILES["strong"].read_text(encoding="utf-8"))
    assert result.exit_code == 0, result.stderr
    assert 'id="segment-data"' in (tmp_path / "r.html").read_text(encoding="utf-8")


@needs_report
def test_a_report_of_a_score_file(run, tmp_path: Path) -> None:
    table = tmp_path / "comet.tsv"
    table.write_text("a\tb\n0.5\t0.25\n0.75\t0.5\n0.25\t0.125\n", encoding="utf-8")
    target = tmp_path / "report.html"
    done = run("compare", "--scores", str(table), "--samples", "50", "--report", str(target))
    assert done.exit_code == 0, done.stderr
    assert 'id="segment-data"' in target.read_text(encoding="utf-8")


@needs_report
def test_a_report_shows_metrics_side_by_side_or_says_why_not(run, tmp_path: Path) -> None:
    table = tmp_path / "two.tsv"
    lines = ["system\tsegment\tmetric\tvalue"]
    for metric, count in (("x", 3), ("y", 2)):
        lines += [f"{name}\t{i}\t{metric}\t{i}" for name in ("a", "b") for i in range(1, count + 1)]
    table.write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = run("compare", "--scores", str(table), "--samples", "50", "--report", str(tmp_path / "r.html"))
    assert result.exit_code == 2
    assert "'y' has 2 segments, 'x' has 3" in result.stderr


def test_the_report_is_not_written_over_the_output(run, tmp_path: Path) -> None:
    same = str(tmp_path / "r.html")
    assert "Use two different files" in run(*arguments("--report", same, "-o", same)).stderr


def test_running_out_of_memory_is_one_line(run, monkeypatch) -> None:
    def too_much(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr("understudy.comparing.run.bootstrap_scores", too_much)
    result = run(*arguments())
    assert result.exit_code == 2
    assert result.stderr == (
        "understudy: error: out of memory. Use fewer systems, metrics or segments at a time, or a larger machine.\n"
    )
