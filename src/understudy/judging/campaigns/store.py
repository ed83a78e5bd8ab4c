"""Where a campaign lies: an SQLite file, or a schema of a PostgreSQL database."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import SplitResult, parse_qs, urlsplit, urlunsplit

from understudy.errors import BadInput, BadParameter, MissingExtra, MissingFile
from understudy.judging.campaigns.schema import SCHEMA_VERSION, Tables, create_tables, tables
from understudy.version import __version__

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

_SQLITE_HEADER = b"SQLite format 3\x00"
POSTGRESQL = ("postgresql://", "postgres://")
# Long enough for a backup or another command to finish its transaction.
BUSY_SECONDS = 30


class Store:
    """The database of one campaign. Every connection keeps what it acknowledges: SQLite writes its log with WAL and
    synchronous=FULL, PostgreSQL has the defaults of its server.
    """

    def __init__(self, engine: Engine, where: str, file: Path | None) -> None:
        self.engine = engine
        self.where = where  # as messages name it: without a password
        self.file = file  # of SQLite
        self.tables: Tables = _tables_or_cure()

    @classmethod
    def create(cls, place: str, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> Store:
        """A new campaign with these rows, by table, or none at all if anything goes wrong."""
        _tables_or_cure()
        if _is_url(place):
            return _create_in_postgresql(place, rows)
        path = Path(place)
        try:
            # Participants' data and hashes of links are no one else's business.
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            raise BadParameter(f"'{path}' exists already. Choose another name, or delete the file.") from None
        except OSError as error:
            raise MissingFile(f"cannot create '{path}': {error.strerror}. Check the path.") from None
        store = cls(_sqlite_engine(path), str(path), path)
        try:
            store._fill(rows)
        except BaseException:
            store.close()
            for leftover in (path, *(Path(f"{path}-{part}") for part in ("wal", "shm"))):
                leftover.unlink(missing_ok=True)
            raise
        return store

    @classmethod
    def open(cls, place: str | os.PathLike[str]) -> Store:
        """The campaign at a path or URL, if this version of understudy can read it."""
        named = os.fspath(place)
        _tables_or_cure()
        if not _is_url(named):
            named = _url_or_sqlite_file(named)
        if _is_url(named):
            url, schema = _campaign_url(named)
            store = cls(_postgresql_engine(url, schema), _without_password(named), None)
        else:
            store = cls(_sqlite_engine(Path(named)), named, Path(named))
        store._check_version()
        return store

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection with one snapshot of the campaign."""
        with self._connected(writes=False) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A connection with one transaction, committed at the end."""
        with self._connected(writes=True) as connection:
            yield connection

    def meta(self) -> dict[str, Any]:
        """All facts about the campaign."""
        table = self.tables.meta
        with self.reading() as connection:
            return {row.name: row.value for row in connection.execute(table.select())}

    def changes(self) -> int:
        """A number that grows whenever another command changes judges, links or assignments."""
        table = self.tables.meta
        with self.reading() as connection:
            return int(connection.execute(table.select().where(table.c.name == "changes")).one().value)

    def note_change(self, connection: Connection) -> None:
        """In the same transaction as a change: a running server then reads judges, links and assignments again."""
        table = self.tables.meta
        asked = table.select().where(table.c.name == "changes").with_for_update()
        value = int(connection.execute(asked).one().value) + 1
        connection.execute(table.update().where(table.c.name == "changes").values(value=value))

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def _connected(self, *, writes: bool) -> Iterator[Connection]:
        from sqlalchemy.exc import DatabaseError, IntegrityError, ProgrammingError

        try:
            with self.engine.connect() as connection:
                connection.execution_options(writes=writes)
                if not writes and self.file is None:  # SQLite's snapshots are like that
                    connection.execution_options(isolation_level="REPEATABLE READ")
                with connection.begin():
                    yield connection
        except (
            IntegrityError,
            ProgrammingError,
        ):  # no such table, a name taken: whoever asked knows what it means
            raise
        except DatabaseError as error:
            raise storage_error(error, self.where) from None

    def _fill(self, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        with self.writing() as connection:
            create_tables(connection)
            for table in self.tables:
                if given := rows.get(table.name):
                    connection.execute(table.insert(), list(given))
            _continue_numbers(connection, self.tables)

    def _check_version(self) -> None:
        from sqlalchemy.exc import ProgrammingError

        table = self.tables.meta
        try:
            with self.reading() as connection:
                asked = table.select().where(table.c.name == "schema_version")
                found = connection.execute(asked).first()
        except (
            ProgrammingError,
            json.JSONDecodeError,
        ):  # PostgreSQL has no such table, or the number is none
            found = None
        except StorageFailed as error:
            if "no such table" not in str(error):
                raise
            found = None
        if found is None:
            raise BadInput(f"'{self.where}' is not a campaign. Create one with 'understudy judge new'.")
        if found.value != SCHEMA_VERSION:
            newer = found.value > SCHEMA_VERSION
            cure = "Upgrade understudy." if newer else "Open it with the version of understudy that made it."
            raise BadInput(
                f"'{self.where}' has schema version {found.value}, but understudy {__version__} reads version "
                f"{SCHEMA_VERSION}. {cure}"
            )


class Target(NamedTuple):
    """Where a new campaign shall be: an SQLite file, or a database and a file with its URL."""

    path: str
    name: str
    database: str | None = None

    def check(self) -> None:
        """Refuse what cannot be made, before any work is done for it."""
        if not _is_url(self.path) and os.path.lexists(self.path):
            raise BadParameter(f"'{self.path}' exists already. Choose another name, or delete the file.")
        if self.database is not None:
            if not _is_url(self.database):
                raise BadParameter(f"database '{self.database}': expected postgresql://HOST/NAME.")
            _campaign_url(self._url())

    def create(self, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> Store:
        if self.database is None:
            return Store.create(self.path, rows)
        store = Store.create(self._url(), rows)
        try:
            handle = os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)  # it may have a password
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(self._url() + "\n")
        except OSError as error:
            raise MissingFile(f"cannot write '{self.path}': {error.strerror}. Check the path.") from None
        return store

    def _url(self) -> str:
        assert self.database is not None
        query = _split(self.database).query
        if "campaign" in parse_qs(query):
            return self.database
        name = re.sub(r"[^a-z0-9_]", "_", self.name.lower())
        name = name if name[:1].isalpha() else f"c_{name}"
        return f"{self.database}{'&' if query else '?'}campaign={name[:51]}"


class StorageFailed(BadInput):
    """The database cannot be read or written now, e.g. because the disk is full. Nothing was stored."""


def storage_error(error: Exception, where: str) -> StorageFailed:
    """What SQLite or PostgreSQL says, in one line."""
    reason = str(getattr(error, "orig", error)).strip().splitlines()
    said = reason[0] if reason else type(error).__name__
    if "disk is full" in said or "No space left" in said:
        return StorageFailed(f"'{where}': the disk is full. Free some space; nothing is lost.")
    if "malformed" in said or "not a database" in said:
        return StorageFailed(
            f"'{where}' is damaged: {said}. Restore a copy with 'understudy judge restore', or recover the file with "
            "'sqlite3 FILE .recover'."
        )
    return StorageFailed(f"'{where}': {said}. Check the database.")


def _tables_or_cure() -> Tables:
    """The tables, or an error that says how to install SQLAlchemy."""
    try:
        return tables()
    except ModuleNotFoundError:
        raise MissingExtra.of("campaigns", "SQLAlchemy", "judge") from None


def _continue_numbers(connection: Connection, known: Tables) -> None:
    """Make PostgreSQL number new rows after those that came with their numbers. SQLite does so by itself."""
    if connection.dialect.name == "sqlite":
        return
    for table in known:
        if "id" in table.c:
            connection.exec_driver_sql(
                f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), "
                f"coalesce(max(id), 0) + 1, false) FROM {table.name}"
            )


def _is_url(place: str) -> bool:
    return place.startswith(POSTGRESQL)


def _without_password(url: str) -> str:
    """
    >>> _without_password("postgresql://ann:secret@db.example.org/evaluation?campaign=wmt")
    'postgresql://ann@db.example.org/evaluation?campaign=wmt'
    """
    return re.sub(r"(://[^:@/]*):[^/]*@", r"\1@", url)


def _url_or_sqlite_file(path: str) -> str:
    try:
        with open(path, "rb") as file:
            start = file.read(2000)
    except OSError as error:
        raise MissingFile(f"cannot open campaign '{path}': {error.strerror}. Check the path.") from None
    if start.startswith(_SQLITE_HEADER):
        return path
    url = start.decode("utf-8", "replace").strip()
    if _is_url(url) and len(url.splitlines()) == 1:
        return url
    raise BadInput(f"'{path}' is not a campaign. Create one with 'understudy judge new'.")


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:  # a bracket without its other half, a port that is no number
        raise BadParameter(
            f"database '{_without_password(url)}': {error}, expected postgresql://HOST/NAME."
        ) from None
    return parts


def _campaign_url(named: str) -> tuple[str, str]:
    """The URL of the database, and the name of the campaign's schema in it."""
    parts = _split(named)
    query = parse_qs(parts.query)
    name = "".join(query.pop("campaign", []))
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,50}", name):
        raise BadParameter(
            f"'{_without_password(named)}' names no campaign. Add ?campaign=NAME: "
            "lower-case letters, digits and '_', a letter first, at most 51 characters."
        )
    rest = "&".join(f"{key}={value}" for key, values in query.items() for value in values)
    return urlunsplit(parts._replace(scheme="postgresql+psycopg", query=rest)), f"understudy_{name}"


def _create_in_postgresql(place: str, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> Store:
    from sqlalchemy.exc import ProgrammingError

    url, schema = _campaign_url(place)
    store = Store(_postgresql_engine(url, schema), _without_password(place), None)
    try:
        with store.writing() as connection:
            connection.exec_driver_sql(f'CREATE SCHEMA "{schema}"')
    except ProgrammingError as error:
        said = str(error.orig).splitlines()[0]
        raise BadParameter(f"cannot create '{store.where}': {said}. Choose another name.") from None
    try:
        store._fill(rows)
    except BaseException:
        with store.writing() as connection:
            connection.exec_driver_sql(f'DROP SCHEMA "{schema}" CASCADE')
        raise
    return store


def _sqlite_engine(path: Path) -> Engine:
    import sqlalchemy as sa

    engine = sa.create_engine(
        sa.URL.create("sqlite", database=str(path)),
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False},
        poolclass=sa.pool.NullPool,
    )

    @sa.event.listens_for(engine, "connect")
    def prepare(connection: Any, record: Any) -> None:  # noqa: ARG001
        connection.isolation_level = (
            None  # transactions begin where SQLAlchemy says, not before the first change
        )
        for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {setting}").close()

    @sa.event.listens_for(engine, "begin")
    def begin(connection: Any) -> None:
        # A transaction that would write later than it reads fails at once if another came in between.
        writes = connection.get_execution_options().get("writes")
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _postgresql_engine(url: str, schema: str) -> Engine:
    import sqlalchemy as sa

    try:
        return sa.create_engine(
            url,
            connect_args={"options": f"-c search_path={schema} -c synchronous_commit=on"},
            poolclass=sa.pool.NullPool,
        )
    except ModuleNotFoundError:
        raise MissingExtra.of("campaigns in PostgreSQL", "psycopg", "postgresql") from None
