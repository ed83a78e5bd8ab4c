"""Writer: the one thread that writes while a campaign is served. All rows that wait are committed in one transaction,
so that one fsync serves many judges; each is acknowledged after that.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from understudy.judging.campaigns.serving_lock import AlreadyServed, ServingLock
from understudy.judging.campaigns.store import StorageFailed, Store, storage_error

if TYPE_CHECKING:
    from sqlalchemy import Connection, Insert, Update

    from understudy.judging.campaigns.schema import Tables

_LOG = logging.getLogger(__name__)

Rows = Mapping[str, Sequence[Mapping[str, Any]]]  # new ones, by table; and `ended`: sessions that are over


class _Waiting(NamedTuple):
    rows: Rows
    loop: asyncio.AbstractEventLoop
    stored: asyncio.Future[None]


class Writer:
    """`await writer.write(rows)` returns when the rows are on disk, and raises StorageFailed if they are not."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = ServingLock(store)
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._connection: Connection | None = None
        self._statements = _statements(store.tables)
        self._thread = threading.Thread(target=self._run, name="understudy-writer", daemon=True)
        self.failure: str | None = None  # since answers could not be stored: what the lead is told

    def start(self) -> None:
        """Take the campaign, or raise AlreadyServed."""
        self._connect()
        self._thread.start()

    def stop(self) -> None:
        """Write everything that waits, and let the campaign go."""
        self._queue.put(None)
        self._thread.join()
        self._disconnect()
        self._lock.release()

    def write(self, rows: Rows) -> asyncio.Future[None]:
        """Called in an event loop. Shield the future where a request that awaits it could be cancelled."""
        loop = asyncio.get_running_loop()
        stored: asyncio.Future[None] = loop.create_future()
        self._queue.put(_Waiting(rows, loop, stored))
        return stored

    # -- the thread ------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while True:
            waiting, last = self._all_that_waits()
            if waiting:
                self._store_all(waiting)
            if last:
                return

    def _all_that_waits(self) -> tuple[list[_Waiting], bool]:
        """At least one; without waiting for more. And whether `stop` was called."""
        found = [self._queue.get()]
        while True:
            try:
                found.append(self._queue.get_nowait())
            except queue.Empty:
                break
        return [each for each in found if each is not None], None in found

    def _store_all(self, waiting: list[_Waiting]) -> None:
        failure = self._attempt([each.rows for each in waiting])
        if failure is not None:
            self._note(str(failure))
        elif any("answers" in each.rows for each in waiting):
            self._note(None)
        if failure is None or isinstance(failure, StorageFailed) or len(waiting) == 1:
            _acknowledge(waiting, failure)
            return
        for each in waiting:  # one of them cannot be stored: the others shall not suffer
            _acknowledge([each], self._attempt([each.rows]))

    def _note(self, failure: str | None) -> None:
        """Whoever runs the server reads it once, not with every answer."""
        if failure is not None and self.failure is None:
            _LOG.error("understudy: error: %s Answers wait in the browsers of the judges.", failure)
        elif failure is None and self.failure is not None:
            _LOG.warning("understudy: answers are stored again.")
        self.failure = failure

    def _attempt(self, all_rows: Sequence[Rows]) -> Exception | None:
        """Commit all of this, or nothing."""
        from sqlalchemy.exc import DataError, DBAPIError, IntegrityError

        try:
            connection = self._connect()
            with connection.begin():
                given = {name for each in all_rows for name in each}
                for name, statement in self._statements.items():
                    if name in given and (rows := [row for each in all_rows for row in each.get(name, ())]):
                        connection.execute(statement, rows)
        except (IntegrityError, DataError) as error:
            return error
        except AlreadyServed as error:  # by a server that took the campaign while the database was gone
            return StorageFailed(str(error))
        except DBAPIError as error:  # a full disk, a lost server: next time from the start
            self._disconnect()
            return storage_error(error, self._store.where)
        except Exception as error:  # whoever waits must hear of it
            self._disconnect()
            return error
        return None

    def _connect(self) -> Connection:
        if self._connection is None:
            connection = self._store.engine.connect().execution_options(writes=True)
            try:
                with connection.begin():
                    self._lock.acquire(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            connection, self._connection = self._connection, None
            connection.invalidate()
            connection.close()


def _statements(known: Tables) -> dict[str, Insert | Update]:
    """What is executed with the rows of each name, in this order."""
    from sqlalchemy import bindparam

    chosen = known.sessions.c.selector == bindparam("session")
    ended = known.sessions.update().where(chosen).values(ended=bindparam("at"))
    return {**{table.name: table.insert() for table in known}, "ended": ended}


def _acknowledge(waiting: list[_Waiting], failure: Exception | None) -> None:
    """Wake those who wait, in their event loop: once for all of them."""

    def wake() -> None:
        for each in waiting:
            if each.stored.cancelled():
                continue
            if failure is None:
                each.stored.set_result(None)
            else:
                each.stored.set_exception(failure)

    waiting[0].loop.call_soon_threadsafe(wake)
