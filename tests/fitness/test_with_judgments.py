"""What human judgments say of metrics and kinds of systems: by hand, by simulation, and on real judgments."""

from __future__ import annotations

import re

import numpy as np
import pytest
from scipy import stats

from material.wmt import DATA, needs_data, table
from understudy.corpus.system_kinds import Kinds
from understudy.fitness.type_ranks import SystemScores
from understudy.fitness.with_judgments import fitness_with_people, unnoticed
from understudy.report.fitness import as_data, as_grids
from understudy.report.terminal import draw
from understudy.scoring.counted_systems import count_systems
from understudy.trusting.kind_contrasts import contrast_kinds
from understudy.trusting.noticeable_difference import noticeable_difference
from understudy.trusting.paired_scores import PairedScores


def of_systems(human, metric) -> PairedScores:
    names = tuple(f"s{number}" for number in range(len(human)))
    return PairedScores(
        names, human_systems=np.array(human, dtype=float), metric_systems=np.array(metric, dtype=float)
    )


def split(systems: int, first: int) -> Kinds:
    names = [f"s{number}" for number in range(systems)]
    return Kinds.of({"x": names[:first], "y": names[first:]}, names)


def test_two_kinds_on_two_lines() -> None:
    """People rate x by 2 higher at every score of the metric; each line has the slope 0.5."""
    metric = np.array([10.0, 12.0, 16.0, 11.0, 15.0, 20.0, 30.0])
    human = 0.5 * metric + np.array([2.0, 2.0, 2.0, 0.0, 0.0, 0.0, 0.0])
    (found,) = contrast_kinds(of_systems(human, metric), split(7, 3))
    assert abs(found.shift - 2) < 1e-9
    assert found.systems == (3, 4)
    assert found.p_value < 0.05
    assert found.corrected == found.p_value
    # Across: people prefer 10 to 11 and 12 to 15, and 16 as much as 20.
    assert (found.across.pairs, found.across.alike) == (12, 9)
    assert (found.within.pairs, found.within.alike) == (9, 9)
    (turned,) = contrast_kinds(of_systems(-human, metric), split(7, 3))
    assert abs(turned.shift + 2) < 1e-9


def test_the_shift_is_the_coefficient_of_a_linear_model() -> None:
    generator = np.random.default_rng(7)
    human, metric = generator.normal(size=(2, 9))
    (found,) = contrast_kinds(of_systems(human, metric), split(9, 4))
    design = np.column_stack([np.ones(9), metric, np.arange(9) < 4])
    assert abs(found.shift - np.linalg.lstsq(design, human, rcond=None)[0][2]) < 1e-9


def test_a_shift_that_is_not_there_is_rarely_found() -> None:
    """Also where the kinds differ in quality, which the metric sees, as long as their scores overlap."""
    tested = rejected = 0
    for trial in range(600):
        generator = np.random.default_rng([8, trial])
        metric = generator.normal(size=12) - 1.5 * (np.arange(12) < 4)
        human = metric + generator.normal(size=12)
        (found,) = contrast_kinds(of_systems(human, metric), split(12, 4), samples=199)
        if found.apart is None:
            tested += 1
            rejected += found.p_value < 0.05
    assert tested > 500
    assert 0.03 <= rejected / tested <= 0.07


def test_too_few_systems_are_not_tested_and_unjudged_ones_do_not_count() -> None:
    metric = np.array([3.5, 1, 2, 3, 4, 5, 6, 7])
    human = metric + np.array([5.0, 0, 0, 0, 0, 0, 0, np.nan])
    (found,) = contrast_kinds(of_systems(human, metric), split(8, 1))
    assert found.systems == (1, 6)
    assert abs(found.shift - 5) < 1e-9
    assert found.p_value is None
    assert found.corrected is None
    (none,) = contrast_kinds(of_systems([np.nan, 1, 2], [1, 2, 3]), split(3, 1))
    assert (none.shift, none.across.pairs) == (None, 0)


@pytest.mark.parametrize("metric", [[1.0] * 6, [1.0] * 3 + [2.0] * 3])
def test_scores_that_cannot_tell(metric: list[float]) -> None:
    """All the same, or the same within a kind: what is the kind's and what is the score's?"""
    (found,) = contrast_kinds(of_systems([1, 2, 3, 4, 5, 6], metric), split(6, 3))
    assert found.shift is None
    assert found.p_value is None


def test_p_values_allow_for_the_number_of_pairs_of_kinds() -> None:
    generator = np.random.default_rng(9)
    human, metric = generator.normal(size=(2, 15))
    names = [f"s{number}" for number in range(15)]
    kinds = Kinds.of({"x": names[:5], "y": names[5:10], "z": names[10:]}, names)
    found = contrast_kinds(of_systems(human, metric), kinds)
    expected = stats.false_discovery_control([each.p_value for each in found])  # at most Holm's
    assert all(each.corrected >= smaller for each, smaller in zip(found, expected, strict=True))
    smallest = min(each.p_value for each in found)
    assert min(each.corrected for each in found) == min(1.0, 3 * smallest)


# --- scores that do not overlap, and outliers ---------------------------------------------------------------


def test_nothing_is_read_off_lines_beyond_all_systems_of_a_kind() -> None:
    """The lines of the two kinds are 50 apart, and so far from each other that no score is of both."""
    metric = np.array([10.0, 12.0, 14.0, 51.5, 53.0, 55.0, 60.0])
    human = 0.5 * metric + np.array([50.0, 50.0, 50.0, 0.0, 0.0, 0.0, 0.0])
    found = fitness_with_people({"BLEU": of_systems(human, metric)}, split(7, 3))
    (contrast,) = found.contrasts
    assert (contrast.apart, contrast.shift, contrast.p_value) == (37.5, None, None)
    said = found.findings[0].evidence
    assert "at the same BLEU" not in said
    assert said.endswith(
        "; the BLEU scores of x and y do not overlap (gap: 37.50), so there are no systems with "
        "the same BLEU to compare."
    )
    drawn = "\n".join(draw(grid) for grid in as_grids(found))
    assert "no overlap: the metric scores" in drawn
    assert as_data(found)["contrasts"][0]["apart"] == 37.5


def test_a_score_of_both_kinds_is_an_overlap() -> None:
    (found,) = contrast_kinds(of_systems([1, 2, 3, 4], [1, 2, 2, 3]), split(4, 2))
    assert found.apart is None
    assert found.shift is not None


def test_kinds_are_contrasted_with_and_without_outliers() -> None:
    metric = np.array([10.0, 12.0, 16.0, 11.0, 15.0, 20.0, 30.0])
    human = 0.5 * metric + np.array([2.0, 2.0, 42.0, 0.0, 0.0, 0.0, 0.0])
    kept = [0, 1, 3, 4, 5, 6]
    alone = PairedScores(
        tuple(f"s{number}" for number in kept), human_systems=human[kept], metric_systems=metric[kept]
    )
    (without,) = contrast_kinds(alone, split(7, 3).among(alone.systems))
    pairing = of_systems(human, metric)
    whole, rest = contrast_kinds(pairing, split(7, 3), outliers=["s2"])
    assert (whole,) == tuple(contrast_kinds(pairing, split(7, 3)))
    assert (whole.without, rest.without) == ((), ("s2",))
    assert (rest.shift, rest.p_value, rest.across) == (without.shift, without.p_value, without.across)
    assert abs(rest.shift - 2) < 1e-9 < whole.shift - 10
    found = fitness_with_people({"M": pairing}, split(7, 3), outliers=["s2"])
    assert " Without s2: Human scores agree with M on 6 of 8 pairs across" in found.findings[0].evidence
    drawn = "\n".join(draw(grid) for grid in as_grids(found))
    assert "excluded" in drawn
    assert re.search(r"x and y +s2 +6 of 8 ", drawn)


def test_without_its_only_system_a_kind_is_gone() -> None:
    pairing = of_systems([50.0, 1.0, 2.0, 3.0], [2.5, 1.0, 2.0, 3.0])
    found = fitness_with_people({"M": pairing}, split(4, 1), outliers=["s0"])
    assert len(found.contrasts) == 1
    assert found.findings[0].evidence.endswith(" Without s0, no x system is left.")


def test_outliers_of_no_kind_change_no_contrast() -> None:
    names = ["s0", "s1", "s2", "s3"]
    kinds = Kinds.of({"x": ["s0", "s1"], "y": ["s2"]}, names)
    assert len(contrast_kinds(of_systems([1, 2, 3, 90], [1, 2, 1.5, 4]), kinds, outliers=["s3"])) == 1


# --- what people notice -------------------------------------------------------------------------------------


def test_differences_that_people_do_not_notice() -> None:
    # Pairs by difference of the metric: 1 (people disagree), 2 and 3 (they agree): noticed from 2 on.
    pairing = of_systems([2.0, 1.0, 3.0], [0.0, 1.0, 3.0])
    standing = SystemScores("M", "m", pairing.systems, pairing.system_scores[1])
    (found,) = unnoticed(standing, noticeable_difference(pairing, over="systems", samples=20))
    assert found.pairs == (("s0", "s1"),)
    assert found.evidence == (
        "Human scores agree with M on 80% of pairs at differences of at least 2.00; 1 of 3 pairs differ by less: "
        "s0 and s1 by 1.00."
    )
    against = of_systems([3.0, 1.0, 0.0], [0.0, 1.0, 3.0])
    (never,) = unnoticed(standing, noticeable_difference(against, over="systems", samples=20))
    assert never.evidence.startswith(
        "At no difference in these data do human scores agree with M on 80% of pairs. The 3"
    )
    agreed = noticeable_difference(of_systems([0.0, 1.0, 3.0], [0.0, 1.0, 3.0]), over="systems", samples=20)
    assert unnoticed(standing, agreed) == []


# --- together -----------------------------------------------------------------------------------------------


def test_all_of_it() -> None:
    metric = np.array([10.0, 12.0, 16.0, 11.0, 15.0, 20.0, 30.0])
    human = 0.5 * metric + np.array([2.0, 2.0, 2.0, 0.0, 0.0, 0.0, 0.0])
    pairings = {"BLEU": of_systems(human, metric), "chrF": of_systems(human, human)}
    found = fitness_with_people(
        pairings,
        split(7, 3),
        specs={"BLEU": "bleu", "chrF": "chrf"},
        references={"BLEU": 1},
        segments=300,
        noticed={"BLEU": noticeable_difference(pairings["BLEU"], over="systems", samples=20)},
    )
    rules = [each.rule for each in found.findings]
    assert rules == ["different-kinds", "few-references", "few-segments", "small-difference"]
    assert [each.metrics for each in found.findings[:2]] == [("bleu", "chrf"), ("bleu",)]
    said = found.findings[0].evidence
    assert "Human scores agree with BLEU on 9 of 12 pairs across types (within types: 9 of 9)" in said
    assert "at the same BLEU, human scores of x are 2.00 higher than of y (BLEU underrates x, p = " in said
    assert found.findings[2].evidence == "300 segments."
    drawn = "\n".join(draw(grid) for grid in as_grids(found))
    assert re.search(r"x and y +9 of 12 +9 of 9 +\+2\.00", drawn)
    assert as_data(found)["contrasts"][0]["across"] == {"pairs": 12, "alike": 9}


@pytest.mark.parametrize(
    ("significance", "verdict"),
    [
        (0.5, "(M underrates x, p = "),
        (0.05, "(not significant, p = "),
        (0.02, "not tested: only 3 and 4 systems"),  # of 7 systems 3 are named in 35 ways
    ],
)
def test_the_level_decides_what_is_underrated(significance: float, verdict: str) -> None:
    metric = np.array([10.0, 12.0, 16.0, 11.0, 15.0, 20.0, 30.0])
    human = 0.5 * metric + np.array([3.0, 0.0, 2.0, 0.0, 2.0, -1.0, 0.0])
    found = fitness_with_people({"M": of_systems(human, metric)}, split(7, 3), significance=significance)
    assert verdict in found.findings[0].evidence


def test_without_kinds_there_is_nothing_about_them() -> None:
    pairings = {"bleu": of_systems([1, 2, 3], [1, 2, 3])}
    found = fitness_with_people(pairings, Kinds(), references={"bleu": 1}, segments=1000)
    assert (found.findings, found.placements, found.contrasts) == ([], [], [])


@needs_data
def test_bleu_underrates_people_beside_machines() -> None:
    """WMT21 English-German by MQM: people prefer either human translation to every system; BLEU, chrF and TER against
    the third prefer every system. Among systems they agree well.
    """
    folder = DATA / "wmt21.en-de"
    mqm = {
        row["system"]: float(row["score"])
        for row in table(folder / "human.sys.tsv")
        if row["measure"] == "mqm"
    }
    files = {path.name.removesuffix(".txt.gz"): path for path in sorted((folder / "systems").iterdir())}
    judged = {name: path for name, path in files.items() if name in mqm}
    systems = {**judged, "refC": folder / "refC.txt", "refD": folder / "refD.txt"}
    kinds = Kinds.of({"human": ["refC", "refD"], "nmt": list(judged)}, list(systems))
    for evidence in count_systems(systems, [folder / "refA.txt"], ["bleu", "chrf", "ter"]).evidence:
        pairing = PairedScores(
            evidence.systems,
            human_systems=np.array([mqm[name] for name in evidence.systems]),
            metric_systems=evidence.worth(evidence.scores),
        )
        (found,) = contrast_kinds(pairing, kinds)
        assert (found.across.pairs, found.across.alike) == (2 * len(judged), 0)
        assert found.within.alike / found.within.pairs > 0.8
        worth = dict(zip(evidence.systems, pairing.system_scores[1], strict=True))
        gap = min(worth[name] for name in judged) - max(worth["refC"], worth["refD"])
        assert found.apart == pytest.approx(gap, abs=1e-9)
        assert (found.shift, found.p_value) == (None, None)
