"""Test sets by name: the table of them, where they are stored, and the readers of their layouts."""

from __future__ import annotations

from collections.abc import Mapping

environment: Mapping[str, str] = {}
"""The environment variables that say where test sets are. Set by the command line; the library itself reads none."""
