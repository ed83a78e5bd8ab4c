"""The application: the interface over HTTP, the page and its files. Every response has the security headers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from understudy.errors import MissingExtra
from understudy.judging.campaigns.desk import Desk
from understudy.judging.campaigns.store import StorageFailed, Store
from understudy.judging.campaigns.writer import Writer
from understudy.judging.server.api import Api
from understudy.judging.server.carrier import Carrier, Message, Receive, Send, allow, send_json
from understudy.judging.server.headers import NO_STORE, REVALIDATE, SECURITY_HEADERS, as_raw
from understudy.judging.server.lead import LeadPage
from understudy.judging.server.limits import Limits
from understudy.judging.server.openapi import description

if TYPE_CHECKING:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.responses import Response

_SECONDS_BETWEEN_LOOKS = 0.5  # for changes made by other commands


class CampaignApp:
    """The application of a campaign: what is asked below /api goes to the interface, everything else to the pages."""

    def __init__(self, api: Api, carrier: Carrier, pages: Callable[..., Awaitable[None]]) -> None:
        self.api = api
        self._carrier, self._pages = carrier, pages
        self._facts = {"/healthz": {"status": "ok"}, "/api/openapi.json": description(carrier.cookie)}

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        if scope["type"] != "http":
            await self._pages(scope, receive, send)
        elif self._carrier.carries(path):
            await self._carrier(scope, receive, send)
        elif path in self._facts and scope["method"] in ("GET", "HEAD"):
            await send_json(send, self._facts[path])
        elif path in self._facts:
            await send_json(send, {"error": "Method not allowed."}, 405, [allow(["GET"])])
        else:
            await self._pages(scope, receive, send)


def make_app(store: Store, *, limits: Limits | None = None, origins: tuple[str, ...] = ()) -> CampaignApp:
    """The application of a campaign. Making it takes the campaign, or raises AlreadyServed. `origins` are
    addresses of the page besides the one that a request names, for a reverse proxy that changes the host.
    """
    if find_spec("starlette") is None:
        raise MissingExtra.of("the pages of judge", "starlette", "judge")
    writer = Writer(store)
    writer.start()
    desk = Desk(store)
    lead = LeadPage(desk, writer)
    api = Api(desk, writer, limits or Limits(), lead.shown_to)
    return CampaignApp(api, Carrier(api, origins), _pages(desk, writer))


def _pages(desk: Desk, writer: Writer) -> Starlette:
    """The page and its files."""
    from starlette.applications import Starlette
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

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

    routes = [
        Route("/", _page()),
        Mount("/static", StaticFiles(directory=_folder("static"), check_dir=False)),
    ]
    app = Starlette(routes=routes, lifespan=running, exception_handlers={404: _not_found, 405: _not_found})
    app.add_middleware(_WithHeaders)
    return app


class _WithHeaders:
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


async def _look_for_changes(desk: Desk) -> None:
    """Judges that another command added or revoked are known within a second."""
    while True:
        await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
        with suppress(StorageFailed):
            if await asyncio.to_thread(desk.store.changes) != desk.changes:
                desk.read_people()  # in the event loop: no session may begin meanwhile


def _page() -> Callable[[Request], Awaitable[Response]]:
    """The page, the same for everyone: everything else comes through the interface."""
    from starlette.responses import HTMLResponse

    file = _folder("templates") / "page.html"
    text = file.read_text(encoding="utf-8") if file.exists() else "<!doctype html><title>understudy</title>"

    async def page(request: Request) -> Response:  # noqa: ARG001
        return HTMLResponse(text, headers=NO_STORE)

    return page


async def _not_found(request: Request, error: Exception) -> Response:  # noqa: ARG001
    from starlette.responses import JSONResponse

    status = getattr(error, "status_code", 404)
    said = "There is no such page." if status == 404 else "Method not allowed."
    headers = {**(getattr(error, "headers", None) or {}), **NO_STORE}
    return JSONResponse({"error": said}, status, headers=headers)


def _folder(name: str) -> Path:
    return Path(str(resources.files("understudy.judging.server") / name))
