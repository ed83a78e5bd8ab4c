"""A full disk, a second server, a killed server."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter

import pytest

from material.small_campaign import answers_to, fluency, rows_and_tokens, small_design
from understudy.judging.campaigns.store import StorageFailed

SERVE = (
    "import sys; from understudy import Campaign; "
    "Campaign.open(sys.argv[1]).serve(port=0, ready=lambda at: print(at, flush=True))"
)


class Disk:
    """A disk that can be full: SQLite may use no further page, PostgreSQL's error comes from a trigger."""

    full = False

    def fill(self, served):
        import sqlalchemy as sa

        self.full = True
        if served.store.file is None:
            with served.store.writing() as connection:
                connection.exec_driver_sql(
                    "CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION "
                    "'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$"
                )
                connection.exec_driver_sql(
                    "CREATE TRIGGER full_disk BEFORE INSERT ON answers EXECUTE FUNCTION disk_full()"
                )
            return

        @sa.event.listens_for(served.store.engine, "connect")
        def limit(connection, _record):
            if self.full:
                connection.execute("PRAGMA max_page_count = 1")  # the fewest possible: those that there are

        served.writer._disconnect()  # its connection is from before

    def free(self, served):
        self.full = False
        if served.store.file is None:
            with served.store.writing() as connection:
                connection.exec_driver_sql("DROP TRIGGER full_disk ON answers")
        served.writer._disconnect()


def keys(served):
    with served.store.reading() as connection:
        return [row.key for row in connection.execute(served.store.tables.answers.select())]


def test_a_full_disk_is_said_and_nothing_is_lost(serve):
    served, disk = serve(tasks=60), Disk()
    browser = served.browser("judge-1")
    disk.fill(served)
    stored, refused = [], None
    for number in range(1, 61):
        answer = fluency(number, f"key-{number:05}", comment="long " * 1900)
        reply = browser.post("/api/answers", json={"answers": [answer]})
        if reply.status_code != 200:
            refused = answer
            break
        stored += reply.json()["stored"]
    assert refused is not None
    assert reply.status_code == 507
    assert "stay in this browser" in reply.json()["error"]
    assert "the disk is full" in served.browser("lead").get("/api/lead").json()["storage"]
    assert browser.get("/api/task").status_code == 200
    assert keys(served) == stored
    disk.free(served)
    assert browser.post("/api/answers", json={"answers": [refused]}).json()["stored"] == [refused["key"]]
    assert keys(served) == [*stored, refused["key"]]
    assert served.browser("lead").get("/api/lead").json()["storage"] is None


def test_who_runs_the_server_and_the_lead_learn_of_it(serve, monkeypatch, caplog):
    """Not even a session can be stored: the lead's page opens nevertheless."""
    served = serve(tasks=5)
    browser = served.browser("judge-1")
    with monkeypatch.context() as full:
        full.setattr(served.writer, "_attempt", lambda rows: StorageFailed("the disk is full."))  # noqa: ARG005
        for number in (1, 2):
            reply = browser.post("/api/answers", json={"answers": [fluency(number, f"key-{number:05}")]})
            assert reply.status_code == 507
        assert "the disk is full" in served.browser("lead").get("/api/lead").json()["storage"]
        entering = served.browser().post("/api/enter", json={"token": served.tokens["judge-2"]})
        assert entering.status_code == 507
    assert browser.post("/api/answers", json={"answers": [fluency(1, "key-00001")]}).status_code == 200
    assert [record.getMessage() for record in caplog.records if "understudy" in record.name] == [
        "understudy: error: the disk is full. Answers wait in the browsers of the judges.",
        "understudy: answers are stored again.",
    ]


def test_a_second_server_refuses(served):
    command = [sys.executable, "-c", SERVE, served.where]
    second = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert second.returncode != 0
    assert "is already being served. Stop the other server first." in second.stderr
    assert served.browser("judge-1").get("/api/task").status_code == 200


def test_every_acknowledged_answer_is_there_once_after_kills(place):
    """Several judges answer while the server is killed again and again at arbitrary moments."""
    pytest.importorskip("uvicorn", reason="needs uvicorn: pip install '.[test]'")
    httpx = pytest.importorskip("httpx", reason="needs httpx: pip install '.[test]'")
    from understudy.judging.campaigns.store import Store

    where, judges = place(), 8
    rows, tokens = rows_and_tokens(small_design("da", judges=judges, tasks=4000))
    store = Store.create(where, rows)
    acknowledged: list[str] = []
    for moment in (0.31, 0.12, 0.57):
        server = subprocess.Popen([sys.executable, "-c", SERVE, where], stdout=subprocess.PIPE, text=True)
        address = server.stdout.readline().strip()
        players = [
            threading.Thread(target=play, args=(httpx, address, tokens[f"judge-{number}"], acknowledged))
            for number in range(1, judges + 1)
        ]
        before = len(acknowledged)
        for player in players:
            player.start()
        while len(acknowledged) < before + judges:  # under load
            time.sleep(0.01)
        time.sleep(moment)
        os.kill(server.pid, signal.SIGKILL)
        server.wait()
        server.stdout.close()
        for player in players:
            player.join()
    with store.reading() as connection:
        stored = Counter(row.key for row in connection.execute(store.tables.answers.select()))
    assert set(acknowledged) <= set(stored)
    assert max(stored.values()) == 1
    store.close()


def play(httpx, address, token, acknowledged):
    """Answer as fast as possible until the server is gone."""
    with httpx.Client(base_url=address, trust_env=False) as browser:
        try:
            browser.post("/api/enter", json={"token": token})
            task = browser.get("/api/task").json()
            while task:
                key = f"{token[:8]}-{task['task']:06}"
                reply = browser.post("/api/answers", json={"answers": [answers_to(task, key)]}).json()
                acknowledged.extend(reply["stored"])
                task = reply["next"]
        except httpx.TransportError:
            return
