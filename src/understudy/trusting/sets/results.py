"""Results of `trust` on several test sets: every metric by every coefficient, and the average."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from understudy.renderable import Renderable
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.plan import TrustPlan
from understudy.trusting.sets.averages import RankedMetrics

AVERAGE = "average"


@dataclass(frozen=True)
class ComparedSet:
    """The data of one test set."""

    name: str
    human: str  # the name of the human scores
    systems: tuple[str, ...]
    segments: int
    judged: int  # translations of these systems that people scored
    references: tuple[str, ...]  # that metrics were given
    signatures: dict[str, str]  # of the metrics that were computed here


@dataclass(frozen=True, eq=False)
class SetTask:
    """One coefficient in one set, or in the part of it that has a label."""

    of_set: str
    label: str | None  # such as a domain; None: the whole set
    asked: CoefficientSpec
    test: str  # by which metrics are compared
    weight: float  # in the average
    ranked: RankedMetrics


@dataclass(frozen=True, eq=False, repr=False)
class SetsTrust(Renderable):
    """Agreement of metrics with human scores on several test sets."""

    sets: list[ComparedSet]
    tasks: list[SetTask]
    by: str | None  # of what the parts are, such as domain
    parts: list[SetTask]  # the same coefficients by label; no part of the average
    average: RankedMetrics  # of the metrics that have a value in every task that weighs anything
    plan: TrustPlan
    notes: list[str] = field(default_factory=list)

    @property
    def metrics(self) -> list[str]:
        """From best to worst by the average; those without one are last."""
        return list(dict.fromkeys(name for ranked in self._all() for name in ranked.values))

    def _all(self) -> Iterable[RankedMetrics]:
        return (self.average, *(task.ranked for task in (*self.tasks, *self.parts)))

    def rows(self) -> list[dict[str, Any]]:
        """A row per metric and task, those of the average first."""
        nowhere: dict[str, Any] = {
            "label": None,
            "level": None,
            "coefficient": None,
            "grouping": None,
            "weight": None,
        }
        found = [
            {"metric": name, "set": AVERAGE, **nowhere, "value": value, "rank": self.average.ranks[name]}
            for name, value in self.average.values.items()
        ]
        for task in (*self.tasks, *self.parts):
            where = {
                "set": task.of_set,
                "label": task.label,
                "level": task.asked.level,
                "coefficient": task.asked.coefficient,
                "grouping": task.asked.grouping,
                "weight": task.weight,
            }
            found += [
                {
                    "metric": name,
                    **where,
                    "value": task.ranked.values.get(name, math.nan),
                    "rank": task.ranked.ranks[name],
                }
                for name in self.metrics
                if name in task.ranked.values
            ]
        return found
