"""Progress of a campaign: who has done how much."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from understudy.judging.campaigns.crowd import participant_id
from understudy.judging.campaigns.desk import Desk, Judge


@dataclass(frozen=True)
class JudgeProgress:
    """One judge."""

    name: str
    group: str | None
    done: int  # tasks
    total: int | None  # None: as many as there are, from a pool
    last: float | None  # when the last answer came, in seconds since 1970
    per_hour: float | None  # tasks per hour of work, recently
    revoked: bool
    participant: str | None = None  # id of a crowd platform
    demographics: Mapping[str, Any] | None = None  # what the judge said about themselves


@dataclass(frozen=True)
class CampaignStatus:
    """All judges of a campaign."""

    name: str
    protocol: str
    judges: tuple[JudgeProgress, ...]

    @property
    def done(self) -> int:
        return sum(judge.done for judge in self.judges)

    @property
    def total(self) -> int | None:
        totals = [judge.total for judge in self.judges if not judge.revoked]
        return None if None in totals else sum(total or 0 for total in totals)

    def __str__(self) -> str:
        crowd = any(judge.participant is not None for judge in self.judges)
        rows = [
            ("judge", "group", "done", "of", "per hour", "last answer", *(["participant"] if crowd else []))
        ]
        rows += [
            (
                judge.name + (" (revoked)" if judge.revoked else ""),
                judge.group or "",
                str(judge.done),
                "" if judge.total is None else str(judge.total),
                "" if judge.per_hour is None else f"{judge.per_hour:.0f}",
                "" if judge.last is None else time.strftime("%Y-%m-%d %H:%M", time.localtime(judge.last)),
                *([judge.participant or ""] if crowd else []),
            )
            for judge in self.judges
        ]
        rows = [tuple(map(_on_one_line, row)) for row in rows]
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in rows
        ]
        of = "" if self.total is None else f" of {self.total:,}"
        summary = f"{self.name}, protocol {self.protocol}: {self.done:,}{of} tasks done."
        return "\n".join([*(line.rstrip() for line in lines), "", summary])


def _on_one_line(cell: str) -> str:
    r"""Participants choose their ids: what would steer a terminal or begin a new row is shown as an escape.

    >>> _on_one_line("\x1b[2J ü")
    '\\x1b[2J ü'
    """
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in cell)


def status_of(desk: Desk) -> CampaignStatus:
    judges = (judge for judge in desk.judges.values() if judge.role == "judge")
    return CampaignStatus(desk.name, desk.protocol.name, tuple(progress_of(desk, judge) for judge in judges))


def progress_of(desk: Desk, judge: Judge) -> JudgeProgress:
    return JudgeProgress(
        name=judge.name,
        group=judge.group,
        done=len(judge.done),
        total=desk.progress(judge)["total"],
        last=judge.received[-1] if judge.received else None,
        per_hour=_per_hour(judge.durations),
        revoked=judge.revoked,
        participant=participant_id(judge, desk.plan.participant_field),
        demographics=(judge.profile or {}).get("demographics"),
    )


def _per_hour(durations: Collection[float]) -> float | None:
    """Tasks per hour of work, by the seconds that each took. When answers arrived says less: a browser that was offline
    sends many at once.

    >>> _per_hour([60.0, 120.0])
    40.0
    """
    return round(3600 * len(durations) / sum(durations), 1) if sum(durations) > 0 else None
