"""The replies of language models in one SQLite file: requests and responses as they were, with time and tokens.

A reply that is stored is never asked for again. Several processes may use the file at once: each claims a call before
it makes it, and others wait for the reply. The claim of a process that has ended, however it ended, is void.
"""

from __future__ import annotations

import json
import os
import socket
import time
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from understudy.errors import BadInput, MissingFile

if TYPE_CHECKING:
    import sqlite3

FILE = "replies-1.sqlite3"  # to be incremented when the layout changes
_BEAT = 5.0  # seconds between two signs of life of a process
_DEAD = 45.0  # seconds without a sign of life after which a process counts as ended
_WAIT = 60.0  # seconds to wait for another process that writes
_AT_ONCE = 500  # keys in one query
_APPLICATION = 0x75726570  # "urep", so that no other SQLite file is taken for one of replies
_TABLES = (
    "CREATE TABLE IF NOT EXISTS replies (key BLOB PRIMARY KEY, model TEXT NOT NULL, prompt TEXT NOT NULL, "
    "request BLOB NOT NULL, response BLOB NOT NULL, asked REAL NOT NULL, seconds REAL NOT NULL, tokens_in INTEGER, "
    "tokens_out INTEGER) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS claims (key BLOB PRIMARY KEY, process INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS processes (number INTEGER PRIMARY KEY AUTOINCREMENT, host TEXT NOT NULL, "
    "process INTEGER NOT NULL, seen REAL NOT NULL)",
)


@dataclass(frozen=True)
class Reply:
    """A stored response."""

    body: str
    seconds: float = 0.0
    tokens_in: int | None = None
    tokens_out: int | None = None


@dataclass(frozen=True)
class Experience:
    """What earlier replies of a model to a prompt took, on average."""

    replies: int
    seconds: float
    tokens_out: float


class ReplyStore:
    """An open store, for one run and one thread."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self.path = path
        self._process: int | None = None
        self._beat = 0.0

    def find(self, keys: Iterable[bytes]) -> dict[bytes, Reply]:
        """The stored replies."""
        wanted, found = list(dict.fromkeys(keys)), {}
        for start in range(0, len(wanted), _AT_ONCE):
            part = wanted[start : start + _AT_ONCE]
            rows = self._connection.execute(
                "SELECT key, response, seconds, tokens_in, tokens_out FROM replies WHERE key IN "
                f"({', '.join('?' * len(part))})",
                part,
            )
            for key, response, *facts in rows:
                found[bytes(key)] = Reply(self._body(response), *facts)
        return found

    def _body(self, response: bytes) -> str:
        try:
            return zlib.decompress(response).decode("utf-8", "surrogatepass")
        except (zlib.error, ValueError, TypeError) as error:
            raise BadInput(
                f"'{self.path}', the file of replies, has a damaged reply ({error}). Use another one."
            ) from None

    def claim(self, keys: Sequence[bytes]) -> list[bytes]:
        """The calls among these that nobody has made or is making: they are this process's to make now."""
        with self._writing():
            self._sign_in()
            gone = self._ended()
            self._connection.executemany("DELETE FROM claims WHERE process = ?", [(each,) for each in gone])
            self._connection.executemany("DELETE FROM processes WHERE number = ?", [(each,) for each in gone])
            return [key for key in keys if self._claimed(key)]

    def keep(self, key: bytes, model: str, prompt: str, request: Mapping[str, Any], reply: Reply) -> None:
        """Store a reply. If another process was faster, its reply stays."""
        with self._writing():
            self._connection.execute(
                "INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    *(key, model, prompt),
                    zlib.compress(json.dumps(request, ensure_ascii=False).encode("utf-8", "surrogatepass")),
                    zlib.compress(reply.body.encode("utf-8", "surrogatepass")),
                    *(time.time(), reply.seconds, reply.tokens_in, reply.tokens_out),
                ),
            )
            self._connection.execute("DELETE FROM claims WHERE key = ?", (key,))

    def release(self, key: bytes) -> None:
        """Give up a claim: the call failed."""
        with self._writing():
            self._connection.execute("DELETE FROM claims WHERE key = ? AND process = ?", (key, self._process))

    def sign_of_life(self) -> None:
        """To be called at least every few seconds while calls are made."""
        if self._process is not None and time.monotonic() - self._beat > _BEAT:
            self._beat = time.monotonic()
            with self._writing():
                self._connection.execute(
                    "UPDATE processes SET seen = ? WHERE number = ?", (time.time(), self._process)
                )

    def sign_out(self) -> None:
        """Give up all claims."""
        if self._process is not None:
            with self._writing():
                self._connection.execute("DELETE FROM claims WHERE process = ?", (self._process,))
                self._connection.execute("DELETE FROM processes WHERE number = ?", (self._process,))
            self._process = None

    def experience(self, model: str, prompt: str) -> Experience | None:
        """The means over the latest replies of a model to a prompt; None if there are none."""
        row = self._connection.execute(
            "SELECT count(*), avg(seconds), avg(tokens_out) FROM (SELECT * FROM replies WHERE model = ? AND prompt = ? "
            "AND tokens_out IS NOT NULL ORDER BY asked DESC LIMIT 200)",
            (model, prompt),
        ).fetchone()
        return Experience(*row) if row[0] else None

    # --- processes --------------------------------------------------------------------------------------------

    def _sign_in(self) -> None:
        """Other processes count a process that was stopped for long as ended, and its entry may be gone."""
        seen = (time.time(), self._process)
        if (
            self._process is None
            or not self._connection.execute("UPDATE processes SET seen = ? WHERE number = ?", seen).rowcount
        ):
            added = self._connection.execute(
                "INSERT INTO processes (host, process, seen) VALUES (?, ?, ?)",
                (socket.gethostname(), os.getpid(), time.time()),
            )
            self._process = added.lastrowid
        self._beat = time.monotonic()

    def _ended(self) -> list[int]:
        here, now = socket.gethostname(), time.time()
        rows = self._connection.execute("SELECT number, host, process, seen FROM processes").fetchall()
        return [
            number
            for number, host, process, seen in rows
            if number != self._process
            and (now - seen > _DEAD or (host == here and process != os.getpid() and not _runs(process)))
        ]

    def _claimed(self, key: bytes) -> bool:
        """Whether this process may make this call."""
        if self._connection.execute("SELECT 1 FROM replies WHERE key = ?", (key,)).fetchone():
            return False
        return bool(
            self._connection.execute(
                "INSERT OR IGNORE INTO claims VALUES (?, ?)", (key, self._process)
            ).rowcount
        )

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """Lock before the first statement: a transaction that reads first cannot wait for another writer."""
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")


@contextmanager
def open_store(path: Path) -> Iterator[ReplyStore]:
    """The store in a file, which is made if it is not there."""
    try:
        import sqlite3
    except ImportError:
        raise MissingFile(
            "replies of language models are kept with sqlite3, which this Python lacks."
        ) from None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = sqlite3.connect(path, timeout=_WAIT, isolation_level=None)
    except (OSError, sqlite3.Error) as error:
        raise MissingFile(f"cannot open '{path}', the file of replies: {error}. Use another one.") from None
    store = ReplyStore(connection, path)
    try:
        _prepare(connection, path)
        yield store
    except sqlite3.Error as error:
        raise BadInput(f"'{path}', the file of replies, cannot be used: {error}. Use another one.") from None
    finally:
        with suppress(sqlite3.Error):  # others will find that this process has ended
            store.sign_out()
        connection.close()


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    import sqlite3

    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if tables and application != _APPLICATION:
        raise BadInput(f"'{path}' is another SQLite file, expected one of replies. Use another name.")
    # The file is whole after the end of the process at any time; after a power failure, the last replies may be lost.
    connection.execute("PRAGMA synchronous = NORMAL")
    if tables:
        return
    with suppress(
        sqlite3.OperationalError
    ):  # for speed alone; another process may be making the file just now
        connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    for table in _TABLES:
        connection.execute(table)
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")
    connection.execute("COMMIT")


def _runs(process: int) -> bool:
    """Whether a process of this machine has not ended. On Windows nobody knows."""
    if os.name == "nt":  # where os.kill ends the process
        return True
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
