"""No test of a learned metric may use the network: a connection to anything but this machine is an error.

Imported into a file of tests or a conftest.py, the fixture guards every test there.
"""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import pytest

_HERE = ("127.", "::1", "localhost")


class NetworkUsed(BaseException):
    """Not an Exception, so that no library can take it for a server that is down and go on."""


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, _guarded(getattr(socket.socket, name)))
    looked_up = socket.getaddrinfo

    def look_up(host: Any, *arguments: Any, **options: Any) -> Any:
        if host is not None and not str(host).startswith(_HERE):
            raise NetworkUsed(f"a test asks for the address of {host}")
        return looked_up(host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", look_up)


def _guarded(method: Callable[..., Any]) -> Callable[..., Any]:
    def guarded(self: socket.socket, *arguments: Any) -> Any:
        address = arguments[-1]
        if self.family in (socket.AF_INET, socket.AF_INET6) and not str(address[0]).startswith(_HERE):
            raise NetworkUsed(f"a test connects to {address}")
        return method(self, *arguments)

    return guarded
