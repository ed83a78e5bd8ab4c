"""`understudy compare --fail-if-worse`, for releases and pipelines."""

from __future__ import annotations

from pathlib import Path

import pytest

from understudy import compare
from understudy.errors import BadParameter

pytestmark = pytest.mark.usefixtures("examples")
OLD_BETTER = [
    "compare",
    "old=system-strong.en",
    "new=system-medium.en",
    "-r",
    "reference-1.en",
    "--samples",
    "200",
]
NEW_BETTER = [
    "compare",
    "old=system-medium.en",
    "new=system-strong.en",
    "-r",
    "reference-1.en",
    "--samples",
    "200",
]


def test_a_system_that_is_worse_fails(run) -> None:
    result = run(*OLD_BETTER, "--fail-if-worse")
    assert result.exit_code == 1
    assert result.stderr == (
        "understudy: new is significantly worse than old: -18.85 BLEU (95% CI -23.06 to -14.42, p ≤ 0.005)\n"
    )
    assert "old is better than new by 18.85 BLEU" in result.stdout  # the table is printed all the same


@pytest.mark.parametrize("more", [[], ["system-strong.en"]])
def test_who_is_better_or_the_same_passes(run, more: list[str]) -> None:
    assert run(*NEW_BETTER, *more, "--fail-if-worse").exit_code == 0


def test_a_difference_that_is_not_significant_passes(run) -> None:
    few = ["--significance", "0.004"]  # 200 resamples cannot show it
    assert run(*OLD_BETTER, *few, "--fail-if-worse").exit_code == 0


def test_a_metric_can_be_named_and_others_do_not_count(run) -> None:
    copies = ["compare", "old=system-strong.en", "new=system-medium.en", "-r", "system-medium.en"]
    metrics = ["-m", "bleu", "-m", "length-ratio", "-m", "ter:sacrebleu", "--samples", "100"]
    assert run(*copies, *metrics, "--fail-if-worse", "bleu").exit_code == 0
    worse = [*OLD_BETTER, "-m", "bleu", "-m", "ter:sacrebleu"]
    result = run(*worse, "--fail-if-worse", "ter")
    assert result.exit_code == 1
    assert "TER" in result.stderr
    assert "BLEU" not in result.stderr
    assert run(*worse, "--fail-if-worse", "bleu", "--fail-if-worse", "ter").stderr.count("\n") == 2


def test_all_pairs_are_checked_against_the_baseline_alone(run) -> None:
    systems = ["compare", "old=system-medium.en", "new=system-strong.en", "bad=system-weak.en"]
    more = ["-r", "reference-1.en", "--samples", "200", "--all-pairs", "--baseline", "old", "--fail-if-worse"]
    result = run(*systems, *more)
    assert result.exit_code == 1
    assert result.stderr.startswith(
        "understudy: bad is significantly worse than old: -28.85 BLEU (95% CI -33."
    )
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--all-pairs"], "--fail-if-worse needs a baseline: add --baseline NAME."),
        (["--test", "blocks"], "compares with the preceding system: add --baseline NAME."),
        (
            ["-m", "length-ratio"],
            "length ratio cannot show that a system is worse, because neither higher nor lower values are better.",
        ),
    ],
)
def test_a_check_that_cannot_be_made_is_refused(fails, more: list[str], said: str) -> None:
    given = [each for each in NEW_BETTER if each not in ("--samples", "200")]
    assert said in fails(*given, "system-weak.en", *more, "--fail-if-worse")


def test_who_is_worse_is_told_from_its_side_whichever_way_round_the_pair_was_tested(run) -> None:
    systems = [
        "compare",
        "new=system-medium.en",
        "old=system-strong.en",
        "-r",
        "reference-1.en",
        "--samples",
        "200",
    ]
    said = run(*systems, "--all-pairs", "--baseline", "old", "--fail-if-worse").stderr
    assert said == run(*OLD_BETTER, "--fail-if-worse").stderr


def test_a_metric_that_a_score_file_lacks_is_refused_before_anything_is_printed(
    fails, tmp_path: Path
) -> None:
    (scores := tmp_path / "comet.tsv").write_text("a\tb\n1\t2\n2\t5\n1\t4\n")
    said = fails("compare", "--scores", str(scores), "--fail-if-worse", "bleu")
    assert "'bleu' is not one of the metrics compared: comet." in said


def test_a_file_taken_for_a_metric_is_explained(fails) -> None:
    said = fails("compare", "--fail-if-worse", "system-weak.en", *NEW_BETTER[1:])
    assert "'system-weak.en' is not one of the metrics compared: bleu." in said
    assert "put --fail-if-worse last" in said


def test_the_summary_is_markdown(run, tmp_path: Path) -> None:
    target = tmp_path / "summary.md"
    assert (
        run(*OLD_BETTER, "-m", "bleu", "-m", "ter", "--fail-if-worse", "--summary", str(target)).exit_code
        == 1
    )
    lines = target.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "## Comparison against old: failed"
    assert lines[2].startswith("- new is significantly worse than old: -18.85 BLEU")
    assert lines[3].startswith("- new is significantly worse than old: +14.11 TER")
    assert "| old | **57.81** | **31.11** |" in lines
    assert "| new | 38.96 ▼ | 45.22 ▼ |" in lines
    run(*NEW_BETTER, "--fail-if-worse", "--summary", str(target))
    passed = target.read_text(encoding="utf-8")
    assert passed.startswith(
        "## Comparison against old: passed\n\nNo system is significantly worse than the baseline."
    )
    run(*NEW_BETTER, "--summary", str(target))
    assert target.read_text(encoding="utf-8").startswith("## Comparison against old\n\n| system")


def test_the_summary_is_not_written_over_an_input(fails, tmp_path: Path) -> None:
    assert "--summary" in fails(*NEW_BETTER, "--summary", str(tmp_path / "no" / "s.md"))
    copy = tmp_path / "copy.en"
    copy.write_bytes(Path("system-weak.en").read_bytes())
    assert "is one of the inputs" in fails(*NEW_BETTER, str(copy), "--summary", str(copy))


def test_the_library_finds_the_same() -> None:
    systems = {"old": "system-strong.en", "new": "system-medium.en"}
    found = compare(systems, ["reference-1.en"], ["bleu", "ter"], samples=200)
    assert [(metric.label, pair.worse) for metric, pair in found.regressions()] == [
        ("BLEU", "new"),
        ("TER", "new"),
    ]
    every = compare(systems, ["reference-1.en"], all_pairs=True, samples=200)
    with pytest.raises(BadParameter, match="the comparison has no baseline"):
        every.regressions()
