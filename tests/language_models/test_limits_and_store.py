"""Limits before the first call, and the store of replies."""

from __future__ import annotations

import sqlite3
import threading
import zlib
from contextlib import closing
from pathlib import Path

import pytest

from material.faulty_models import FaultyModel
from material.judge_questions import JUDGE, endpoint, question, questions, scores
from understudy.errors import BadInput, MissingFile
from understudy.language_models import reply_store
from understudy.language_models.asking import Unasked, Unscored, ask, check_verdicts
from understudy.language_models.estimates import Estimate

# --- limits -------------------------------------------------------------------------------------------------------


def test_limits_are_checked_before_the_first_call(store: Path):
    server = FaultyModel()
    with server.running() as url:
        with pytest.raises(
            Unasked, match=r"9 calls to make, 0 replies stored; about .* cost unknown .*max_calls=8"
        ):
            ask(JUDGE, questions(9), endpoint=endpoint(url, store, max_calls=8))
        prices = {"price_in": 1e6, "price_out": 1e6, "max_cost": 100}
        with pytest.raises(Unasked, match=r"cost about .*max_cost=100"):
            ask(JUDGE, questions(9), endpoint=endpoint(url, store, **prices))
        assert server.log == []
        limited = endpoint(url, store, max_calls=8)
        ask(JUDGE, questions(5), endpoint=limited)
        with pytest.raises(Unasked, match="max_calls=8"):  # of all calls together
            ask(JUDGE, questions(9), endpoint=limited)
        assert len(server.log) == 5


def test_approval_is_asked_for_above_a_limit(store: Path):
    server, told = FaultyModel(), []

    def approve(planned, above: str) -> bool:
        told.append((planned.calls, planned.stored, above))
        return planned.calls < 8

    with server.running() as url:
        asking = endpoint(url, store, max_calls=3, approve=approve)
        ask(JUDGE, questions(3), endpoint=asking)
        ask(JUDGE, questions(7), endpoint=asking)
        with pytest.raises(Unasked, match="Nothing was asked"):
            ask(JUDGE, questions(20), endpoint=asking)
    assert told == [(3, 0, ""), (4, 3, "max_calls"), (13, 7, "")]


def test_time_and_tokens_are_estimated_from_earlier_replies(store: Path):
    class Brief(FaultyModel):
        def answer(self, asked):  # noqa: ARG002
            return '{"score": 5}'

    plans = []

    def approve(planned: Estimate, _: str) -> bool:
        plans.append(planned)
        return True

    with Brief().running() as url:
        for number in (5, 9):
            ask(JUDGE, questions(number), endpoint=endpoint(url, store, approve=approve))
    assert plans[0].seconds is None
    assert plans[1].seconds > 0
    assert plans[1].tokens_out == 4 * 2  # words, as the stand-in counts


def test_unscored_questions_are_an_error_with_all_kinds(store: Path):
    server = FaultyModel({"a": ["refusal"] * 9, "b": ["prose"] * 9, "c": ["prose"] * 9})
    with server.running() as url:
        found = ask(JUDGE, list(map(question, "abcd")), endpoint=endpoint(url, store))
    with pytest.raises(Unscored) as error:
        check_verdicts(list(found.values()), "judge", "Do something.")
    assert str(error.value) == (
        "judge: 3 items of 4 without a valid answer (no JSON in the reply 2, refusal 1). All others are answered and "
        "stored. Do something."
    )


# --- the store ----------------------------------------------------------------------------------------------------


def stored_bytes(path: Path) -> bytes:
    with sqlite3.connect(path) as connection:
        rows = connection.execute("SELECT request, response FROM replies").fetchall()
    connection.close()
    return b"".join(zlib.decompress(cell) for row in rows for cell in row)


def test_requests_and_replies_are_stored_as_they_were(store: Path):
    server = FaultyModel({"a": ["around"]})
    with server.running() as url:
        ask(JUDGE, [question("a")], endpoint=endpoint(url, store))
    kept = stored_bytes(store).decode()
    assert "Sure! Here is my {verdict}" in kept
    assert '"response_format": {"type": "json_schema"' in kept


def test_the_key_is_sent_and_kept_nowhere(store: Path):
    class Telltale(FaultyModel):
        def answer(self, asked):  # noqa: ARG002
            return '{"score": 5, "key": "secret-key-123"}'

    server = Telltale({"b": ["status 401"]})
    with server.running() as url:
        with_key = endpoint(url, store, api_key=" secret-key-123\n")
        ask(JUDGE, [question("a")], endpoint=with_key)
        assert server.headers[0]["Authorization"] == "Bearer secret-key-123"
        server.rejects = lambda _: "wrong key: secret-key-123"
        found = ask(JUDGE, [question("b")], endpoint=with_key)
    said = repr(found) + repr(with_key) + str(with_key)
    assert "wrong key: [key]" in said
    assert "secret" not in said
    assert b"secret" not in stored_bytes(store) + store.read_bytes()


def test_another_file_is_not_taken_for_a_store(tmp_path: Path):
    other = tmp_path / "other.sqlite3"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE texts (text)")
    connection.close()
    with pytest.raises(BadInput, match="is another SQLite file, expected one of replies"):
        ask(JUDGE, questions(1), endpoint=endpoint(None, other))
    (tmp_path / "text.txt").write_text("no database, but long enough to be one\n" * 100)
    with pytest.raises(BadInput, match="cannot be used: file is not a database"):
        ask(JUDGE, questions(1), endpoint=endpoint(None, tmp_path / "text.txt"))
    with pytest.raises(MissingFile, match="cannot open"):
        ask(JUDGE, questions(1), endpoint=endpoint(None, tmp_path / "text.txt" / "a"))


def test_a_damaged_reply(store: Path):
    with FaultyModel().running() as url:
        ask(JUDGE, questions(1), endpoint=endpoint(url, store))
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE replies SET response = x'00'")
    with pytest.raises(BadInput, match=r"the file of replies, has a damaged reply \(.*\)\. Use another one"):
        ask(JUDGE, questions(1), endpoint=endpoint(None, store))


def test_claims_of_processes_that_ended_are_void(store: Path):
    key = JUDGE.key(question("a"), 0, 0)
    with reply_store.open_store(store) as here, reply_store.open_store(store) as there:
        assert there.claim([key]) == [key]
        assert here.claim([key]) == []
        with sqlite3.connect(store) as connection:  # as if this process had been killed
            connection.execute("UPDATE processes SET process = 2147483646")
        connection.close()
        assert here.claim([key]) == [key]
        with sqlite3.connect(store) as connection:  # or another machine gave no sign of life
            connection.execute("UPDATE processes SET host = 'elsewhere', seen = seen - 60")
        connection.close()
        assert there.claim([key]) == [key]


def test_a_call_of_another_process_is_waited_for(store: Path):
    server = FaultyModel()
    found = []
    with server.running() as url, reply_store.open_store(store) as other:
        key = JUDGE.key(question("a"), 0, 0)
        other.claim([key])
        thread = threading.Thread(
            target=lambda: found.append(
                ask(JUDGE, [question("a"), question("b")], endpoint=endpoint(url, store))
            )
        )
        thread.start()
        while not server.answered["b"]:
            pass
        body = '{"choices": [{"message": {"content": "{\\"score\\": 7}"}, "finish_reason": "stop"}]}'
        other.keep(key, "model", JUDGE.prompt.digest, {}, reply_store.Reply(body))
        thread.join()
    assert scores(found[0])[0] == 7.0
    assert server.asked["a"] == 0
