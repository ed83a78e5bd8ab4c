"""Hostile text in every field: stored and shown as text, or refused in one sentence; never an error of the server."""

from __future__ import annotations

import itertools
import json
import re

import pytest

from material.small_campaign import fluency, rows_and_tokens, small_design
from understudy.judging.campaigns.campaign import Campaign
from understudy.judging.campaigns.campaign_plan import DemographicField

HOSTILE = {
    "script": "<script>alert(1)</script>\"'`${1}{{7*7}}",
    "bidi": "\u202e\u2066\u202dabc\u2069\u200f",
    "nul": "a\0b\x1b[31m\x7f",
    "sql": "'; DROP TABLE answers; --",
    "astral": "𝄞👩‍👩‍👧‍👦\ufeff\uffff",
}
LONG = "é" * 1_000_000


@pytest.fixture
def open_served(serve):
    fields = (DemographicField("about", "About you"),)
    return serve("adequacy-fluency", demographics=fields)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_comment_comes_back_as_it_was(served, name):
    browser = served.browser("judge-1")
    text = HOSTILE[name]
    answer = fluency(1, "key-00001", comment=text, post_edit={"o1": text})
    assert browser.post("/api/answers", json={"answers": [answer]}).json()["stored"] == ["key-00001"]
    payload = browser.get("/api/task?position=1").json()["answers"]["fluency"]
    assert (payload["comment"], payload["post_edit"]) == (text, {"o1": text})


@pytest.mark.parametrize("name", HOSTILE)
def test_demographics_and_participant_ids(open_served, name):
    text = HOSTILE[name]
    browser = open_served.browser()
    entering = {"token": open_served.tokens["judge-1"], "participant": {"PROLIFIC_PID": text}}
    assert browser.post("/api/enter", json=entering).status_code == 200
    profile = {"key": "key-00001", "demographics": {"about": text}}
    assert browser.post("/api/profile", json=profile).status_code == 200
    assert browser.get("/api/campaign").json()["demographics"]["given"] is True
    with Campaign.open(open_served.where) as campaign:
        assert campaign.status().judges[0].demographics == {"about": text}


@pytest.mark.parametrize("text", [*HOSTILE.values(), LONG[:50_000]], ids=[*HOSTILE, "long"])
def test_every_field_of_an_answer(served, text):
    browser = served.browser("judge-1")
    good = fluency(1, "key-00001")
    for field in ("task", "step", "payload", "seconds", text):
        reply = browser.post("/api/answers", json={"answers": [{**good, field: text}]})
        assert (reply.status_code, len(reply.json()["refused"])) == (200, 1)
    for payload in ({"values": text}, {"values": {"o1": text}}, {"values": {text: 4}}, {text: 1}):
        reply = browser.post("/api/answers", json={"answers": [{**good, "payload": payload}]})
        assert (reply.status_code, len(reply.json()["refused"])) == (200, 1)
    for path in ("/api/enter", "/api/leave", "/api/profile", "/api/answers"):
        for body in ({text: text}, {"token": text}, {"key": text, "participant": {text: text}}):
            assert browser.post(path, json=body).status_code in (200, 400, 401)
    with served.store.reading() as connection:
        assert connection.execute(served.store.tables.answers.select()).all() == []


NOT_JSON = (
    *(b"", b"{", b"[]", b"null", b"1", b'"x"', b"\xff\xfe", b"[" * 100_000, b'{"a":' * 50_000),
    *(b'{"answers": NaN}', b'{"answers": [Infinity]}', b'{"answers": ["\\ud800"]}', b'{"token": "\\udfff"}'),
    *(b'{"answers": [{"key": "12345678", "task": ' + b"9" * 5000 + b"}]}", b"\xef\xbb\xbf{}"),
    *('{"answers": []}'.encode(encoding) for encoding in ("utf-16", "utf-32")),
)


def test_what_is_not_json_is_refused(served):
    browser = served.browser("judge-1")
    for body, path in itertools.product(
        NOT_JSON, ("/api/answers", "/api/enter", "/api/profile", "/api/leave")
    ):
        reply = browser.post(path, content=body, headers={"Content-Type": "application/json"})
        assert reply.status_code in (400, 401), (body[:24], path, reply.text)


def test_numbers_that_no_scale_has(served):
    browser = served.browser("judge-1")
    for value in (
        "1e400",
        "-1e400",
        "1e15",
        "9" * 400,
        "4.5",
        "true",
        "null",
        "[4]",
        '"4"',
        "0",
        "6",
        "-0.0",
    ):
        answer = json.dumps(fluency(1, "key-00001")).replace('"o1": 4', f'"o1": {value}')
        reply = browser.post(
            "/api/answers", content=f'{{"answers": [{answer}]}}', headers={"Content-Type": "application/json"}
        )
        assert reply.status_code in (200, 400)
        assert not reply.json().get("stored")


def test_a_request_of_a_megabyte_is_refused(served):
    browser = served.browser("judge-1")
    reply = browser.post("/api/answers", json={"answers": [fluency(1, "key-00001", comment=LONG)]})
    assert (reply.status_code, list(reply.json())) == (413, ["error"])

    def parts():
        for _ in range(3000):
            yield b" " * 1000

    reply = browser.post("/api/answers", content=parts(), headers={"Content-Type": "application/json"})
    assert reply.status_code == 413


def test_forms_are_refused(served):
    browser = served.browser("judge-1")
    assert browser.post("/api/answers", data={"answers": "1"}).status_code == 415


def test_positions_that_are_not_there(served):
    browser = served.browser("judge-1")
    for position in ("0", "-1", "6", "99999999999", "1e3", "x", "١", "", "1 OR 1=1", "\0"):
        reply = browser.get("/api/task", params={"position": position})
        assert (reply.status_code, list(reply.json())) in ((400, ["error"]), (404, ["error"])), position


def test_too_many_requests(serve):
    from understudy.judging.server.limits import Limits

    served = serve(limits=Limits(requests_per_second=0.01, burst=5, failure_burst=3))
    browser = served.browser("judge-1")
    assert [browser.get("/api/task").status_code for _ in range(6)] == [200, 200, 200, 200, 429, 429]
    assert served.browser("judge-2").get("/api/task").status_code == 200
    stranger = served.browser()
    wrong = [stranger.post("/api/enter", json={"token": "x" * 44}).status_code for _ in range(5)]
    assert wrong == [401, 401, 401, 429, 429]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_and_names_in_the_archive(place, name):
    pytest.importorskip("sqlalchemy", reason="needs sqlalchemy: pip install '.[test]'")
    pytest.importorskip("jinja2", reason="needs jinja2: pip install '.[test]'")
    from dataclasses import replace

    from understudy.judging.campaigns.store import Store

    text = HOSTILE[name]
    design = small_design(tasks=1)
    (segment,), (output,) = design.segments, design.outputs
    hostile = replace(
        design,
        segments=(replace(segment, source=text, reference=text, document=text),),
        outputs=(replace(output, text=text, systems=(text,)),),
        systems=(text,),
    )
    store = Store.create(place(), rows_and_tokens(hostile)[0])
    page = Campaign(store).archive()
    store.close()
    assert "<script" not in page
    assert not re.search(r"https?://|src=|@import", page.replace('name="viewport"', ""))


def test_a_task_with_hostile_texts_comes_as_it_is(place):
    pytest.importorskip("sqlalchemy", reason="needs sqlalchemy: pip install '.[test]'")
    from dataclasses import replace

    from understudy.judging.campaigns.desk import Desk
    from understudy.judging.campaigns.screens import task_screen
    from understudy.judging.campaigns.store import Store

    for text in HOSTILE.values():
        design = small_design(tasks=1)
        hostile = replace(design, outputs=(replace(design.outputs[0], text=text),))
        desk = Desk(Store.create(place(), rows_and_tokens(hostile)[0]))
        assert task_screen(desk, desk.judges[1], 1)["outputs"][0]["text"] == text
