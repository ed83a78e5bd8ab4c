"""Servers that are down or want other requests, and settings of endpoints."""

from __future__ import annotations

import re
import ssl
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from material.faulty_models import FaultyModel
from material.judge_questions import JUDGE, QUICK, endpoint, question, questions
from understudy.errors import BadParameter, ModelWarning
from understudy.language_models.asking import ask
from understudy.language_models.call_pool import ServerFailed
from understudy.language_models.endpoint import Endpoint
from understudy.language_models.judge import LanguageModelJudge


def test_retry_after_is_observed(store: Path):
    server = FaultyModel({"a": ["status 429 0.3"]})
    with server.running() as url:
        ask(JUDGE, [question("a")], endpoint=endpoint(url, store))
    assert server.times[1] - server.times[0] >= 0.3


def test_a_rate_limit_holds_for_all_calls(store: Path):
    names = [f"cat {number}" for number in range(40)]
    server = FaultyModel({names[1]: ["status 429 0.5"]})
    with server.running() as url:
        ask(JUDGE, list(map(question, names)), endpoint=endpoint(url, store, parallel=2))
    limited = next(place for place, (_, event) in enumerate(server.log) if event == "failed")
    later = [moment - server.times[limited] for moment in server.times[limited + 1 :]]
    # Those of the other thread until this one has read the reply: a few, on a busy machine.
    assert sum(each < 0.45 for each in later) < len(names) / 2


def test_too_long_a_wait_ends_the_run(store: Path):
    server = FaultyModel({"the cat sat 1": ["status 503 3600"] * 9})
    with (
        server.running() as url,
        pytest.raises(ServerFailed, match=r"asks to wait 3,600 seconds \(HTTP 503\)\. 1 of 2 answers"),
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


# --- endpoints ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"url": "localhost:8000"}, "expected an address such as"),
        ({"url": "ftp://localhost"}, "expected an address such as"),
        ({"url": "http://local host/v1"}, "expected an address such as"),
        ({"url": "http://localhost:port"}, "not a URL"),
        ({"url": "http://local..host/v1"}, "not a URL"),
        ({"url": f"http://{'a' * 64}.org/v1"}, "not a URL"),
        ({"url": "http://localhost/müller/v1?code=secret"}, "characters other than ASCII"),
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
