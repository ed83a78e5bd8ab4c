"""Significance clusters of systems, and how many judgments open pairs need."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from material.rated import JUDGES, SYSTEMS, random_table, ratings_of
from understudy.errors import BadParameter
from understudy.judging.analysis.further_judgments import NO_DIFFERENCE, TOO_MANY, further_judgments
from understudy.judging.analysis.means import NO_JUDGMENTS, ONE_SYSTEM
from understudy.judging.analysis.rank_clusters import (
    NONE_SHARED,
    ONE_SHARED,
    TESTS,
    RankClusters,
    rank_clusters,
)
from understudy.judging.estimates import Absent
from understudy.judging.judgments import Ratings
from understudy.resampling.multiple_testing import corrected


def ranked(table, **how):
    return rank_clusters(ratings_of(table), SYSTEMS, JUDGES, **how)


def test_segments_of_all_systems_are_permuted():
    assert (ranked(random_table(1)).test, ranked(random_table(1)).statistic) == ("permutation", "mean")


def test_a_few_gaps_are_left_out():
    table = random_table(1)
    table[2, 1, 7] = np.nan
    without = table.copy()
    without[2, :, 7] = np.nan
    assert ranked(table).pairs == ranked(without).pairs


def test_judges_who_judged_other_systems_of_a_segment_are_modeled():
    """All segments were judged for all systems, but by different judges."""
    table = random_table(1)[:2]
    table[0, :2, ::2], table[0, 2:, 1::2] = np.nan, np.nan
    table[1, 2:, ::2], table[1, :2, 1::2] = np.nan, np.nan
    assert ranked(table).test == "effects"


def test_unequal_shares_are_modeled():
    found = ranked(random_table(1, share=0.4))
    assert (found.test, found.statistic) == ("effects", "adjusted mean")


@pytest.mark.parametrize("test", TESTS)
def test_the_best_system_is_alone_in_the_first_cluster(test):
    found = ranked(random_table(2, segments=60), test=test)
    assert [each.system for each in found.systems if each.cluster == 1] == ["D"]


@pytest.mark.parametrize("test", TESTS)
def test_a_better_system_is_better_by_what_is_tested(test):
    found = ranked(random_table(3), test=test)
    values = {each.system: each.value for each in found.systems}
    assert all(
        pair.difference == pytest.approx(values[pair.better] - values[pair.worse]) and pair.difference >= 0
        for pair in found.pairs
    )


def test_p_values_are_those_of_the_paired_t_test_on_means_over_judges():
    table = random_table(4)
    means = dict(zip(SYSTEMS, table.mean(axis=0), strict=True))
    found = ranked(table, test="ttest")
    expected = [stats.ttest_rel(means[pair.better], means[pair.worse]).pvalue for pair in found.pairs]
    assert [pair.p_value for pair in found.pairs] == pytest.approx(expected, abs=1e-12)


def test_p_values_are_corrected_for_all_pairs():
    found = ranked(random_table(5), test="ttest", correction="holm")
    expected = corrected(np.array([pair.p_value for pair in found.pairs]), "holm")
    assert [pair.corrected for pair in found.pairs] == pytest.approx(expected.tolist())


def test_lower_can_be_better():
    found = ranked(random_table(2, segments=60), higher_is_better=False)
    assert (found.systems[-1].system, found.systems[-1].value > found.systems[0].value) == ("D", True)


def test_permutations_are_enough_for_every_pair():
    found = ranked(random_table(6), samples=1)
    assert 6 / (1 / found.tested.floor) <= 0.05


def test_a_system_nobody_judged_is_not_ranked():
    found = ranked(random_table(7)[:, :3], test="effects")
    assert {each.system for each in found.systems} == {"A", "B", "C"}


@pytest.mark.parametrize(
    ("table", "how", "reason"),
    [
        (np.full((1, 4, 2), np.nan), {}, NO_JUDGMENTS),
        (random_table(1)[:, :1], {}, ONE_SYSTEM),
        (random_table(1)[..., :1], {}, ONE_SHARED),
        (np.where(np.eye(4, 25) > 0, 1.0, np.nan)[np.newaxis], {"test": "ttest"}, NONE_SHARED),
    ],
)
def test_without_what_it_takes_there_is_a_reason(table, how, reason):
    assert ranked(table, **how) == Absent(reason)


def test_equal_systems_are_one_cluster():
    table = np.repeat(random_table(8)[:, :1], 4, axis=1)
    assert {each.cluster for each in ranked(table).systems} == {1}


def test_an_unknown_test_is_refused():
    with pytest.raises(BadParameter, match="test 'anova': expected permutation, ttest, effects"):
        ranked(random_table(1), test="anova")


# --- further judgments --------------------------------------------------------------------------------------


def two_systems(difference, segments, deviation=1.0):
    """One judge, two systems, whose differences have exactly this mean and standard deviation."""
    noise = stats.zscore(np.random.default_rng(0).normal(size=segments), ddof=1) * deviation
    return Ratings.of(
        [0] * 2 * segments,
        np.repeat([0, 1], segments),
        np.tile(np.arange(segments), 2),
        np.concatenate([difference + noise, np.zeros(segments)]),
    )


def needed(ratings):
    found = rank_clusters(ratings, "AB", "j", test="ttest")
    assert isinstance(found, RankClusters)
    count = len(ratings) // 2
    return further_judgments(found, {"A": count, "B": count})


def test_it_is_the_sample_size_of_statsmodels():
    power = pytest.importorskip("statsmodels.stats.power")
    expected = power.TTestPower().solve_power(effect_size=0.1, alpha=0.05, power=0.8)
    (found,) = needed(two_systems(0.1, 50))
    assert found.more_segments + 50 == np.ceil(expected)


def test_a_judgment_of_both_systems_is_needed_for_every_segment():
    (found,) = needed(two_systems(0.1, 50))
    assert found.more_judgments == 2 * found.more_segments


def test_a_settled_pair_needs_nothing():
    assert needed(two_systems(1.0, 50)) == ()


@pytest.mark.parametrize(("difference", "reason"), [(0.0, NO_DIFFERENCE), (1e-7, TOO_MANY)])
def test_no_number_is_given_without_a_difference_to_find(difference, reason):
    ratings = two_systems(difference, 50)
    if difference == 0:
        ratings = Ratings.of(ratings.judge, ratings.system, ratings.segment, np.tile(ratings.value[:50], 2))
    (found,) = needed(ratings)
    assert (found.more_segments, found.reason) == (None, reason)


def test_open_pairs_of_many_systems_are_listed_once():
    table = random_table(9, segments=10)
    found = ranked(table)
    listed = further_judgments(found, dict.fromkeys(SYSTEMS, 50))
    assert [(each.better, each.worse) for each in listed] == [
        (pair.better, pair.worse) for pair in found.pairs if not pair.significant
    ]
