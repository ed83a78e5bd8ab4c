"""GroupScores: the scores of groups of rows, such as those of a column of systems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from understudy.errors import BadParameter
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.score import Score
from understudy.renderable import Renderable

Group = tuple[Any, ...]  # the values of the columns that rows are grouped by


@dataclass(frozen=True, eq=False, repr=False)
class GroupScores(Renderable):
    """The scores of groups of rows, in order of the groups."""

    by: tuple[str, ...]  # the columns that rows are grouped by
    level: str
    metrics: list[Metric]
    groups: dict[Group, list[Score]]  # one score per metric

    def __getitem__(self, group: Any) -> list[Score]:
        """The scores of a group: its value, or the values of several columns."""
        wanted = group if isinstance(group, tuple) else (group,)
        if wanted not in self.groups:
            some = ", ".join(map(repr, list(self.groups)[:5]))
            raise BadParameter(
                f"unknown group {group!r}. Known: {some}{', ...' if len(self.groups) > 5 else ''}."
            )
        return self.groups[wanted]

    def __iter__(self) -> Iterator[Group]:
        return iter(self.groups)

    def __len__(self) -> int:
        return len(self.groups)

    def rows(self) -> list[dict[str, Any]]:
        """A flat table: one row per group and metric."""
        return [
            {
                **dict(zip(self.by, group, strict=True)),
                "metric": score.spec,
                "score": score.value,
                "low": None if score.interval is None else score.interval.low,
                "high": None if score.interval is None else score.interval.high,
                "segments": score.segments,
                "signature": str(score.signature),
            }
            for group, scores in self.groups.items()
            for score in scores
        ]
