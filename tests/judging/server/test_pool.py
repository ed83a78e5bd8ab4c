"""Campaigns whose tasks come from a pool: shared, stored with the first answer, and the same after a new start."""

from __future__ import annotations

import pytest

from material.small_campaign import answers_to
from understudy.judging.campaigns.campaign import Campaign
from understudy.judging.campaigns.desk import Desk


@pytest.fixture(params=["pool", "dynamic"])
def pooled(request, serve):
    return serve("da", judges=3, tasks=6, assignment=request.param, judgments_per_item=1, assignments={})


def play(browser, most=100):
    """Answer everything; the ids of the tasks."""
    task = browser.get("/api/task").json()
    done: list[int] = []
    while task and task["task"] is not None and len(done) < most:
        done.append(task["task"])
        reply = browser.post(
            "/api/answers", json={"answers": [answers_to(task, f"key-{task['task']:06}")]}
        ).json()
        assert reply["refused"] == []
        task = reply["next"]
    return done


def test_every_task_is_judged_as_often_as_planned(pooled):
    first = play(pooled.browser("judge-1"), most=2)
    second = play(pooled.browser("judge-2"))
    rest = play(pooled.browser("judge-1"))
    assert sorted(first + second + rest) == [1, 2, 3, 4, 5, 6]
    assert [judge.done for judge in Campaign(pooled.store).status().judges] == [
        len(first + rest),
        len(second),
        0,
    ]


def test_looking_at_a_task_stores_nothing_and_gives_the_same_again(pooled):
    browser = pooled.browser("judge-1")
    assert browser.get("/api/task").json() == browser.get("/api/task").json()
    with pooled.store.reading() as connection:
        assert connection.execute(pooled.store.tables.assignments.select()).all() == []


def test_an_answer_to_a_task_that_was_taken_before_the_server_stopped(pooled):
    """The server that starts again does not know who looked at what."""
    browser = pooled.browser("judge-1")
    (open_task,) = [browser.get("/api/task").json()]
    other = next(task for task in range(1, 7) if task != open_task["task"])
    answer = answers_to({**open_task, "task": other}, "key-00001")
    assert browser.post("/api/answers", json={"answers": [answer]}).json()["stored"] == ["key-00001"]


def test_the_state_is_rebuilt_from_the_store(pooled):
    done = play(pooled.browser("judge-1"), most=4)
    again = Desk(pooled.store)
    (judge,) = [judge for judge in again.judges.values() if judge.name == "judge-1"]
    assert judge.tasks == done
    assert again.pool.left("judge-2") == 2
