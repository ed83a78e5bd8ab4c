"""The table of systems by metrics: its marks are what the tests found, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from material import comparisons
from understudy.comparing.results import Comparison
from understudy.comparing.run import compare
from understudy.report.comparisons import render
from understudy.report.summary import legend, summary_grid

METRICS = ["bleu", "ter"]


def marks(found: Comparison, metric: int = 0) -> dict[str, str]:
    names, *columns = summary_grid(found).columns
    return dict(zip(names.cells, columns[metric].marks, strict=True))


@pytest.fixture
def with_near(tmp_path: Path) -> dict[str, Path]:
    """Beside the strong system, one with another translation of one segment, which 60 segments cannot tell apart."""
    strong, medium = (
        comparisons.files()[name].read_text(encoding="utf-8").splitlines() for name in ("strong", "medium")
    )
    near = tmp_path / "near"
    near.write_text("\n".join([strong[0], medium[1], *strong[2:], ""]), encoding="utf-8")
    files = comparisons.files(("strong", "medium", "weak"))
    return {"strong": files["strong"], "near": near, "medium": files["medium"], "weak": files["weak"]}


def test_marks_are_against_the_baseline() -> None:
    found = comparisons.compared(all_pairs=False, baseline="medium")
    assert marks(found) == {"strong": "▲", "medium": "", "rulebased": "▼", "weak": "▼"}
    assert marks(found, 1) == marks(found)  # by TER less is better
    assert "▲ significantly better, ▼ significantly worse than medium (p ≤ 0.05)." in legend(found)


def test_who_is_level_with_the_best_is_said_only_where_all_pairs_were_tested(
    with_near: dict[str, Path],
) -> None:
    every = compare(with_near, [comparisons.REFERENCE], METRICS, all_pairs=True, samples=500)
    assert marks(every) == {"strong": "", "near": "≈", "medium": "", "weak": ""}
    assert not any("baseline" in said or "▲" in said for said in legend(every))
    some = compare(with_near, [comparisons.REFERENCE], METRICS, baseline="weak", samples=500)
    assert "≈" not in "".join(marks(some).values())
    assert not any("≈" in said for said in legend(some))
    assert "Only differences from weak were tested." in legend(some)
    assert not any("Only" in said for said in legend(every))


def test_all_pairs_may_be_marked_against_a_baseline(with_near: dict[str, Path]) -> None:
    found = compare(
        with_near, [comparisons.REFERENCE], METRICS, all_pairs=True, baseline="medium", samples=500
    )
    assert marks(found) == {"strong": "▲", "near": "▲≈", "medium": "", "weak": "▼"}
    assert len(found.metrics[0].pairs) == 6
    assert "p-values are corrected for 6 pairs per metric, not for the number of metrics." in legend(found)


@pytest.mark.parametrize("all_pairs", [False, True])
def test_every_mark_is_the_verdict_of_the_pair_that_was_tested(
    with_near: dict[str, Path], all_pairs: bool
) -> None:
    found = compare(
        with_near, [comparisons.REFERENCE], METRICS, all_pairs=all_pairs, baseline="medium", samples=500
    )
    for number, metric in enumerate(found.metrics):
        better = {frozenset((pair.first, pair.second)): pair.better for pair in metric.pairs}
        for name, mark in marks(found, number).items():
            verdict = better.get(frozenset((name, "medium")))
            assert ("▲" in mark, "▼" in mark) == (
                verdict == name and name != "medium",
                verdict == "medium" and name != "medium",
            )


def test_the_same_score_as_the_best_is_the_best() -> None:
    files: Any = comparisons.files(("strong", "weak"))
    found = compare({**files, "copy": files["strong"]}, [comparisons.REFERENCE], METRICS, all_pairs=True)
    assert marks(found) == {"strong": "", "copy": "", "weak": ""}
    text = render(found, "markdown")
    assert text.count("**57.81**") == 2


def test_blocks_are_marked_against_the_preceding_system() -> None:
    found = comparisons.compared(all_pairs=False, test="blocks", samples=None)
    assert found.baseline is None
    assert marks(found) == {"strong": "", "medium": "▼", "rulebased": "▼", "weak": "▼"}
    assert "▲ significantly better, ▼ significantly worse than the preceding system (p ≤ 0.05)." in legend(
        found
    )
    assert "Only differences from the preceding system were tested." in legend(found)


def test_a_metric_without_a_direction_has_no_marks_and_no_best() -> None:
    found = compare(comparisons.files(), [comparisons.REFERENCE], ["bleu", "length-ratio"], all_pairs=True)
    ratio = summary_grid(found).columns[2]
    assert not ratio.best
    assert not any(ratio.marks)
    assert "length ratio does not measure quality; systems are not ranked by it." in render(found)


def test_two_settings_of_one_metric_are_told_apart() -> None:
    found = compare(
        comparisons.files(("strong", "weak")),
        [comparisons.REFERENCE],
        ["bleu", "bleu:lowercase=true"],
        samples=50,
    )
    assert [column.header for column in summary_grid(found).columns[1:]] == [
        ("BLEU ↑",),
        ("BLEU ↑", "lowercase=true"),
    ]


def test_of_two_systems_the_verdicts_are_told_in_words() -> None:
    found = compare(comparisons.files(("strong", "weak")), [comparisons.REFERENCE], METRICS, samples=50)
    text = render(found)
    assert "strong is better than weak by 47.70 BLEU" in text
    assert "strong is better than weak by 41.44 TER" in text


def test_pairs_are_below_the_table_on_request() -> None:
    found = comparisons.compared()
    short, long = render(found), render(found, pairs=True)
    assert "is better than" not in short
    assert "95% CI" not in short
    assert "Use --pairs" in short
    assert "strong is better than medium by 18.85 BLEU" in long
    assert "95% CI" in long
    assert "Use --pairs" not in long


def test_the_table_fits_a_terminal() -> None:
    text = render(comparisons.compared(baseline="medium"), width=80)
    table = text.partition("\n\n")[0]
    assert re.fullmatch(r"strong +57\.81▲ +31\.11▲", table.splitlines()[2])
    assert all(len(line) <= 80 for line in text.splitlines() if "nrefs:" not in line)


def test_latex_sets_marks_as_superscripts_and_leaves_room_where_there_are_none(
    with_near: dict[str, Path],
) -> None:
    found = compare(
        with_near, [comparisons.REFERENCE], METRICS, all_pairs=True, baseline="medium", samples=500
    )
    text = render(found, "latex")
    assert text.count(r"\begin{table}") == 1
    rows = {line.split(" & ")[0]: line.split(" & ")[1] for line in text.splitlines() if line.endswith(r"\\")}
    assert rows["near"].endswith(r"$^{\bigtriangleup\approx}$")
    assert rows["weak"].endswith(r"$^{\bigtriangledown}$\phantom{$^{\approx}$}")
    assert rows["medium"].endswith(r"\phantom{$^{\bigtriangleup\approx}$}")
    assert (
        r"$\bigtriangleup$ significantly better, $\bigtriangledown$ significantly worse than medium" in text
    )
    assert "XeLaTeX" not in text
