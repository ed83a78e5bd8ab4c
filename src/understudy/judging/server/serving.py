"""Serving a campaign with uvicorn."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import TYPE_CHECKING

from understudy.errors import BadParameter, MissingExtra
from understudy.judging.campaigns.addresses import page_origin
from understudy.judging.campaigns.store import Store
from understudy.judging.server.app import make_app
from understudy.judging.server.limits import Limits
from understudy.judging.server.request_sizes import limited_protocol
from understudy.judging.server.stalled import StalledConnections

if TYPE_CHECKING:
    from uvicorn import Server

_LOOPBACK = "127.0.0.1"
_PORT = 8000
_WAITING_CONNECTIONS = 2048
TICKS_FOR_A_REQUEST = (
    300  # of uvicorn, ten per second: a request must arrive within this time, or twice as much
)


def bound_socket(host: str, port: int) -> socket.socket:
    """A socket that listens there; port 0 is any free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or error
        raise BadParameter(
            f"cannot listen on {host}, port {port}: {reason}. Use another --port or --host."
        ) from None
    return listening


def make_server(store: Store, *, url: str | None = None, limits: Limits | None = None) -> Server:
    """A server that has taken the campaign; `run(sockets=[...])` runs it until it is told to stop. `url` is where
    judges find the page if a reverse proxy stands before it.
    """
    try:
        import uvicorn
    except ModuleNotFoundError:
        raise MissingExtra.of("the pages of judge", "uvicorn", "judge") from None
    origins = () if url is None else (page_origin(url),)
    config = uvicorn.Config(
        make_app(store, limits=limits, origins=origins),
        access_log=False,  # it would have the addresses of judges
        log_level="warning",
        lifespan="on",
        server_header=False,
        backlog=_WAITING_CONNECTIONS,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=5,
        http=limited_protocol(),
        ws="none",
    )
    server = uvicorn.Server(config)
    stalled, on_tick = StalledConnections(), server.on_tick

    async def watch(counter: int) -> bool:
        if counter % TICKS_FOR_A_REQUEST == 0:
            stalled.close(list(server.server_state.connections))
        return await on_tick(counter)

    server.on_tick = watch  # type: ignore[method-assign]
    return server


def run_server(
    store: Store, listening: socket.socket, *, url: str | None, ready: Callable[[str], None] | None
) -> None:
    """Serve until the process is interrupted."""
    server = make_server(store, url=url)
    host, port = listening.getsockname()[:2]
    address = url or f"http://{f'[{host}]' if ':' in host else host}:{port}"
    started = server.startup

    async def startup(sockets: list[socket.socket] | None = None) -> None:
        await started(sockets)
        if server.started and ready is not None:
            ready(address)

    server.startup = startup  # type: ignore[method-assign]
    server.run(sockets=[listening])
