"""The interface over HTTP, as a plain ASGI application: every answer passes here, and a framework's router, request and
response would take as long as all the rest.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from typing import Any
from urllib.parse import parse_qsl

from understudy.judging.campaigns.payloads import BadAnswer
from understudy.judging.campaigns.store import StorageFailed
from understudy.judging.server.api import STORAGE_FULL, Api, Asked, Refused, Reply
from understudy.judging.server.headers import NO_STORE, SECURITY_HEADERS, as_raw

_SESSION_SECONDS = 60 * 24 * 3600  # a campaign can take weeks

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Headers = Mapping[bytes, bytes]

_HEADERS = as_raw({"Content-Type": "application/json", **NO_STORE, **SECURITY_HEADERS})


class Carrier:
    """Requests below /api to the interface, and its replies back. `origins` are addresses of the page besides the one
    that a request names; if one of them is encrypted, cookies are for encrypted connections only.
    """

    def __init__(self, api: Api, origins: tuple[str, ...]) -> None:
        self._api = api
        self._origins = {origin.encode() for origin in origins}
        self._encrypted = any(origin.startswith("https:") for origin in origins)
        self._methods: dict[str, set[str]] = {}
        for method, path in api.routes:
            self._methods.setdefault(path, set()).add(method)
        # Browsers send a cookie to every port of a host: campaigns side by side need names of their own.
        self.cookie = f"understudy-{api.desk.id}"
        self._cookie_prefix = f"{self.cookie}=".encode()

    def carries(self, path: str) -> bool:
        return path in self._methods

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        try:
            reply = await self._reply(scope, receive)
        except BadAnswer as error:
            reply = Reply({"error": str(error)}, status=400)
        except Refused as error:
            reply = Reply({"error": str(error)}, status=error.status)
        except StorageFailed:
            reply = Reply({"error": STORAGE_FULL}, status=507)
        except Exception:
            await send_json(send, {"error": "The server made an error. Try again later."}, 500)
            raise  # for the log
        more = []
        if reply.session is not None:
            more.append((b"set-cookie", self._set_cookie(reply.session, scope["scheme"])))
        if reply.status == 405:
            more.append(allow(self._methods[scope["path"]]))
        await send_json(send, reply.body, reply.status, more)

    async def _reply(self, scope: Message, receive: Receive) -> Reply:
        method, path = scope["method"], scope["path"]
        headers = dict(scope["headers"])
        method = "GET" if method == "HEAD" else method
        if method not in self._methods[path]:
            raise Refused(405, "Method not allowed.")
        body = await self._body(headers, receive) if method == "POST" else {}
        query, client = scope["query_string"], scope.get("client")
        asked = Asked(
            query=dict(parse_qsl(query.decode("latin-1"), keep_blank_values=True)) if query else {},
            body=body,
            session=self._session(headers.get(b"cookie", b"")),
            address=client[0] if client else "",
        )
        return await self._api.routes[method, path](asked)

    async def _body(self, headers: Headers, receive: Receive) -> dict[str, Any]:
        self._check_origin(headers)
        if headers.get(b"content-type", b"").partition(b";")[0].strip().lower() != b"application/json":
            raise Refused(415, "Content-Type: expected application/json.")
        most = self._api.limits.body_bytes
        too_large = f"The request is larger than {most:,} bytes."
        length = headers.get(b"content-length", b"0")
        if length.isdigit() and (len(length) > 15 or int(length) > most):
            raise Refused(413, too_large)
        received = bytearray()
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise Refused(400, "The request is incomplete.")
            received += message.get("body", b"")
            if len(received) > most:
                raise Refused(413, too_large)
            more = message.get("more_body", False)
        return _parsed_object(bytes(received))

    def _check_origin(self, headers: Headers) -> None:
        """Browsers say where a POST comes from. Other programs need not."""
        origin = headers.get(b"origin")
        if origin is None:
            if headers.get(b"sec-fetch-site", b"same-origin") not in (b"same-origin", b"none"):
                raise Refused(403, "This request comes from another page.")
            return
        host = origin.partition(b"://")[2]
        if origin not in self._origins and (not host or host != headers.get(b"host")):
            raise Refused(403, "This request comes from another page. Behind a proxy, use --url.")

    def _session(self, cookies: bytes) -> str | None:
        """The token in the campaign's own cookie."""
        for each in cookies.split(b";"):
            if each.strip().startswith(self._cookie_prefix):
                return each.strip()[len(self._cookie_prefix) :].decode("latin-1")
        return None

    def _set_cookie(self, session: str, scheme: str) -> bytes:
        age = _SESSION_SECONDS if session else 0
        secure = "; Secure" if self._encrypted or scheme == "https" else ""
        return f"{self.cookie}={session}; HttpOnly; Max-Age={age}; Path=/; SameSite=strict{secure}".encode()


async def send_json(
    send: Send, body: Any, status: int = 200, more_headers: list[tuple[bytes, bytes]] | None = None
) -> None:
    """A response with all headers that it needs."""
    content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    headers = [(b"content-length", b"%d" % len(content)), *(more_headers or ()), *_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


def allow(methods: Collection[str]) -> tuple[bytes, bytes]:
    """The header that a refused method must have (RFC 9110, 15.5.6)."""
    known = {*methods, *(["HEAD"] if "GET" in methods else [])}
    return b"allow", ", ".join(sorted(known)).encode()


def _parsed_object(body: bytes) -> dict[str, Any]:
    """The JSON object of a request, without what JSON does not have: NaN, Infinity and half characters."""
    try:
        found = _DECODER.decode(body.decode())
        if b"\\ud" in body or b"\\uD" in body:
            json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise Refused(400, "The request is not JSON in UTF-8.") from None
    if not isinstance(found, dict):
        raise Refused(400, "The request is not a JSON object.")
    return found


def _refuse_constant(name: str) -> float:
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
