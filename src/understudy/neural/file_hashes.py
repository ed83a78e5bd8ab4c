"""Hashes of weight files, which may have many gigabytes: kept in the score cache as long as a file is unchanged."""

from __future__ import annotations

import hashlib
import re
import time
from functools import lru_cache
from pathlib import Path

from understudy.neural.score_cache import ScoreCache

_READ_AT_ONCE = 1 << 22
_MAKER = "sha256 of files"
# A file that changes twice within the resolution of its times looks unchanged: some file systems count in 2 seconds.
_SETTLED = 3e9  # nanoseconds since the last change


def file_hash(path: Path) -> str:
    """The SHA-256 of a file. The Hugging Face cache names large files by it."""
    path = path.resolve()
    if re.fullmatch("[0-9a-f]{64}", path.name) and path.parent.name == "blobs":
        return path.name
    return _hash(path, _state(path))


def _state(path: Path) -> tuple[int, ...]:
    """What changes whenever the file does: the time of the last change of its status cannot be set back."""
    found = path.stat()
    return found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino, found.st_dev


@lru_cache(maxsize=64)
def _hash(path: Path, state: tuple[int, ...]) -> str:
    cache = ScoreCache.default
    key = hashlib.sha256(f"{state};{path}".encode("utf-8", "surrogateescape")).digest()
    found = {} if cache is None else cache.entries(_MAKER, [key], bytes.hex)
    if len(found.get(key, "")) == 2 * hashlib.sha256().digest_size:
        return found[key]
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while part := file.read(_READ_AT_ONCE):
            digest.update(part)
    settled = time.time_ns() - max(state[1:3]) > _SETTLED and _state(path) == state
    if cache is not None and settled:
        cache.add(_MAKER, {key: digest.digest()})
    return digest.hexdigest()
