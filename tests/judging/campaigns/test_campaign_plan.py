"""Options of a campaign: what cannot be meant is refused in one line."""

from __future__ import annotations

import re

import pytest

from understudy.errors import BadParameter
from understudy.judging.campaigns.campaign_plan import (
    CampaignPlan,
    DemographicField,
    PlannedJudge,
    planned_judges,
)
from understudy.judging.protocols.reading import protocol

ANN = (PlannedJudge("ann"),)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"judges": ()}, "judges: got none, expected at least one."),
        ({"judges": ANN * 2}, "two judges are named 'ann'. Rename one."),
        ({"judges": (PlannedJudge(" "),)}, "judge ' ': expected a name of 1 to 100 characters"),
        ({"judges": (PlannedJudge("a\nb"),)}, "expected a name of 1 to 100 characters"),
        ({"assignment": "share"}, "assignment='share': expected same, shares, pool, dynamic."),
        ({"select": "varience"}, "select='varience': expected all, random, variance, diversity."),
        ({"select": "variance"}, "select 'variance' needs the number or the share of segments."),
        ({"select": "all", "segments": 5}, "select 'all' judges all segments."),
        ({"segments": 5, "share": 0.5}, "segments and share cannot be combined."),
        ({"segments": 0}, "segments=0: expected an integer from 1"),
        ({"segments": True}, "segments=True: expected an integer from 1"),
        ({"share": 0}, "share=0: expected a share of the segments above 0 and up to 1."),
        ({"share": float("nan")}, "share=nan: expected a share"),
        ({"repeats": 0.6}, "repeats=0.6: expected a share of the items from 0 to 0.5."),
        ({"controls": -1}, "controls=-1: expected a share of the items from 0 to 0.5."),
        ({"seed": -1}, "seed=-1: expected an integer from 0"),
        ({"context": 50}, "context=50: expected an integer from 0 to 20."),
        ({"target_language": "English"}, "'English' is not a language code."),
        ({"completion_url": "javascript:alert(1)"}, "expected an address that starts with https://."),
        ({"completion_url": "https://a b"}, "expected an address that starts with https://."),
        ({"completion_code": "a b"}, "expected 1 to 100 ASCII characters without spaces."),
    ],
)
def test_what_cannot_be_meant(options, message):
    with pytest.raises(BadParameter, match=re.escape(message)) as raised:
        CampaignPlan(**{"judges": ANN, **options})
    assert "\n" not in str(raised.value)


def test_fields_of_one_name():
    with pytest.raises(BadParameter, match="two fields have the same name"):
        CampaignPlan(ANN, demographics=(DemographicField("age", "Age"),) * 2)


def test_a_choice_without_choices():
    with pytest.raises(BadParameter, match="choices are needed for the kind choice"):
        DemographicField("native", "Native language", "choice")


def test_numbered_judges_sort_by_name():
    assert [judge.name for judge in planned_judges(protocol("da"), 10)][:2] == ["judge-01", "judge-02"]


def test_judges_who_join_are_numbered_on():
    assert planned_judges(protocol("da"), 1, first=4)[0].name == "judge-4"


def test_judges_are_spread_over_groups():
    groups = [judge.group for judge in planned_judges(protocol("report"), 20)]
    assert groups.count("monolingual") == groups.count("bilingual") == 10


def test_groups_by_name():
    assert planned_judges(protocol("report"), {"ann": "bilingual"}) == (PlannedJudge("ann", "bilingual"),)


@pytest.mark.parametrize(
    ("name", "message"),
    [("report", "Did you mean 'bilingual'"), ("da", "Protocol 'da' has none.")],
)
def test_an_unknown_group(name, message):
    with pytest.raises(BadParameter, match=re.escape(f"judge 'ann': unknown group 'bilinual'. {message}")):
        planned_judges(protocol(name), ["ann:bilinual"])
