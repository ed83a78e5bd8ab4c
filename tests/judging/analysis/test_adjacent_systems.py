"""The report's comparison of neighbors in the ranking, within judge and sentence."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from material.rated import SYSTEMS, random_table, ratings_of
from understudy.judging.analysis.adjacent_systems import (
    ALL_EQUAL,
    NOTHING_SHARED,
    ONE_DIFFERENCE,
    adjacent_systems,
)
from understudy.judging.analysis.clustered import clustered_error
from understudy.judging.estimates import Absent
from understudy.judging.judgments import Ratings

# Figures 3 and 4 of the report: mean difference, -95 %, +95 %, of S2-S1, S3-S2, H1-S3 and H2-H1.
MONOLINGUAL = [(0.326, 0.252, 0.400), (0.114, 0.034, 0.194), (1.825, 1.705, 1.945), (0.535, 0.400, 0.670)]
BILINGUAL = [(0.551, 0.435, 0.667), (0.140, 0.042, 0.238), (1.883, 1.759, 2.007), (0.038, -0.069, 0.145)]
REPORT_PAIRS = 470  # "N varied from 350 to 470"


def neighbors(ratings, systems, **how):
    return adjacent_systems(ratings, systems, **how)


def test_neighbors_go_from_the_worst_pair_to_the_best():
    table = np.array([[[3.0, 3.5], [1.0, 1.5], [2.0, 2.2]]])
    found = neighbors(ratings_of(table), "ABC")
    assert [(pair.worse, pair.better) for pair in found] == [("B", "C"), ("C", "A")]


def test_neighbors_are_those_of_a_given_ranking():
    table = np.array([[[3.0, 3.5], [1.0, 1.5], [2.0, 2.2]]])
    found = neighbors(ratings_of(table), "ABC", ranking="ACB")
    assert found == neighbors(ratings_of(table), "ABC")
    found = neighbors(ratings_of(table), "ABC", ranking="CA")  # nobody could rank B
    assert [(pair.worse, pair.better, pair.difference) for pair in found] == [
        ("A", "C", pytest.approx(-1.15))
    ]


def test_lower_can_be_better():
    table = np.array([[[3.0, 3.5], [1.0, 1.5]]])
    (pair,) = neighbors(ratings_of(table), "AB", higher_is_better=False)
    assert (pair.better, pair.difference) == ("B", -2.0)


def test_only_ratings_of_one_judge_and_segment_are_compared():
    table = np.array([[[1.0, 1.0], [3.0, np.nan]], [[np.nan, 4.0], [9.0, 5.0]]])
    (pair,) = neighbors(ratings_of(table), "AB")
    assert (pair.difference, pair.differences, pair.segments) == (1.5, 2, 2)


def test_the_interval_and_p_are_those_of_the_paired_t_test():
    table = random_table(4, share=0.7)
    for pair in neighbors(ratings_of(table), SYSTEMS):
        better, worse = (table[:, SYSTEMS.index(name)].ravel() for name in (pair.better, pair.worse))
        both = ~np.isnan(better) & ~np.isnan(worse)
        expected = stats.ttest_rel(better[both], worse[both])
        of_report = pair.by_judge_and_segment
        interval = (of_report.interval.low, of_report.interval.high)
        assert (*interval, of_report.p_value) == pytest.approx(
            (*expected.confidence_interval(0.95), expected.pvalue), abs=1e-12
        )


def test_the_interval_by_segment_is_clustered():
    table = random_table(5)
    pair = neighbors(ratings_of(table), SYSTEMS)[-1]
    differences = table[:, SYSTEMS.index(pair.better)] - table[:, SYSTEMS.index(pair.worse)]
    error, degrees = clustered_error(differences.ravel(), np.tile(np.arange(25), 5))
    expected = stats.t.interval(0.95, degrees, differences.mean(), error)
    interval = pair.by_segment.interval
    assert (interval.low, interval.high) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("printed", [MONOLINGUAL, BILINGUAL], ids=["figure 3", "figure 4"])
def test_the_figures_of_the_report_are_reproduced(printed):
    """From differences with the printed means, and standard deviations that make intervals as wide as the printed ones,
    of 470 pairs of ratings by 10 judges of 47 sentences.
    """
    generator = np.random.default_rng(1)
    reach = stats.t.ppf(0.975, REPORT_PAIRS - 1) / np.sqrt(REPORT_PAIRS)
    table = np.zeros((10, 5, 47))
    for system, (mean, low, high) in enumerate(printed, start=1):
        noise = stats.zscore(generator.normal(size=REPORT_PAIRS), ddof=1) * (high - low) / 2 / reach
        table[:, system] = table[:, system - 1] + mean + noise.reshape(10, 47)
    found = neighbors(ratings_of(table), ["S1", "S2", "S3", "H1", "H2"])
    numbers = [
        (
            pair.difference,
            pair.by_judge_and_segment.interval.low,
            pair.by_judge_and_segment.interval.high,
        )
        for pair in found
    ]
    assert np.round(numbers, 3).tolist() == pytest.approx(np.array(printed), abs=1e-9)


def test_the_report_calls_all_but_the_last_bilingual_difference_significant():
    assert [low > 0 for _, low, _ in MONOLINGUAL + BILINGUAL] == [True] * 7 + [False]


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        ([[[1.0, np.nan], [np.nan, 2.0]]], NOTHING_SHARED),
        ([[[1.0], [2.0]]], ONE_DIFFERENCE),
        ([[[1.0, 2.0], [2.0, 3.0]]], ALL_EQUAL),
        ([[[1.0, 2.0], [1.0, 2.0]]], ALL_EQUAL),
        ([[[0.1, 0.2], [0.2, 0.3]]], ALL_EQUAL),
    ],
)
def test_without_variance_there_is_a_reason(table, reason):
    (pair,) = neighbors(ratings_of(np.array(table)), "AB")
    assert (pair.by_judge_and_segment, pair.by_segment, pair.reason) == (None, None, reason)


def test_one_system_has_no_neighbor():
    assert isinstance(adjacent_systems(Ratings.of([0], [0], [0], [1]), ["A"]), Absent)
