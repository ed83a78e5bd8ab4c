"""The ranking on the lead's page is that of the statistic which is tested."""

from __future__ import annotations

import numpy as np
import pytest

import understudy
from understudy.judging.campaigns.standing import standing_of
from understudy.judging.estimates import Absent
from understudy.judging.judgments import Judgments, Question, Rankings, Ratings


def judged(rows, **question):
    return Judgments(
        name="campaign",
        protocol="da",
        systems=("A", "B", "C", "D"),
        judges=("lenient", "harsh"),
        segments=tuple(range(1, 13)),
        questions=(Question("score", None, None, **{"level": "interval", **question}),),
        ratings={"score": Ratings.of(*zip(*rows, strict=True))},
    )


def unequal_shares():
    """A lenient judge has the weak systems, a harsh one the strong."""
    rng = np.random.default_rng(3)
    return [
        (judge, system, segment, 10 * system - 40 * judge + rng.normal())
        for segment in range(12)
        for system in range(4)
        for judge in (0, 1)
        if rng.random() < (0.9 if (system > 1) == bool(judge) else 0.3)
    ]


def test_with_unequal_shares_systems_are_ranked_by_the_adjusted_mean():
    judgments = judged(unequal_shares())
    standing = standing_of(judgments)
    (question,) = understudy.judge(judgments, samples=2).questions
    assert not isinstance(question.clusters, Absent)
    assert (standing.statistic, standing.question) == ("adjusted mean", "score")
    assert [(row["system"], row["cluster"]) for row in standing.ranking] == [
        (each.system, each.cluster) for each in question.clusters.systems
    ]
    assert [row["value"] for row in standing.ranking] == pytest.approx(
        [each.value for each in question.clusters.systems], abs=1e-9
    )
    assert all(row["low"] < row["value"] < row["high"] for row in standing.ranking)


def test_the_best_system_is_first_where_lower_is_better():
    rng = np.random.default_rng(1)
    rows = [
        (judge, system, segment, 10 * system + rng.normal())
        for judge in (0, 1)
        for system in range(4)
        for segment in range(12)
    ]
    standing = standing_of(judged(rows, higher_is_better=False))
    assert [row["system"] for row in standing.ranking] == ["A", "B", "C", "D"]
    assert [row["cluster"] for row in standing.ranking] == [1, 2, 3, 4]


def test_rankings_have_strengths_and_no_means():
    rows = [
        (judge, segment, judge * 12 + segment, system, system + 1 if segment % 3 else 2 - system)
        for judge in (0, 1)
        for segment in range(12)
        for system in (0, 1)
    ]
    rankings = Rankings.of(*zip(*rows, strict=True))
    judgments = Judgments(
        name="campaign",
        protocol="pairwise",
        systems=("A", "B"),
        judges=("x", "y"),
        segments=tuple(range(1, 13)),
        questions=(Question("preference", 1, None, "ordinal", higher_is_better=False),),
        ratings={},
        rankings=rankings,
    )
    standing = standing_of(judgments)
    assert (standing.statistic, standing.question) == ("Bradley-Terry log strength", None)
    assert [row["system"] for row in standing.ranking] == ["A", "B"]


@pytest.mark.parametrize(
    ("level", "shown"), [("interval", "Krippendorff’s α, repeats"), ("ordinal", "Identical repeats")]
)
def test_repeats_are_identical_only_on_a_scale_with_steps(level, shown):
    rows = [(0, 0, segment, segment % 5, segment >= 12) for segment in range(12)]
    again = [(0, 0, segment, segment % 5 + 1, True) for segment in range(12)]
    judge, system, segment, value, repeat = zip(*rows, *again, strict=True)
    ratings = Ratings.of(judge, system, segment, value, repeat=repeat)
    judgments = Judgments(
        name="campaign",
        protocol="da",
        systems=("A",),
        judges=("x",),
        segments=tuple(range(1, 13)),
        questions=(Question("score", 0, 100, level),),
        ratings={"score": ratings},
    )
    standing = standing_of(judgments)
    assert [row["name"] for row in standing.agreement][-1] == shown
    assert standing.repeats["x"].mean_difference == 1
