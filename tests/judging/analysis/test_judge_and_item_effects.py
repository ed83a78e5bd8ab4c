"""The model with judge and item effects, against statsmodels, and where it cannot compare."""

from __future__ import annotations

import numpy as np
import pytest

from material.rated import JUDGES, SYSTEMS, random_table, ratings_of
from understudy.judging.analysis.judge_and_item_effects import (
    JUDGES_APART,
    NO_NOISE,
    NOTHING_SHARED,
    ONE_JUDGE,
    JudgeAndItemEffects,
    judge_and_item_effects,
)
from understudy.judging.analysis.means import NO_JUDGMENTS, ONE_SEGMENT, ONE_SYSTEM
from understudy.judging.estimates import Absent
from understudy.judging.judgments import Ratings


def fitted(table):
    return judge_and_item_effects(ratings_of(np.asarray(table, dtype=float)), SYSTEMS, JUDGES)


def centered(values):
    return values - values.mean()


def dummies(which, count):
    return np.eye(count)[which]


@pytest.fixture(scope="module")
def unequal():
    """A table of which judges have judged unequal shares, and what statsmodels fits to it with a column for every
    effect but the first of each kind.
    """
    api = pytest.importorskip("statsmodels.api")
    table = random_table(6, segments=40, share=0.3)
    judge, system, segment = np.nonzero(~np.isnan(table))
    design = np.hstack(
        [dummies(system, 4)[:, 1:], dummies(judge, 5)[:, 1:], dummies(segment, 40)[:, np.unique(segment)]]
    )
    return table, api.OLS(table[judge, system, segment], design).fit()


def test_effects_of_systems_are_those_of_statsmodels(unequal):
    table, expected = unequal
    assert fitted(table).values == pytest.approx(centered(np.append(0, expected.params[:3])), abs=1e-9)


def test_effects_of_judges_are_those_of_statsmodels(unequal):
    table, expected = unequal
    found = np.array([each.effect.value for each in fitted(table).judges])
    assert found == pytest.approx(centered(np.append(0, expected.params[3:7])), abs=1e-9)


def test_the_noise_is_that_of_statsmodels(unequal):
    table, expected = unequal
    assert fitted(table).deviation == pytest.approx(np.sqrt(expected.scale), abs=1e-9)


def test_standard_errors_are_clustered_by_segment():
    """As those of statsmodels after the mean of each segment is taken out of every column."""
    api = pytest.importorskip("statsmodels.api")
    table = random_table(7, segments=40, share=0.5)
    judge, system, segment = np.nonzero(~np.isnan(table))
    within = np.eye(len(segment)) - dummies(segment, 40) @ np.linalg.pinv(dummies(segment, 40))
    design = within @ np.hstack([dummies(system, 4)[:, 1:], dummies(judge, 5)[:, 1:]])
    expected = api.OLS(within @ table[judge, system, segment], design).fit(
        cov_type="cluster", cov_kwds={"groups": segment}
    )
    found = fitted(table).tested([(1, 0), (2, 0), (3, 0), (3, 2)])
    contrast = np.zeros(7)
    contrast[[2, 1]] = 1, -1
    errors = [*expected.bse[:3], np.sqrt(contrast @ expected.cov_params() @ contrast)]
    assert found.standard_errors == pytest.approx(np.array(errors), abs=1e-9)


def test_of_equal_shares_it_is_the_difference_of_means():
    table = random_table(8)
    assert fitted(table).values == pytest.approx(centered(table.mean(axis=(0, 2))), abs=1e-12)


def test_harsh_judges_do_not_make_a_system_worse():
    """A and B are equal; the harsh judge saw A more often."""
    generator = np.random.default_rng(0)
    table = np.full((2, 2, 400), np.nan)
    value = np.array([0.0, -3.0])[:, np.newaxis, np.newaxis] + generator.normal(0, 0.3, table.shape)
    chosen = generator.random(table.shape) < np.array([[0.2, 0.8], [0.8, 0.2]])[..., np.newaxis]
    table[chosen] = value[chosen]
    found = fitted(table)
    assert np.abs(found.values).max() < 0.05


def test_effects_sum_to_0():
    assert fitted(random_table(9, share=0.5)).values.sum() == pytest.approx(0, abs=1e-12)


def test_segments_with_one_judgment_do_not_count():
    table = random_table(10)
    lonely = np.full((5, 4, 1), np.nan)
    lonely[0, 0, 0] = 9.0
    assert fitted(np.concatenate([table, lonely], axis=2)).segments == 25


def test_systems_of_different_segments_cannot_be_compared():
    table = random_table(11)
    table[:, :2, :12] = np.nan
    table[:, 2:, 12:] = np.nan
    assert fitted(table) == Absent(
        "no chain of judges and segments connects these groups of systems: 'A', 'B'; 'C', 'D'"
    )


def test_judges_of_different_segments_cannot_be_compared():
    table = random_table(12)
    table[:2, :, :12] = np.nan
    table[2:, :, 12:] = np.nan
    assert {each.effect.reason for each in fitted(table).judges} == {JUDGES_APART}


def test_and_their_systems_can():
    table = random_table(12)
    table[:2, :, :12] = np.nan
    table[2:, :, 12:] = np.nan
    assert [each.effect.reason for each in fitted(table).systems] == [None] * 4


def test_one_judge_has_no_effect():
    assert fitted(random_table(13)[:1]).judges[0].effect.reason == ONE_JUDGE


def test_one_segment_has_no_interval():
    found = fitted(random_table(14, segments=1))
    assert {each.effect.no_interval for each in found.systems} == {ONE_SEGMENT}


def test_nor_a_significant_difference():
    assert fitted(random_table(14, segments=1)).tested([(3, 0)]).p_values.tolist() == [1.0]


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (np.full((5, 4, 2), np.nan), NO_JUDGMENTS),
        (random_table(1)[:, :1], ONE_SYSTEM),
        (np.where(np.eye(4, 25) > 0, 1.0, np.nan)[np.newaxis], NOTHING_SHARED),
        (np.full((5, 4, 25), 0.1), NO_NOISE),
        (np.arange(4.0)[np.newaxis, :, np.newaxis] + np.zeros((5, 4, 25)), NO_NOISE),
    ],
)
def test_without_comparable_systems_there_is_a_reason(table, reason):
    assert fitted(table) == Absent(reason)


def test_systems_nobody_judged_are_not_listed():
    ratings = ratings_of(random_table(15)[:, :2])
    found = judge_and_item_effects(ratings, SYSTEMS, JUDGES)
    assert isinstance(found, JudgeAndItemEffects)
    assert [each.name for each in found.systems] == ["A", "B"]


def test_repeats_do_not_count():
    table = random_table(16)
    once = ratings_of(table)
    repeated = Ratings.of(
        once.judge, once.system, once.segment, once.value, repeat=np.arange(len(once)) % 3 == 0
    )
    found = judge_and_item_effects(repeated, SYSTEMS, JUDGES)
    assert isinstance(found, JudgeAndItemEffects)
    assert found.judgments == np.sum(~repeated.repeat)
