"""Where the tests of the readers write, and a server of small test sets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from material.file_server import FileServer, served
from material.small_sets import contents, listed_at


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test writes and reads in an empty directory, so that messages hold short names."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def server(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileServer]:
    with served() as running:
        running.files.update(contents())
        listed_at(running.address, monkeypatch, home)
        yield running
