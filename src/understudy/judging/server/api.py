"""The interface of the page, apart from HTTP: what is asked, by whom, and the reply. `app.py` carries it over HTTP,
`openapi.py` describes it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from types import MappingProxyType, SimpleNamespace
from typing import Any, NamedTuple

from understudy.judging.campaigns.crowd import CROWD, CrowdPlaces
from understudy.judging.campaigns.desk import Desk, Judge, Sent
from understudy.judging.campaigns.payloads import BadAnswer, checked_payload, is_final, is_number
from understudy.judging.campaigns.practice import feedback
from understudy.judging.campaigns.profiles import checked_participant, checked_profile
from understudy.judging.campaigns.screens import campaign_screen, next_task_screen, task_screen
from understudy.judging.campaigns.store import StorageFailed
from understudy.judging.campaigns.tokens import new_token, selector_of
from understudy.judging.campaigns.writer import Rows, Writer
from understudy.judging.server.limits import Limits, Rate

_LONGEST_KEY = 64
_LONGEST_SECONDS = 1e7  # of an answer: four months with the page open

_UNKNOWN_LINK = "This link is not valid. Ask the person who sent it for a new one."
_NO_PLACE = "All places in this campaign are taken. Thank you for your interest."
_NOT_ENTERED = "Open your personal link first."
_KEY_TAKEN = "key: something else was stored with this key. Use a new one."
STORAGE_FULL = (
    "The server cannot store answers now. Your answers stay in this browser and are sent again. "
    "Please tell the person who sent you the link."
)


class Refused(Exception):
    """A request that gets an error, in one sentence for the judge."""

    def __init__(self, status: int, error: str) -> None:
        super().__init__(error)
        self.status = status


class OnItsWay(NamedTuple):
    """To the disk."""

    stored: asyncio.Future[None]
    sent: Sent


Storing = dict[tuple[int, str], OnItsWay]  # by judge and key


class Reply(NamedTuple):
    body: Mapping[str, Any]
    session: str | None = None  # a new session for the cookie; "" ends it
    status: int = 200


class Asked(NamedTuple):
    """A request: the body as JSON, the token of the cookie, and where it comes from."""

    query: Mapping[str, str]
    body: Mapping[str, Any]
    session: str | None
    address: str


class Api:
    """All routes below /api. Each takes what is asked and returns the reply, or raises Refused."""

    def __init__(
        self, desk: Desk, writer: Writer, limits: Limits, lead: Callable[[Judge], Awaitable[Any]]
    ) -> None:
        self.desk, self.writer, self.limits = desk, writer, limits
        self._lead = lead
        self._requests = Rate(limits.requests_per_second, limits.burst)
        self._failures = Rate(limits.failures_per_second, limits.failure_burst)
        self._crowd = CrowdPlaces(desk)
        self._storing: Storing = {}
        self.routes: dict[tuple[str, str], Callable[[Asked], Awaitable[Reply]]] = {
            ("POST", "/api/enter"): self.enter,
            ("POST", "/api/leave"): self.leave,
            ("GET", "/api/campaign"): self.campaign,
            ("POST", "/api/profile"): self.profile,
            ("GET", "/api/task"): self.task,
            ("POST", "/api/answers"): self.answers,
            ("GET", "/api/lead"): self.lead,
        }

    async def enter(self, asked: Asked) -> Reply:
        """Exchange the token of a link for a session."""
        token = asked.body.get("token")
        judge = self.desk.judge_of_link(token) if isinstance(token, str) else None
        if judge is None:
            raise self._failed(asked, _UNKNOWN_LINK)
        participant = checked_participant(asked.body.get("participant"))
        self._count_request(judge.id if judge.role != CROWD else (CROWD, asked.address))
        if judge.role == CROWD:
            judge = self._place_of(participant)
        session, stored = new_token()
        row = {"selector": stored.selector, "hash": stored.hash, "judge": judge.id, "created": time.time()}
        rows: dict[str, list[dict[str, Any]]] = {"sessions": [row]}
        if participant:
            rows["profiles"] = [
                _profile_row(judge, f"session-{stored.selector}", {"participant": participant})
            ]

        def then() -> None:
            self.desk.add_session(stored.selector, stored.hash, judge.id)
            for profile in rows.get("profiles", ()):
                self.desk.take_profile(judge, profile["key"], profile["profile"])

        try:
            await self._stored(rows, then)
        except StorageFailed:
            if judge.role not in ("lead", "viewer"):
                raise
            then()  # until the server ends: their page says what is wrong
        return Reply({"role": judge.role}, session=session)

    async def leave(self, asked: Asked) -> Reply:
        """End the session, if there is one."""
        judge = self.desk.judge_of_session(asked.session) if asked.session else None
        if judge is not None and asked.session:
            self._count_request(judge.id)
            session = asked.session
            over = {"session": selector_of(session), "at": time.time()}
            await self._stored({"ended": [over]}, lambda: self.desk.end_session(session))
        return Reply({}, session="")

    async def campaign(self, asked: Asked) -> Reply:
        return Reply(campaign_screen(self.desk, self._who(asked)))

    async def profile(self, asked: Asked) -> Reply:
        judge = self._judge(asked)
        key = _checked_key(asked.body.get("key"))
        sent = Sent(None, "profile", checked_profile(asked.body, self.desk.plan))
        earlier = self._storing.get((judge.id, key))
        if (earlier.sent if earlier else judge.keys.get(key, sent)) != sent:
            raise BadAnswer(_KEY_TAKEN)
        if earlier:
            await asyncio.shield(earlier.stored)
        elif key not in judge.keys:
            await self._stored(
                {"profiles": [_profile_row(judge, key, sent.payload)]},
                lambda: self.desk.take_profile(judge, key, sent.payload),
                {(judge.id, key): sent},
            )
        return Reply({"stored": [key], "progress": self.desk.progress(judge)})

    async def task(self, asked: Asked) -> Reply:
        judge = self._consenting(asked)
        wanted = asked.query.get("position")
        if wanted is None:
            return Reply(next_task_screen(self.desk, judge) or {"task": None})
        if not (wanted.isascii() and wanted.isdigit() and len(wanted) < 10):
            raise Refused(400, "position: expected an integer of at least 1.")
        if not 1 <= int(wanted) <= len(judge.tasks):
            raise Refused(404, f"position: expected an integer from 1 to {len(judge.tasks)}.")
        return Reply(task_screen(self.desk, judge, int(wanted)))

    async def answers(self, asked: Asked) -> Reply:
        """Store answers. Those that cannot be stored are named with the reason, and do not hinder the others."""
        judge = self._consenting(asked)
        given = asked.body.get("answers")
        if not isinstance(given, list) or not given or len(given) > self.limits.answers_per_request:
            most = self.limits.answers_per_request
            raise Refused(400, f"answers: expected a list of 1 to {most} answers.")
        batch = _Batch(self.desk, judge, self._storing)
        for each in given:
            batch.add(each)
        if batch.rows:
            keys = {(judge.id, key): _sent(row) for key, row in batch.rows.items()}
            rows: Rows = {"answers": list(batch.rows.values())}
            if batch.assignments:
                rows = {"assignments": batch.assignments, **rows}
            await self._stored(rows, batch.take, keys, batch.give_up)
        for earlier in batch.storing:
            await asyncio.shield(earlier)
        return Reply(
            {
                "stored": batch.stored,
                "refused": batch.refused,
                "progress": self.desk.progress(judge),
                "next": next_task_screen(self.desk, judge),
                "feedback": batch.feedback(),
            }
        )

    async def lead(self, asked: Asked) -> Reply:
        judge = self._who(asked)
        if judge.role not in ("lead", "viewer"):
            raise Refused(403, "This page is for the lead of the campaign.")
        return Reply(await self._lead(judge))

    async def _stored(
        self,
        rows: Rows,
        then: Callable[[], None],
        keys: Mapping[tuple[int, str], Sent] = MappingProxyType({}),
        otherwise: Callable[[], None] = lambda: None,
    ) -> None:
        """Returns when the rows are on disk and the desk knows; the desk learns of it even if no one waits."""
        future = self.writer.write(rows)
        self._storing.update({key: OnItsWay(future, sent) for key, sent in keys.items()})

        def take(done: asyncio.Future[None]) -> None:
            for key in keys:
                del self._storing[key]
            (then if done.exception() is None else otherwise)()

        future.add_done_callback(take)
        await asyncio.shield(future)

    def _who(self, asked: Asked) -> Judge:
        judge = self.desk.judge_of_session(asked.session) if asked.session else None
        if judge is None:
            raise self._failed(asked, _NOT_ENTERED) if asked.session else Refused(401, _NOT_ENTERED)
        self._count_request(judge.id)
        return judge

    def _failed(self, asked: Asked, error: str) -> Refused:
        """Of a wrong token. Those with a right one go on: they may share the address of someone who guesses."""
        if self._failures.allows(asked.address):
            return Refused(401, error)
        return Refused(429, "Too many wrong links from this address. Wait a minute.")

    def _place_of(self, participant: Mapping[str, str]) -> Judge:
        """The judge that a participant of the crowd is."""
        judge = self._crowd.take(self._crowd.id_of(participant))
        if judge is None:
            raise Refused(409, _NO_PLACE)
        if judge.revoked:
            raise Refused(403, "Your participation in this campaign has ended.")
        return judge

    def _judge(self, asked: Asked) -> Judge:
        judge = self._who(asked)
        if judge.role != "judge":
            raise Refused(403, "This page is for judges.")
        return judge

    def _consenting(self, asked: Asked) -> Judge:
        judge = self._judge(asked)
        if self.desk.plan.consent and not (judge.profile or {}).get("consent"):
            raise Refused(403, "Give your consent first.")
        return judge

    def _count_request(self, who: object) -> None:
        if not self._requests.allows(who):
            raise Refused(429, "Too many requests. Wait a few seconds.")


class _Batch:
    """The answers of one request, one after another: a later one may rely on an earlier one."""

    def __init__(self, desk: Desk, judge: Judge, storing: Storing) -> None:
        self._desk, self._judge, self._storing = desk, judge, storing
        self.storing: list[asyncio.Future[None]] = []  # of answers that came with an earlier request, too
        self.rows: dict[str, dict[str, Any]] = {}  # new ones, by key
        self.assignments: list[dict[str, Any]] = []  # of tasks from a pool
        self.stored: list[str] = []
        self.refused: list[dict[str, Any]] = []

    def add(self, answer: Any) -> None:
        key = answer.get("key") if isinstance(answer, dict) else None
        try:
            checked = _checked_key(key)
            earlier = self._storing.get((self._judge.id, checked))
            if earlier:
                self._check_same(answer, earlier.sent)
                self.storing.append(earlier.stored)
            elif checked in self._judge.keys:
                self._check_same(answer, self._judge.keys[checked])
            elif checked in self.rows:
                self._check_same(answer, _sent(self.rows[checked]))
            else:
                self.rows[checked] = self._row(checked, answer)
        except (BadAnswer, Refused) as error:
            self.refused.append({"key": key if isinstance(key, str) else None, "error": str(error)})
        else:
            self.stored.append(checked)

    def take(self) -> None:
        """All rows are on disk."""
        for row in self.rows.values():
            self._desk.take_answer(self._judge, SimpleNamespace(**row))

    def give_up(self) -> None:
        """Nothing is on disk."""
        for row in self.assignments:
            self._judge.stored_tasks.discard(row["task"])

    def feedback(self) -> list[dict[str, Any]] | None:
        """What the judge is told about the last practice answer."""
        for row in reversed(self.rows.values()):
            task = self._desk.tasks[row["task"]]
            if task.practice is not None and is_final(row["payload"]):
                step = self._desk.protocol.step(row["step"])
                return feedback(step, self._desk.protocol.practice[task.practice], row["payload"])
        return None

    def _check_same(self, answer: Mapping[str, Any], sent: Sent) -> None:
        """An answer that is confirmed must be the one that is stored. The step may be locked by now."""
        step = next(
            (each for each in self._desk.protocol_of(self._judge).steps if each.name == sent.step), None
        )
        if step and sent.task is not None and (answer.get("task"), answer.get("step")) == sent[:2]:
            shown = self._desk.shown(self._judge, self._desk.tasks[sent.task])
            with suppress(BadAnswer):
                if checked_payload(answer.get("payload"), step, shown) == sent.payload:
                    return
        raise BadAnswer(_KEY_TAKEN)

    def _row(self, key: str, answer: Mapping[str, Any]) -> dict[str, Any]:
        desk, judge = self._desk, self._judge
        task = desk.assigned(judge, answer.get("task"))
        steps = desk.protocol_of(judge).steps
        places = {step.name: place for place, step in enumerate(steps)}
        name = answer.get("step")
        if not isinstance(name, str) or name not in places:
            raise BadAnswer(f"step: expected one of {', '.join(places)}.")
        if name in desk.locked_steps(judge, task):
            raise BadAnswer(
                f"step: '{name}' cannot be changed: a text was shown since that it must not depend on."
            )
        self._check_order(task.id, [step.name for step in steps[: places[name]]])
        seconds = answer.get("seconds")
        if seconds is not None and not (is_number(seconds) and 0 <= seconds <= _LONGEST_SECONDS):
            raise BadAnswer(f"seconds: expected a number from 0 to {_LONGEST_SECONDS:,.0f}.")
        if unknown := set(answer) - {"key", "task", "step", "payload", "seconds"}:
            raise BadAnswer(f"unknown field '{min(unknown)[:40]}' in an answer.")
        payload = checked_payload(answer.get("payload"), steps[places[name]], desk.shown(judge, task))
        self.assignments += desk.new_assignment(judge, task.id)
        return {
            **{"judge": judge.id, "key": key, "task": task.id, "step": name, "payload": payload},
            "seconds": None if seconds is None else float(seconds),
            "received": time.time(),
        }

    def _check_order(self, task: int, before: list[str]) -> None:
        answered = set(self._judge.answers.get(task, ()))
        answered |= {row["step"] for row in self.rows.values() if row["task"] == task}
        if missing := [name for name in before if name not in answered]:
            raise BadAnswer(f"step: answer '{missing[0]}' first.")


def _sent(row: Mapping[str, Any]) -> Sent:
    return Sent(row["task"], row["step"], row["payload"])


def _checked_key(key: Any) -> str:
    if (
        not isinstance(key, str)
        or not 8 <= len(key) <= _LONGEST_KEY
        or not key.isascii()
        or not key.isprintable()
    ):
        raise Refused(400, f"key: expected 8 to {_LONGEST_KEY} ASCII characters, e.g. a UUID.")
    return key


def _profile_row(judge: Judge, key: str, profile: Mapping[str, Any]) -> dict[str, Any]:
    return {"judge": judge.id, "key": key, "profile": profile, "received": time.time()}
