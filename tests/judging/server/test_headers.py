"""Headers of every response, and cookies."""

from __future__ import annotations

import itertools

import pytest

PATHS = [
    "/",
    "/healthz",
    "/api/task",
    "/api/campaign",
    "/api/openapi.json",
    "/static/none.js",
    "/none",
    "/../x",
    "/api/%00",
]


@pytest.fixture
def place(tmp_path):
    """Headers do not depend on the database."""
    numbers = itertools.count(1)
    return lambda: str(tmp_path / f"campaign-{next(numbers)}.sqlite")


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_loaded_from_or_told_to_elsewhere(served, path):
    headers = served.browser("judge-1").get(path).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["connect-src"] == "'self'"
    assert policy["frame-ancestors"] == policy["form-action"] == policy["base-uri"] == "'none'"
    assert "unsafe" not in headers["content-security-policy"]
    assert "http" not in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] in ("no-store", "no-cache")
    assert "server" not in headers


def test_the_cookie_is_for_this_page_alone(served):
    reply = served.browser().post("/api/enter", json={"token": served.tokens["judge-1"]})
    parts = [part.strip().lower() for part in reply.headers["set-cookie"].split(";")[1:]]
    assert {"httponly", "samesite=strict", "path=/"} <= set(parts)
    assert not any(part.startswith("domain") for part in parts)


def test_behind_https_the_cookie_is_for_encrypted_connections_only(serve):
    served = serve(url="https://judge.example.org")
    reply = served.browser().post("/api/enter", json={"token": served.tokens["judge-1"]})
    assert reply.headers["set-cookie"].endswith("; Secure")


def test_two_campaigns_on_one_host_have_different_cookies(serve):
    names = {next(iter(serve().browser("judge-1").cookies)) for _ in range(2)}
    assert len(names) == 2


def test_data_stay_in_no_cache(served):
    for path in ("/", "/api/task", "/api/campaign"):
        assert served.browser("judge-1").get(path).headers["cache-control"] == "no-store"


def test_tokens_are_in_no_log(served, caplog, capfd):
    with caplog.at_level(0):
        browser = served.browser("judge-1")
        browser.get("/api/task")
        browser.post("/api/enter", json={"token": served.tokens["judge-1"][:-1]})
    of_server = [record.getMessage() for record in caplog.records if not record.name.startswith("http")]
    written = "".join([*of_server, *capfd.readouterr()])
    secrets = [served.tokens["judge-1"][:20], next(iter(browser.cookies.values()))[:20]]
    assert not any(secret in written for secret in secrets)
