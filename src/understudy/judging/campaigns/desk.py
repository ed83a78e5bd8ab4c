"""Desk: the state of a campaign while it is served, in memory. The server asks it for everything; the database is read
at the start, and again when another command changed judges, links or assignments.
"""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from understudy.judging.campaigns.payloads import BadAnswer, Shown, ShownText, is_final
from understudy.judging.campaigns.store import Store
from understudy.judging.campaigns.tokens import matches, selector_of
from understudy.judging.protocols.protocol import Protocol, Step
from understudy.judging.protocols.reading import protocol_of_text

RECENT_TASKS = 50  # whose duration tells how long the rest takes
LONGEST_PAUSE = 600.0  # seconds on one task: more is a break, not work
FEWEST_TIMED = 3  # tasks before a time is estimated


@dataclass(frozen=True)
class Segment:
    number: int
    document: str | None
    source: str | None
    reference: str | None


@dataclass(frozen=True)
class Output:
    segment: int
    text: str
    systems: tuple[str, ...]
    control_of: int | None
    prefilled: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class PlannedTask:
    id: int
    role: str
    segment: int
    outputs: tuple[int, ...]
    repeat_of: int | None
    details: Mapping[str, Any]


@dataclass
class Judge:
    """One judge, lead or viewer, and how far they are."""

    id: int
    name: str
    group: str | None
    role: str
    revoked: bool
    tasks: list[int] = field(default_factory=list)  # in order
    answers: dict[int, dict[str, Mapping[str, Any]]] = field(default_factory=dict)  # the last, by task and step
    keys: set[str] = field(default_factory=set)  # of everything stored
    done: set[int] = field(default_factory=set)
    seconds: dict[int, float] = field(default_factory=dict)  # by task, for unfinished ones
    durations: deque[float] = field(default_factory=lambda: deque(maxlen=RECENT_TASKS))
    received: list[float] = field(default_factory=list)  # of each answer
    profile: Mapping[str, Any] | None = None

    def seconds_left(self, tasks: int) -> float | None:
        """An estimate for so many tasks, as long as the median of the last ones."""
        if len(self.durations) < FEWEST_TIMED:
            return None
        return round(tasks * statistics.median(self.durations), 1)


class Desk:
    """All that is known about the campaign."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.meta = store.meta()
        languages = self.meta["languages"]
        self.source_language: str | None = languages["source"]
        self.target_language: str | None = languages["target"]
        self.settings: Mapping[str, Any] = self.meta["settings"]
        written = protocol_of_text(self.meta["protocol"], f"protocol of '{store.where}'")
        self.protocol = written.for_target(self.target_language)
        self._of_group: dict[str | None, Protocol] = {}
        self.judges: dict[int, Judge] = {}
        self._links: dict[str, tuple[str, int]] = {}  # hash and judge, by selector
        self._sessions: dict[str, tuple[str, int]] = {}
        self._read_plan()
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

    def protocol_of(self, judge: Judge) -> Protocol:
        """The protocol as the judge's group meets it."""
        if judge.group not in self._of_group:
            self._of_group[judge.group] = self.protocol.for_group(judge.group if self.protocol.groups else None)
        return self._of_group[judge.group]

    # -- tasks ------------------------------------------------------------------------------------------------

    def next_position(self, judge: Judge) -> int | None:
        """The position of the first unfinished task, from 1; None if all are done."""
        for place, task in enumerate(judge.tasks):
            if task not in judge.done:
                return place + 1
        return None

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
            ShownText(f"o{place}", self.outputs[id].text, len(self.outputs[id].prefilled))
            for place, id in enumerate(task.outputs, 1)
        ]
        source = self.segments[task.segment].source if sees_source else None
        return Shown(outputs, source, bool(self.settings["comment"]), bool(self.settings["post_edit"]))

    def assigned(self, judge: Judge, task: Any) -> PlannedTask:
        """The task of this number, if it is one of the judge's."""
        if not isinstance(task, int) or isinstance(task, bool) or task not in judge.tasks:
            raise BadAnswer("task: this is none of your tasks.")
        return self.tasks[task]

    def systems_of(self, output: int) -> tuple[str, ...]:
        """The systems with this text; of a degraded text, those of the original."""
        original = self.outputs[output].control_of
        return self.outputs[output if original is None else original].systems

    def output_text(self, segment: int, system: str) -> str | None:
        """What a system has for a segment."""
        output = self._by_system.get((segment, system))
        return None if output is None else self.outputs[output].text

    def neighbours(self, segment: int, width: int) -> tuple[list[int], list[int]]:
        """Up to `width` segments before and after this one in its document."""
        of_document = self._documents[self.segments[segment].document or ""]
        place = of_document.index(segment)
        return of_document[max(0, place - width) : place], of_document[place + 1 : place + 1 + width]

    def progress(self, judge: Judge) -> dict[str, Any]:
        total = len(judge.tasks)
        return {
            "done": len(judge.done),
            "total": total,
            "seconds_left": judge.seconds_left(total - len(judge.done)),
        }

    def take_answer(
        self, judge: Judge, key: str, task: int, step: str, payload: Mapping[str, Any], seconds: float | None,
        received: float,
    ) -> None:
        """An answer that is stored."""
        judge.keys.add(key)
        of_task = judge.answers.setdefault(task, {})
        of_task[step] = payload
        judge.received.append(received)
        if seconds is not None:
            judge.seconds[task] = judge.seconds.get(task, 0.0) + seconds
        if not _is_done(of_task, self.protocol.steps):
            judge.done.discard(task)
        elif task not in judge.done:
            judge.done.add(task)
            if task in judge.seconds:
                judge.durations.append(min(judge.seconds.pop(task), LONGEST_PAUSE))

    def take_profile(self, judge: Judge, key: str, profile: Mapping[str, Any]) -> None:
        judge.keys.add(key)
        judge.profile = {**(judge.profile or {}), **profile}

    # -- reading ----------------------------------------------------------------------------------------------

    def read_people(self) -> None:
        """Judges, links, sessions and assignments as they are now."""
        known = self.store.tables
        with self.store.reading() as connection:
            judges = connection.execute(known.judges.select()).all()
            links = connection.execute(known.links.select().where(~known.links.c.revoked)).all()
            sessions = connection.execute(known.sessions.select().where(known.sessions.c.ended.is_(None))).all()
            by_place = known.assignments.select().order_by(known.assignments.c.judge, known.assignments.c.position)
            assignments = connection.execute(by_place).all()
        tasks: dict[int, list[int]] = {row.id: [] for row in judges}
        for row in assignments:
            tasks[row.judge].append(row.task)
        for row in judges:
            judge = self.judges.setdefault(row.id, Judge(row.id, row.name, row.group, row.role, row.revoked))
            judge.revoked, judge.tasks = row.revoked, tasks[row.id]
        self._links = {row.selector: (row.hash, row.judge) for row in links}
        self._sessions = {row.selector: (row.hash, row.judge) for row in sessions}

    def _read_plan(self) -> None:
        known = self.store.tables
        with self.store.reading() as connection:
            self.segments = {
                row.id: Segment(row.number, row.document, row.source, row.reference)
                for row in connection.execute(known.segments.select())
            }
            self.outputs = {
                row.id: Output(row.segment, row.text, tuple(row.systems), row.control_of, tuple(row.prefilled))
                for row in connection.execute(known.outputs.select())
            }
            self.tasks = {
                row.id: PlannedTask(row.id, row.role, row.segment, tuple(row.outputs), row.repeat_of, row.details)
                for row in connection.execute(known.tasks.select())
            }

        self._by_system = {
            (output.segment, system): id
            for id, output in self.outputs.items()
            if output.control_of is None
            for system in output.systems
        }
        self._documents: dict[str, list[int]] = {}
        for id, segment in sorted(self.segments.items(), key=lambda item: item[1].number):
            self._documents.setdefault(segment.document or "", []).append(id)

    def _read_answers(self) -> None:
        known = self.store.tables
        with self.store.reading() as connection:
            for row in connection.execute(known.answers.select().order_by(known.answers.c.id)):
                self.take_answer(
                    self.judges[row.judge], row.key, row.task, row.step, row.payload, row.seconds, row.received
                )
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
            if step.name not in answered or not is_final(answered[step.name]) or "skipped" in answered[step.name]:
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
