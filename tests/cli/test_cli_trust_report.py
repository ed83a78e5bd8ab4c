"""`understudy trust --report` and `--figures`."""

from __future__ import annotations

from pathlib import Path

from material.optional import needs_report

EXAMPLES = Path(__file__).parents[2] / "examples"


def arguments(*more: str) -> list[str]:
    systems = [str(EXAMPLES / f"system-{name}.en") for name in ("strong", "medium", "rulebased", "weak")]
    human = ["--human", str(EXAMPLES / "judgments.tsv"), "--measure", "fluency"]
    return ["trust", *systems, *human, "-r", str(EXAMPLES / "reference-1.en"), "--samples", "20", *more]


@needs_report
def test_the_command_writes_the_report_and_its_figures(run, tmp_path: Path) -> None:
    report, figures = tmp_path / "trust.html", tmp_path / "new" / "figures"
    done = run(*arguments("--level", "system", "--report", str(report), "--figures", str(figures)))
    assert done.exit_code == 0, done.stderr
    assert "Pearson's r" in done.stdout
    assert "BLEU vs. fluency" in report.read_text(encoding="utf-8")
    assert {path.name for path in figures.iterdir()} == {
        f"{name}.{kind}"
        for name in (
            "bleu-regression",
            "bleu-noticeable-difference",
            "without-each",
            "normalized",
            "pearson-of-systems",
        )
        for kind in ("svg", "png", "csv")
    }


@needs_report
def test_without_system_level_the_report_says_why_a_figure_is_missing(run, tmp_path: Path) -> None:
    report = tmp_path / "trust.html"
    of_adequacy = ["adequacy" if each == "fluency" else each for each in arguments("--level", "segment")]
    assert run(*of_adequacy, "--report", str(report)).exit_code == 0
    page = report.read_text(encoding="utf-8")
    assert "R² is computed at system level, for at least four systems." in page  # and there are four


def test_a_report_that_could_not_be_written_is_refused_before_any_work(run, tmp_path: Path) -> None:
    nowhere = run(*arguments("--report", str(tmp_path / "no" / "trust.html")))
    assert nowhere.exit_code == 2
    assert "--report" in nowhere.stderr
    same = str(tmp_path / "trust.html")
    both = run(*arguments("--report", same, "-o", same))
    assert both.exit_code == 2
    assert f"--report and --output are both '{same}'" in both.stderr
    lost = run(
        "trust",
        "--human",
        str(EXAMPLES / "judgments.tsv"),
        "--scores",
        "x.tsv",
        "--report",
        str(EXAMPLES / "judgments.tsv"),
    )
    assert lost.exit_code == 2
    assert "is one of the inputs, and would be overwritten" in lost.stderr
