"""Text processing: tokenizers and letter case."""

from __future__ import annotations

from collections.abc import Mapping

environment: Mapping[str, str] = {}
"""The environment variables that say where tokenizers' models are. Set by the command line; the library reads none."""
