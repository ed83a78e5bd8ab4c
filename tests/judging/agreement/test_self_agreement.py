"""Self-agreement, from repeats."""

from __future__ import annotations

import numpy as np
import pytest

from material.reliability_tables import data_of
from reference.inter_annotator import alpha
from understudy.judging.agreement.reliability_data import ReliabilityData
from understudy.judging.agreement.self_agreement import (
    EVERYONE,
    NO_REPEATS,
    self_agreement,
    self_agreement_of_comparisons,
)
from understudy.judging.analysis.comparisons import Comparisons
from understudy.judging.judgments import Rankings, Ratings

# Judge 0 repeats segments 0 and 1, judge 1 segment 2 twice.
REPEATED = Ratings.of(
    judge=[0, 0, 0, 0, 1, 1, 1],
    system=[0] * 7,
    segment=[0, 1, 0, 1, 2, 2, 2],
    value=[4, 2, 4, 3, 5, 5, 1],
    repeat=[False, False, True, True, False, True, True],
)


def test_repeats_are_those_of_one_judge_and_text():
    assert [(each.judge, each.repeats) for each in self_agreement(REPEATED, "xy", "ordinal")] == [
        (EVERYONE, 4),
        ("x", 2),
        ("y", 2),
    ]


def test_identical_ones_are_counted():
    assert self_agreement(REPEATED, "xy", "ordinal")[0].identical.value == 0.5


def test_the_first_judgment_is_compared_with_each_later_one():
    assert self_agreement(REPEATED, "xy", "ordinal")[2].mean_difference == 2


def test_alpha_is_of_first_and_later_judgments():
    expected = alpha([[4, 4], [2, 3], [5, 5], [5, 1]], "ordinal")
    assert self_agreement(REPEATED, "xy", "ordinal")[0].alpha.value == pytest.approx(expected, abs=1e-12)


def test_names_have_no_difference():
    assert self_agreement(REPEATED, "xy", "nominal")[0].mean_difference is None


def test_without_repeats_there_is_a_reason():
    once = REPEATED.rows(~REPEATED.repeat)
    (found,) = self_agreement(once, "xy", "ordinal")
    assert (found.repeats, found.identical.reason, found.alpha.reason) == (0, NO_REPEATS, NO_REPEATS)


def test_an_answer_credited_to_two_systems_is_no_repeat():
    ratings = Ratings.of([0, 0], [0, 1], [0, 0], [3, 3], unit=[0, 0], answer=[0, 0])
    assert self_agreement(ratings, "x", "ordinal")[0].repeats == 0


def test_a_judge_who_repeats_everything_has_no_interval():
    (found, _) = self_agreement(
        Ratings.of([0] * 8, [0] * 8, [0, 1, 2, 3] * 2, [1, 2, 3, 4] * 2), "x", "interval"
    )
    assert (found.identical.value, found.identical.interval) == (1.0, None)


def test_rankings_agree_by_pairs():
    # The second ranking exchanges the first two of three.
    rankings = Rankings.of([0] * 6, [0] * 6, [0, 0, 0, 1, 1, 1], [0, 1, 2] * 2, [1, 2, 3, 2, 1, 3])
    found = self_agreement_of_comparisons(Comparisons.of(rankings), ["x"])[0]
    assert found.repeats * found.identical.value == pytest.approx(2)


def test_only_a_judges_first_value_counts_for_agreement_with_others():
    data = ReliabilityData.of([0, 0, 1], [0, 0, 0], [5, 1, 4])
    assert data.value.tolist() == [5, 4]


def test_agreement_of_rankings_is_of_pairs_of_different_texts():
    rankings = Rankings.of([0] * 4, [0] * 4, [0] * 4, [0, 1, 2, 3], [1, 2, 1, 3], unit=[7, 8, 7, 9])
    data = ReliabilityData.of_comparisons(Comparisons.of(rankings))
    assert data.value.tolist() == [1, 1, 1]  # 7 over 8, 7 over 9, 8 over 9


def test_a_text_of_two_systems_in_one_ranking_is_no_repeat():
    rankings = Rankings.of([0] * 3, [0] * 3, [0] * 3, [0, 1, 2], [1, 2, 1], unit=[7, 8, 7])
    assert self_agreement_of_comparisons(Comparisons.of(rankings), ["x"])[0].repeats == 0


def test_agreement_of_ratings_counts_an_answer_once():
    ratings = Ratings.of([0, 0, 1], [0, 1, 0], [0, 0, 0], [3, 3, 4], unit=[0, 0, 0], answer=[0, 0, 1])
    assert np.array_equal(ReliabilityData.of_ratings(ratings).value, data_of([[3, 4]]).value)
