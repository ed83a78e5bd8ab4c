"""No route gives anything away to someone without a valid link, and none to the wrong person."""

from __future__ import annotations

import time

from material.small_campaign import fluency

GUARDED = [
    ("GET", "/api/campaign", None),
    ("GET", "/api/task", None),
    ("GET", "/api/task?position=1", None),
    ("GET", "/api/lead", None),
    ("POST", "/api/profile", {"key": "key-00001", "consent": True}),
    ("POST", "/api/answers", {"answers": [fluency(1, "key-00001")]}),
]
NOTHING = {"error": "Open your personal link first."}
SECRETS = ("judge-1", "judge-2", "hidden-system", "Quelle", "Output", "reference", "small")


def answer_of(browser, method, path, body):
    return browser.request(method, path, json=body)


def every_answer(browser):
    return [answer_of(browser, *route) for route in GUARDED]


def cookie_of(browser):
    ((name, value),) = browser.cookies.items()
    return name, value


def stored_answers(served):
    with served.store.reading() as connection:
        return connection.execute(served.store.tables.answers.select()).all()


def test_nothing_without_a_session(served):
    replies = every_answer(served.browser())
    assert [(reply.status_code, reply.json()) for reply in replies] == [(401, NOTHING)] * len(GUARDED)
    assert stored_answers(served) == []


def test_nothing_with_a_session_that_is_not_quite_right(served):
    name, value = cookie_of(served.browser("judge-1"))
    another_character = value[:-1] + ("A" if value[-1] != "A" else "B")
    for wrong in (value[:-1], value + "A", another_character, served.tokens["judge-1"], ""):
        browser = served.browser()
        browser.cookies.set(name, wrong)
        replies = [(reply.status_code, reply.json()) for reply in every_answer(browser)]
        assert replies == [(401, NOTHING)] * len(GUARDED), wrong


def test_a_wrong_link_opens_nothing(served):
    truncated, session = served.tokens["judge-1"][:-1], cookie_of(served.browser("judge-1"))[1]
    no_links = ("", "x", None, 7, ["a"], {"$ne": ""}, "A" * 44, "\0", "é" * 44, truncated, session)
    for token in no_links:
        reply = served.browser().post("/api/enter", json={"token": token})
        assert reply.status_code == 401, token
        assert reply.cookies == {}, token
        assert not any(secret in reply.text for secret in SECRETS), token


def test_a_judge_cannot_see_the_lead_page(served):
    reply = served.browser("judge-1").get("/api/lead")
    assert (reply.status_code, list(reply.json())) == (403, ["error"])


def test_a_lead_cannot_judge(served):
    for browser in map(served.browser, ("lead", "viewer")):
        assert browser.get("/api/task").status_code == 403
        assert browser.post("/api/answers", json={"answers": [fluency(1, "key-00001")]}).status_code == 403
    assert stored_answers(served) == []


def test_a_viewer_sees_no_names(served):
    assert "judge-1" in served.browser("lead").get("/api/lead").text
    assert "judge-1" not in served.browser("viewer").get("/api/lead").text


def test_one_judge_sees_nothing_of_another(served):
    served.browser("judge-1").post("/api/answers", json={"answers": [fluency(1, "key-00001", 2)]})
    task = served.browser("judge-2").get("/api/task?position=1").json()
    assert (task["answers"], task["step"], task["reference"]) == ({}, "fluency", None)


def test_leaving_ends_the_session_for_good(served):
    browser = served.browser("judge-1")
    name, value = cookie_of(browser)
    assert browser.post("/api/leave", json={}).status_code == 200
    again = served.browser()
    again.cookies.set(name, value)
    assert again.get("/api/task").status_code == 401


def test_revoked_while_the_server_runs(served):
    from understudy.judging.campaigns.campaign import Campaign

    browser, other = served.browser("judge-1"), served.browser("judge-2")
    Campaign(served.store).revoke(["judge-1"])
    until = time.monotonic() + 10
    while browser.get("/api/task").status_code == 200 and time.monotonic() < until:
        time.sleep(0.05)
    assert [reply.status_code for reply in every_answer(browser)] == [401] * len(GUARDED)
    assert served.browser().post("/api/enter", json={"token": served.tokens["judge-1"]}).status_code == 401
    assert other.get("/api/task").status_code == 200


def test_a_new_link_is_valid_while_the_server_runs_and_the_old_one_stays(served):
    from understudy.judging.campaigns.campaign import Campaign

    (link,) = Campaign(served.store).links(["judge-1"])
    until = time.monotonic() + 10
    browser = served.browser()
    while browser.post("/api/enter", json={"token": link.token}).status_code != 200:
        assert time.monotonic() < until
        time.sleep(0.05)
    assert served.browser("judge-1").get("/api/task").status_code == 200


def test_the_database_has_no_token(served):
    _, session = cookie_of(served.browser("judge-1"))
    tokens = [*served.tokens.values(), session]
    with served.store.reading() as connection:
        everything = "".join(str(connection.execute(table.select()).all()) for table in served.store.tables)
    assert not any(token in everything for token in tokens)


def test_a_post_from_another_page_is_refused(served):
    browser = served.browser("judge-1")
    answers = {"answers": [fluency(1, "key-00001")]}
    for origin in ("http://evil.example", "null", "http://127.0.0.1", "https://127.0.0.1:1", "http://[", ""):
        reply = browser.post("/api/answers", json=answers, headers={"Origin": origin})
        assert reply.status_code == 403, origin
    assert stored_answers(served) == []


def test_a_post_from_the_page_itself(served):
    browser = served.browser("judge-1")
    answers = {"answers": [fluency(1, "key-00001")]}
    assert browser.post("/api/answers", json=answers, headers={"Origin": served.url}).status_code == 200


def test_a_get_changes_nothing(served):
    def everything():
        with served.store.reading() as connection:
            return [connection.execute(table.select()).all() for table in served.store.tables]

    browser, before = served.browser("judge-1"), None
    before = everything()
    for path in (
        "/",
        "/healthz",
        "/api/campaign",
        "/api/task",
        "/api/task?position=2",
        "/api/lead",
        "/api/openapi.json",
    ):
        browser.get(path)
        browser.head(path)
    assert everything() == before
    for path in ("/api/enter", "/api/leave", "/api/answers", "/api/profile"):
        assert browser.get(path).status_code == 405
