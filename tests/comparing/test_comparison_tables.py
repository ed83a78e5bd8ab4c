"""Tables of comparisons for papers: what stands out, and what is said of it."""

from __future__ import annotations

import re

from material import comparisons
from understudy.comparing.run import compare
from understudy.report.comparisons import render


def test_latex_is_one_table_that_says_all_it_needs_to() -> None:
    text = render(comparisons.compared(), "latex")
    assert text.count(r"\begin{table}") == 1
    assert r"strong & \textbf{57.81} & \textbf{31.11} \\" in text  # more BLEU is better, less TER is
    assert len(re.findall(r"\\textbf", text)) == 2
    caption = text[text.index(r"\caption") :]
    assert (
        "BLEU and TER of 4 systems; 60 segments, 1 reference; approximate randomization, 200 resamples"
        in caption
    )
    assert "Bold: best score. p-values are corrected" in caption
    assert "corrected for 6 pairs per metric, not for the number of metrics" in caption
    assert r"samples:200\textbar{}" in caption  # the signature, below


def test_marks_are_explained_only_if_there_are_any() -> None:
    assert "≈" not in render(comparisons.compared())
    same = {"a": ["a cat sat here"] * 3, "b": ["a cat sat there"] * 3, "c": ["no dog"] * 3}
    text = render(compare(same, ["a cat sat here"] * 3, ["bleu", "ter"], all_pairs=True, samples=20))
    assert "≈ not significantly different from the best system (p > 0.05)." in text


def test_uncorrected_p_values_are_called_so() -> None:
    assert "p-values are not corrected for the 6 pairs." in render(comparisons.compared(correct="none"))


def test_latex_has_the_pairs_below_if_they_are_asked_for() -> None:
    text = render(comparisons.compared(), "latex", pairs=True)
    assert text.count(r"\begin{table}") == 3
    assert "% strong is better than medium by 18.85 BLEU" in text  # for the text
    assert r"\caption{TER of 4 systems with 95\% confidence intervals. Bold: best score.}" in text


def test_latex_has_minus_signs() -> None:
    text = render(comparisons.compared(all_pairs=False, baseline="medium"), "latex", pairs=True)
    assert r"$-$19.28 & $-$22." in text
    assert "& -" not in text


def test_bold_is_the_best_score() -> None:
    text = render(comparisons.compared(all_pairs=False, baseline="medium"), "markdown")
    assert re.findall(r"\*\*([\d.]+)\*\*", text) == ["57.81", "31.11"]
    assert "Bold: best score." in text


def test_nobody_stands_out_where_nobody_is_better() -> None:
    files = comparisons.files(("weak",))["weak"]
    found = compare({"a": files, "b": files}, [comparisons.REFERENCE], samples=50)
    for format in ("markdown", "latex"):
        text = render(found, format)
        assert "Bold" not in text
        assert "textbf" not in text
        assert "**" not in text


def test_real_differences_stand_out_in_the_matrix() -> None:
    weak = comparisons.files(("weak",))["weak"]
    systems = {**comparisons.files(), "copy": weak, "other copy": weak}
    found = compare(systems, [comparisons.REFERENCE], all_pairs=True, samples=400)
    matrix = render(found, "markdown", pairs=True).partition("| p |")[2].splitlines()[2:8]
    rows = {line.split("|")[1].strip(): line.count("**") // 2 for line in matrix}
    assert rows == {"strong": 5, "medium": 5, "rulebased": 5, "weak": 3, "copy": 3, "other copy": 3}


def test_sentences_are_wrapped_where_a_terminal_ends_and_signatures_are_not() -> None:
    text = render(comparisons.compared(), "table", width=60)
    signature = next(line for line in text.splitlines() if line.startswith("BLEU  nrefs"))
    assert len(signature) > 60
    assert all(len(line) <= 60 for line in text.splitlines() if "nrefs:" not in line)
    told = render(comparisons.compared(), "table", width=60, pairs=True)
    assert "strong is better than weak by" in told.replace("\n", " ")
