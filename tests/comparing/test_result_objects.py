"""What every result can do in Python: the same as the command, and show itself."""

from __future__ import annotations

import builtins
import json
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from material.judged_set_folders import write_mt_metrics_eval
from material.optional import needs_packages, needs_report
from understudy import (
    break_down,
    compare,
    decide,
    explain,
    metric,
    probe,
    probe_pairs,
    score,
    span_agreement,
    trust,
    trust_sets,
)
from understudy.cli import program
from understudy.comparing.run import compare_scores
from understudy.errors import BadInput, BadParameter, MissingExtra, UnderstudyError
from understudy.renderable import Renderable
from understudy.report.renderers import renderer_of
from understudy.scoring.group_scores import GroupScores

EXAMPLES = Path(__file__).parents[2] / "examples"
HOSTILE = "<b>a</b>&\"'"
SYSTEMS = {HOSTILE: EXAMPLES / "system-strong.en", "weak": EXAMPLES / "system-weak.en"}
REFERENCES = [EXAMPLES / "reference-1.en"]


def _lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


def _sets() -> Renderable:
    with TemporaryDirectory() as folder:
        return trust_sets(
            [write_mt_metrics_eval(Path(folder))], human="mqm", references="refA", by="domain", samples=5
        )


def _groups() -> Renderable:
    bleu = metric("bleu")
    found = bleu.corpus(_lines("system-strong.en"), _lines("reference-1.en"))
    return GroupScores(("system",), "corpus", [bleu], {(HOSTILE,): [found], (None,): [found]})


RESULTS: dict[str, Callable[[], Renderable]] = {
    "scores": lambda: score(SYSTEMS, REFERENCES, ["bleu", "ter"]),
    "segment scores": lambda: score(SYSTEMS, REFERENCES, level="segment"),
    "groups": _groups,
    "comparison": lambda: compare(SYSTEMS, REFERENCES, ["bleu", "ter"], samples=50),
    "comparison of scores": lambda: compare_scores(
        {"x": {HOSTILE: np.array([1.0, 2.0, 3.0]), "weak": np.array([1.5, 0.5, 0.25])}}, samples=50
    ),
    "breakdown": lambda: break_down(SYSTEMS, REFERENCES, ["bleu", "ter"]),
    "explanation": lambda: explain(
        _lines("system-weak.en"), _lines("reference-1.en"), against="bleu:multi-bleu"
    ),
    "trust": lambda: trust(
        EXAMPLES / "judgments.tsv",
        [EXAMPLES / f"system-{name}.en" for name in ("strong", "medium", "weak")],
        REFERENCES,
        measure="adequacy",
        samples=20,
    ),
    "test sets": _sets,
    "spans": lambda: span_agreement(
        EXAMPLES / "spans.tsv", [("xcomet", EXAMPLES / "spans-predicted.tsv")], samples=20
    ),
    "probe": lambda: probe(
        {HOSTILE: EXAMPLES / "system-weak.en"},
        REFERENCES,
        ["bleu", "ter"],
        what=["permutations", "perturbations"],
        samples=10,
        strengths=[0.5],
        perturbations=["drop-words", "truncate"],
    ),
    "decision": lambda: decide(EXAMPLES / "nbest.txt", REFERENCES),
    "pairs": lambda: probe_pairs(EXAMPLES / "pairs.tsv", ["bleu", "ter"], samples=100),
}
OTHERS: dict[str, Callable[[], Renderable]] = {
    "segment scores": lambda: score(SYSTEMS, [EXAMPLES / "reference-2.en"], level="segment"),
    "comparison": lambda: compare(SYSTEMS, REFERENCES, ["bleu", "ter"], samples=50, seed=1),
    "breakdown": lambda: break_down(SYSTEMS, REFERENCES, ["bleu", "ter"], ngrams=1),
    "decision": lambda: decide(EXAMPLES / "nbest.txt", REFERENCES, "bleu"),
    "spans": lambda: span_agreement(
        EXAMPLES / "spans.tsv",
        [("xcomet", EXAMPLES / "spans-predicted.tsv")],
        samples=20,
        severity_credit=0,
    ),
}
FIRST_NUMBERS = {
    "scores": "57.81",
    "segment scores": "100.00",
    "groups": "57.81",
    "comparison": "57.81",
    "comparison of scores": "2.00",
    "breakdown": "60.88",
    "explanation": "10.11",
    "trust": "0.992",
    "test sets": " (1)",
    "spans": "0.",
    "probe": "10.11",
    "decision": "59.24",
    "pairs": "81%",
}


@pytest.fixture(params=RESULTS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def result(kind: str) -> Renderable:
    return RESULTS[kind]()


def test_made_twice_from_the_same_it_is_equal(kind: str, result: Renderable) -> None:
    assert result == RESULTS[kind]()


@pytest.mark.parametrize("kind", OTHERS, indirect=True)
def test_of_other_input_it_is_not_equal(kind: str, result: Renderable) -> None:
    assert result != OTHERS[kind]()


def test_the_dictionary_is_what_json_holds(result: Renderable) -> None:
    assert json.loads(renderer_of(result).render(result, "json")) == result.to_dict()


def test_repr_and_notebook_show_the_numbers(kind: str, result: Renderable) -> None:
    assert FIRST_NUMBERS[kind] in repr(result)
    assert FIRST_NUMBERS[kind] in result._repr_html_()


def test_a_notebook_shows_names_and_never_obeys_them(result: Renderable) -> None:
    page = result._repr_html_()
    assert "<b>a</b>&" not in page
    assert page.count("<table>") == page.count("</table>") >= 1


def test_markdown_and_latex_are_those_of_the_command(result: Renderable) -> None:
    for format, text in (("markdown", result.to_markdown()), ("latex", result.to_latex())):
        assert text == renderer_of(result).render(result, format, digits=renderer_of(result).digits)
    assert r"\begin{tabular}" in result.to_latex()


@needs_packages("pandas")
def test_the_data_frame_is_the_first_table(result: Renderable) -> None:
    sheet = renderer_of(result).sheets(result)[0]
    frame = result.to_frame()
    assert list(frame.columns) == list(sheet.columns)
    assert len(frame) == len(sheet.rows) > 0


@needs_report
def test_reports_and_figures_are_written(result: Renderable, tmp_path: Path) -> None:
    result.report(tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert page.endswith("</html>\n")
    assert "<b>a</b>&" not in page
    result.figures(tmp_path / "figures")
    assert {path.suffix for path in (tmp_path / "figures").iterdir()} == {".svg", ".png", ".csv"}


@needs_packages("pandas")
def test_a_comparison_has_a_frame_of_systems_too() -> None:
    found = RESULTS["comparison"]()
    assert list(found.to_frame("systems")["system"]) == [HOSTILE, "weak"] * 2
    with pytest.raises(UnderstudyError, match="Did you mean 'systems'"):
        found.to_frame("system")


def test_without_pandas_a_frame_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtra, match="pip install pandas"):
        RESULTS["scores"]().to_frame()


def test_without_the_extra_a_report_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    found = RESULTS["scores"]()
    original = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.partition(".")[0] == "altair":
            raise ImportError(name)
        return original(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtra, match=r"\[report\]"):
        found.report(tmp_path / "r.html")
    assert not (tmp_path / "r.html").exists()


def test_a_long_result_shows_its_first_rows() -> None:
    shown = repr(RESULTS["segment scores"]())
    assert "30 of 60 rows are shown." in shown
    assert shown.count("\n") < 40


TEXTS = [f"{name}={path}" for name, path in (("a", SYSTEMS[HOSTILE]), ("b", SYSTEMS["weak"]))]
BY_COMMAND: dict[str, tuple[list[str], Callable[[], Renderable]]] = {
    "score": (
        ["score", *TEXTS, "-r", str(REFERENCES[0])],
        lambda: score({"a": SYSTEMS[HOSTILE], "b": SYSTEMS["weak"]}, REFERENCES),
    ),
    "compare": (
        ["compare", *TEXTS, "-r", str(REFERENCES[0]), "-m", "bleu", "-m", "ter", "--samples", "50"],
        lambda: compare(
            {"a": SYSTEMS[HOSTILE], "b": SYSTEMS["weak"]}, REFERENCES, ["bleu", "ter"], samples=50
        ),
    ),
    "explain": (
        ["explain", str(SYSTEMS["weak"]), "-r", str(REFERENCES[0]), "--against", "multi-bleu"],
        RESULTS["explanation"],
    ),
}


@needs_report
@pytest.mark.parametrize(("arguments", "made"), BY_COMMAND.values(), ids=BY_COMMAND)
def test_the_report_of_the_command_is_the_one_of_python(
    arguments: list[str], made: Callable[[], Renderable], tmp_path: Path
) -> None:
    by_command = tmp_path / "command.html"
    written = ["--report", str(by_command), "--figures", str(tmp_path / "command")]
    done = CliRunner().invoke(program, [*arguments, *written])
    assert done.exit_code == 0, done.output
    found = made()
    found.report(tmp_path / "python.html")
    assert (tmp_path / "python.html").read_bytes() == by_command.read_bytes()
    found.figures(tmp_path / "python")
    names = sorted(path.name for path in (tmp_path / "python").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "command").iterdir())


@pytest.mark.parametrize("digits", [-1, 16, 2.5, True, "2"])
def test_digits_that_no_table_can_have_are_refused(digits: Any, tmp_path: Path) -> None:
    found = compare(SYSTEMS, REFERENCES, samples=10)
    said = rf"^digits={digits!r}: expected an integer from 0 to 15\.$"
    for call in (found.to_latex, found.to_markdown, lambda **how: found.report(tmp_path / "x.html", **how)):
        with pytest.raises(BadParameter, match=said):
            call(digits=digits)


@needs_report
@pytest.mark.parametrize("below", ["", "/folder"])
def test_figures_where_a_file_is_are_refused(below: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("kept", encoding="utf-8")
    with pytest.raises(BadInput, match=r"is not a folder: a file has this name\."):
        compare(SYSTEMS, REFERENCES, samples=10).figures(f"{file}{below}")
    assert file.read_text(encoding="utf-8") == "kept"
