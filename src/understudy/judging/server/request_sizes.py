"""Requests without end. The application limits bodies; what comes before, between and behind their parts it never sees:
the parser would keep it all.
"""

from __future__ import annotations

from typing import Any

_MOST_UNREAD_BYTES = 64 * 1024  # what uvicorn allows with its other parser, h11


def limited_protocol() -> Any:
    """What uvicorn shall read requests with."""
    try:
        from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
    except ModuleNotFoundError:  # uvicorn uses h11 then, which has a limit
        return "auto"

    class LimitedProtocol(HttpToolsProtocol):
        """Closes a connection that sends more than headers need and neither ends them nor comes to the body."""

        _unread = 0  # bytes since the headers, a part of the body or the request ended

        def data_received(self, data: bytes) -> None:
            self._unread += len(data)
            super().data_received(data)
            if self._unread > _MOST_UNREAD_BYTES and not self.transport.is_closing():
                self.send_400_response("The headers of this request are too long.")

        def on_headers_complete(self) -> None:
            self._unread = 0
            super().on_headers_complete()

        def on_body(self, body: bytes) -> None:
            self._unread = 0
            super().on_body(body)

        def on_message_complete(self) -> None:
            self._unread = 0
            super().on_message_complete()

    return LimitedProtocol
