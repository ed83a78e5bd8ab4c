"""Work distributed among forks of this process.

Results are pickled, so they should be plain data. Do not return spaCy documents: pickling one scans the entry points
of all packages, which takes as long as parsing.
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
    """Whether this process can fork workers. With other start methods the caller's script would run again in each
    worker, unless it is written for that.
    """
    # Querying the current method would fix it. If none is fixed, it is the first available one.
    chosen = multiprocessing.get_start_method(allow_none=True) or multiprocessing.get_all_start_methods()[0]
    # A process in a caller's pool may not start processes.
    return chosen == "fork" and not multiprocessing.current_process().daemon


def shared_out(
    work: Callable[[int], Result], parts: int, processes: int
) -> Generator[tuple[int, Result | None], None, None]:
    """The number of each part and the result of `work` for it, as soon as available; None if it raised an exception.
    A part is missing if its process was killed, e.g. because memory ran out.
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
    """The loop of a worker: one part after the other, until there are none left or the parent is gone."""
    # Ctrl-C reaches all processes of a terminal; the parent ends the workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # While any copy of one end is open, the other end does not notice that its owner is gone.
    for end in not_its_own:
        end.close()
    with suppress(EOFError, OSError):
        while (part := there.recv()) is not None:
            try:
                result = work(part)
            except Exception:  # of any kind: the parent will see it when it retries
                result = None
            there.send((part, result))


def _tell(here: Connection, part: int | None) -> None:
    with suppress(OSError):  # it has ended, which shows when it does not answer
        here.send(part)
