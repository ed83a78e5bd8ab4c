"""Judges who join later get what the others have."""

from __future__ import annotations

from collections import Counter

import pytest

from material.campaigns import campaign, spread, times_seen
from understudy.judging.campaigns.campaign_plan import PlannedJudge
from understudy.judging.campaigns.joining import more_assignments

LATE = PlannedJudge("late")


def test_with_the_same_items_for_all():
    design = campaign(assignment="same", repeats=0, controls=0)
    assert set(more_assignments(design, [LATE])["late"]) == set(design.assignments["judge-1"])


def test_in_the_report_with_the_same_order():
    design = campaign("report", judges=2)
    late = more_assignments(design, [PlannedJudge("late", "bilingual")])["late"]
    assert late == design.assignments["judge-1"]


def test_a_share_is_as_large_as_those_of_the_others():
    design = campaign(assignment="shares", judges=4, segments=40, repeats=0, controls=0)
    loads = [len(tasks) for tasks in design.assignments.values()]
    assert min(loads) <= len(more_assignments(design, [LATE])["late"]) <= max(loads)


def test_a_share_is_balanced():
    design = campaign(assignment="shares", judges=4, segments=40)
    assert spread(times_seen(design, more_assignments(design, [LATE])["late"])) == 0


def test_those_who_join_together_do_not_get_the_same():
    design = campaign(assignment="shares", judges=2, segments=40, judgments_per_item=1, repeats=0, controls=0)
    found = more_assignments(design, [LATE, PlannedJudge("later")])
    assert not set(found["late"]) & set(found["later"])


def test_a_share_of_another_group_does_not_count():
    design = campaign(
        "report", assignment="shares", judges=["ann:bilingual", "bob:monolingual"], repeats=0, controls=0
    )
    late = more_assignments(design, [PlannedJudge("late", "bilingual")])["late"]
    assert set(late) == set(design.assignments["ann"])


def test_repeats_follow_their_originals():
    design = campaign(assignment="shares", judges=3, segments=60, repeats=0.2)
    late = more_assignments(design, [LATE])["late"]
    repeats = [design.by_id[task] for task in late if design.by_id[task].role == "repeat"]
    assert repeats
    assert all(task.repeat_of in late[: late.index(task.id)] for task in repeats)


@pytest.mark.parametrize("assignment", ["pool", "dynamic"])
def test_a_pool_gives_practice_alone(assignment):
    design = campaign(assignment=assignment, target_language="en", source_language="de")
    roles = Counter(design.by_id[task].role for task in more_assignments(design, [LATE])["late"])
    assert roles == {"practice": 2}
