"""Learned models work without the network."""

from material.no_network import no_network

__all__ = ["no_network"]
