"""The file of a track: crashes, concurrent commands, and files that cannot be used."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from material.tracks import noisy, reference
from understudy import BLEU, Track, UnderstudyError
from understudy.tracking import track_file

ROOT = Path(__file__).parents[2]
REFERENCE = reference(30)

# Adds runs until it is killed, at a random time. What has been added is acknowledged in another file.
KILLED = """
import os, random, signal, sys, time
from pathlib import Path
from material.tracks import noisy, reference
from understudy import Track

folder, rounds, fresh = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3] == "fresh"
texts = reference(30)
outputs = [noisy(texts, 0.3, seed=number) for number in range(8)]
for run in range(3):  # to know how long it takes, of the last one
    started = time.monotonic()
    Track(folder / "warm.sqlite").add(f"{run}", outputs[run], texts, ["bleu", "chrf"], threads=1)
    needed = time.monotonic() - started
random.seed(5)
for number in range(rounds):
    child = os.fork()
    if child == 0:
        acknowledged = os.open(folder / "acknowledged", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        track = Track(folder / (f"track-{number}.sqlite" if fresh else "track.sqlite"))
        for run in range(1000):
            name = f"{number}/{run}"
            track.add(name, outputs[run % 8], texts, ["bleu", "chrf"], keep_text=run % 3 == 0, threads=1)
            os.write(acknowledged, f"{name}\\n".encode())
    time.sleep(random.uniform(0, needed * (1.5 if fresh else 4)))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
"""
ADDS = """
import sys
from material.tracks import noisy, reference
from understudy import Track

texts = reference(30)
for number in range(5):
    Track(sys.argv[1]).add(f"{sys.argv[2]}/{number}", noisy(texts, 0.3, seed=number), texts, ["bleu"])
"""


def python(script: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", script, *arguments]


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "tests"), "OPENBLAS_NUM_THREADS": "1"}


def complete_runs(path: Path) -> set[str]:
    """The names of all runs, each of which has everything that was given."""
    expected = [BLEU().corpus(noisy(REFERENCE, 0.3, seed=number), REFERENCE).value for number in range(8)]
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    found = Track(path).runs()
    assert all(specs == ["bleu", "chrf"] for specs in found.metrics)
    (bleu,) = Track(path).show(metrics=["bleu"], samples=2).metrics
    assert [step.run.name for step in bleu.steps] == [run.name for run in found.runs]
    for step in bleu.steps:
        number = int(step.run.name.split("/")[1])
        assert step.result.score == expected[number % 8]
        assert step.run.has_text == (number % 3 == 0)
    return {run.name for run in found.runs}


def test_a_crash_loses_no_finished_run_and_leaves_no_half_run(tmp_path: Path) -> None:
    rounds = 40
    subprocess.run(
        python(KILLED, str(tmp_path), str(rounds), "one"), env=environment(), check=True, timeout=120
    )
    acknowledged = set((tmp_path / "acknowledged").read_text(encoding="utf-8").split())
    stored = complete_runs(tmp_path / "track.sqlite")
    assert acknowledged <= stored
    assert acknowledged
    assert len(stored - acknowledged) <= rounds  # killed between the two, at most one each time


def test_a_crash_while_the_file_is_made_leaves_a_usable_one(tmp_path: Path) -> None:
    rounds = 25
    subprocess.run(
        python(KILLED, str(tmp_path), str(rounds), "fresh"), env=environment(), check=True, timeout=120
    )
    acknowledged = (tmp_path / "acknowledged").read_text(encoding="utf-8").split()
    for number in range(rounds):
        path = tmp_path / f"track-{number}.sqlite"
        finished = {name for name in acknowledged if name.startswith(f"{number}/")}
        if finished:
            assert finished <= complete_runs(path)
        Track(path).add(f"{number}/999", noisy(REFERENCE, 0.3, seed=7), REFERENCE, ["bleu"])
        assert f"{number}/999" in {run.name for run in Track(path).runs().runs}


def test_concurrent_commands_wait_for_each_other(tmp_path: Path) -> None:
    path = tmp_path / "track.sqlite"
    adders = [
        subprocess.Popen(python(ADDS, str(path), str(number)), env=environment()) for number in range(8)
    ]
    assert [adder.wait(timeout=120) for adder in adders] == [0] * 8
    names = {run.name for run in Track(path).runs().runs}
    assert names == {f"{adder}/{number}" for adder in range(8) for number in range(5)}
    with closing(sqlite3.connect(path)) as connection, connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["track.sqlite"]


def test_nothing_is_stored_if_a_transaction_fails(
    three_runs: Track, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Path(three_runs.path).read_bytes()

    def fail(*_: Any) -> None:
        raise UnderstudyError("stop")

    monkeypatch.setattr("understudy.tracking.records.StoredCounts.put", fail)
    with pytest.raises(UnderstudyError, match="stop"):
        three_runs.add("run-9", noisy(REFERENCE, 0.3, seed=1), REFERENCE)
    assert Path(three_runs.path).read_bytes() == before
    assert sorted(each.name for each in tmp_path.iterdir()) == ["track.sqlite"]


# --- files that cannot be used -------------------------------------------------------------------------------


def refused(track: Track, said: str) -> None:
    """By commands that read and by commands that write, in one line."""
    with pytest.raises(UnderstudyError, match=said) as error:
        track.add("new", noisy(REFERENCE, 0.3, seed=1), REFERENCE)
    assert "\n" not in str(error.value)


def test_a_missing_track_has_no_runs(track: Track) -> None:
    for call in (
        track.show,
        track.runs,
        track.check,
        lambda: track.remove("a"),
        lambda: track.rename("a", "b"),
    ):
        with pytest.raises(UnderstudyError, match="no such track"):
            call()
    assert not Path(track.path).exists()


def test_a_folder_is_no_track(tmp_path: Path) -> None:
    refused(Track(tmp_path), "is a directory")
    refused(Track(tmp_path / "no" / "track"), "the directory '.*' does not exist")


def test_another_file_is_no_track(tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_text("BLEU 33.1\n" * 100, encoding="utf-8")
    refused(Track(path), "is not a track")
    assert path.read_text(encoding="utf-8").startswith("BLEU")
    database = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("CREATE TABLE things (name)")
    connection.close()
    refused(Track(database), "is an SQLite database, but not a track")


def test_a_newer_schema_is_refused(three_runs: Track) -> None:
    with closing(sqlite3.connect(three_runs.path)) as connection, connection:
        connection.execute(f"PRAGMA user_version = {track_file.SCHEMA_VERSION + 1}")
    connection.close()
    refused(three_runs, "has schema version 2, but understudy .* reads version 1. Upgrade understudy.")
    with pytest.raises(UnderstudyError, match="Upgrade understudy"):
        three_runs.show()


def test_a_damaged_file_is_reported(three_runs: Track) -> None:
    path = Path(three_runs.path)
    data = bytearray(path.read_bytes())
    data[4096 : len(data)] = os.urandom(len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(UnderstudyError, match=r"is damaged|are damaged"):
        three_runs.show()


def test_damaged_counts_name_the_run(three_runs: Track) -> None:
    with closing(sqlite3.connect(three_runs.path)) as connection, connection:
        connection.execute("UPDATE counts SET counts = X'00' WHERE run = 2")
    connection.close()
    with pytest.raises(UnderstudyError, match="the counts of bleu for run 'run-2' are damaged"):
        three_runs.show()


@pytest.mark.parametrize(
    ("table", "change"),
    [
        ("counts", "signature = 'x'"),
        ("counts", "signature = '{}'"),
        ("counts", "columns = '[1'"),
        ("runs", "date = '2026-13-01'"),
        ("runs", "tags = '['"),
    ],
)
def test_a_damaged_row_is_reported_in_one_line(three_runs: Track, table: str, change: str) -> None:
    with closing(sqlite3.connect(three_runs.path)) as connection, connection:
        connection.execute(f"UPDATE {table} SET {change}")
    connection.close()
    for command in (three_runs.show, three_runs.check, three_runs.runs):
        with pytest.raises(
            UnderstudyError, match=f"is damaged: the table {table} has a row that cannot be read"
        ):
            command()


@pytest.mark.parametrize(
    "facts", [{"run": "\udcff"}, {"note": "\udcff"}, {"tags": ["\udcff"]}, {"test_set": "\udcff"}]
)
def test_what_is_not_unicode_is_refused(three_runs: Track, facts: dict[str, Any]) -> None:
    given = {"run": "new", **facts}
    with pytest.raises(UnderstudyError, match=r"'\\udcff' is not valid Unicode"):
        three_runs.add(given.pop("run"), REFERENCE, REFERENCE, **given)
    with pytest.raises(UnderstudyError, match=r"run: '\\udcff' is not valid Unicode"):
        three_runs.rename("run-1", "\udcff")
    assert len(three_runs.runs().runs) == 3


@contextmanager
def read_only(path: Path) -> Iterator[None]:
    path.chmod(0o444)
    path.parent.chmod(0o555)
    try:
        yield
    finally:
        path.parent.chmod(0o755)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_track_can_be_shown_but_not_changed(three_runs: Track) -> None:
    with read_only(Path(three_runs.path)):
        assert len(three_runs.show().metrics) == 2
        refused(three_runs, "cannot be written: the file or its folder is read-only")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        ("attempt to write a readonly database", "cannot be written: the file or its folder is read-only"),
        ("database or disk is full", "the disk is full. Free some space; all stored runs are intact"),
        ("database is locked", "has been locked by another process for 60 s. Try again"),
        ("unable to open database file", "cannot be opened. Check the permissions"),
        ("disk I/O error", "disk I/O error. Check the file"),
    ],
)
def test_what_sqlite_says_is_one_line(
    three_runs: Track, monkeypatch: pytest.MonkeyPatch, error: str, said: str
) -> None:
    def fail(*_: Any) -> None:
        raise sqlite3.OperationalError(error)

    monkeypatch.setattr("understudy.tracking.track.store", fail)
    refused(three_runs, said)


def test_a_full_disk_leaves_the_stored_runs(three_runs: Track, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite's own limit on the size of a file stands for the disk's."""
    connect = sqlite3.connect

    def small(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection = connect(*arguments, **options)
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr(sqlite3, "connect", small)
    long = [f"{text} {number}" for number, text in enumerate(reference(2000))]
    with pytest.raises(UnderstudyError, match="the disk is full"):
        three_runs.add("large", long, long, ["bleu", "chrf"], keep_text=True)
    monkeypatch.undo()
    assert [run.name for run in three_runs.runs().runs] == ["run-1", "run-2", "run-3"]
