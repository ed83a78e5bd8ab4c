"""The lines of the table."""

from __future__ import annotations

import json

from processes import best_of, understudy_in_process


def row(what: str, peer: float, ours: float, target: str, *, times: bool = False) -> None:
    """A line of the table. `times`: understudy's cost as a multiple of the peer's, else the reverse."""
    ratio = ours / peer if times else peer / ours
    print(f"{what:<58} {peer:>9.3f}s {ours:>9.3f}s {ratio:>6.1f} x  {target}")


def thread_row(text: list[str], spec: str, runs: int) -> None:
    one, two = best_of(
        runs,
        understudy_in_process(*text, threads=1, metric=spec),
        understudy_in_process(*text, threads=2, metric=spec),
    )
    walls = [json.loads(cost.output)["wall"] for cost in (one, two)]
    row("  from files, two threads against one, wall", walls[0], walls[1], ">= 1.6 x")
