"""The lead's page: who has done how much, and what the answers say so far."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from understudy.errors import UnderstudyError
from understudy.judging.campaigns.collected import Answer, judgments_from
from understudy.judging.campaigns.desk import Desk, Judge
from understudy.judging.campaigns.progress import progress_of
from understudy.judging.campaigns.standing import Standing, standing_of
from understudy.judging.campaigns.writer import Writer

_SECONDS_BETWEEN_RESULTS = 20.0  # judges need the processor, too


class LeadPage:
    """What leads and viewers see."""

    def __init__(self, desk: Desk, writer: Writer) -> None:
        self._desk, self._writer = desk, writer
        self._standing = Standing()
        self._computed_at = -_SECONDS_BETWEEN_RESULTS
        self._answers = 0
        self._computing = asyncio.Lock()

    async def shown_to(self, reader: Judge) -> dict[str, Any]:
        """Viewers see no names of judges."""
        await self._renew()
        judges = [judge for judge in self._desk.judges.values() if judge.role == "judge"]
        active = [judge for judge in judges if not judge.revoked]
        totals = [self._desk.progress(judge)["total"] for judge in active]
        return {
            "campaign": self._desk.name,
            "judges": [
                self._row(judge, judge.name if reader.role == "lead" else f"judge {place}")
                for place, judge in enumerate(judges, 1)
            ],
            "agreement": self._standing.agreement,
            "in_steps": self._standing.in_steps,
            "ranking": self._standing.ranking,
            "statistic": self._standing.statistic,
            "question": self._standing.question,
            "open_pairs": self._standing.open_pairs,
            "progress": {
                "done": sum(len(judge.done) for judge in active),
                "total": None if None in totals else sum(totals),
                "seconds_left": None,
            },
            "storage": self._writer.failure,
        }

    def _row(self, judge: Judge, name: str) -> dict[str, Any]:
        progress = progress_of(self._desk, judge)
        controls, repeats = self._standing.controls.get(judge.name), self._standing.repeats.get(judge.name)
        return {
            **{"name": name, "group": judge.group, "revoked": judge.revoked},
            **{"done": progress.done, "total": progress.total, "last": progress.last},
            "per_hour": progress.per_hour,
            "controls_missed": None if controls is None else controls.missed,
            "controls_seen": None if controls is None else controls.seen,
            "identical_repeats": None if repeats is None else repeats.identical.value,
            "repeat_difference": None if repeats is None else repeats.mean_difference,
        }

    async def _renew(self) -> None:
        """Compute results again if there are new answers, but not too often."""
        async with self._computing:
            answers = sum(len(judge.received) for judge in self._desk.judges.values())
            if answers == self._answers or time.monotonic() - self._computed_at < _SECONDS_BETWEEN_RESULTS:
                return
            judges, given = self._collected()
            try:
                self._standing = await asyncio.to_thread(self._results, judges, given)
            except UnderstudyError:
                self._standing = Standing()
            self._answers, self._computed_at = answers, time.monotonic()

    def _collected(self) -> tuple[dict[int, tuple[str, str | None]], list[Answer]]:
        """What the desk knows now: the thread that computes must not see it change."""
        judges = {
            judge.id: (judge.name, judge.group)
            for judge in self._desk.judges.values()
            if judge.role == "judge"
        }
        answers = [
            Answer(id, task, step, payload, None)
            for id in judges
            for task, steps in self._desk.judges[id].answers.items()
            for step, payload in steps.items()
        ]
        return judges, answers

    def _results(self, judges: dict[int, tuple[str, str | None]], answers: list[Answer]) -> Standing:
        return standing_of(judgments_from(self._desk.name, self._desk.design, judges, answers))
