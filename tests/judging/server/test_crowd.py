"""One link for a crowd: every participant has a place of their own, and keeps it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from material.small_campaign import answers_to
from understudy.errors import BadParameter
from understudy.judging.campaigns.campaign import Campaign
from understudy.judging.campaigns.campaign_plan import CampaignPlan, PlannedJudge


def enter(served, **participant):
    browser = served.browser()
    reply = browser.post("/api/enter", json={"token": served.tokens["crowd"], "participant": participant})
    return reply, browser


def place(browser):
    return browser.get("/api/campaign").json()["judge"]["name"]


@pytest.fixture
def crowd(serve):
    return serve("da", judges=3, tasks=1, crowd=True, completion_code="C0DE")


def test_each_participant_has_a_place_and_keeps_it(crowd):
    browsers = [enter(crowd, PROLIFIC_PID=id)[1] for id in ("one", "two", "one", "three", "two")]
    assert list(map(place, browsers)) == ["judge-1", "judge-2", "judge-1", "judge-3", "judge-2"]


def test_a_participant_resumes_after_the_server_was_started_again(crowd):
    from understudy.judging.campaigns.crowd import CrowdPlaces
    from understudy.judging.campaigns.desk import Desk

    enter(crowd, participant="one")
    enter(crowd, participant="two")
    again = CrowdPlaces(Desk(crowd.store))
    assert [again.take(id).name for id in ("two", "one", "three")] == ["judge-2", "judge-1", "judge-3"]


def test_no_place_is_given_twice_at_once(serve):
    crowd = serve("da", judges=20, tasks=1, crowd=True)
    with ThreadPoolExecutor(10) as threads:
        entered = list(threads.map(lambda id: enter(crowd, participant=f"p{id % 20}"), range(40)))
    places = [place(browser) for _, browser in entered]
    assert len(set(places)) == 20
    assert places[:20] == places[20:]


def test_a_full_campaign_is_said_and_those_inside_go_on(crowd):
    inside = [enter(crowd, participant=id)[1] for id in "abc"]
    reply, _ = enter(crowd, participant="d")
    assert (reply.status_code, reply.json()) == (
        409,
        {"error": "All places in this campaign are taken. Thank you for your interest."},
    )
    assert reply.cookies == {}
    assert inside[0].get("/api/task").status_code == 200


@pytest.mark.parametrize("given", [{}, {"participant": "  "}, {"other": "x"}])
def test_a_link_without_an_id_is_refused(crowd, given):
    reply, _ = enter(crowd, **given)
    assert (reply.status_code, "no participant id" in reply.json()["error"]) == (400, True)


def test_another_parameter_can_have_the_id(serve):
    crowd = serve("da", judges=2, crowd=True, participant_field="who")
    assert enter(crowd, PROLIFIC_PID="x")[0].status_code == 400
    assert place(enter(crowd, who="x", PROLIFIC_PID="y")[1]) == "judge-1"


def test_whoever_is_revoked_gets_no_new_place(crowd):
    from understudy.judging.campaigns.crowd import CrowdPlaces
    from understudy.judging.campaigns.desk import Desk

    enter(crowd, participant="one")
    Campaign(crowd.store).revoke(["judge-1"])
    places = CrowdPlaces(Desk(crowd.store))
    assert places.take("one").revoked
    assert places.take("two").name == "judge-2"


def test_a_place_with_a_personal_link_in_use_is_not_free(crowd):
    crowd.browser("judge-1")
    assert place(enter(crowd, participant="one")[1]) == "judge-2"


def test_the_code_is_shown_at_the_end(crowd):
    _, browser = enter(crowd, participant="one")
    answer = answers_to(browser.get("/api/task").json(), "key-00001")
    browser.post("/api/answers", json={"answers": [answer]})
    assert browser.get("/api/campaign").json()["completion"] == {"code": "C0DE", "url": None}


def test_the_lead_learns_whose_place_is_whose(crowd):
    enter(crowd, workerId="A1B2")
    status = Campaign(crowd.store).status()
    assert [judge.participant for judge in status.judges] == ["A1B2", None, None]
    assert "A1B2" in str(status)


def test_the_link_of_the_crowd_is_the_only_one_to_hand_out(crowd):
    links = Campaign(crowd.store).links()
    assert [(link.name, link.role) for link in links] == [
        (name, name) for name in ("lead", "viewer", "crowd")
    ]
    assert links[-1].at("https://x.org/") == f"https://x.org/?participant=ID#{links[-1].token}"


def test_the_shared_link_opens_nothing_else(crowd):
    reply, browser = enter(crowd, participant="one")
    assert reply.json() == {"role": "judge"}
    assert browser.get("/api/lead").status_code == 403


def test_names_of_parameters():
    people = (PlannedJudge("ann"),)
    with pytest.raises(BadParameter, match="for a crowd only"):
        CampaignPlan(people, participant_field="who")
    with pytest.raises(BadParameter, match="expected the name of a parameter"):
        CampaignPlan(people, crowd=True, participant_field="a b&c")


@pytest.mark.parametrize("id", ["ID", "{{%PROLIFIC_PID%}}", "${workerId}"])
def test_a_placeholder_that_nobody_filled_in_is_no_participant(crowd, id):
    """Everyone would be the same judge."""
    reply, _ = enter(crowd, participant=id)
    assert reply.status_code == 400
    assert f"This link has '{id}' where the platform's participant id belongs" in reply.json()["error"]


def test_an_id_cannot_steer_the_terminal_of_whoever_looks_at_the_status(crowd):
    assert enter(crowd, participant="\x1b[2J\u202e\nFAKE  99")[0].status_code == 200
    with Campaign.open(crowd.where) as campaign:
        shown = str(campaign.status())
    assert "\\x1b[2J\\u202e\\nFAKE  99" in shown
    assert all(line.isprintable() for line in shown.splitlines())
    assert not any(line.startswith("FAKE") for line in shown.splitlines())
