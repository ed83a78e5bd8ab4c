"""Where the tests of the readers write."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test writes and reads in an empty directory, so that messages hold short names."""
    monkeypatch.chdir(tmp_path)
    return tmp_path
