"""Work shared out among processes: nothing is lost, whatever happens to one of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
from contextlib import closing
from typing import Any

import pytest

from understudy.syntax.processes import can_share_out, shared_out

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform cannot copy a process"),
    pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning"),
]


def squares(parts: int, processes: int) -> dict[int, int | None]:
    return dict(shared_out(lambda part: part * part, parts, processes))


@pytest.mark.parametrize("processes", [1, 2, 3, 9])
@pytest.mark.parametrize("parts", [0, 1, 7])
def test_every_part_comes_back_once(parts, processes):
    found = list(shared_out(lambda part: part * part, parts, processes))
    assert sorted(found) == [(part, part * part) for part in range(parts)]
    assert multiprocessing.active_children() == []


def test_the_work_is_done_elsewhere():
    assert os.getpid() not in dict(shared_out(lambda _part: os.getpid(), 4, 2)).values()


def test_large_results_come_back():
    assert dict(shared_out(lambda part: "x" * (part * 1_000_000), 5, 2)) == {
        part: "x" * (part * 1_000_000) for part in range(5)
    }


def test_a_part_that_fails_is_none_and_takes_no_other_along():
    def work(part: int) -> int:
        if part % 3 == 0:
            raise MemoryError if part else ValueError("0")
        return part

    assert dict(shared_out(work, 5, 2)) == {0: None, 1: 1, 2: 2, 3: None, 4: 4}


def test_a_process_that_is_ended_loses_no_more_than_its_part():
    def work(part: int) -> int:
        if part == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return part

    assert dict(shared_out(work, 8, 2)) == {part: part for part in range(8) if part != 3}


def test_if_all_processes_are_ended_there_is_no_waiting():
    assert dict(shared_out(lambda _part: os.kill(os.getpid(), signal.SIGKILL), 8, 2)) == {}


def test_without_any_process_there_is_nothing(monkeypatch):
    def refused() -> int:
        raise BlockingIOError("Resource temporarily unavailable")

    monkeypatch.setattr(os, "fork", refused)
    assert squares(4, 2) == {}


def test_who_needs_no_more_ends_them():
    with closing(shared_out(lambda part: part, 100, 2)) as answers:
        next(answers)
        assert multiprocessing.active_children()
    assert multiprocessing.active_children() == []


def test_an_interrupt_is_left_to_the_first_process():
    def work(part: int) -> int:
        os.kill(os.getpid(), signal.SIGINT)
        return part

    assert dict(shared_out(work, 4, 2)) == {part: part for part in range(4)}


def test_processes_of_a_pool_have_none_of_their_own(monkeypatch):
    monkeypatch.setattr(multiprocessing, "get_all_start_methods", lambda: ["fork"])
    monkeypatch.setattr(multiprocessing, "get_start_method", lambda **_: None)
    assert can_share_out()
    this_process: Any = multiprocessing.current_process()
    monkeypatch.setitem(this_process._config, "daemon", True)
    assert not can_share_out()
