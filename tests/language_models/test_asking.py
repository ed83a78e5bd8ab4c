"""Questions to a server that fails in every way: each is answered or reported once, and nothing is asked twice."""

from __future__ import annotations

import itertools
import re
import sqlite3
import ssl
import threading
import zlib
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from material.faulty_models import CONTENTS, FAILURES, INVALID, FaultyModel
from understudy.errors import BadInput, BadParameter, MissingFile, ModelWarning
from understudy.language_models import reply_store
from understudy.language_models.answers import (
    CUT_OFF,
    FILTERED,
    NO_JSON,
    OUT_OF_RANGE,
    REFUSAL,
    SEVERAL,
    WRONG_TYPE,
)
from understudy.language_models.asking import Unasked, Unscored, ask, check_verdicts
from understudy.language_models.call_pool import ServerFailed
from understudy.language_models.endpoint import Endpoint, Patience
from understudy.language_models.estimates import Estimate
from understudy.language_models.judge import LanguageModelJudge, Texts

REFERENCE = "the cat sat on the mat"
QUICK = Patience(calls=4, first=0.001, longest=0.004, timeout=0.4)
JUDGE = LanguageModelJudge("model", "score")


def question(translation: str) -> Texts:
    return (("translation", translation), ("reference", REFERENCE))


def questions(number: int) -> list[Texts]:
    return [question(f"the cat sat {each}") for each in range(number)]


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "replies.sqlite3"


def endpoint(url: str | None, store: Path, **more) -> Endpoint:
    return Endpoint(url, replies=store, **{"patience": QUICK, **more})


def scores(verdicts) -> list[float]:
    return [verdict.score for verdict in verdicts.values()]


# --- all faults at once -------------------------------------------------------------------------------------------

PROBLEMS = {
    **{"refusal": REFUSAL, "filtered": FILTERED, "filter-error": FILTERED, "length": CUT_OFF},
    **dict.fromkeys(("prose", "invalid", "unfinished", "nan", "null", "list", "twice"), NO_JSON),
    **dict.fromkeys(("text", "boolean", "other-key"), WRONG_TYPE),
    **dict.fromkeys(("too-high", "negative", "infinite"), OUT_OF_RANGE),
    "two": SEVERAL,
}
TRANSIENT = [
    *(
        "status 429",
        "status 429 0.05",
        "status 500",
        "status 502",
        "status 503 0",
        "status 529",
        "status 408",
    ),
    *("late 0.6", "drop", "cut", "drip", "endless", "garbage", "other-json"),
]


def test_every_fault_is_tried():
    assert {*PROBLEMS} == {*INVALID}
    assert {fault.split()[0] for fault in TRANSIENT} == {*FAILURES}


@pytest.mark.parametrize("parallel", [1, 12])
def test_every_question_is_answered_or_reported_once(store: Path, parallel: int):
    """Each fault once, then a good reply; each invalid reply for ever; each failure for ever."""
    once = {f"cat {fault}": [fault] for fault in (*TRANSIENT, *INVALID)}
    valid = {f"cat {kind}": [kind] for kind in CONTENTS if kind not in INVALID}
    never = {f"never {kind}": [kind] * 99 for kind in INVALID}
    failing = {f"never {fault}": [fault] * 99 for fault in ("status 500", "drop", "cut", "garbage")}
    plain = [f"plain {number}" for number in range(10)]
    server = FaultyModel({**once, **valid, **never, **failing})
    asked = [question(name) for name in itertools.chain(plain, once, valid, never, failing)]
    with server.running() as url:
        found = ask(JUDGE, asked, endpoint=endpoint(url, store, parallel=parallel))
    assert list(found) == asked
    problems = {dict(texts)["translation"]: verdict.problem for texts, verdict in found.items()}
    for name in (*plain, *once, *valid):
        assert problems[name] == "", name
    for kind in INVALID:
        assert problems[f"never {kind}"] == PROBLEMS[kind]
        assert server.answered[f"never {kind}"] == JUDGE.tries
    for name in failing:
        assert problems[name].startswith("no reply (")
        assert server.asked[name] == QUICK.calls or "drop" in name  # a kept connection may have ended before
    for name in (*plain, *valid):
        assert server.answered[name] == 1


def test_a_second_run_asks_only_for_what_had_no_reply(store: Path):
    faults = {"a": ["refusal"] * 99, "b": ["status 500"] * QUICK.calls}
    server = FaultyModel(faults)
    asked = [question(name) for name in ("a", "b", "c")]
    with server.running() as url:
        first = ask(JUDGE, asked, endpoint=endpoint(url, store))
        before = len(server.log)
        second = ask(JUDGE, asked, endpoint=endpoint(url, store))
    assert [verdict.problem for verdict in first.values()] == [REFUSAL, "no reply (HTTP 500)", ""]
    assert [verdict.problem for verdict in second.values()] == [REFUSAL, "", ""]
    assert [text for text, _ in server.log[before:]] == ["b"]


def test_more_tries_ask_for_more_replies_alone(store: Path):
    server = FaultyModel({"a": ["refusal"] * 4})
    with server.running() as url:
        server_and_store = endpoint(url, store)
        assert ask(JUDGE, [question("a")], endpoint=server_and_store)[question("a")].problem == REFUSAL
        more = LanguageModelJudge("model", "score", tries=6)
        assert ask(more, [question("a")], endpoint=server_and_store)[question("a")].problem == ""
    assert server.asked["a"] == 5
    assert len({request["seed"] for request in server.requests}) == 5  # else the same reply would come again


def test_the_order_of_replies_does_not_change_the_result(tmp_path: Path):
    delays = {f"the cat sat {each}": [f"late {each % 5 * 0.01}"] for each in range(40)}
    found = []
    for parallel in (1, 16):
        with FaultyModel(delays).running() as url:
            where = tmp_path / f"{parallel}.sqlite3"
            found.append(ask(JUDGE, questions(40), endpoint=endpoint(url, where, parallel=parallel)))
    assert found[0] == found[1]
    assert list(found[0]) == list(found[1])


def test_the_same_store_gives_the_same_answers_without_a_server(store: Path):
    with FaultyModel().running() as url:
        found = ask(JUDGE, questions(9), endpoint=endpoint(url, store))
    assert ask(JUDGE, questions(9), endpoint=endpoint(None, store)) == found
    with pytest.raises(Unasked, match=r"1 call to make, 9 replies stored;.* No server is given"):
        ask(JUDGE, questions(10), endpoint=endpoint(None, store))


def test_samples_are_separate_calls_with_mean_and_deviation(store: Path):
    class Varying(FaultyModel):
        def answer(self, asked):
            return f'{{"score": {10 + asked["seed"] // 1000}}}'

    server = Varying()
    judge = LanguageModelJudge("model", "score", samples=3, temperature=0.7)
    with server.running() as url:
        verdict = ask(judge, [question("a")], endpoint=endpoint(url, store))[question("a")]
    assert (verdict.score, verdict.deviation) == (11.0, 1.0)
    assert server.asked["a"] == 3
    assert {request["temperature"] for request in server.requests} == {0.7}


@pytest.mark.parametrize(
    "other",
    [
        LanguageModelJudge("other", "score"),
        LanguageModelJudge("model", "spans"),
        LanguageModelJudge("model", "score", language="de-en"),
        LanguageModelJudge("model", "score", temperature=0.5),
        LanguageModelJudge("model", "score", seed=1),
        LanguageModelJudge("model", "score", reply_format="none"),
    ],
)
def test_whatever_changes_a_request_is_part_of_its_key(store: Path, other: LanguageModelJudge):
    server = FaultyModel()
    with server.running() as url:
        ask(JUDGE, [question("a")], endpoint=endpoint(url, store))
        ask(other, [question("a")], endpoint=endpoint(url, store))
    assert server.asked["a"] == 2


# --- servers that are down, or want other requests ---------------------------------------------------------------


def test_retry_after_is_observed(store: Path):
    server = FaultyModel({"a": ["status 429 0.3"]})
    with server.running() as url:
        ask(JUDGE, [question("a")], endpoint=endpoint(url, store))
    assert server.times[1] - server.times[0] >= 0.3


def test_a_rate_limit_holds_for_all_calls(store: Path):
    names = [f"cat {number}" for number in range(8)]
    server = FaultyModel({names[1]: ["status 429 0.5"]})
    with server.running() as url:
        ask(JUDGE, list(map(question, names)), endpoint=endpoint(url, store, parallel=2))
    limited = next(place for place, (_, event) in enumerate(server.log) if event == "failed")
    later = [moment - server.times[limited] for moment in server.times[limited + 1 :]]
    assert sum(each < 0.45 for each in later) <= 1  # the call that was under way in the other thread


def test_too_long_a_wait_ends_the_run(store: Path):
    server = FaultyModel({"the cat sat 1": ["status 429 3600"] * 9})
    with (
        server.running() as url,
        pytest.raises(ServerFailed, match=r"asks to wait 3,600 seconds .*1 of 2 answers"),
    ):
        ask(JUDGE, questions(2), endpoint=endpoint(url, store, parallel=1))


def test_a_server_that_fails_is_not_asked_to_the_end(store: Path):
    names = {f"the cat sat {each}": ["status 503"] * 99 for each in range(5, 100)}
    server = FaultyModel(names)
    with server.running() as url:
        server_and_store = endpoint(url, store, parallel=1)
        with pytest.raises(ServerFailed, match=r"8 calls in a row got no reply \(HTTP 503\), each after 4"):
            ask(JUDGE, questions(100), endpoint=server_and_store)
        assert len(server.log) == 5 + 8 * QUICK.calls
        server.faults.clear()
        assert len(ask(JUDGE, questions(100), endpoint=server_and_store)) == 100
    assert {*server.answered.values()} == {1}


def test_a_server_that_never_replies_is_given_up_early(store: Path):
    server = FaultyModel({f"the cat sat {each}": ["status 500"] * 99 for each in range(100)})
    with server.running() as url:
        server_and_store = endpoint(url, store)
        with pytest.raises(
            ServerFailed, match=r"2 calls in a row got no reply \(HTTP 500\).* 0 of 100 answers are there"
        ):
            ask(JUDGE, questions(100), endpoint=server_and_store)
        assert len(server.log) == 2 * QUICK.calls
        server.faults.clear()
        assert len(ask(JUDGE, questions(100), endpoint=server_and_store)) == 100
    assert {*server.answered.values()} == {1}


@pytest.mark.parametrize(("status", "said"), [(401, "HTTP 401: busy"), (404, "HTTP 404"), (302, "redirects")])
def test_a_server_that_rejects_calls_is_asked_once(store: Path, status: int, said: str):
    server = FaultyModel({f"the cat sat {each}": [f"status {status}"] * 99 for each in range(9)})
    with server.running() as url, pytest.raises(ServerFailed, match=said):
        ask(JUDGE, questions(9), endpoint=endpoint(url, store))
    assert len(server.log) == 1


def test_nobody_listens(store: Path):
    with pytest.raises(ServerFailed, match=r"chat/completions: connection refused\. Check the address"):
        ask(JUDGE, questions(20), endpoint=endpoint("http://127.0.0.1:9/v1", store))


@pytest.mark.parametrize(
    ("refused", "notes"),
    [
        (("json_schema",), ["response_format json_schema"]),
        (("json_schema", "json_object"), ["response_format json_schema", "response_format json_object"]),
        (("max_tokens",), []),
        (("seed",), ["a random seed"]),
        (("max_tokens", "seed", "json_schema"), ["a random seed", "response_format json_schema"]),
    ],
)
def test_other_forms_of_request(store: Path, refused: Sequence[str], notes: Sequence[str]):
    """The first call finds the form that the server takes. All others have it."""
    messages = {
        "json_schema": "response_format 'json_schema' is not supported",
        "json_object": "response_format is not supported",
        "max_tokens": "use 'max_completion_tokens' instead",
        "seed": "unknown parameter: seed",
    }

    def rejects(asked) -> str:
        has = [asked.get("response_format", {}).get("type"), *asked]
        return next((messages[name] for name in messages if name in refused and name in has), "")

    server = FaultyModel()
    server.rejects = rejects
    told: Any = pytest.warns(ModelWarning) if notes else nullcontext([])
    with server.running() as url, told as warned:
        found = ask(JUDGE, questions(9), endpoint=endpoint(url, store))
    assert not any(verdict.problem for verdict in found.values())
    assert len(server.requests) == 9 + len(refused)
    said = [str(each.message).partition("it does not take ")[2] for each in warned]
    assert sorted(said) == sorted(f"{note}; asked without it." for note in notes)


def test_a_given_format_is_not_changed(store: Path):
    server = FaultyModel()
    server.rejects = lambda asked: "no" if "response_format" in asked else ""
    strict = LanguageModelJudge("model", "score", reply_format="json_object")
    with (
        server.running() as url,
        pytest.raises(ServerFailed, match=r"every call is rejected .*\(HTTP 400: no\)"),
    ):
        ask(strict, questions(9), endpoint=endpoint(url, store))
    assert len(server.requests) == 3


def test_a_question_that_the_server_rejects_is_reported(store: Path):
    server = FaultyModel()
    server.rejects = lambda asked: "too long" if "sat 4" in asked["messages"][-1]["content"] else ""
    with server.running() as url:
        found = ask(JUDGE, questions(6), endpoint=endpoint(url, store))
    assert [verdict.problem for verdict in found.values() if verdict.problem] == [
        "rejected by the server (HTTP 400: too long)"
    ]


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


# --- endpoints ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"url": "localhost:8000"}, "expected an address such as"),
        ({"url": "ftp://localhost"}, "expected an address such as"),
        ({"url": "http://local host/v1"}, "expected an address such as"),
        ({"url": "http://localhost:port"}, "not a URL"),
        ({"url": "https://me:secret@localhost/v1"}, "has a user name or password"),
        ({"api_key": "a b"}, "the API key is empty or has characters"),
        ({"api_key": "  "}, "the API key is empty or has characters"),
        ({"parallel": 0}, "parallel=0: expected an integer from 1 to 256"),
        ({"max_cost": 1}, "the prices of tokens are not known"),
        ({"price_in": -1}, "price_in=-1: expected a number of at least 0"),
        ({"paralell": 2}, "unknown option 'paralell'"),
    ],
)
def test_wrong_settings(settings, said: str):
    with pytest.raises(BadParameter, match=said) as error:
        Endpoint(**settings)
    assert "secret" not in str(error.value)


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("http://h/v1", "http://h/v1/chat/completions"),
        ("http://h:8000", "http://h:8000/chat/completions"),
        ("https://h/v1/chat/completions/", "https://h/v1/chat/completions"),
        ("https://h/openai?api-version=1&code=secret", "https://h/openai/chat/completions"),
    ],
)
def test_addresses(url: str, place: str):
    assert Endpoint(url).place == place


def test_a_key_without_encryption():
    for url in ("http://localhost:1/v1", "http://127.0.0.1/v1", "http://[::1]/v1", "https://example.org/v1"):
        Endpoint(url, api_key="secret")
    with pytest.warns(ModelWarning, match="the key is sent to 'example.org' without encryption") as told:
        Endpoint("http://example.org/v1", api_key="secret")
    assert "secret" not in str(told[0].message)


def test_endpoints_in_use_are_nested():
    with Endpoint("http://a") as outer:
        with Endpoint("http://b") as inner:
            assert Endpoint.default is inner
        assert Endpoint.default is outer
    assert Endpoint.default is None


def test_redirects_are_not_followed_and_proxies_not_used(store: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")

    class Redirecting(FaultyModel):
        def respond(self, handler, asked):  # noqa: ARG002
            handler.send(307, "", {"Location": elsewhere})

    other = FaultyModel()
    with other.running() as elsewhere, Redirecting().running() as url:
        with pytest.raises(ServerFailed, match="redirects are not followed"):
            ask(JUDGE, questions(2), endpoint=endpoint(url, store, api_key="key"))
        assert other.log == []
        ask(JUDGE, questions(2), endpoint=endpoint(elsewhere, store))
    assert len(other.log) == 2


def test_certificates_are_checked(store: Path):
    """A server whose certificate nobody trusts gets no request, and one without TLS none either."""

    server = FaultyModel()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(Path(__file__).parents[1] / "material" / "untrusted.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    with server.running() as url, pytest.raises(ServerFailed, match="the certificate is not valid: self"):
        ask(JUDGE, questions(9), endpoint=endpoint(url.replace("http:", "https:"), store))
    assert server.log == []
    plain = FaultyModel()
    with plain.running() as url, pytest.raises(ServerFailed, match=re.escape("(TLS failed)")):
        ask(JUDGE, questions(9), endpoint=endpoint(url.replace("http:", "https:"), store))
    assert plain.log == []
