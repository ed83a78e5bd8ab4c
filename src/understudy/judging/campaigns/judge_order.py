"""The order of one judge's tasks, with hidden repeats and controls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from understudy.judging.campaigns.campaign_plan import CampaignPlan
from understudy.judging.campaigns.sequences import dispersed, insertions
from understudy.resampling.randomness import generator

Block = tuple[int, ...]  # tasks that follow each other
Part = list[tuple[int, Block]]  # the blocks of a segment or a document, each with its number
FIXED = ("same", "shares")  # assignments that are known from the start


@dataclass(frozen=True)
class JudgeOrder:
    """The order of one judge's tasks."""

    plan: CampaignPlan
    same: bool  # for all judges
    repeatable: Mapping[int, float]  # main tasks that may be repeated, with their priority
    degradable: Mapping[int, float]

    def of(
        self, judge: str, parts: Sequence[Part], all_parts: Sequence[Part]
    ) -> tuple[list[Block], list[tuple[int, str, int]]]:
        """The blocks, and what is hidden among them: after how many blocks, its role, and the main task."""
        whose = () if self.same else (judge,)
        if self.same:
            own = {block for part in parts for _, block in part}
            blocks = [
                block for block in dispersed(all_parts, generator(self.plan.seed, "order")) if block in own
            ]
        else:
            blocks = dispersed(parts, generator(self.plan.seed, "order", *whose))
        repeats = insertions(
            blocks, self.plan.repeats, self.repeatable, generator(self.plan.seed, "repeats", *whose)
        )
        controls = insertions(
            blocks,
            self.plan.controls,
            self.degradable,
            generator(self.plan.seed, "controls", *whose),
            before_too=True,
            but={insertion.of for insertion in repeats},
        )
        hidden = [(each.after, "repeat", each.of) for each in repeats]
        return blocks, hidden + [(each.after, "control", each.of) for each in controls]


def merged(blocks: Sequence[Block], hidden: Sequence[tuple[int, int | None]]) -> list[int]:
    """The tasks of the blocks, with others hidden after so many blocks each."""
    after: dict[int, list[int]] = {}
    for place, task in hidden:
        if task is not None:
            after.setdefault(place, []).append(task)
    found = list(after.get(0, ()))
    for place, block in enumerate(blocks, 1):
        found += [*block, *after.get(place, ())]
    return found
