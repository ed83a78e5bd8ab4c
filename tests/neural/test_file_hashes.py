"""Hashes of weight files that are kept on disk: never that of another content."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from understudy.neural import file_hashes
from understudy.neural.file_hashes import file_hash
from understudy.neural.score_cache import ScoreCache


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ScoreCache:
    made = ScoreCache(tmp_path / "cache", complain=lambda _: None)
    monkeypatch.setattr(ScoreCache, "default", made)
    monkeypatch.setattr(file_hashes, "_SETTLED", -1e18)  # files of tests have just changed
    return made


def in_another_process(path: Path) -> str:
    file_hashes._hash.cache_clear()
    return file_hash(path)


def sha256(text: bytes) -> str:
    return hashlib.sha256(text).hexdigest()


def test_a_stored_hash_is_not_computed_again(tmp_path, cache, monkeypatch):
    path = tmp_path / "weights"
    path.write_bytes(b"weights")
    assert in_another_process(path) == sha256(b"weights")
    assert cache.info().entries == {"sha256 of files": 1}
    monkeypatch.setattr(Path, "open", None)
    assert in_another_process(path) == sha256(b"weights")


def test_a_changed_file_never_has_an_old_hash(tmp_path, cache):  # noqa: ARG001
    path = tmp_path / "weights"
    path.write_bytes(b"weights")
    in_another_process(path)
    before = path.stat()
    path.write_bytes(b"WEIGHTS")  # the same inode, size and, by force, time of modification
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert in_another_process(path) == sha256(b"WEIGHTS")
    other = tmp_path / "other"
    other.write_bytes(b"another")
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(path)
    assert in_another_process(path) == sha256(b"another")


def test_a_file_that_has_just_changed_is_not_stored(tmp_path, cache, monkeypatch):
    monkeypatch.setattr(file_hashes, "_SETTLED", 3e9)
    path = tmp_path / "weights"
    path.write_bytes(b"weights")
    assert in_another_process(path) == sha256(b"weights")
    assert cache.info().entries == {}


@pytest.mark.parametrize("damage", ["file", "entry"])
def test_a_damaged_cache_is_ignored(tmp_path, cache, damage):
    path = tmp_path / "weights"
    path.write_bytes(b"weights")
    in_another_process(path)
    if damage == "file":
        cache.path.write_bytes(b"no database" * 100)
    else:
        state = file_hashes._state(path)
        key = hashlib.sha256(f"{state};{path.resolve()}".encode()).digest()
        cache.add("sha256 of files", {key: b"short"})
    assert in_another_process(path) == sha256(b"weights")
