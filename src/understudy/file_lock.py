"""A lock of a file that ends with its process, however that ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

_PAUSE = 0.1  # seconds between two attempts


def locked_at_once(path: Path, mode: int = 0o666) -> IO[bytes] | None:
    """The open file that holds the lock until it is closed, or None if another process holds it. A new file has the
    permissions `mode`, less those that the umask denies.
    """
    try:
        file = _opened(path, mode)
    except FileNotFoundError:
        if not path.parent.is_dir():
            raise
        return None  # its last holder has removed it meanwhile
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        file.close()
        return None
    except OSError:  # a file system without locks
        file.close()
        raise
    return file


def _opened(path: Path, mode: int) -> IO[bytes]:
    """Another user's file may be left in a shared folder: to lock it, reading is enough."""
    try:
        return os.fdopen(os.open(path, os.O_CREAT | os.O_RDWR, mode), "r+b")
    except PermissionError:
        if not path.exists():
            raise
        return path.open("rb")


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock, after waiting for another process that has it. The file is removed at the end."""
    while (file := locked_at_once(path)) is None or not _is_still(path, file):
        if file is None:
            time.sleep(_PAUSE)
        else:
            file.close()
    try:
        yield
    finally:
        if sys.platform == "win32":  # an open file cannot be removed there
            file.close()
        with suppress(PermissionError):  # another user's file, in a folder where only its owner may remove it
            path.unlink(missing_ok=True)
        file.close()


def _is_still(path: Path, file: IO[bytes]) -> bool:
    """Whether the file has the path still: its last holder may have removed it between opening and locking."""
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
