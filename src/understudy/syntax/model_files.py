"""The identity of a model in signatures: its name and a digest of its files."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

_PIECE = 1 << 20  # bytes of a file at a time


def safe(name: str) -> str:
    """A name that is valid in signatures and specs.

    >>> safe("mon modèle, v2")
    'mon_modèle__v2'
    """
    return re.sub(r"[^\w.+-]", "_", name)


def installed_version(package: str) -> str | None:
    """The version of an installed package, found without importing it."""
    try:
        return safe(version(package))
    except PackageNotFoundError:
        return None


def files_in(folder: Path) -> tuple[Path, ...]:
    """All files below a folder, in a fixed order."""
    return tuple(sorted(path for path in folder.rglob("*") if path.is_file()))


def digest(home: Path, paths: Iterable[Path]) -> str:
    """A digest of files: of their contents and their names below `home`."""
    states = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in paths]
    return _digest(str(home), tuple(states))


@functools.lru_cache(maxsize=32)
def _digest(home: str, states: tuple[tuple[str, int, int], ...]) -> str:
    found = hashlib.sha256()
    for path, _, _ in states:
        content = hashlib.sha256()
        with open(path, "rb") as file:
            while piece := file.read(_PIECE):
                content.update(piece)
        found.update(Path(path).relative_to(home).as_posix().encode() + b"\0" + content.digest())
    return found.hexdigest()[:12]
