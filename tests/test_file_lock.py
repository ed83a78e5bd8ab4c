"""Locks of files in folders that several users share."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from understudy.file_lock import locked, locked_at_once


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask for groups")
@pytest.mark.parametrize("umask", [0o002, 0o022, 0o077])
def test_a_lock_has_the_permissions_of_any_new_file(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        (tmp_path / "data").write_text("")
        with locked(tmp_path / "data.lock"):
            modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
        private = locked_at_once(tmp_path / "private", mode=0o600)
        assert private is not None
        private.close()
    finally:
        os.umask(before)
    assert modes == {0o666 & ~umask}
    assert stat.S_IMODE((tmp_path / "private").stat().st_mode) == 0o600


def test_a_file_that_cannot_be_written_can_be_locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Left by a killed process of another user."""
    path = tmp_path / "data.lock"
    path.write_bytes(b"")
    opened = os.open

    def denied(where: Any, flags: int, *more: Any, **others: Any) -> int:
        if flags & os.O_RDWR:
            raise PermissionError(13, "Permission denied", str(where))
        return opened(where, flags, *more, **others)

    monkeypatch.setattr(os, "open", denied)
    with locked(path):
        assert locked_at_once(path) is None
    assert not path.exists()
    with pytest.raises(PermissionError), locked(path):
        pass


def test_a_file_that_cannot_be_removed_does_no_harm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a folder where only the owner of a file may remove it."""

    def denied(self: Path, **_: bool) -> None:
        raise PermissionError(1, "Operation not permitted", str(self))

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", denied)
        with locked(tmp_path / "data.lock"):
            pass
    with locked(tmp_path / "data.lock"):
        pass


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), locked(tmp_path / "none" / "data.lock"):
        pass
