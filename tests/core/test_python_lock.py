"""Python's lock: other threads of a program go on while the core works on a whole column."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from understudy import _core

pa = pytest.importorskip("pyarrow")

TEXT = ["Some Text of Any Kind"] * 20_000
COLUMN = _core.Column.from_strings(TEXT)
ARROW = pa.array(TEXT)
TIMES = 1000
TREES = _core.Column.from_strings(["(S (NP (PRP I)) (VP (VBD slept)))"] * 5_000)
READING = _core.TreeReading.brackets()
NUMBERS = np.linspace(1, 2, 200_000)
ROWS = np.ones((100_000, 4), np.float32)


class Exported:
    """What pyarrow has handed over already: it lets go of Python's lock while it does."""

    def __init__(self) -> None:
        self.pairs = [ARROW.__arrow_c_array__() for _ in range(TIMES)]

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self.pairs.pop()


EXPORTED = Exported()


@pytest.fixture
def no_switching() -> Iterator[None]:
    """Python hands its lock over only where it is let go."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("no_switching")
@pytest.mark.parametrize(
    "work",
    [
        lambda: COLUMN.lowered("lower"),
        lambda: _core.Column.from_arrow(EXPORTED),
        lambda: _core.check_trees(TREES, READING),
        lambda: _core.log(NUMBERS),
        lambda: _core.row_maxima(ROWS),
    ],
    ids=["lowered", "from_arrow", "check_trees", "log", "row_maxima"],
)
def test_others_run_while_the_core_works(work: Callable[[], object]) -> None:
    go = threading.Lock()
    go.acquire()
    ran: list[bool] = []

    def other() -> None:
        go.acquire()
        ran.append(True)

    thread = threading.Thread(target=other)
    thread.start()
    go.release()  # now it waits for Python's lock alone
    for _ in range(TIMES):  # how soon it is woken is up to the system
        work()
        if ran:
            break
    ran_meanwhile = list(ran)
    thread.join()
    assert ran_meanwhile
