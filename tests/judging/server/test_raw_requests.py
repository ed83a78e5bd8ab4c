"""Requests as no browser sends them, over a plain socket."""

from __future__ import annotations

import itertools
import socket
from contextlib import suppress
from urllib.parse import urlsplit

import pytest


@pytest.fixture
def place(tmp_path):
    """Nothing here depends on the database."""
    numbers = itertools.count(1)
    return lambda: str(tmp_path / f"campaign-{next(numbers)}.sqlite")


def raw(served, request: bytes, *, then_end: bool = False) -> bytes:
    address = urlsplit(served.url)
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        connection.sendall(request)
        if then_end:
            connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def get(served, path: str, *headers: str, method: str = "GET") -> bytes:
    lines = (f"{method} {path} HTTP/1.1", "Host: x", "Connection: close", *headers, "", "")
    return raw(served, "\r\n".join(lines).encode("latin-1"))


OUTSIDE = (
    *("/static/../app.py", "/static/..%2fapp.py", "/static/%2e%2e/app.py", "/static/....//app.py"),
    *("/static/..\\app.py", "/static//etc/passwd", "/static/%2fetc%2fpasswd", "/static/main.js%00.txt"),
    *("/static/", "/static", "//static/../../app.py"),
)


def test_no_file_outside_of_the_static_ones(served):
    for path in OUTSIDE:
        reply = get(served, path)
        assert reply.startswith((b"HTTP/1.1 404", b"HTTP/1.1 307")), (path, reply[:200])
        assert b"import" not in reply, path
        assert b"root:" not in reply, path


def test_an_upgrade_to_a_websocket_is_ignored(served):
    upgrade = (
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    )
    reply = get(served, "/api/task", "Connection: Upgrade", *upgrade)
    assert reply.startswith(b"HTTP/1.1 401")


@pytest.mark.parametrize("path", ["/", "/api/answers", "/api/task", "/healthz", "/static/main.js"])
def test_other_methods_are_refused(served, path):
    for method in ("OPTIONS", "TRACE", "PUT", "DELETE", "PATCH", "BREW"):
        reply = get(served, path, "Origin: http://evil.example", method=method)
        assert reply.startswith((b"HTTP/1.1 405", b"HTTP/1.1 400")), (method, reply[:200])
        assert b"access-control" not in reply.lower(), method
        if reply.startswith(b"HTTP/1.1 405") and not path.startswith("/static/"):
            allowed = b"POST" if path == "/api/answers" else b"GET, HEAD"
            assert b"\r\nallow: " + allowed + b"\r\n" in reply.replace(b"HEAD, GET", b"GET, HEAD"), reply


def test_head_has_no_body(served):
    for path in ("/api/task", "/api/campaign", "/healthz", "/"):
        head, _, body = get(served, path, method="HEAD").partition(b"\r\n\r\n")
        assert body == b"", path
        assert b"x-frame-options: DENY" in head, path


def test_the_host_is_repeated_nowhere(served):
    for path in ("/", "/static", "/none", "/api/task"):
        assert b"evil.example" not in get(served, path, "X-Forwarded-Host: evil.example").replace(
            b"Host: x", b""
        )


def test_a_request_without_end_is_an_error_of_the_client(served):
    reply = raw(
        served,
        b"POST /api/answers HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Content-Length: 100\r\n\r\n{",
        then_end=True,
    )
    assert not reply.startswith(b"HTTP/1.1 5")
    assert served.browser().get("/healthz").status_code == 200


def test_two_lengths_are_refused(served):
    """A proxy and a server that disagree on where a request ends could be played off against each other."""
    reply = raw(
        served,
        b"POST /api/leave HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n0\r\n\r\n{}",
    )
    assert reply.startswith(b"HTTP/1.1 400")


def test_a_connection_whose_request_never_ends_is_closed_and_others_stay(serve, monkeypatch):
    from understudy.judging.server import serving

    monkeypatch.setattr(serving, "TICKS_FOR_A_REQUEST", 3)
    served = serve()
    address = urlsplit(served.url)
    whole = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    half_a_body = (
        b"POST /api/leave HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
    )

    def connected():
        return socket.create_connection((address.hostname, address.port), timeout=30)

    def assert_answers(connection):
        connection.sendall(whole)
        received = b""
        while not received.endswith(b'{"status":"ok"}'):  # head and body may arrive one after the other
            received += (block := connection.recv(65536))
            assert block

    with connected() as idle:
        assert_answers(idle)
        for answered_before, beginning in (
            *((False, beginning) for beginning in (b"", b"GET / HT", half_a_body)),
            (True, b"GET / HT"),
        ):
            with connected() as stalled:
                if answered_before:
                    assert_answers(stalled)
                stalled.sendall(beginning)
                assert stalled.recv(65536) == b""
        assert_answers(idle)


@pytest.mark.parametrize(
    "beginning",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\nX: ",
        b"GET /",
        b"POST /api/enter HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n0\r\nX: ",
    ],
    ids=["header", "path", "trailer"],
)
def test_a_request_without_end_is_cut_off(served, beginning):
    """Its memory would grow as long as the client likes."""
    address = urlsplit(served.url)
    sent = 0
    with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
        connection.sendall(beginning)
        with suppress(ConnectionError):
            while sent < 50_000_000:
                sent += connection.send(b"A" * 65536)
    assert sent < 20_000_000  # most of it in buffers of the operating system
    assert get(served, "/healthz").startswith(b"HTTP/1.1 200")


def test_headers_and_body_in_many_pieces(served):
    """What arrives in one piece with the headers is not taken for headers."""
    body = b'{"token": "' + b"A" * 900_000 + b'"}'
    head = (
        "POST /api/enter HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    assert raw(served, head.encode() + body).startswith(b"HTTP/1.1 401")
    filler = "".join(f"X-{number}: {'y' * 1000}\r\n" for number in range(50))
    assert get(served, "/healthz", *filler.rstrip().split("\r\n")).startswith(b"HTTP/1.1 200")
