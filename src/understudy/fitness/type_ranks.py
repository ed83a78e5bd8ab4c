"""Placement: ranks of each system type by a metric, and whether other metrics or references agree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from understudy.arrays import Floats
from understudy.corpus.system_kinds import Kinds


@dataclass(frozen=True, eq=False)
class SystemScores:
    """System scores by one metric. Higher is better: error rates are negated."""

    label: str
    spec: str
    systems: tuple[str, ...]
    worths: Floats  # [systems]
    by_reference: Floats | None = None  # [references, systems]: with each reference alone

    def changed(self, other: Floats, pairs: Iterable[tuple[str, str]]) -> int:
        """The number of pairs whose order is reversed by other scores. Ties are not reversals."""
        number = {name: index for index, name in enumerate(self.systems)}
        found = 0
        for one, two in pairs:
            a, b = number[one], number[two]
            found += bool((self.worths[a] - self.worths[b]) * (other[a] - other[b]) < 0)
        return found


@dataclass(frozen=True)
class Placement:
    """The ranks of the systems of one type among all systems. The best rank is 1."""

    metric: str  # its label
    spec: str
    kind: str
    systems: tuple[str, ...]
    mean_rank: float
    best: str  # the system of this kind that it likes best
    best_rank: float
    ranked: int  # systems of all kinds and of none
    by_reference: tuple[float, ...] = ()  # the mean ranks with each reference alone


def placements(standing: SystemScores, kinds: Kinds) -> list[Placement]:
    """For every system type, in the given order."""
    number = {name: index for index, name in enumerate(standing.systems)}
    of_all = ranks(standing.worths)
    alone = [] if standing.by_reference is None else [ranks(worths) for worths in standing.by_reference]
    found = []
    for kind, systems in kinds.members.items():
        members = [number[name] for name in systems]
        best = min(members, key=lambda member: of_all[member])
        found.append(
            Placement(
                metric=standing.label,
                spec=standing.spec,
                kind=kind,
                systems=systems,
                mean_rank=float(of_all[members].mean()),
                best=standing.systems[best],
                best_rank=float(of_all[best]),
                ranked=len(of_all),
                by_reference=tuple(float(rank[members].mean()) for rank in alone),
            )
        )
    return found


def ranks(worths: Floats) -> Floats:
    """The best rank is 1. Ties have their mean rank.

    >>> ranks(np.array([20.0, 30.0, 20.0])).tolist()
    [2.5, 1.0, 2.5]
    """
    above = (worths > worths[:, np.newaxis]).sum(axis=1)
    level = (worths == worths[:, np.newaxis]).sum(axis=1)
    return np.asarray(above + (level + 1) / 2)
