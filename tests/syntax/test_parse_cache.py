"""The cache of parses: shared, bounded, and never in the way."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from understudy.disk_cache import cache_folder
from understudy.errors import MissingFile
from understudy.syntax.parse_cache import ParseCache


@pytest.fixture
def complaints():
    return []


@pytest.fixture
def cache(tmp_path, complaints):
    return ParseCache(tmp_path / "deep" / "parses.sqlite3", complain=complaints.append)


def test_what_is_kept_is_found(cache, complaints):
    assert cache.find("p-1", ["a"]) == {}
    assert not cache.path.exists()
    kept = {"a": ("(X a)", "1\ta\n"), "ü\u2028 𝒳": (None, ""), "lone \udc80": ("", None)}
    cache.keep("p-1", kept)
    assert cache.find("p-1", [*kept, "b"]) == kept
    assert cache.find("p-2", kept) == {}
    assert complaints == []


def test_keeping_again_replaces(cache):
    cache.keep("p", {"a": ("old", None)})
    cache.keep("p", {"a": ("new", None)})
    assert cache.find("p", ["a"]) == {"a": ("new", None)}
    assert cache.info().entries == {"p": 1}


def test_it_says_what_it_holds(cache):
    assert (cache.info().size, cache.info().entries) == (0, {})
    cache.keep("q", {"a": ("", ""), "b": ("", "")})
    cache.keep("p", {"a": ("", "")})
    assert list(cache.info().entries.items()) == [("p", 1), ("q", 2)]
    assert cache.info().size == cache.path.stat().st_size > 0


def test_clearing(cache):
    cache.keep("p", {"a": ("", "")})
    cache.clear()
    assert not cache.path.exists()
    assert cache.find("p", ["a"]) == {}
    cache.clear()  # nothing to do is no error


def test_the_oldest_go_when_it_grows_too_large(tmp_path):
    cache = ParseCache(tmp_path / "parses", limit=200_000)
    texts = [f"text {number}" for number in range(400)]
    for text in texts:
        cache.keep("p", {text: (os.urandom(1000).hex(), None)})
    left = [text in cache.find("p", [text]) for text in texts]
    assert left[-1]
    assert not left[0]
    assert left == sorted(left)
    assert cache.info().size < 300_000


@pytest.mark.parametrize(
    "content", [b"this is no database, though it is long enough to be one" * 50, b"\0" * 5000]
)
def test_a_broken_file_is_said_once_and_not_used(cache, complaints, content):
    cache.path.parent.mkdir()
    cache.path.write_bytes(content)
    assert cache.find("p", ["a"]) == {}
    cache.keep("p", {"a": ("", "")})
    assert cache.find("p", ["a"]) == {}
    assert len(complaints) == 1
    assert "continuing without it" in complaints[0]
    assert "understudy parse --clear-cache" in complaints[0]
    cache.clear()
    cache.keep("p", {"a": ("", "")})
    assert cache.find("p", ["a"]) == {"a": ("", "")}


def test_damage_inside_is_not_used_either(cache, complaints):
    cache.keep("p", {"a": ("(X a)" * 100, None)})
    import sqlite3

    connection = sqlite3.connect(cache.path)
    connection.execute("UPDATE entries SET content = x'00'")
    connection.commit()
    connection.close()
    assert cache.find("p", ["a"]) == {}
    assert len(complaints) == 1


def test_a_place_where_nothing_can_be_written(tmp_path, complaints):
    (tmp_path / "file").write_text("no folder")
    cache = ParseCache(tmp_path / "file" / "parses", complain=complaints.append)
    cache.keep("p", {"a": ("", "")})
    assert cache.find("p", ["a"]) == {}
    assert len(complaints) == 1


def test_a_cache_that_cannot_be_removed_is_an_error(tmp_path):
    (tmp_path / "parses").mkdir()
    with pytest.raises(MissingFile, match="cannot be removed"):
        ParseCache(tmp_path / "parses").clear()


def test_without_anybody_to_tell_it_is_a_warning(tmp_path):
    (tmp_path / "parses").mkdir()
    cache = ParseCache(tmp_path / "parses")
    with pytest.warns(RuntimeWarning, match="cannot be used"):
        cache.keep("p", {"a": ("", "")})


def test_a_python_without_sqlite(cache, complaints, monkeypatch):
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    cache.keep("p", {"a": ("", "")})
    assert len(complaints) == 1
    assert "built without sqlite3" in complaints[0]


WRITER = """
import sys
from pathlib import Path
from understudy.syntax.parse_cache import ParseCache

def fail(message):
    raise SystemExit(message)

cache = ParseCache(Path(sys.argv[1]), complain=fail)
for number in range(100):
    cache.keep("p", {f"{sys.argv[2]} {number}": ("x" * number, None), f"shared {number}": ("y", None)})
    assert len(cache.find("p", [f"{sys.argv[2]} {number}", f"shared {number}"])) == 2
"""


def test_several_processes_at_once(cache, complaints):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(cache.path), name], stderr=subprocess.PIPE)
        for name in ("one", "two", "three")
    ]
    for writer in writers:
        _, errors = writer.communicate()
        assert (writer.returncode, errors) == (0, b"")
    assert cache.info().entries == {"p": 400}
    assert complaints == []


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({"XDG_CACHE_HOME": "/c"}, "linux", "/c/understudy"),
        ({"XDG_CACHE_HOME": "relative"}, "linux", "~/.cache/understudy"),
        ({}, "linux", "~/.cache/understudy"),
        ({"XDG_CACHE_HOME": "/c"}, "darwin", "~/Library/Caches/understudy"),
        ({"LOCALAPPDATA": "/l"}, "win32", "/l/understudy/Cache"),
        ({}, "win32", "~/AppData/Local/understudy/Cache"),
    ],
)
def test_the_folder_is_the_platforms(environment, platform, expected):
    assert cache_folder(environment, platform) == Path(expected).expanduser()
