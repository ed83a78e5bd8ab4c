"""Work that is shared out among copies of this process.

What comes back is pickled, so it should be plain data. A document of spaCy is none: whoever writes or reads one looks
through the entry points of all packages, which takes as long as parsing it.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Generator, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import TypeVar

Result = TypeVar("Result")


def can_share_out() -> bool:
    """Whether this process can have copies that work. Where a new process is no copy of this one, a caller's script
    would run again in it, unless it is written for that.
    """
    # To ask for the method in use would fix it. Where none is fixed, it is the first of those that there are.
    chosen = multiprocessing.get_start_method(allow_none=True) or multiprocessing.get_all_start_methods()[0]
    # A process of a caller's pool may have none of its own.
    return chosen == "fork" and not multiprocessing.current_process().daemon


def shared_out(
    work: Callable[[int], Result], parts: int, processes: int
) -> Generator[tuple[int, Result | None], None, None]:
    """The number of each part and what `work` gives for it, as soon as it is there; None where it raises an exception.

    A part is missing if its process was ended from outside, as happens where memory is short.
    """
    workers: dict[Connection, BaseProcess] = {}
    try:
        with suppress(OSError):  # the system may allow no more processes
            for _ in range(min(processes, parts)):
                _start(work, workers)
        left = iter(range(parts))
        for here in list(workers):
            _tell(here, next(left, None))
        while workers:
            ready = wait(list(workers))
            for here in [end for end in workers if end in ready]:
                try:
                    answer = here.recv()
                except (EOFError, OSError):  # it has ended
                    workers.pop(here).join()
                    here.close()
                else:
                    _tell(here, next(left, None))
                    yield answer
    finally:
        for here, worker in workers.items():
            worker.kill()
            worker.join()
            here.close()


def _start(work: Callable[[int], Result], workers: dict[Connection, BaseProcess]) -> None:
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    worker = context.Process(target=_serve, args=(work, there, [here, *workers]), daemon=True)
    try:
        worker.start()
    except OSError:
        here.close()
        raise
    finally:
        there.close()
    workers[here] = worker


def _serve(work: Callable[[int], Result], there: Connection, not_its_own: Iterable[Connection]) -> None:
    """What a copy does: one part after the other, until there is none or nobody who asks."""
    # Ctrl-C reaches all processes of a terminal: the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # As long as a copy of an end is open, the other end does not learn that its owner is gone.
    for end in not_its_own:
        end.close()
    with suppress(EOFError, OSError):
        while (part := there.recv()) is not None:
            try:
                result = work(part)
            except Exception:  # of any kind: the first process finds out which, when it tries by itself
                result = None
            there.send((part, result))


def _tell(here: Connection, part: int | None) -> None:
    with suppress(OSError):  # it has ended, which is seen when it does not answer
        here.send(part)
