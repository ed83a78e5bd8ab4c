"""Desk: the state of a campaign while it is served, in memory. The server asks it for everything; the database is read
at the start, and again when another command changed judges, links or assignments.
"""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from understudy.judging.campaigns.design import PlannedTask
from understudy.judging.campaigns.design_rows import read_design
from understudy.judging.campaigns.judge_order import FIXED
from understudy.judging.campaigns.payloads import BadAnswer, Shown, ShownText, is_final
from understudy.judging.campaigns.pool import Pool
from understudy.judging.campaigns.scores import scores_of
from understudy.judging.campaigns.store import Store
from understudy.judging.campaigns.tokens import matches, selector_of
from understudy.judging.protocols.protocol import Protocol, Step

_RECENT_TASKS = 50  # whose duration tells how long the rest takes
_LONGEST_PAUSE = 600.0  # seconds on one task: more is a break, not work
_FEWEST_TIMED = 3  # tasks before a time is estimated


class Sent(NamedTuple):
    """What came with a key: sent again, it is the same."""

    task: int | None  # None: a profile
    step: str
    payload: Mapping[str, Any]


@dataclass
class Judge:
    """One judge, lead or viewer, and how far they are."""

    id: int
    name: str
    group: str | None
    role: str
    revoked: bool
    tasks: list[int] = field(default_factory=list)  # in order
    shown_tasks: set[int] = field(default_factory=set)  # the same
    stored_tasks: set[int] = field(default_factory=set)  # those that the database has, or is about to have
    last_position: int = 0  # that the database has
    answers: dict[int, dict[str, Mapping[str, Any]]] = field(
        default_factory=dict
    )  # the last, by task and step
    keys: dict[str, Sent] = field(default_factory=dict)  # of everything stored
    done: set[int] = field(default_factory=set)
    done_in_front: int = 0  # so many of the first tasks are done, or more
    seconds: dict[int, float] = field(default_factory=dict)  # by task, for unfinished ones
    durations: deque[float] = field(default_factory=lambda: deque(maxlen=_RECENT_TASKS))
    received: list[float] = field(default_factory=list)  # of each answer
    profile: Mapping[str, Any] | None = None

    def give(self, task: int) -> None:
        self.tasks.append(task)
        self.shown_tasks.add(task)

    def first_open(self) -> int | None:
        """The place of the first task that is not done, from 0."""
        while self.done_in_front < len(self.tasks):
            if self.tasks[self.done_in_front] not in self.done:
                return self.done_in_front
            self.done_in_front += 1
        return None

    def reopen(self, task: int) -> None:
        if task in self.done:
            self.done.remove(task)
            self.done_in_front = 0

    def seconds_left(self, tasks: int) -> float | None:
        """An estimate for so many tasks, as long as the median of the last ones."""
        if len(self.durations) < _FEWEST_TIMED:
            return None
        return round(tasks * statistics.median(self.durations), 1)


class Desk:
    """All that is known about the campaign."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.design = read_design(store)
        facts = store.meta()
        self.id, self.name = facts["id"], facts["name"]
        self.plan = self.design.plan
        self.tasks = self.design.by_id
        self.protocol = self.design.protocol.for_target(self.plan.target_language)
        self._of_group: dict[str | None, Protocol] = {}
        self.judges: dict[int, Judge] = {}
        self._links: dict[str, tuple[str, int]] = {}  # hash and judge, by selector
        self._sessions: dict[str, tuple[str, int]] = {}
        kind = self.plan.assignment_for(self.protocol)
        self.pool = None if kind in FIXED else Pool(self.design)
        self.read_people()
        self._read_answers()

    # -- who ----------------------------------------------------------------------------------------------------

    def judge_of_link(self, token: str) -> Judge | None:
        """Whose link this is; None for a wrong, old or revoked one."""
        return self._judge_of(self._links, token)

    def judge_of_session(self, token: str) -> Judge | None:
        return self._judge_of(self._sessions, token)

    def add_session(self, selector: str, hash: str, judge: int) -> None:
        self._sessions[selector] = (hash, judge)

    def end_session(self, token: str) -> None:
        self._sessions.pop(selector_of(token), None)

    def judges_with_sessions(self) -> set[int]:
        return {judge for _, judge in self._sessions.values()}

    def protocol_of(self, judge: Judge) -> Protocol:
        """The protocol as the judge's group meets it."""
        if judge.group not in self._of_group:
            self._of_group[judge.group] = self.protocol.for_group(
                judge.group if self.protocol.groups else None
            )
        return self._of_group[judge.group]

    # -- tasks ------------------------------------------------------------------------------------------------

    def next_position(self, judge: Judge) -> int | None:
        """The position of the first unfinished task, from 1; None if all are done."""
        place = judge.first_open()
        if place is not None:
            return place + 1
        taken = None if self.pool is None else self.pool.next_task(judge.name)
        if taken is None:
            return None
        # Stored with its first answer: a task that was only looked at can be given to someone else.
        judge.give(taken)
        return len(judge.tasks)

    def step_to_answer(self, judge: Judge, task: PlannedTask) -> Step:
        """The first that is open. Of a finished task: the first that may still be changed."""
        steps = self.protocol_of(judge).steps
        return steps[self._open(judge, task, steps)]

    def locked_steps(self, judge: Judge, task: PlannedTask) -> list[str]:
        """Steps that cannot be answered any more: a later step has shown the judge a text that they hide."""
        steps = self.protocol_of(judge).steps
        seen = self.texts_seen(judge, task)
        return [step.name for step in steps[: self._revealed(judge, task, steps)] if seen - set(step.shows)]

    def texts_seen(self, judge: Judge, task: PlannedTask) -> set[str]:
        """Which of source, output and reference the judge may have seen: those of all steps up to the open one."""
        steps = self.protocol_of(judge).steps
        return {text for step in steps[: self._revealed(judge, task, steps) + 1] for text in step.shows}

    def shown(self, judge: Judge, task: PlannedTask) -> Shown:
        """What an answer of this judge can be about."""
        sees_source = any("source" in step.shows for step in self.protocol_of(judge).steps)
        outputs = [
            ShownText(f"o{place}", output.text, len(output.prefilled))
            for place, output in enumerate((self.design.outputs[index] for index in task.outputs), 1)
        ]
        source = self.design.segments[task.segment].source if sees_source else None
        return Shown(outputs, source, self.plan.comment, self.plan.post_edit)

    def assigned(self, judge: Judge, task: Any) -> PlannedTask:
        """The task of this number, if it is one of the judge's."""
        known = isinstance(task, int) and not isinstance(task, bool)
        if known and task in judge.shown_tasks:
            return self.tasks[task]
        if known and self.pool is not None and task in self.tasks and self.tasks[task].role != "practice":
            return self.tasks[task]  # it was taken from the pool before the server was started again
        raise BadAnswer("task: this is none of your tasks.")

    def new_assignment(self, judge: Judge, task: int) -> list[dict[str, Any]]:
        """The row of a task from the pool, to be stored with the first answer to it; none if it is stored."""
        if task in judge.stored_tasks:
            return []
        judge.stored_tasks.add(task)
        judge.last_position += 1
        return [{"judge": judge.id, "position": judge.last_position, "task": task}]

    def languages_of(self, task: PlannedTask) -> tuple[str | None, str | None]:
        """Of source and outputs. Practice items have their own."""
        if task.practice is None:
            return self.plan.source_language, self.plan.target_language
        item, source = self.protocol.practice[task.practice], self.design.segments[task.segment].source
        language = next((language for language, text in item.sources.items() if text == source), None)
        return language, item.target_language

    def progress(self, judge: Judge) -> dict[str, Any]:
        done, total = len(judge.done), self.total(judge)
        seconds_left = None if total is None else judge.seconds_left(total - done)
        return {"done": done, "total": total, "seconds_left": seconds_left}

    def total(self, judge: Judge) -> int | None:
        """How many tasks a judge has in all; unknown where they come from a pool."""
        return len(judge.tasks) if self.pool is None else None

    def take_answer(self, judge: Judge, answer: Any) -> None:
        """An answer that is stored: a row of the database."""
        task, seconds = answer.task, answer.seconds
        judge.keys[answer.key] = Sent(task, answer.step, answer.payload)
        if task not in judge.shown_tasks:
            judge.give(task)
            if self.pool is not None:
                self.pool.serve(judge.name, task)
        of_task = judge.answers.setdefault(task, {})
        of_task[answer.step] = answer.payload
        judge.received.append(answer.received)
        if seconds is not None:
            judge.seconds[task] = judge.seconds.get(task, 0.0) + seconds
        if not _is_done(of_task, self.protocol.steps):
            judge.reopen(task)
        elif task not in judge.done:
            judge.done.add(task)
            if task in judge.seconds:
                judge.durations.append(min(judge.seconds.pop(task), _LONGEST_PAUSE))
        if task in judge.done and self.pool is not None:
            self.pool.answer(judge.name, task, scores_of(self.protocol, self.tasks[task], of_task))

    def take_profile(self, judge: Judge, key: str, profile: Mapping[str, Any]) -> None:
        judge.keys[key] = Sent(None, "profile", profile)
        judge.profile = {**(judge.profile or {}), **profile}

    # -- reading ----------------------------------------------------------------------------------------------

    def read_people(self) -> None:
        """Judges, links, sessions and assignments as they are now."""
        known = self.store.tables
        self.changes = self.store.changes()  # before reading: what changes meanwhile is read again
        with self.store.reading() as connection:
            judges = connection.execute(known.judges.select()).all()
            links = connection.execute(known.links.select().where(~known.links.c.revoked)).all()
            sessions = connection.execute(
                known.sessions.select().where(known.sessions.c.ended.is_(None))
            ).all()
            by_place = known.assignments.select().order_by(
                known.assignments.c.judge, known.assignments.c.position
            )
            assignments = connection.execute(by_place).all()
        for row in judges:
            self._read_judge(row)
        for row in assignments:
            judge = self.judges[row.judge]
            judge.last_position = max(judge.last_position, row.position)
            if row.task not in judge.stored_tasks:
                judge.stored_tasks.add(row.task)
                judge.give(row.task)
                if self.pool is not None:
                    self.pool.serve(judge.name, row.task)
        self._links = {row.selector: (row.hash, row.judge) for row in links}
        self._sessions = {row.selector: (row.hash, row.judge) for row in sessions}

    def _read_judge(self, row: Any) -> None:
        judge = self.judges.setdefault(row.id, Judge(row.id, row.name, row.group, row.role, row.revoked))
        if self.pool is not None and row.role == "judge":
            if row.name not in self.pool.desks:
                self.pool.add_judge(row.name, row.group)
            if row.revoked and not judge.revoked:
                self.pool.release(row.name)
        judge.revoked = row.revoked

    def _read_answers(self) -> None:
        known = self.store.tables
        with self.store.reading() as connection:
            for row in connection.execute(known.answers.select().order_by(known.answers.c.id)):
                self.take_answer(self.judges[row.judge], row)
            for row in connection.execute(known.profiles.select().order_by(known.profiles.c.id)):
                self.take_profile(self.judges[row.judge], row.key, row.profile)

    def _judge_of(self, known: Mapping[str, tuple[str, int]], token: str) -> Judge | None:
        stored = known.get(selector_of(token))
        if stored is None or not matches(token, stored[0]):
            return None
        judge = self.judges[stored[1]]
        return None if judge.revoked else judge

    def _revealed(self, judge: Judge, task: PlannedTask, steps: Sequence[Step]) -> int:
        """The last step whose texts the judge has seen: all before it are answered."""
        answered = judge.answers.get(task.id, {})
        for place, step in enumerate(steps):
            if (
                step.name not in answered
                or not is_final(answered[step.name])
                or "skipped" in answered[step.name]
            ):
                return place
        return len(steps) - 1

    def _open(self, judge: Judge, task: PlannedTask, steps: Sequence[Step]) -> int:
        if task.id not in judge.done:
            return self._revealed(judge, task, steps)
        locked = self.locked_steps(judge, task)
        return next(place for place, step in enumerate(steps) if step.name not in locked)


def _is_done(answered: Mapping[str, Mapping[str, Any]], steps: Sequence[Step]) -> bool:
    """Every step has its answer, or the judge skipped the task."""
    if any("skipped" in payload for payload in answered.values()):
        return True
    return all(step.name in answered and is_final(answered[step.name]) for step in steps)
