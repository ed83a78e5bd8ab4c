"""A server of files on loopback that can misbehave as real ones do."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FileServer(ThreadingHTTPServer):
    """Serves `files` by path. `address` is where. `requests` are the paths asked for, with the first byte wanted."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.files: dict[str, bytes] = {}
        self.redirects: dict[str, str] = {}
        self.requests: list[tuple[str, int]] = []
        self.cut_after: int | None = None  # bytes of an answer, whatever its announced length
        self.knows_ranges = True
        self.tag = ""  # the version of all files
        self.shifted = 0  # bytes that a partial answer begins too late
        self.announced_too_much = 0  # bytes, in Content-Length
        self.in_chunks = False  # without a length
        self.status = 200
        self.gate = threading.Event()  # answers wait for it
        self.gate.set()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def wait_for_a_request(self) -> None:
        """Until someone has asked for something, while the gate holds the answers back."""
        for _ in range(6000):
            if self.requests:
                return
            time.sleep(0.01)
        raise TimeoutError("nobody asked")


class _Handler(BaseHTTPRequestHandler):
    server: FileServer
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        server = self.server
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        same = self.headers.get("If-Range", server.tag) == server.tag
        start = int(wanted[1]) if wanted and server.knows_ranges and same else 0
        server.requests.append((self.path, start))
        server.gate.wait(30)
        if self.path in server.redirects:
            self._answer(302, b"", Location=server.redirects[self.path])
        elif server.status != 200:
            self._answer(server.status, b"")
        elif self.path not in server.files:
            self._answer(404, b"")
        elif start and start >= len(content := server.files[self.path]):
            self._answer(416, b"")
        else:
            content = server.files[self.path]
            start += server.shifted if start else 0
            ranged = {"Content-Range": f"bytes {start}-{len(content) - 1}/{len(content)}"} if start else {}
            tagged = {"ETag": server.tag} if server.tag else {}
            self._answer(206 if start else 200, content[start:], **ranged, **tagged)

    def _answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if self.server.in_chunks:
            self.send_header("Transfer-Encoding", "chunked")
            body = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
        else:
            self.send_header("Content-Length", str(len(body) + self.server.announced_too_much))
            self.close_connection = self.server.announced_too_much > 0
        self.end_headers()
        if self.server.cut_after is None:
            self.wfile.write(body)
        else:
            self.wfile.write(body[: self.server.cut_after])
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def served() -> Iterator[FileServer]:
    """A running server."""
    with FileServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.gate.set()
            server.shutdown()
            thread.join()


def closed_address() -> str:
    """The address of a server that is gone: nothing listens there."""
    with FileServer() as server:
        return server.address
