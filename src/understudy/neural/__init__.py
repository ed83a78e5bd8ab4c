"""Learned models: where they are found, and the scores that they give to pairs of texts."""

from __future__ import annotations

from collections.abc import Mapping

environment: Mapping[str, str] = {}
"""The environment variables that say where models are. Set by the command line; the library itself reads none."""
