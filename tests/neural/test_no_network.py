"""The guard itself: what it forbids and what it lets through."""

from __future__ import annotations

import socket

import pytest

from material.no_network import NetworkUsed


@pytest.mark.parametrize("address", ["192.0.2.1", "2001:db8::1"])
def test_connections_elsewhere_are_forbidden(address: str) -> None:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as opened:
        for use in (
            lambda: opened.connect((address, 9)),
            lambda: opened.connect_ex((address, 9)),
            lambda: opened.sendto(b"x", (address, 9)),
        ):
            with pytest.raises(NetworkUsed):
                use()


def test_names_are_not_looked_up() -> None:
    with pytest.raises(NetworkUsed, match=r"example\.org"):
        socket.create_connection(("example.org", 443), timeout=1)


def test_this_machine_may_be_connected_to() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass
