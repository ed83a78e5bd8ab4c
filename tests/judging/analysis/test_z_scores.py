"""Ratings standardized per judge."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from material.rated import JUDGES, random_table, ratings_of
from understudy.judging.analysis.z_scores import z_scores
from understudy.judging.judgments import Ratings


def test_they_are_those_of_scipy_per_judge():
    table = random_table(2, share=0.6)
    found = z_scores(ratings_of(table), JUDGES).ratings
    expected = [stats.zscore(of_judge[~np.isnan(of_judge)], ddof=1) for of_judge in table]
    assert found.value == pytest.approx(np.concatenate(expected), abs=1e-12)


@pytest.mark.parametrize("values", [[0.1, 0.1, 0.1], [4.0]])
def test_a_judge_without_spread_is_left_out_and_named(values):
    ratings = Ratings.of(
        [0] * len(values) + [1, 1], [0] * (len(values) + 2), range(len(values) + 2), [*values, 1, 2]
    )
    found = z_scores(ratings, ["flat", "fine"])
    assert (found.left_out, found.ratings.judge.tolist()) == (("flat",), [1, 1])


def test_an_answer_credited_to_several_systems_counts_once_in_the_mean():
    ratings = Ratings.of(
        [0] * 4, [0, 1, 2, 0], [0, 0, 0, 1], [5, 5, 5, 1], unit=[0, 0, 0, 1], answer=[0, 0, 0, 1]
    )
    assert z_scores(ratings, ["j"]).judges[0].mean == 3


def test_repeats_count_in_the_mean():
    ratings = Ratings.of([0] * 3, [0] * 3, [0, 1, 1], [1, 2, 6], repeat=[False, False, True])
    assert z_scores(ratings, ["j"]).judges[0].mean == 3


def test_a_judge_who_said_nothing_is_not_listed():
    assert [each.judge for each in z_scores(Ratings.of([1, 1], [0, 0], [0, 1], [1, 2]), "xy").judges] == ["y"]


def test_no_ratings():
    assert z_scores(Ratings.of([], [], [], []), "xy").judges == ()
