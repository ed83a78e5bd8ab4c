"""The application: the interface over HTTP, the page and its files. Every response has the security headers."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from understudy.errors import MissingExtra
from understudy.judging.campaigns.desk import Desk
from understudy.judging.campaigns.payloads import BadAnswer
from understudy.judging.campaigns.store import StorageFailed, Store
from understudy.judging.campaigns.writer import Writer
from understudy.judging.server.api import STORAGE_FULL, Api, Asked, Refused, Reply
from understudy.judging.server.headers import NO_STORE, REVALIDATE, SECURITY_HEADERS, as_raw
from understudy.judging.server.lead import LeadPage
from understudy.judging.server.limits import Limits
from understudy.judging.server.openapi import description

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

SECONDS_BETWEEN_LOOKS = 0.5  # for changes made by other commands
SESSION_SECONDS = 60 * 24 * 3600  # a campaign can take weeks

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


def make_app(store: Store, *, limits: Limits | None = None, origins: tuple[str, ...] = ()) -> Starlette:
    """The application of a campaign. Making it takes the campaign, or raises AlreadyServed. `origins` are
    addresses of the page besides the one that a request names, for a reverse proxy that changes the host.
    """
    try:
        from starlette.applications import Starlette
        from starlette.routing import Mount, Route
        from starlette.staticfiles import StaticFiles
    except ModuleNotFoundError:
        raise MissingExtra.of("the pages of judge", "starlette", "judge") from None

    writer = Writer(store)
    writer.start()
    desk = Desk(store)
    lead = LeadPage(desk, writer)
    api = Api(desk, writer, limits or Limits(), lead.shown_to)
    carrier = Carrier(api, origins)

    @asynccontextmanager
    async def running(app: Starlette) -> AsyncIterator[None]:  # noqa: ARG001
        looking = asyncio.create_task(_look_for_changes(desk))
        try:
            yield
        finally:
            looking.cancel()
            with suppress(asyncio.CancelledError):
                await looking
            await asyncio.to_thread(writer.stop)

    routes: list[BaseRoute] = [
        Route(path, carrier.over_http, methods=[method]) for method, path in api.routes
    ]
    routes += [
        Route("/api/openapi.json", carrier.described),
        Route("/healthz", carrier.health),
        Route("/", carrier.page),
        Mount("/static", StaticFiles(directory=_folder("static"), check_dir=False)),
    ]
    app = Starlette(routes=routes, lifespan=running, exception_handlers={404: _not_found, 405: _not_found})
    app.add_middleware(WithHeaders)
    app.state.api = api
    return app


class Carrier:
    """HTTP requests to the interface, and its replies back."""

    def __init__(self, api: Api, origins: tuple[str, ...]) -> None:
        self._api, self._origins = api, origins
        # Browsers send a cookie to every port of a host: campaigns side by side need names of their own.
        self._cookie = f"understudy-{api.desk.id}"
        self._page = _page_text()

    async def over_http(self, request: Request) -> Response:
        try:
            body = await self._body(request) if request.method == "POST" else {}
            asked = Asked(
                query=request.query_params,
                body=body,
                session=request.cookies.get(self._cookie),
                address=request.client.host if request.client else "",
            )
            method = "GET" if request.method == "HEAD" else request.method
            reply = await self._api.routes[method, request.scope["path"]](asked)
        except BadAnswer as error:
            reply = Reply({"error": str(error)}, status=400)
        except Refused as error:
            reply = Reply({"error": str(error)}, status=error.status)
        except StorageFailed:
            reply = Reply({"error": STORAGE_FULL}, status=507)
        return self._response(reply, secure=request.scope["scheme"] == "https")

    async def page(self, request: Request) -> Response:  # noqa: ARG002
        from starlette.responses import HTMLResponse

        return HTMLResponse(self._page, headers=NO_STORE)

    async def health(self, request: Request) -> Response:  # noqa: ARG002
        return _json({"status": "ok"})

    async def described(self, request: Request) -> Response:  # noqa: ARG002
        return _json(description(self._cookie))

    async def _body(self, request: Request) -> dict[str, Any]:
        from starlette.requests import ClientDisconnect

        self._check_origin(request)
        if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise Refused(415, "Content-Type: expected application/json.")
        most = self._api.limits.body_bytes
        too_large = Refused(413, f"The request is larger than {most:,} bytes.")
        length = request.headers.get("content-length", "0")
        if length.isascii() and length.isdigit() and int(length) > most:
            raise too_large
        received = bytearray()
        try:
            async for chunk in request.stream():
                received += chunk
                if len(received) > most:
                    raise too_large
        except ClientDisconnect:
            raise Refused(400, "The request is incomplete.") from None
        return parsed_object(bytes(received))

    def _check_origin(self, request: Request) -> None:
        """Browsers say where a POST comes from. Other programs need not."""
        origin = request.headers.get("origin")
        if origin is None:
            if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                raise Refused(403, "This request comes from another page.")
            return
        host = origin.partition("://")[2]
        if origin not in self._origins and (not host or host != request.headers.get("host")):
            raise Refused(403, "This request comes from another page. Behind a proxy, use --url.")

    def _response(self, reply: Reply, *, secure: bool) -> Response:
        response = _json(reply.body, reply.status)
        if reply.session is not None:
            response.set_cookie(
                self._cookie,
                reply.session,
                max_age=SESSION_SECONDS if reply.session else 0,
                httponly=True,
                samesite="strict",
                secure=secure,
            )
        return response


class WithHeaders:
    """Adds the security headers to every response."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        self._app = app
        self._headers = as_raw(SECURITY_HEADERS)
        self._revalidate = as_raw(REVALIDATE)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), *self._headers]
                if not any(name == b"cache-control" for name, _ in headers):
                    headers += self._revalidate
                message["headers"] = headers
            await send(message)

        await self._app(scope, receive, with_headers if scope["type"] == "http" else send)


def parsed_object(body: bytes) -> dict[str, Any]:
    """The JSON object of a request, without what JSON does not have: NaN, Infinity and half characters."""
    try:
        found = json.loads(body, parse_constant=_refuse_constant)
        if b"\\ud" in body or b"\\uD" in body:
            json.dumps(found, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise Refused(400, "The request is not JSON in UTF-8.") from None
    if not isinstance(found, dict):
        raise Refused(400, "The request is not a JSON object.")
    return found


def _refuse_constant(name: str) -> float:
    raise ValueError(name)


async def _look_for_changes(desk: Desk) -> None:
    """Judges that another command added or revoked are known within a second."""
    while True:
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
        with suppress(StorageFailed):
            if await asyncio.to_thread(desk.store.changes) != desk.changes:
                desk.read_people()  # in the event loop: no session may begin meanwhile


async def _not_found(request: Request, error: Exception) -> Response:  # noqa: ARG001
    status = getattr(error, "status_code", 404)
    return _json({"error": "There is no such page." if status == 404 else "Method not allowed."}, status)


def _json(body: Any, status: int = 200) -> Response:
    from starlette.responses import Response

    content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
    return Response(content, status, headers=NO_STORE, media_type="application/json")


def _folder(name: str) -> Path:
    return Path(str(resources.files("understudy.judging.server") / name))


def _page_text() -> str:
    """The page, the same for everyone: everything else comes through the interface."""
    page = _folder("templates") / "page.html"
    return page.read_text(encoding="utf-8") if page.exists() else "<!doctype html><title>understudy</title>"
