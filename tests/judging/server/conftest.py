"""A small campaign, served by uvicorn in a thread of the test."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from material.optional import missing
from material.small_campaign import rows_and_tokens, small_design
from understudy.judging.campaigns.store import Store
from understudy.judging.campaigns.writer import Writer
from understudy.judging.server.limits import Limits

if TYPE_CHECKING:
    from httpx import Client


@dataclass
class Served:
    """A running campaign."""

    where: str  # as Campaign.open takes it
    store: Store
    writer: Writer
    url: str
    tokens: dict[str, str]
    clients: list[Any] = field(default_factory=list)

    def browser(self, name: str | None = None) -> Client:
        """A browser of its own, in which the person has opened their link."""
        import httpx

        client = httpx.Client(base_url=self.url, timeout=30, trust_env=False)
        self.clients.append(client)
        if name is not None:
            assert client.post("/api/enter", json={"token": self.tokens[name]}).status_code == 200
        return client


@pytest.fixture
def serve(place: Callable[[], str]) -> Iterator[Callable[..., Served]]:
    """`serve("da", judges=3)` makes and serves a campaign."""
    if lack := missing("sqlalchemy", "starlette", "uvicorn", "httpx"):
        pytest.skip(lack)
    with ExitStack() as stack:

        def start(
            protocol: str = "adequacy-fluency",
            limits: Limits | None = None,
            url: str | None = None,
            **how: Any,
        ) -> Served:
            rows, tokens = rows_and_tokens(small_design(protocol, **how))
            where = place()
            store = Store.create(where, rows)
            writer, address = stack.enter_context(running(store, limits, url))
            served = Served(where, store, writer, address, tokens)
            stack.callback(lambda: [client.close() for client in served.clients])
            return served

        yield start


@contextmanager
def running(
    store: Store, limits: Limits | None = None, url: str | None = None
) -> Iterator[tuple[Writer, str]]:
    """Serve the campaign; yields what writes to it, and its address."""
    from understudy.judging.server.serving import bound_socket, make_server

    server, socket = make_server(store, limits=limits, url=url), bound_socket("127.0.0.1", 0)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [socket]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    try:
        app: Any = server.config.app
        yield app.api.writer, f"http://127.0.0.1:{socket.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        socket.close()


@pytest.fixture
def served(serve: Callable[..., Served]) -> Served:
    return serve()
