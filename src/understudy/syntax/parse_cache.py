"""Parses kept on disk by parser and text, so that a second run need not parse.

One SQLite file, which several processes may use at once. It is never needed: if it cannot be used, that is said once,
and all goes on without it.
"""

from __future__ import annotations

import hashlib
import sys
import warnings
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, TypeVar

from understudy.errors import MissingFile

if TYPE_CHECKING:
    import sqlite3

Result = TypeVar("Result")
Trees = tuple[str | None, str | None]  # constituents, dependencies

FILE = "parses-1.sqlite3"  # with another layout, another number
LIMIT = 1 << 30  # bytes; some million sentences
_WAIT = 60.0  # seconds for another process that writes
_TABLES = (
    "CREATE TABLE IF NOT EXISTS parsers (number INTEGER PRIMARY KEY, signature TEXT NOT NULL UNIQUE)",
    "CREATE TABLE IF NOT EXISTS parses (parser INTEGER NOT NULL, text BLOB NOT NULL, constituents BLOB, "
    "dependencies BLOB, PRIMARY KEY (parser, text))",
)


def cache_folder(environment: Mapping[str, str], platform: str = sys.platform) -> Path:
    """Where a program of this name keeps what it can make again, by the custom of the platform.

    >>> cache_folder({"XDG_CACHE_HOME": "/var/cache"}, "linux").as_posix()
    '/var/cache/understudy'
    """
    if platform == "win32":
        local = environment.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "understudy" / "Cache"
    if platform == "darwin":
        return Path.home() / "Library" / "Caches" / "understudy"
    chosen = environment.get("XDG_CACHE_HOME", "")
    # The specification has relative paths ignored (https://specifications.freedesktop.org/basedir-spec).
    home = Path(chosen) if chosen.startswith("/") else Path.home() / ".cache"
    return home / "understudy"


@dataclass(frozen=True)
class CacheInfo:
    """What a cache holds: bytes on disk, and the number of texts by the parser's signature."""

    path: Path
    size: int
    texts: Mapping[str, int]


def _warned(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=5)


class ParseCache:
    """The parses in a file, which is made when something is kept. `complain` is told, once, why it cannot be used."""

    default: ClassVar[ParseCache | None] = None
    """Where parsers keep their parses if they are not told otherwise. The command line sets it."""

    def __init__(self, path: Path, *, limit: int = LIMIT, complain: Callable[[str], None] = _warned) -> None:
        self.path = path
        self._limit = limit
        self._complain = complain
        self._usable = True

    def find(self, signature: str, texts: Iterable[str]) -> dict[str, Trees]:
        """Those of the texts that this parser has parsed, with their trees."""

        def look(connection: sqlite3.Connection) -> dict[str, Trees]:
            found: dict[str, Trees] = {}
            for text in texts:
                row = connection.execute(
                    "SELECT constituents, dependencies FROM parses WHERE text = ? AND parser = "
                    "(SELECT number FROM parsers WHERE signature = ?)",
                    (_key(text), signature),
                ).fetchone()
                if row is not None:
                    found[text] = (_unpacked(row[0]), _unpacked(row[1]))
            return found

        return self._visit(look, otherwise={}) if self.path.exists() else {}

    def keep(self, signature: str, parses: Mapping[str, Trees]) -> None:
        """Keeps the trees of texts. The oldest go if the file grows beyond its limit."""

        def write(connection: sqlite3.Connection) -> None:
            # At once, not at the first write: whoever reads first and then writes may not wait for another writer.
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("INSERT OR IGNORE INTO parsers (signature) VALUES (?)", (signature,))
            connection.executemany(
                "INSERT OR REPLACE INTO parses SELECT number, ?, ?, ? FROM parsers WHERE signature = ?",
                ((_key(text), *map(_packed, trees), signature) for text, trees in parses.items()),
            )
            if _size(connection) > self._limit:
                connection.execute(
                    "DELETE FROM parses WHERE rowid IN (SELECT rowid FROM parses ORDER BY rowid "
                    "LIMIT (SELECT (count(*) + 3) / 4 FROM parses))"
                )
            connection.execute("COMMIT")

        self._visit(write, otherwise=None)

    def info(self) -> CacheInfo:
        """What is in it."""

        def count(connection: sqlite3.Connection) -> dict[str, int]:
            return dict(
                connection.execute(
                    "SELECT signature, count(*) FROM parses JOIN parsers ON parser = number "
                    "GROUP BY signature ORDER BY signature"
                )
            )

        if not self.path.exists():
            return CacheInfo(self.path, 0, {})
        return CacheInfo(self.path, self.path.stat().st_size, self._visit(count, otherwise={}))

    def clear(self) -> None:
        """Removes it, whatever its state."""
        for path in (self.path, self.path.with_name(f"{self.path.name}-journal")):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise MissingFile(
                    f"the cache of parses '{path}' cannot be removed: {error.strerror}."
                ) from None
        self._usable = True

    def _visit(self, do: Callable[[sqlite3.Connection], Result], *, otherwise: Result) -> Result:
        """What `do` gives, or `otherwise` if the cache cannot be used. With a connection of its own: none may be
        carried into a process that is forked.
        """
        if not self._usable:
            return otherwise
        try:
            import sqlite3
        except ImportError:  # a Python may be built without it
            self._give_up("this Python has no sqlite3")
            return otherwise
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=_WAIT, isolation_level=None)) as connection:
                for table in _TABLES:
                    connection.execute(table)
                return do(connection)
        except (sqlite3.Error, OSError, zlib.error) as error:
            self._give_up(str(error))
            return otherwise

    def _give_up(self, reason: str) -> None:
        self._usable = False
        self._complain(
            f"the cache of parses '{self.path}' cannot be used ({reason}); going on without it. "
            "If it is damaged: understudy parse --clear-cache"
        )


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def _packed(trees: str | None) -> bytes | None:
    return None if trees is None else zlib.compress(trees.encode("utf-8", "surrogatepass"), 1)


def _unpacked(trees: bytes | None) -> str | None:
    return None if trees is None else zlib.decompress(trees).decode("utf-8", "surrogatepass")


def _size(connection: sqlite3.Connection) -> int:
    """Bytes that are in use: what was deleted leaves room in the file."""
    pages, free, page = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * page)
