"""The lead's page: who has done how much, and what the answers say so far."""

from __future__ import annotations

import time
from typing import Any

from understudy.judging.campaigns.desk import Desk, Judge
from understudy.judging.campaigns.writer import Writer


class LeadPage:
    """What leads and viewers see."""

    def __init__(self, desk: Desk, writer: Writer) -> None:
        self._desk, self._writer = desk, writer

    async def shown_to(self, reader: Judge) -> dict[str, Any]:
        """Viewers see no names of judges."""
        judges = [judge for judge in self._desk.judges.values() if judge.role == "judge"]
        return {
            "campaign": self._desk.name,
            "judges": [
                self._row(judge, judge.name if reader.role == "lead" else f"judge {place}")
                for place, judge in enumerate(judges, 1)
            ],
            "agreement": [],
            "ranking": [],
            "open_pairs": [],
            "progress": {
                "done": sum(len(judge.done) for judge in judges if not judge.revoked),
                "total": sum(len(judge.tasks) for judge in judges if not judge.revoked),
                "seconds_left": None,
            },
            "storage": self._writer.failure,
        }

    def _row(self, judge: Judge, name: str) -> dict[str, Any]:
        return {
            "name": name,
            "group": judge.group,
            "revoked": judge.revoked,
            "done": len(judge.done),
            "total": len(judge.tasks),
            "last": judge.received[-1] if judge.received else None,
            "per_hour": per_hour(judge.received, time.time()),
            "controls_missed": None,
            "controls_seen": None,
            "self_agreement": None,
        }


def per_hour(received: list[float], now: float) -> float | None:
    """Answers per hour of work: pauses of more than ten minutes are none.

    >>> per_hour([0.0, 60.0, 120.0, 100_000.0, 100_060.0], 100_060.0)
    60.0
    """
    gaps = [later - earlier for earlier, later in zip(received, received[1:], strict=False)]
    worked = [gap for gap in gaps if gap <= 600]
    total = sum(worked)
    return None if total <= 0 or not received or received[-1] > now + 60 else round(3600 * len(worked) / total, 1)
