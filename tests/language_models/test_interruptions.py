"""Runs that are killed, interrupted, or under way twice: the server's log has every reply once."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from material.faulty_models import FaultyModel

SEGMENTS = 40
PARALLEL = 4


@pytest.fixture
def texts(tmp_path: Path) -> list[str]:
    (tmp_path / "system").write_text("".join(f"the cat sat {each}\n" for each in range(SEGMENTS)))
    (tmp_path / "reference").write_text("the cat sat on the mat\n" * SEGMENTS)
    return ["system", "-r", "reference", "-m", "llm-judge:model=m,inputs=reference"]


def command(texts: list[str], url: str) -> list[str]:
    run = [
        sys.executable,
        "-m",
        "understudy",
        "score",
        *texts,
        "--endpoint",
        url,
        "--replies",
        "replies.sqlite3",
    ]
    return [*run, "--parallel", str(PARALLEL), "--level", "segment", "--format", "tsv"]


def started(texts: list[str], url: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        command(texts, url), cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_until(reached: Callable[[], bool]) -> None:
    for _ in range(3000):
        if reached():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen within 30 seconds")


def stored(folder: Path) -> int:
    if not (folder / "replies.sqlite3").exists():
        return 0
    connection = sqlite3.connect(folder / "replies.sqlite3", timeout=10)
    try:
        return connection.execute("SELECT count(*) FROM replies").fetchone()[0]
    except sqlite3.OperationalError:  # no table yet
        return 0
    finally:
        connection.close()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_ended_is_continued_without_a_second_call(
    tmp_path: Path, texts: list[str], sent: signal.Signals
):
    server = FaultyModel()
    server.hold_after = 15
    with server.running() as url:
        first = started(texts, url, tmp_path)
        # All threads wait for a reply, and what was answered is stored.
        wait_until(
            lambda: (
                [event for _, event in server.log].count("asked") == PARALLEL
                and stored(tmp_path) == server.replies >= 15
            )
        )
        first.send_signal(sent)
        _, said = first.communicate(timeout=120)
        assert first.returncode == (-signal.SIGKILL if sent == signal.SIGKILL else 130), said
        server.hold_after = None
        server.holds.set()
        wait_until(lambda: "asked" not in [event for _, event in server.log])
        assert [event for _, event in server.log].count("gone") == PARALLEL
        second = subprocess.run(command(texts, url), cwd=tmp_path, capture_output=True, text=True, check=True)
        before = len(server.log)
        third = subprocess.run(command(texts, url), cwd=tmp_path, capture_output=True, text=True, check=True)
    assert f"{SEGMENTS - server_replies(second.stderr)} replies stored" in second.stderr
    assert set(server.answered.values()) == {1}
    assert len(server.answered) == SEGMENTS
    assert len(server.log) == before == SEGMENTS + PARALLEL
    assert third.stdout == second.stdout


def server_replies(said: str) -> int:
    """The calls that a run made, as it says itself."""
    line = next(line for line in said.splitlines() if "made" in line and "tokens in" in line)
    return int(line.split()[1])


def test_two_processes_share_the_calls(tmp_path: Path, texts: list[str]):
    faults = {f"the cat sat {each}": ["late 0.02"] for each in range(SEGMENTS)}
    faults |= {"the cat sat 7": ["refusal", "status 500"], "the cat sat 20": ["prose"]}
    server = FaultyModel(faults)
    server.holds.clear()
    with server.running() as url:
        runs = [started(texts, url, tmp_path) for _ in range(2)]
        wait_until(lambda: len(server.log) == 2)  # both are at work, each on another segment
        server.holds.set()
        outputs = [run.communicate(timeout=120) for run in runs]
    assert [run.returncode for run in runs] == [0, 0], outputs
    assert outputs[0][0] == outputs[1][0]
    assert len(outputs[0][0].splitlines()) == SEGMENTS + 1
    assert sum(server_replies(said) for _, said in outputs) == SEGMENTS + 2
    assert {text for text, count in server.asked.items() if count > 1} == {"the cat sat 7", "the cat sat 20"}
    assert server.asked.total() == SEGMENTS + 3
