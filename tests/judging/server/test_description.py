"""The interface's own description: complete, without secrets, and what a fuzzer finds with it."""

from __future__ import annotations

import pytest

from material.small_campaign import fluency
from understudy.judging.server.limits import Limits

GENEROUS = Limits(requests_per_second=1e6, burst=10**6, failures_per_second=1e6, failure_burst=10**6)


def test_it_names_every_route_and_no_secret(served):
    reply = served.browser().get("/api/openapi.json")
    description = reply.json()
    routes = {(method.upper(), path) for path, methods in description["paths"].items() for method in methods}
    api = {("POST", "/api/enter"), ("POST", "/api/leave"), ("GET", "/api/campaign"), ("POST", "/api/profile")}
    assert routes == api | {
        ("GET", "/api/task"),
        ("POST", "/api/answers"),
        ("GET", "/api/lead"),
        ("GET", "/healthz"),
    }
    assert not any(
        text in reply.text for text in ("hidden-system", "Quelle", "judge-1", *served.tokens.values())
    )


def test_a_fuzzer_finds_no_error_of_the_server(serve):
    """Every request is sent by a judge, by the lead and by someone without a link. `--hypothesis-profile=searching`
    tries more.
    """
    schemathesis = pytest.importorskip("schemathesis", reason="needs schemathesis: pip install '.[test]'")
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st

    served = serve("mqm", limits=GENEROUS)
    browsers = [served.browser(who) for who in ("judge-1", "lead", None)]
    schema = schemathesis.openapi.from_dict(browsers[0].get("/api/openapi.json").json())
    operations = [operation.ok() for operation in schema.get_all_operations()]
    strategy = st.one_of(
        [operation.as_strategy() for operation in operations if operation.path != "/api/leave"]
    )

    @given(strategy)
    @settings(
        max_examples=25 if settings.default.derandomize else 1000,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    def no_error(case):
        arguments = case.as_transport_kwargs(base_url=served.url)
        for browser in browsers:
            reply = browser.request(
                arguments["method"],
                arguments["url"],
                params=arguments.get("params"),
                json=arguments.get("json"),
                headers={"Content-Type": "application/json"} if "json" in arguments else None,
            )
            assert reply.status_code < 500, reply.text
            assert "error" in reply.json() or reply.status_code == 200

    no_error()
    assert browsers[0].get("/healthz").json() == {"status": "ok"}


def test_answers_after_the_fuzzer_are_stored(served):
    """The description of an answer is right: one that follows it is accepted."""
    answers = {"answers": [fluency(1, "key-00001")]}
    assert served.browser("judge-1").post("/api/answers", json=answers).json()["refused"] == []
