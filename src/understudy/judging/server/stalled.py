"""Connections on which a request never ends, by accident or to use up all connections: uvicorn would wait for ever."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


class StalledConnections:
    """`close(connections)` closes those on which the same request was arriving when it was called before."""

    def __init__(self) -> None:
        self._before: dict[Any, Any] = {}  # requests by connection

    def close(self, connections: Iterable[Any]) -> None:
        arriving = {each: each.cycle for each in connections if _is_arriving(each)}
        for connection, request in arriving.items():
            if connection in self._before and self._before[connection] is request:
                connection.transport.close()
        self._before = arriving


def _is_arriving(connection: Any) -> bool:
    """Whether the client's next byte is awaited. Idle connections after a response have a time limit of uvicorn's."""
    request = connection.cycle
    if request is None:
        return True
    if request.response_complete:
        return connection.timeout_keep_alive_task is None
    return bool(request.more_body)
