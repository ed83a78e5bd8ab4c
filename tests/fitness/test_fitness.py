"""Which comparisons metrics are not fit for: each rule by a case where it holds and one where it does not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from material import comparisons
from material.optional import needs_report
from understudy import compare
from understudy.comparing.results import Comparison
from understudy.comparing.run import compare_scores
from understudy.corpus.system_kinds import Kinds
from understudy.fitness import without_judgments as fitness
from understudy.fitness.findings import PROBE_GUIDE, RULES, Finding
from understudy.fitness.type_ranks import SystemScores, placements, ranks
from understudy.report.comparisons import render
from understudy.report.html_report import html_report

KINDS = {"statistical": ["strong", "medium"], "rule-based": ["rulebased"]}
BOTH = [comparisons.REFERENCE, comparisons.REFERENCE.with_name("reference-2.en")]


def found(rule: str, comparison: Comparison) -> list[Finding]:
    return [each for each in comparison.fitness.findings if each.rule == rule]


@pytest.fixture(scope="module")
def of_kinds() -> Comparison:
    return compare(
        comparisons.files(), BOTH, ["bleu", "ter"], all_pairs=True, samples=200, kinds=KINDS, threads=1
    )


# --- where kinds are placed ---------------------------------------------------------------------------------


def test_equal_systems_share_a_rank() -> None:
    assert ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [1.5, 4.0, 1.5, 3.0]


def test_placements_by_hand() -> None:
    kinds = Kinds.of(["x:a,d", "y:b"], ["a", "b", "c", "d"])
    alone = np.array([[4.0, 3.0, 2.0, 1.0], [1.0, 2.0, 3.0, 4.0]])
    standing = SystemScores("M", "m", ("a", "b", "c", "d"), np.array([1.0, 9.0, 2.0, 3.0]), alone)
    first, second = placements(standing, kinds)
    assert (first.kind, first.mean_rank, first.best, first.best_rank, first.ranked) == ("x", 3.0, "d", 2.0, 4)
    assert first.by_reference == (2.5, 2.5)
    assert (second.mean_rank, second.best) == (1.0, "b")
    # a < b and c < d are kept by neither; a < c is by one.
    assert standing.changed(alone[0], [("a", "b"), ("c", "d"), ("a", "c")]) == 3
    assert standing.changed(alone[1], [("a", "b"), ("c", "d"), ("a", "c")]) == 0
    assert standing.changed(np.zeros(4), [("a", "b")]) == 0  # level is not turned round


def test_ranks_are_by_worth_not_by_score(of_kinds: Comparison) -> None:
    """The strong system has the highest BLEU and the lowest TER."""
    best = {(each.metric, each.kind): (each.best, each.best_rank) for each in of_kinds.fitness.placements}
    assert best["BLEU", "statistical"] == best["TER", "statistical"] == ("strong", 1.0)
    assert best["BLEU", "rule-based"] == ("rulebased", 3.0)
    assert of_kinds.fitness.kinds.without == ("weak",)


# --- the rules ----------------------------------------------------------------------------------------------


def test_different_kinds_are_one_finding_for_two_kinds(of_kinds: Comparison) -> None:
    (finding,) = found("different-kinds", of_kinds)
    assert finding.metrics == ("bleu", "ter")
    assert finding.kinds == ("statistical", "rule-based")
    assert set(finding.pairs) == {("rulebased", "strong"), ("rulebased", "medium")}
    assert "BLEU ranks statistical (2 systems; best: strong, 1) at mean rank 1.5 of 4" in finding.evidence
    assert "and rule-based (rulebased) at rank 3." in finding.evidence
    assert (
        "All metrics agree on the order of 2 of 2 pairs across types and 1 of 1 within types."
        in finding.evidence
    )
    assert "With each of the 2 references alone" in finding.evidence
    assert "reverses 0 of 4 pairs across types and 0 of 2 pairs within types" in finding.evidence


def test_pairs_that_are_not_compared_are_not_found() -> None:
    """With a baseline of no kind nothing of two kinds is compared; with one of a kind, the other kind with it is."""
    settings: dict[str, Any] = {"samples": 50, "kinds": KINDS}
    of_none = compare(comparisons.files(), [BOTH[0]], baseline="weak", **settings)
    assert not found("different-kinds", of_none)
    assert not found("few-references", of_none)
    of_one = compare(comparisons.files(), [BOTH[0]], baseline="strong", **settings)
    assert [each.pairs for each in found("different-kinds", of_one)] == [(("rulebased", "strong"),)]


def test_many_systems_of_three_kinds_are_few_lines() -> None:
    names = tuple(f"s{number}" for number in range(20))
    kinds = Kinds.of({"x": names[:7], "y": names[7:14], "z": names[14:]}, names)
    standing = SystemScores("M", "m", names, np.arange(20.0))
    every = [(one, other) for one in names for other in names if one < other]
    assert len(fitness.different_kinds([standing], kinds, every)) == 3


def test_one_reference_is_too_few_where_kinds_differ(of_kinds: Comparison) -> None:
    assert not found("few-references", of_kinds)
    with_one = compare(comparisons.files(), [BOTH[0]], all_pairs=True, samples=50, kinds=KINDS)
    (finding,) = found("few-references", with_one)
    assert finding.evidence == "2 pairs of systems of different types, and 1 reference per segment."
    assert not found("few-references", compare(comparisons.files(), [BOTH[0]], samples=50))


def test_few_segments_are_fewer_than_the_reports() -> None:
    standing = SystemScores("M", "m", ("a", "b"), np.zeros(2))
    assert not fitness.few_segments([standing], 500, [("a", "b")])
    (finding,) = fitness.few_segments([standing], 499, [("a", "b")], ["1.20 M"])
    assert finding.evidence == "499 segments. Minimum detectable difference (80% power): 1.20 M."


def test_small_differences_are_those_that_could_be_chance() -> None:
    generator = np.random.default_rng(1)
    base = generator.normal(50, 10, 100)
    scores = {"m": {"a": base, "b": base + 20, "c": base + generator.normal(0, 5, 100)}}
    (finding,) = found("small-difference", compare_scores(scores, all_pairs=True, samples=200))
    assert finding.pairs == (("c", "a"),)
    assert finding.evidence.startswith("1 of 3 differences in m are not significant: c and a differ by")


@pytest.mark.parametrize(
    ("segments", "differing", "rare"),
    [
        (1000, 49, True),  # less than one in twenty
        (1000, 50, False),
        (100, 29, True),  # few, and most are the same
        (100, 30, False),
        (40, 20, False),  # few, but half of them
        (1000, 0, False),  # there is nothing to decide
    ],
)
def test_a_difference_in_few_segments_is_rare(segments: int, differing: int, rare: bool) -> None:
    base = np.linspace(0, 100, segments)
    other = base.copy()
    other[:differing] += 1
    compared = compare_scores({"m": {"a": base, "b": other}}, samples=50)
    findings = found("rare-phenomenon", compared)
    assert bool(findings) is rare
    if rare:
        share = f"{differing} of {segments:,} segments ({differing / segments:.1%})"
        assert findings[0].evidence == f"m differs between b and a in {share}."
        assert findings[0].pairs == (("b", "a"),)


def test_rare_differences_of_text_and_of_runs(tmp_path: Path) -> None:
    """A system of two runs differs where one of them does."""
    lines = comparisons.files()["medium"].read_text(encoding="utf-8").splitlines()
    lines[3] = "Something else altogether."
    changed = tmp_path / "changed.en"
    changed.write_text("\n".join(lines) + "\n", encoding="utf-8")
    medium = comparisons.files()["medium"]
    for second in (changed, [medium, changed]):
        compared = compare({"old": medium, "new": second}, [BOTH[0]], samples=50)
        (finding,) = found("rare-phenomenon", compared)
        assert "new and old in 1 of 60 segments (1.7%)" in finding.evidence


def test_metrics_without_references_are_not_about_kinds() -> None:
    compared = compare(comparisons.files(), [], ["self-bleu"], all_pairs=True, samples=50, kinds=KINDS)
    assert {each.rule for each in compared.fitness.findings} <= {"few-segments", "small-difference"}
    assert compared.fitness.placements == []
    assert "statistical        2" in render(compared)


def test_scores_of_other_tools_have_kinds_and_no_references() -> None:
    scores = {"comet": {name: np.linspace(0, 1, 600) + i for i, name in enumerate("abc")}}
    compared = compare_scores(scores, all_pairs=True, kinds=["x:a", "y:b,c"])
    assert {each.rule for each in compared.fitness.findings} == {"different-kinds"}


def test_a_reference_with_gaps_is_not_one_to_score_alone_with(tmp_path: Path) -> None:
    table = tmp_path / "refs.jsonl"
    first, second = (path.read_text(encoding="utf-8").splitlines() for path in BOTH)
    second[0] = None
    rows = [json.dumps({"one": a, "two": b}) for a, b in zip(first, second, strict=True)]
    table.write_text("\n".join(rows) + "\n", encoding="utf-8")
    compared = compare(comparisons.files(), [f"{table}:one,two"], all_pairs=True, samples=50, kinds=KINDS)
    assert compared.references == (1, 2)
    assert {each.by_reference for each in compared.fitness.placements} == {()}


def test_single_references_at_the_level_of_the_comparison(tmp_path: Path) -> None:
    """With one reference and a copy of it, each alone is as both together."""
    twice = [BOTH[0], shutil.copy(BOTH[0], tmp_path / "copy.en")]
    for level in ("corpus", "mean"):
        compared = compare(
            comparisons.files(), twice, ["chrf"], all_pairs=True, samples=50, kinds=KINDS, level=level
        )
        assert {each.by_reference for each in compared.fitness.placements} == {(1.5, 1.5), (3.0, 3.0)}


# --- shown --------------------------------------------------------------------------------------------------


def test_every_rule_has_a_reason_and_a_source() -> None:
    for name, rule in RULES.items():
        assert rule.why.endswith(".")
        assert any(paper in rule.source for paper in ("Callison-Burch", "Papineni")), name


@pytest.mark.parametrize("format", ["table", "markdown", "latex", "tsv"])
def test_findings_are_shown_where_kinds_are_given(of_kinds: Comparison, format: str) -> None:
    text = render(of_kinds, format).replace("\\", "")
    assert "different-kinds" in text
    assert "BLEU ranks statistical (2 systems; best: strong, 1)" in text
    assert "Callison-Burch, Osborne & Koehn 2006, sections 4 and 6" in text


def test_findings_as_data(of_kinds: Comparison) -> None:
    data = json.loads(render(of_kinds, "json"))["fitness"]
    assert data["kinds"] == KINDS
    assert data["of_no_kind"] == ["weak"]
    assert [each["mean_rank"] for each in data["placements"]] == [1.5, 3.0, 1.5, 3.0]
    finding = data["findings"][0]
    assert finding["rule"] == "different-kinds"
    assert finding["pairs"] == [["rulebased", "strong"], ["rulebased", "medium"]]
    assert finding["source"] == RULES["different-kinds"].source


def test_without_kinds_nothing_is_said_that_is_said_already() -> None:
    text = render(compare(comparisons.files(), [BOTH[0]], samples=50))
    for rule in RULES:
        assert rule not in text


@needs_report
def test_without_kinds_rare_differences_are_one_line(tmp_path: Path) -> None:
    medium = comparisons.files()["medium"]
    lines = medium.read_text(encoding="utf-8").splitlines()
    changed = tmp_path / "changed.en"
    changed.write_text("\n".join(["Else.", *lines[1:]]) + "\n", encoding="utf-8")
    compared = compare({"old": medium, "new": changed}, [BOTH[0]], ["bleu", "ter"], samples=50)
    for format in ("table", "markdown", "latex"):
        assert render(compared, format).count("A difference in few segments") == 1
    assert html_report(compared).count("A difference in few segments") == 1


@needs_report
def test_findings_in_the_report(of_kinds: Comparison) -> None:
    page = html_report(of_kinds)
    assert '<section id="fitness"' in page
    assert 'href="#fitness"' in page
    assert "Without a type, not reported: weak." in page
    assert page.count('id="fitness-different-kinds"') == 1
    assert 'id="fitness"' not in html_report(compare(comparisons.files(), [BOTH[0]], samples=50))


# --- what a metric cannot see -------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", ["different-kinds", "few-references", "rare-phenomenon"])
def test_rules_about_what_a_metric_cannot_see_name_probe_and_its_guide(rule: str) -> None:
    assert "understudy probe" in RULES[rule].why
    assert PROBE_GUIDE in RULES[rule].why
    assert (Path(__file__).parents[2] / PROBE_GUIDE).is_file()
