"""Campaigns in SQLite and in PostgreSQL: every test of a fixture `place` runs on both."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from material.postgresql import cluster

Place = Callable[[], str]  # of a new campaign


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a database."""
    # The path of a socket has at most 107 characters, and pytest's own folders may be deeper.
    with tempfile.TemporaryDirectory(prefix="understudy-pg-") as folder, cluster(Path(folder)) as url:
        yield url


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """`place()` is where a new campaign can be made."""
    numbers = itertools.count(1)
    if request.param == "sqlite":
        return lambda: str(tmp_path / f"campaign-{next(numbers)}.sqlite")
    url = request.getfixturevalue("postgresql")
    return lambda: f"{url}&campaign=t{abs(hash(str(tmp_path)))}_{next(numbers)}"
