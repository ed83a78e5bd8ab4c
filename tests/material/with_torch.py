"""torch, where it is installed, on one thread: its threads wait for each other actively, which slows a busy machine."""

from __future__ import annotations

from typing import Any

import pytest

from material.optional import missing


def torch_or_skip() -> Any:
    torch = pytest.importorskip("torch", reason=missing("torch"))
    torch.set_num_threads(1)
    return torch
