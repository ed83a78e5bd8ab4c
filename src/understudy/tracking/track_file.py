"""The SQLite file of a track: its schema, its transactions, and one-line errors.

Every change is one transaction with a rollback journal and `synchronous = EXTRA`: after it has returned, a run survives
a crash; before, the file has nothing of it. Between commands, the track is a single file, which can be copied or kept
as an artifact of a pipeline. Concurrent commands wait for each other.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager

from understudy.errors import BadInput, MissingFile
from understudy.tracking.records import DamagedRow
from understudy.version import __version__

_APPLICATION = 0x55445354  # "UDST", in the header of the file
SCHEMA_VERSION = 1
_WAIT_SECONDS = 60.0  # for the transactions of other processes

_SCHEMA = """
CREATE TABLE test_sets (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    segments INTEGER NOT NULL,
    reference_count INTEGER NOT NULL,
    reference_fingerprint TEXT NOT NULL,
    source_fingerprint TEXT,
    reference_texts BLOB
);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    test_set INTEGER NOT NULL REFERENCES test_sets (id),
    name TEXT NOT NULL,
    date TEXT NOT NULL,
    step INTEGER,
    note TEXT NOT NULL,
    tags TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    version TEXT NOT NULL,
    text BLOB,
    UNIQUE (test_set, name)
);
CREATE TABLE counts (
    run INTEGER NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
    spec TEXT NOT NULL,
    label TEXT NOT NULL,
    signature TEXT NOT NULL,
    columns TEXT NOT NULL,
    fewest_references INTEGER NOT NULL,
    most_references INTEGER NOT NULL,
    fitted_on TEXT NOT NULL,
    of_input TEXT NOT NULL,
    kind TEXT NOT NULL,
    counts BLOB NOT NULL,
    PRIMARY KEY (run, spec)
);
"""


class NoRuns(MissingFile):
    """A track that does not exist, or in which nothing was ever stored."""


class TrackFile:
    """A track's file, opened anew for every transaction."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection with one snapshot of the track."""
        with self._existing("BEGIN") as connection:
            yield connection

    @contextmanager
    def changing(self) -> Iterator[sqlite3.Connection]:
        """A connection with one transaction on a track that exists, as `writing`."""
        with self._existing("BEGIN IMMEDIATE") as connection:
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection with one transaction, committed at the end; nothing is stored if anything fails. A missing file
        is created.
        """
        with self._connected("rwc") as connection:
            connection.execute("BEGIN IMMEDIATE")
            if _is_empty(connection):
                self._fill(connection)
            self._check(connection)
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def _existing(self, begin: str) -> Iterator[sqlite3.Connection]:
        if not os.path.exists(self.path):
            raise NoRuns(
                f"no such track: '{self.path}'. Add a run with 'understudy track add', or name the file with --track."
            )
        with self._connected("rw") as connection:
            connection.execute(begin)
            if _is_empty(connection):  # made by another process, and not yet filled
                raise NoRuns(f"the track '{self.path}' has no runs. Add one with 'understudy track add'.")
            self._check(connection)
            yield connection

    @contextmanager
    def _connected(self, mode: str) -> Iterator[sqlite3.Connection]:
        self._refuse_folder()
        place = "file:" + "".join(f"%{byte:02x}" for byte in os.fsencode(os.path.abspath(self.path)))
        try:
            # isolation_level=None: transactions begin and end where this file says.
            with closing(
                sqlite3.connect(f"{place}?mode={mode}", uri=True, timeout=_WAIT_SECONDS, isolation_level=None)
            ) as connection:
                connection.row_factory = sqlite3.Row
                connection.execute("PRAGMA foreign_keys = ON")
                connection.execute("PRAGMA synchronous = EXTRA")
                yield connection
        except sqlite3.Error as error:
            raise self._in_one_line(error) from None
        except DamagedRow as error:
            raise BadInput(
                f"track '{self.path}' is damaged: {error}. Use a copy, or recover it with 'sqlite3 FILE .recover'."
            ) from None

    def _refuse_folder(self) -> None:
        folder = os.path.dirname(self.path) or "."
        if os.path.isdir(self.path):
            raise BadInput(f"track '{self.path}' is a directory, expected the name of a file.")
        if not os.path.isdir(folder):
            raise MissingFile(
                f"track '{self.path}': the directory '{folder}' does not exist. Create it first."
            )

    def _fill(self, connection: sqlite3.Connection) -> None:
        for statement in filter(str.strip, _SCHEMA.split(";")):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")

    def _check(self, connection: sqlite3.Connection) -> None:
        (application,) = connection.execute("PRAGMA application_id").fetchone()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if application != _APPLICATION:
            raise BadInput(
                f"'{self.path}' is an SQLite database, but not a track. Name another file with --track."
            )
        if version != SCHEMA_VERSION:
            cure = (
                "Upgrade understudy."
                if version > SCHEMA_VERSION
                else "Use the version of understudy that made it."
            )
            raise BadInput(
                f"track '{self.path}' has schema version {version}, but understudy {__version__} reads version "
                f"{SCHEMA_VERSION}. {cure}"
            )

    def _in_one_line(self, error: sqlite3.Error) -> BadInput | MissingFile:
        where = f"track '{self.path}'"
        for part, kind, told in (
            ("not a database", BadInput, f"'{self.path}' is not a track. Name another file with --track."),
            (
                "unable to open",
                MissingFile,
                f"{where} cannot be opened. Check the permissions of file and folder.",
            ),
            ("readonly", MissingFile, f"{where} cannot be written: the file or its folder is read-only."),
            ("is full", BadInput, f"{where}: the disk is full. Free some space; all stored runs are intact."),
            (
                "is locked",
                BadInput,
                f"{where} has been locked by another process for {_WAIT_SECONDS:g} s. Try again.",
            ),
            (
                "malformed",
                BadInput,
                f"{where} is damaged. Use a copy, or recover it with 'sqlite3 FILE .recover'.",
            ),
        ):
            if part in str(error):
                return kind(told)
        return BadInput(f"{where}: {error}. Check the file.")


def _is_empty(connection: sqlite3.Connection) -> bool:
    """Whether nothing was ever stored: a file that is new, or whose first transaction did not end."""
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return bool(tables == 0)
