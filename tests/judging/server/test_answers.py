"""Answers through the interface: stored once, in order, and no text before its step."""

from __future__ import annotations

from material.small_campaign import fluency


def rows(served):
    with served.store.reading() as connection:
        table = served.store.tables.answers
        return connection.execute(table.select().order_by(table.c.id)).all()


def test_an_answer_is_stored_and_the_next_task_comes_with_the_reply(served):
    browser = served.browser("judge-1")
    browser.post("/api/answers", json={"answers": [fluency(1, "key-00001")]})
    reply = browser.post("/api/answers", json={"answers": [fluency(1, "key-00002", 5, "adequacy")]}).json()
    assert reply["stored"] == ["key-00002"]
    assert (reply["progress"]["done"], reply["next"]["task"]) == (1, 2)
    assert [(row.step, row.payload["values"]) for row in rows(served)] == [
        ("fluency", {"o1": 4}),
        ("adequacy", {"o1": 5}),
    ]


def test_the_same_key_is_stored_once_and_answered_the_same_way(served):
    browser = served.browser("judge-1")
    replies = [
        browser.post("/api/answers", json={"answers": [fluency(1, "key-00001")] * 2}) for _ in range(2)
    ]
    assert replies[0].json() == replies[1].json()
    assert len(rows(served)) == 1


def test_the_same_key_with_another_answer_is_refused(served):
    """Nothing is confirmed that is not stored."""
    browser = served.browser("judge-1")
    first, changed, elsewhere = (
        fluency(1, "key-00001"),
        fluency(1, "key-00001", value=2),
        fluency(2, "key-00001"),
    )
    assert browser.post("/api/answers", json={"answers": [first]}).json()["stored"] == ["key-00001"]
    for other in (changed, elsewhere):
        reply = browser.post("/api/answers", json={"answers": [other, fluency(2, "key-00002")]}).json()
        assert (reply["stored"], reply["refused"][0]["key"]) == (["key-00002"], "key-00001")
        assert "Use a new one" in reply["refused"][0]["error"]
    both = [fluency(3, "key-00003"), fluency(3, "key-00003", value=1)]
    reply = browser.post("/api/answers", json={"answers": both}).json()
    assert (reply["stored"], len(reply["refused"])) == (["key-00003"], 1)
    profile = browser.post("/api/profile", json={"key": "key-00001"})
    assert profile.status_code == 400
    assert len(rows(served)) == 3


def test_two_judges_may_choose_the_same_key(served):
    for name in ("judge-1", "judge-2"):
        browser = served.browser(name)
        assert browser.post("/api/answers", json={"answers": [fluency(1, "key-00001")]}).json()["stored"]
    assert len(rows(served)) == 2


def test_a_changed_answer_keeps_the_old_one(served):
    browser = served.browser("judge-1")
    for key, value in (("key-00001", 2), ("key-00002", 3)):
        browser.post(
            "/api/answers", json={"answers": [fluency(1, "f" + key), fluency(1, key, value, "adequacy")]}
        )
    assert [row.payload["values"]["o1"] for row in rows(served) if row.step == "adequacy"] == [2, 3]
    assert browser.get("/api/task?position=1").json()["answers"]["adequacy"]["values"] == {"o1": 3}


def test_the_reference_leaves_the_server_after_fluency_is_stored(served):
    browser = served.browser("judge-1")
    before = browser.get("/api/task")
    assert before.json()["step"] == "fluency"
    assert "secret reference" not in before.text
    after = browser.post("/api/answers", json={"answers": [fluency(1, "key-00001")]}).json()["next"]
    assert (after["step"], after["reference"]["text"]) == ("adequacy", "secret reference 1")


def test_fluency_cannot_be_changed_once_the_reference_was_shown(served):
    browser = served.browser("judge-1")
    browser.post("/api/answers", json={"answers": [fluency(1, "key-00001")]})
    (refused,) = browser.post("/api/answers", json={"answers": [fluency(1, "key-00002", 1)]}).json()[
        "refused"
    ]
    assert "cannot be changed" in refused["error"]
    assert len(rows(served)) == 1


def test_nothing_names_a_system(served):
    browser = served.browser("judge-1")
    assert "hidden-system" not in browser.get("/api/task").text + browser.get("/api/campaign").text


def test_a_task_of_no_one_is_refused_and_the_others_are_stored(served):
    answers = [fluency(99, "key-00001"), fluency(2, "key-00002")]
    reply = served.browser("judge-1").post("/api/answers", json={"answers": answers}).json()
    assert reply["stored"] == ["key-00002"]
    assert reply["refused"] == [{"key": "key-00001", "error": "task: this is none of your tasks."}]


def test_a_skipped_task_is_done(served):
    answer = {"key": "key-00001", "task": 1, "step": "fluency", "payload": {"skipped": True}}
    reply = served.browser("judge-1").post("/api/answers", json={"answers": [answer]}).json()
    assert (reply["progress"]["done"], reply["next"]["task"]) == (1, 2)


def test_a_finished_judge_has_no_task(serve):
    served = serve(tasks=1, completion_code="C0DE")
    browser = served.browser("judge-1")
    assert browser.get("/api/campaign").json()["completion"] is None
    answers = [fluency(1, "key-00001"), fluency(1, "key-00002", 5, "adequacy")]
    assert browser.post("/api/answers", json={"answers": answers}).json()["next"] is None
    assert browser.get("/api/task").json() == {"task": None}
    assert browser.get("/api/campaign").json()["completion"]["code"] == "C0DE"
