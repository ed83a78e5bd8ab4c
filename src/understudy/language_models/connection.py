"""One connection to a server, which is kept between calls. Redirects are not followed, and no proxy is used."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from understudy.language_models.endpoint import Endpoint
from understudy.version import __version__

_MOST_BYTES = 1 << 22  # of a response
_READ_AT_ONCE = 1 << 16


class Failed(Exception):
    """No response, or only a part of one. The reason is for messages."""


class Unreachable(Failed):
    """There is no server at the address."""


class Untrusted(Exception):
    """A server whose certificate is not valid."""


class Response(NamedTuple):
    """A complete response."""

    status: int
    body: str
    retry_after: str  # empty if the server does not say it
    location: str  # of a redirect


class Connection:
    """Calls one after another. Another thread must call `cut_if_late` now and then, so that a server that sends a byte
    at a time cannot exceed the time limit; it may `cut` a call that is under way.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._address = endpoint.address
        self._open: http.client.HTTPConnection | None = None
        self._socket: socket.socket | None = None
        self._deadline = float("inf")
        self._late = self._cut = False
        self._lock = threading.Lock()

    def call(self, request: Mapping[str, Any]) -> Response:
        """The response to a request."""
        self._late = False
        self._deadline = time.monotonic() + self._endpoint.patience.timeout
        body = json.dumps(request, ensure_ascii=False).encode("utf-8")
        try:
            response = self._sent(body)
            content = self._read(response)
        except Exception as error:
            self.close()
            if self._late or isinstance(error, TimeoutError):
                raise Failed("timeout") from None
            if isinstance(error, ssl.SSLCertVerificationError):
                raise Untrusted(error.verify_message) from None
            if isinstance(error, socket.gaierror | ConnectionRefusedError):
                raise Unreachable(_reason(error)) from None
            if isinstance(error, OSError | http.client.HTTPException):
                raise Failed(_reason(error)) from None
            raise
        finally:
            self._deadline = float("inf")
        if response.will_close:
            self.close()
        return Response(
            response.status,
            content.decode("utf-8", "replace"),
            response.headers.get("Retry-After", ""),
            response.headers.get("Location", ""),
        )

    def close(self) -> None:
        with self._lock:
            self._socket = None
        if self._open is not None:
            self._open.close()
            self._open = None

    def cut(self) -> None:
        """End the call that is under way, and all later ones."""
        self._cut = True
        self._shut()

    def cut_if_late(self) -> None:
        """End the call that is under way if its time is over."""
        if time.monotonic() > self._deadline:
            self._late = True
            self._shut()

    def _shut(self) -> None:
        with self._lock, suppress(OSError):
            if self._socket is not None:
                self._socket.shutdown(socket.SHUT_RDWR)

    def _sent(self, body: bytes) -> http.client.HTTPResponse:
        kept = self._open is not None
        try:
            return self._begun(body)
        except ConnectionError:
            self.close()
            # Servers close connections that are not used for a while: the request has not been read then.
            if not kept or self._late or self._cut:
                raise
            return self._begun(body)

    def _begun(self, body: bytes) -> http.client.HTTPResponse:
        connection = self._connected()
        path = self._address.path + (f"?{self._address.query}" if self._address.query else "")
        connection.request("POST", path, body, self._headers())
        return connection.getresponse()

    def _connected(self) -> http.client.HTTPConnection:
        if self._open is None:
            host, port = self._address.hostname or "", self._address.port
            seconds = self._endpoint.patience.timeout
            if self._address.scheme == "https":
                secure = ssl.create_default_context()
                self._open = http.client.HTTPSConnection(host, port, timeout=seconds, context=secure)
            else:
                self._open = http.client.HTTPConnection(host, port, timeout=seconds)
            self._open.connect()
            with self._lock:
                self._socket = self._open.sock
        if self._cut:
            raise Failed("interrupted")
        return self._open

    def _headers(self) -> dict[str, str]:
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json",
            "User-Agent": f"understudy/{__version__}",
        }
        if self._endpoint.api_key:
            headers["Authorization"] = f"Bearer {self._endpoint.api_key}"
        return headers

    @staticmethod
    def _read(response: http.client.HTTPResponse) -> bytes:
        """All of the response, but no more than permitted: a server may send without end."""
        parts, size = [], 0
        while part := response.read(_READ_AT_ONCE):
            parts.append(part)
            size += len(part)
            if size > _MOST_BYTES:
                raise Failed("response too large")
        if response.length:  # bytes that were promised and did not come
            raise Failed("connection cut")
        return b"".join(parts)


# In few words, without texts or keys; the first that fits.
_REASONS: tuple[tuple[type[Exception], str], ...] = (
    (ssl.SSLError, "TLS failed"),
    (socket.gaierror, "unknown host"),
    (ConnectionRefusedError, "connection refused"),
    (http.client.IncompleteRead, "connection cut"),
    (ConnectionError, "connection cut"),
    (http.client.HTTPException, "not an HTTP response"),
)


def _reason(error: Exception) -> str:
    named = next((reason for kind, reason in _REASONS if isinstance(error, kind)), "")
    return named or getattr(error, "strerror", None) or type(error).__name__
