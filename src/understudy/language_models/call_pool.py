"""CallPool: calls to a server, several at a time. Every reply is stored before it counts."""

from __future__ import annotations

import queue
import threading
import time
import warnings
from collections import deque
from collections.abc import Mapping
from contextlib import nullcontext
from typing import Any, NamedTuple

from understudy.errors import ModelWarning, UnderstudyError
from understudy.language_models.answer_sheet import AnswerSheet, Slot
from understudy.language_models.answers import Answer
from understudy.language_models.caller import Agreement, Caller, Fatal, GivenUp, Rejected, Stopped
from understudy.language_models.endpoint import Endpoint
from understudy.language_models.judge import LanguageModelJudge
from understudy.language_models.reply_store import Reply, ReplyStore
from understudy.neural.scored_pairs import PairScorer

_TICK = 0.2  # seconds between two looks at the clock
_LOOK = 0.5  # seconds between two looks for replies to calls of other processes
_FIRST_REJECTED = (
    3  # questions that the server rejects before any reply, after which all requests must be wrong
)
_FIRST_FAILED = 2  # questions without a reply before the first reply: until then, one call is made at a time
_PATIENCE_AT_END = 10.0  # seconds for threads to end


class ServerFailed(UnderstudyError, ConnectionError):
    """A server that does not answer, or rejects every call."""


class _Task(NamedTuple):
    """A call to make."""

    key: bytes
    slot: Slot
    attempt: int


class _Done(NamedTuple):
    """A call that has ended: with a reply, or with a problem."""

    task: _Task
    request: Mapping[str, Any]
    reply: Reply | None
    problem: BaseException | None


class CallPool:
    """Threads that make calls, and the thread that hands them out, stores replies and watches the clock."""

    def __init__(
        self, judge: LanguageModelJudge, endpoint: Endpoint, store: ReplyStore, sheet: AnswerSheet
    ) -> None:
        self._judge, self._endpoint, self._store, self._sheet = judge, endpoint, store, sheet
        self._agreement = Agreement(judge.first_form, adapts=judge.reply_format == "auto")
        self._callers = [
            Caller(judge, endpoint, self._agreement) for _ in range(min(endpoint.parallel, len(sheet.open)))
        ]
        self._tasks: queue.SimpleQueue[_Task | None] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[_Done] = queue.SimpleQueue()
        self._waiting = deque(sheet.open)
        self._under_way: dict[bytes, _Task] = {}
        self._elsewhere: dict[bytes, Slot] = {}  # calls that another process makes
        self._looked = 0.0
        self._failures = self._rejected = 0
        self._fatal = ""

    def make_calls(self, title: str) -> None:
        """Until no slot of the sheet is open."""
        watch, total = PairScorer.watch, len(self._sheet.open)
        threads = [
            threading.Thread(target=self._work, args=(caller,), daemon=True) for caller in self._callers
        ]
        for thread in threads:
            thread.start()
        try:
            with nullcontext(None) if watch is None else watch(title, total) as progress:
                while self._waiting or self._under_way or self._elsewhere:
                    before = len(self._sheet.open)
                    self._step()
                    if progress is not None:
                        progress(before - len(self._sheet.open))
        finally:
            self._end(threads)
        if self._fatal:
            valid = sum(not answer.problem for answer in self._sheet.answers.values())
            total = len(self._sheet.answers) + len(self._sheet.open)
            raise ServerFailed(
                f"{self._fatal} {valid:,} of {total:,} answers are there; the same command asks for the others."
            )
        for note in self._agreement.notes if self._agreement.proven else ():
            warnings.warn(f"{self._endpoint.place}: {note}; asked without it.", ModelWarning, stacklevel=2)

    # --- the thread that hands out ------------------------------------------------------------------------------

    def _step(self) -> None:
        self._hand_out()
        if self._under_way or self._elsewhere:
            self._collect()
            self._look_elsewhere()
        for caller in self._callers:
            caller.connection.cut_if_late()
        self._store.sign_of_life()
        if self._fatal and not self._under_way:
            self._waiting.clear()
            self._elsewhere.clear()

    def _hand_out(self) -> None:
        """As many calls as there are threads; one until the server has accepted a request."""
        most = len(self._callers) if self._agreement.proven else 1
        while self._waiting and not self._fatal and (room := most - len(self._under_way)) > 0:
            tasks: dict[bytes, _Task] = {}
            for _ in range(min(room, len(self._waiting))):
                slot = self._waiting.popleft()
                key = self._sheet.key(slot)
                tasks[key] = _Task(key, slot, self._sheet.open[slot])
            claimed = set(self._store.claim(list(tasks)))
            for key, task in tasks.items():
                if key in claimed:
                    self._under_way[key] = task
                    self._tasks.put(task)
                else:
                    self._elsewhere[key] = task.slot

    def _collect(self) -> None:
        """Calls that have ended, after a moment."""
        try:
            self._end_call(self._done.get(timeout=_TICK))
            while True:
                self._end_call(self._done.get_nowait())
        except queue.Empty:
            return

    def _end_call(self, done: _Done) -> None:
        task, problem = done.task, done.problem
        del self._under_way[task.key]
        if done.reply is not None:
            self._keep(done, done.reply)
            self._failures = 0
            return
        self._store.release(task.key)
        if isinstance(problem, GivenUp):
            self._sheet.settle(task.slot, Answer(str(problem)))
            self._count_failure(problem)
        elif isinstance(problem, Fatal):
            self._fatal = self._fatal or str(problem)
        elif not isinstance(problem, Stopped) and problem is not None:
            raise problem

    def _keep(self, done: _Done, reply: Reply) -> None:
        task, tally = done.task, self._endpoint.tally
        self._store.keep(task.key, self._judge.model, self._judge.prompt.digest, done.request, reply)
        tally.calls += 1
        tally.tokens_in += reply.tokens_in or 0
        tally.tokens_out += reply.tokens_out or 0
        # The stored reply counts: it is another one if this process was stopped for so long that another took over.
        self._fill_in(task.slot, self._store.find([task.key])[task.key])

    def _fill_in(self, slot: Slot, reply: Reply) -> None:
        self._sheet.take(slot, reply)
        if slot in self._sheet.open:
            self._waiting.appendleft(slot)

    def _count_failure(self, problem: GivenUp) -> None:
        """A server that rejects all requests, or does not answer, is not asked to the end."""
        if isinstance(problem, Rejected):
            self._rejected += 1
            if not self._agreement.proven and self._rejected >= _FIRST_REJECTED:
                self._fatal = self._fatal or f"{self._endpoint.place}: every call is {problem}."
            return
        self._failures += 1
        most = self._endpoint.patience.failures
        if self._failures >= (most if self._agreement.proven else min(most, _FIRST_FAILED)):
            self._fatal = self._fatal or (
                f"{self._endpoint.place} fails: {self._failures} calls in a row got {problem}, each after "
                f"{self._endpoint.patience.calls} tries."
            )

    def _look_elsewhere(self) -> None:
        """Replies to calls of other processes. Whether the others can be claimed shows when their turn comes again."""
        if not self._elsewhere or time.monotonic() - self._looked < _LOOK:
            return
        self._looked = time.monotonic()
        slots = [*self._waiting, *self._elsewhere.values()]
        self._waiting.clear()
        self._elsewhere.clear()
        found = self._store.find(map(self._sheet.key, slots))
        for slot in slots:
            reply = found.get(self._sheet.key(slot))
            if reply is None:
                self._waiting.append(slot)
            else:
                self._fill_in(slot, reply)

    def _end(self, threads: list[threading.Thread]) -> None:
        """Also after an interruption: replies that have arrived by then are stored."""
        self._agreement.stopped.set()
        for _ in threads:
            self._tasks.put(None)
        for caller in self._callers:
            caller.connection.cut()
        for thread in threads:
            thread.join(_PATIENCE_AT_END)
        while self._under_way and not self._done.empty():
            self._end_call(self._done.get())

    # --- the threads that call ----------------------------------------------------------------------------------

    def _work(self, caller: Caller) -> None:
        while (task := self._tasks.get()) is not None:
            try:
                request, reply = caller.reply(task.slot.texts, task.slot.sample, task.attempt)
                self._done.put(_Done(task, request, reply, None))
            except BaseException as problem:
                self._done.put(_Done(task, {}, None, problem))
        caller.connection.close()
