"""One server per campaign: a lock that ends with its process, however that ends."""

from __future__ import annotations

from pathlib import Path
from typing import IO, TYPE_CHECKING

from understudy.errors import BadInput, UnderstudyError
from understudy.file_lock import locked_at_once

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from understudy.judging.campaigns.store import Store


class AlreadyServed(UnderstudyError, RuntimeError):
    """Another server has this campaign."""

    def __init__(self, where: str) -> None:
        super().__init__(f"'{where}' is already being served. Stop the other server first.")


class ServingLock:
    """Held from `acquire` to `release`. In PostgreSQL the connection holds it that writes the answers: whoever can
    write has the lock.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._file: IO[bytes] | None = None

    def acquire(self, connection: Connection) -> None:
        """Take the lock, or raise AlreadyServed."""
        if self._store.file is None:
            # The number of an advisory lock is made of the schema's name, which is that of the campaign.
            asked = "SELECT pg_try_advisory_lock(hashtext(current_schema()), hashtext('serving'))"
            if not connection.exec_driver_sql(asked).scalar():
                raise AlreadyServed(self._store.where)
        elif self._file is None:
            # By its own name: the campaign may be opened through a link.
            file = self._store.file.resolve()
            if file.stat().st_nlink > 1:
                raise BadInput(
                    f"'{self._store.where}' is a hard link, and SQLite loses answers in files with two names. "
                    "Delete the other name, or serve a copy made by 'understudy judge backup'."
                )
            # Never the database itself: closing it would end SQLite's own locks. As private as the database, or others
            # could hold the lock.
            self._file = locked_at_once(Path(f"{file}.serving"), mode=0o600)
            if self._file is None:
                raise AlreadyServed(self._store.where)

    def release(self) -> None:
        """A lock in PostgreSQL ends with its connection. The file stays: another server may just have opened it."""
        if self._file is not None:
            self._file.close()
            self._file = None
