"""What `understudy score` prints, format by format."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from understudy import BLEU, Corpus, LengthRatio, __version__, score
from understudy.report.grid import Grid, GridColumn
from understudy.report.latex import latex
from understudy.report.markdown import markdown
from understudy.report.scores import FORMATS, render
from understudy.report.terminal import display_width, draw
from understudy.scoring.run import Scores

SYSTEMS = ["system-strong.en", "system-weak.en"]
REFERENCES = ["reference-1.en", "reference-2.en"]
INPUTS = [*SYSTEMS, "-r", REFERENCES[0], "-r", REFERENCES[1]]
pytestmark = pytest.mark.usefixtures("examples")


@pytest.fixture
def scores(examples) -> Scores:  # noqa: ARG001
    return score(SYSTEMS, REFERENCES, ["bleu", "bleu:tokenize=intl"])


@pytest.mark.parametrize("level", ["corpus", "segment", "mean"])
@pytest.mark.parametrize("format", FORMATS)
def test_the_command_prints_what_the_library_renders(run, format: str, level: str) -> None:
    result = run("score", *INPUTS, "-f", format, "--level", level)
    assert result.exit_code == 0
    assert result.stdout == render(score(SYSTEMS, REFERENCES, level=level), format) + "\n"
    assert "\x1b" not in result.stdout


# --- table ----------------------------------------------------------------------------------------------


def test_table_of_one_metric_shows_what_it_is_made_of(run) -> None:
    lines = run("score", *INPUTS).stdout.splitlines()
    assert lines[0].split() == ["system", "BLEU", "↑", "p1", "p2", "p3", "p4", "BP", "length", "ratio"]
    assert lines[2].split() == ["system-strong.en", "68.88", "91.1", "77.1", "63.3", "52.0", "0.993", "0.993"]
    assert lines[5] == "60 segments, 2 references"
    assert lines[6] == f"BLEU  {BLEU().signature((2, 2))}"
    assert all(line == line.rstrip() for line in lines)


def test_table_of_two_metrics_of_one_title_says_how_they_differ(scores: Scores) -> None:
    lines = render(scores).splitlines()
    assert lines[0].split() == ["system", "BLEU", "↑", "BLEU", "↑"]
    assert lines[1].split() == ["tokenize=intl"]
    assert lines[-2].startswith("BLEU  nrefs:2|")
    assert lines[-1].startswith("BLEU tokenize=intl  nrefs:2|")


def test_table_of_means_says_so(run) -> None:
    assert "mean segment BLEU ↑" in run("score", *INPUTS, "--level", "mean").stdout.splitlines()[0]


def test_the_best_of_a_column_is_bold(scores: Scores) -> None:
    text = render(scores, styled=True)
    assert re.findall(r"\x1b\[1m(.*?)\x1b\[0m", text) == ["68.88", f"{scores.systems[0].scores[1].value:.2f}"]
    assert "\x1b" not in render(score(SYSTEMS[:1], REFERENCES), styled=True)


def test_lower_can_be_better(scores: Scores, monkeypatch) -> None:
    monkeypatch.setattr(BLEU, "higher_is_better", False)
    assert "\x1b[1m11.44" in render(scores, styled=True)


def test_a_target_can_be_best(monkeypatch) -> None:
    result = score(SYSTEMS, REFERENCES, ["length-ratio"])
    values = [system.scores[0].value for system in result.systems]
    best = min(values, key=lambda value: abs(value - 100))
    text = render(result, styled=True)
    assert "length ratio → 100" in text
    assert re.findall(r"\x1b\[1m(.*?)\x1b\[0m", text) == [f"{best:.2f}"]
    assert r"length ratio $\to$ 100" in render(result, "latex")
    monkeypatch.setattr(LengthRatio, "target", 0.0)
    assert f"\x1b[1m{min(values):.2f}" in render(result, styled=True)


def test_equally_far_from_the_target_is_equally_good() -> None:
    result = score({"a": "system-weak.en", "b": "system-strong.en"}, REFERENCES, ["length-ratio"])
    for system, value in zip(result.systems, (96.004, 103.996), strict=True):
        system.scores[0] = replace(system.scores[0], value=value)
    assert render(result, styled=True).count("\x1b[1m") == 2


def test_equal_to_the_reader_is_equally_good() -> None:
    result = score({"a": "system-weak.en", "b": "system-weak.en"}, REFERENCES)
    assert render(result, styled=True).count("\x1b[1m11.44") == 2


@pytest.mark.parametrize("width", [1, 20, 40, 60])
def test_a_narrow_terminal_folds_columns_and_loses_nothing(width: int) -> None:
    result = score(SYSTEMS, REFERENCES)
    wide, narrow = render(result), render(result, width=width)
    assert sorted(set(wide.split()) - {wide.splitlines()[1]}) == sorted(
        {word for word in narrow.split() if not word.startswith("---")}
    )
    if width == 60:
        table = narrow.partition("\n60 segments")[0]
        assert max(map(len, table.splitlines())) <= width


def test_wide_characters_stay_aligned() -> None:
    grid = Grid(
        [GridColumn(("system",), ["翻訳", "e\u0301t"], numeric=False), GridColumn(("x",), ["1", "22"])]
    )
    lines = draw(grid).splitlines()
    assert {display_width(line) for line in lines} == {10}


def test_names_cannot_steer_the_terminal_or_break_a_row() -> None:
    result = score({"a\tb\x1b[2J\n": "system-weak.en", "\udcff": "system-weak.en"}, REFERENCES)
    for format in ("table", "tsv", "markdown", "latex"):
        text = render(result, format)
        assert "\x1b" not in text
        assert "a\tb" not in text
        text.encode()
    assert [line.count("\t") for line in render(result, "tsv").splitlines()] == [3, 3, 3]
    assert json.loads(render(result, "json"))["systems"][0]["name"] == "a\tb\x1b[2J\n"


# --- JSON -----------------------------------------------------------------------------------------------


def test_json_holds_every_digit(run) -> None:
    found = json.loads(run("score", *INPUTS, "-m", "bleu", "-f", "json", "-w", "0").stdout)
    expected = score(SYSTEMS, REFERENCES)
    assert {key: found[key] for key in ("understudy", "level", "segments", "references")} == {
        "understudy": __version__,
        "level": "corpus",
        "segments": 60,
        "references": 2,
    }
    for system, entry in zip(expected.systems, found["systems"], strict=True):
        (only,) = system.scores
        assert entry == {
            "name": system.name,
            "scores": [
                {
                    "metric": "BLEU",
                    "spec": "bleu",
                    "value": only.value,
                    "detail": only.detail,
                    "signature": str(only.signature),
                }
            ],
        }


def test_json_of_segments(run) -> None:
    found = json.loads(run("score", *INPUTS, "--level", "segment", "--format", "json").stdout)
    corpus = Corpus.read(SYSTEMS, REFERENCES)
    for entry in found["systems"]:
        (only,) = entry["scores"]
        assert set(only) == {"metric", "spec", "values", "signature"}
        assert only["values"] == BLEU().segments(corpus[entry["name"]], corpus.references).tolist()
        assert "eff:yes" in only["signature"]
        assert "agg:segment" in only["signature"]


def test_json_of_varying_numbers_of_references(run, tmp_path) -> None:
    (tmp_path / "refs.jsonl").write_text('{"ref": ["a b", "a c"]}\n{"ref": ["d e"]}\n')
    (tmp_path / "nmt.txt").write_text("a b\nd e\n")
    inputs = ["score", str(tmp_path / "nmt.txt"), "-r", str(tmp_path / "refs.jsonl")]
    assert json.loads(run(*inputs, "-f", "json").stdout)["references"] == [1, 2]
    assert "2 segments, 1 to 2 references" in run(*inputs).stdout


def test_json_never_holds_nan() -> None:
    result = score(SYSTEMS, REFERENCES)
    scores = result.systems[0].scores
    scores[0] = replace(scores[0], value=float("nan"), detail={"a": [float("inf")]})
    found = json.loads(render(result, "json"))["systems"][0]["scores"][0]
    assert found["value"] is None
    assert found["detail"] == {"a": [None]}


# --- TSV ------------------------------------------------------------------------------------------------


def test_tsv_of_a_corpus(scores: Scores) -> None:
    header, *rows = [line.split("\t") for line in render(scores, "tsv").splitlines()]
    assert header == ["system", "metric", "value", "signature"]
    assert [(row[0], row[1], float(row[2]), row[3]) for row in rows] == [
        (system.name, entry.spec, entry.value, str(entry.signature))
        for system in scores.systems
        for entry in system.scores
    ]


def test_tsv_of_segments_is_the_long_table(run) -> None:
    metrics = ["-m", "bleu", "-m", "bleu:lowercase=true"]
    result = run("score", *INPUTS, *metrics, "--level", "segment", "-f", "tsv")
    header, *rows = [line.split("\t") for line in result.stdout.splitlines()]
    assert header == ["system", "segment", "metric", "value"]
    assert len(rows) == 2 * 2 * 60
    corpus = Corpus.read(SYSTEMS, REFERENCES)
    for name in SYSTEMS:
        for metric in (BLEU(), BLEU(lowercase=True)):
            mine = [row for row in rows if row[0] == name and row[2] == metric.spec]
            assert [int(row[1]) for row in mine] == list(range(1, 61))
            assert [float(row[3]) for row in mine] == metric.segments(
                corpus[name], corpus.references
            ).tolist()


# --- Markdown and LaTeX ---------------------------------------------------------------------------------


def test_markdown(scores: Scores) -> None:
    lines = render(scores, "markdown").splitlines()
    assert lines[0] == "| system | BLEU ↑ | BLEU ↑<br>tokenize=intl |"
    assert lines[1] == "| :--- | ---: | ---: |"
    assert lines[2].startswith("| system-strong.en | **68.88** | **")
    assert lines[-2] == f"- BLEU: `{BLEU().signature((2, 2))}`"


def test_markdown_escapes_names() -> None:
    text = markdown(Grid([GridColumn(("system",), ["a|b_*c*"], numeric=False)]))
    assert text.splitlines()[2] == r"| a\|b\_\*c\* |"


def test_latex(scores: Scores) -> None:
    text = render(scores, "latex")
    assert text.count("{") == text.count("}")
    assert r"\begin{tabular}{lrr}" in text
    assert r"system-strong.en & \textbf{68.88} & \textbf{" in text
    assert r"system & BLEU $\uparrow$ & BLEU $\uparrow$ \\" in text
    assert f"% BLEU: {BLEU().signature((2, 2))}\n" in text
    assert r"\footnotesize\raggedright BLEU: \texttt{nrefs:2\textbar{}\allowbreak{}case:mixed" in text


def test_latex_escapes_names() -> None:
    text = latex(Grid([GridColumn(("system",), ["a_b&50%#{$}~^\\"], numeric=False)]))
    assert r"a\_b\&50\%\#\{\$\}\textasciitilde{}\textasciicircum{}\textbackslash{} \\" in text
