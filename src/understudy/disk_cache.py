"""Results stored on disk for reuse in later runs, by what computed them and what they were computed of.

One SQLite file, which several processes may use at once. A cache is optional: if it cannot be used, understudy warns
once and continues without it.
"""

from __future__ import annotations

import sys
import warnings
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from understudy.errors import MissingFile

if TYPE_CHECKING:
    import sqlite3

Result = TypeVar("Result")

_LIMIT = 1 << 30  # bytes
_WAIT = 60.0  # seconds to wait for another process that writes
_TABLES = (
    "CREATE TABLE IF NOT EXISTS makers (number INTEGER PRIMARY KEY, signature TEXT NOT NULL UNIQUE)",
    "CREATE TABLE IF NOT EXISTS entries (maker INTEGER NOT NULL, key BLOB NOT NULL, content BLOB NOT NULL, "
    "PRIMARY KEY (maker, key))",
)


def home_folder() -> Path:
    """The home directory; for a user without one, as in some containers, the root directory, where nothing is found."""
    try:
        return Path.home()
    except RuntimeError:
        return Path(Path.cwd().anchor)


def cache_folder(environment: Mapping[str, str], platform: str = sys.platform) -> Path:
    """The platform's standard cache directory.

    >>> cache_folder({"XDG_CACHE_HOME": "/var/cache"}, "linux").as_posix()
    '/var/cache/understudy'
    """
    if platform == "win32":
        local = environment.get("LOCALAPPDATA")
        return (Path(local) if local else home_folder() / "AppData" / "Local") / "understudy" / "Cache"
    if platform == "darwin":
        return home_folder() / "Library" / "Caches" / "understudy"
    chosen = environment.get("XDG_CACHE_HOME", "")
    # The specification has relative paths ignored (https://specifications.freedesktop.org/basedir-spec).
    home = Path(chosen) if chosen.startswith("/") else home_folder() / ".cache"
    return home / "understudy"


@dataclass(frozen=True)
class CacheInfo:
    """Cache statistics: bytes on disk, and the number of entries by the signature of what made them."""

    path: Path
    size: int
    entries: Mapping[str, int]


def _warned(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=5)


class DiskCache:
    """Entries in a file, which is created at the first write. `complain` is called once with the reason if the cache
    cannot be used. `title` and `clear_with` are for messages: what it is, and the command that clears it.
    """

    title: str = "cache"
    clear_with: str = ""

    def __init__(self, path: Path, *, limit: int = _LIMIT, complain: Callable[[str], None] = _warned) -> None:
        self.path = path
        self._limit = limit
        self._complain = complain
        self._usable = True

    def entries(
        self, signature: str, keys: Iterable[bytes], unpacked: Callable[[bytes], Result]
    ) -> dict[bytes, Result]:
        """The entries for these keys that were made by what has this signature. Damaged ones end the use of the
        cache.
        """

        def look(connection: sqlite3.Connection) -> dict[bytes, Result]:
            found: dict[bytes, Result] = {}
            for key in keys:
                row = connection.execute(
                    "SELECT content FROM entries WHERE key = ? AND maker = "
                    "(SELECT number FROM makers WHERE signature = ?)",
                    (key, signature),
                ).fetchone()
                if row is not None:
                    found[key] = unpacked(row[0])
            return found

        return self._visit(look, otherwise={}) if self.path.exists() else {}

    def add(self, signature: str, entries: Mapping[bytes, bytes]) -> None:
        """Store entries. The oldest are removed if the file exceeds its limit."""

        def write(connection: sqlite3.Connection) -> None:
            # Lock before the first write: a transaction that reads first and then writes cannot wait for another
            # writer.
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT OR IGNORE INTO makers (signature) VALUES (?)", (signature,))
            connection.executemany(
                "INSERT OR REPLACE INTO entries SELECT number, ?, ? FROM makers WHERE signature = ?",
                ((key, content, signature) for key, content in entries.items()),
            )
            if _size(connection) > self._limit:
                connection.execute(
                    "DELETE FROM entries WHERE rowid IN (SELECT rowid FROM entries ORDER BY rowid "
                    "LIMIT (SELECT (count(*) + 3) / 4 FROM entries))"
                )
            connection.execute("COMMIT")

        self._visit(write, otherwise=None)

    def info(self) -> CacheInfo:
        """Statistics of the cache."""

        def count(connection: sqlite3.Connection) -> dict[str, int]:
            return dict(
                connection.execute(
                    "SELECT signature, count(*) FROM entries JOIN makers ON maker = number "
                    "GROUP BY signature ORDER BY signature"
                )
            )

        if not self.path.exists():
            return CacheInfo(self.path, 0, {})
        return CacheInfo(self.path, self.path.stat().st_size, self._visit(count, otherwise={}))

    def clear(self) -> None:
        """Remove the cache, whatever its state."""
        for path in (self.path, self.path.with_name(f"{self.path.name}-journal")):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise MissingFile(f"the {self.title} '{path}' cannot be removed: {error.strerror}.") from None
        self._usable = True

    def _visit(self, do: Callable[[sqlite3.Connection], Result], *, otherwise: Result) -> Result:
        """The result of `do`, or `otherwise` if the cache cannot be used. Each call opens its own connection, because
        connections must not be carried into a forked process.
        """
        if not self._usable:
            return otherwise
        try:
            import sqlite3
        except ImportError:  # Python may be built without it
            self._give_up("Python was built without sqlite3")
            return otherwise
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_WAIT, isolation_level=None)) as connection:
                for table in _TABLES:
                    connection.execute(table)
                return do(connection)
        except (sqlite3.Error, OSError, ValueError, zlib.error) as error:
            self._give_up(str(error))
            return otherwise

    def _give_up(self, reason: str) -> None:
        self._usable = False
        self._complain(
            f"the {self.title} '{self.path}' cannot be used ({reason}); continuing without it. If it is damaged, "
            f"run {self.clear_with}"
        )


def _size(connection: sqlite3.Connection) -> int:
    """Bytes in use; deleted rows leave free space in the file."""
    pages, free, page = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * page)
