"""Copies of a campaign while it is served, and campaigns from copies. A copy is a campaign in SQLite, also of one in
PostgreSQL: `Campaign.open` takes it as it is.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from understudy.errors import BadParameter, MissingFile
from understudy.judging.campaigns.design_rows import Rows
from understudy.judging.campaigns.store import BUSY_SECONDS, Store, storage_error


def back_up(store: Store, target: str | os.PathLike[str]) -> None:
    """Copy a snapshot of the campaign to a file that does not exist yet. The file is complete or not there."""
    path = Path(target)
    if path.exists():
        raise BadParameter(f"'{path}' exists already. Choose another name, or delete the file.")
    try:
        handle, made = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise MissingFile(f"cannot write '{path}': {error.strerror}. Check the path.") from None
    os.close(handle)
    unfinished = Path(made)
    try:
        if store.file is not None:
            _copy_sqlite(store.file, unfinished)
        else:
            unfinished.unlink()
            Store.create(str(unfinished), _all_rows(store)).close()
        _to_disk(unfinished)
        os.link(unfinished, path)  # unlike a renaming, fails if someone else made the file meanwhile
    except FileExistsError:
        raise BadParameter(f"'{path}' exists already. Choose another name, or delete the file.") from None
    except sqlite3.Error as error:
        raise storage_error(error, str(path)) from None
    finally:
        for leftover in (unfinished, Path(f"{unfinished}-wal"), Path(f"{unfinished}-shm")):
            leftover.unlink(missing_ok=True)


def rows_of_copy(copy: str | os.PathLike[str]) -> Rows:
    """Everything that a copy has."""
    with closing(Store.open(copy)) as source:
        return _all_rows(source)


def _copy_sqlite(source: Path, target: Path) -> None:
    """With SQLite's online backup: the server goes on writing meanwhile."""
    connected = closing(sqlite3.connect(source, timeout=BUSY_SECONDS)), closing(sqlite3.connect(target))
    with connected[0] as read, connected[1] as written:
        read.backup(written)


def _all_rows(store: Store) -> Rows:
    with store.reading() as connection:
        return {
            table.name: [dict(row) for row in connection.execute(_in_order(table)).mappings()]
            for table in store.tables
        }


def _in_order(table: Any) -> Any:
    """Rows of one table refer to earlier ones."""
    referring = [table.c[name].is_not(None) for name in ("repeat_of", "control_of") if name in table.c]
    return table.select().order_by(*referring, *table.primary_key.columns)


def _to_disk(path: Path) -> None:
    with open(path, "rb") as file:
        os.fsync(file.fileno())
    with suppress(OSError):  # Windows has no such thing for folders
        folder = os.open(path.parent, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
