"""Judges who join a campaign that exists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from understudy.judging.campaigns.campaign_plan import PlannedJudge
from understudy.judging.campaigns.design import CampaignDesign
from understudy.judging.campaigns.judge_order import FIXED, Block, JudgeOrder, Part, merged
from understudy.judging.campaigns.practice import practice_for
from understudy.resampling.randomness import generator


def more_assignments(
    design: CampaignDesign, judges: Sequence[PlannedJudge], groups: Mapping[str, str | None] | None = None
) -> dict[str, Block]:
    """Assignments for judges who join later: with fixed shares, as much as the others of their group have, of what has
    the fewest judges. Hidden repeats and controls are those that exist. `groups` are the groups of judges with
    assignments who are not in the plan, because they joined before.
    """
    known = {judge.name: judge.group for judge in design.plan.judges}
    return _Joining(design, {**known, **(groups or {})}).assignments(judges)


class _Joining:
    def __init__(self, design: CampaignDesign, groups: Mapping[str, str | None]) -> None:
        self.design, self.plan, self.groups = design, design.plan, groups
        self.kind = design.plan.assignment_for(design.protocol)
        self.same_order = self.plan.order_for(design.protocol) == "same"
        self.variants = {
            "repeat": {task.repeat_of: task.id for task in design.tasks if task.repeat_of is not None},
            "control": {task.control_of: task.id for task in design.tasks if task.control_of is not None},
        }

    def assignments(self, judges: Sequence[PlannedJudge]) -> dict[str, Block]:
        judged = {group: self._judged(group) for group in {judge.group for judge in judges}}
        return {
            judge.name: (*self._practice(judge), *self._tasks(judge, judged[judge.group])) for judge in judges
        }

    def _tasks(self, judge: PlannedJudge, judged: list[int]) -> list[int]:
        if self.kind not in FIXED:
            return []
        if self.kind == "same" and self.same_order:
            first = next(iter(self.design.assignments.values()))
            return [task for task in first if self.design.by_id[task].role != "practice"]
        parts = self._parts()
        order = JudgeOrder(
            self.plan,
            self.same_order,
            *({main: float(main) for main in self.variants[role]} for role in ("repeat", "control")),
        )
        blocks, hidden = order.of(judge.name, [parts[part] for part in self._share(judged, judge)], parts)
        return merged(blocks, [(after, self.variants[role][task]) for after, role, task in hidden])

    def _parts(self) -> list[Part]:
        found: dict[object, Part] = {}
        for block in self.design.blocks:
            segment = self.design.segments[self.design.by_id[block[0]].segment]
            part = found.setdefault(segment.document if self.plan.documents else segment.number, [])
            part.append((len(part), block))
        return list(found.values())

    def _judged(self, group: str | None) -> list[int]:
        """How many judges of the group every part has."""
        counts = Counter(
            task
            for judge, tasks in self.design.assignments.items()
            if self.groups.get(judge) == group
            for task in tasks
        )
        return [counts[part[0][1][0]] for part in self._parts()]

    def _share(self, judged: list[int], judge: PlannedJudge) -> list[int]:
        """The parts for a judge, counted at once for those who join together."""
        if self.kind == "same":
            return list(range(len(judged)))
        others = sum(self.groups.get(name) == judge.group for name in self.design.assignments)
        wanted = -(-sum(self._judged(judge.group)) // others) if others else len(judged)
        noise = generator(self.plan.seed, "joining", judge.name).random(len(judged))
        chosen = sorted(range(len(judged)), key=lambda part: (judged[part], noise[part]))[:wanted]
        for part in chosen:
            judged[part] += 1
        return sorted(chosen)

    def _practice(self, judge: PlannedJudge) -> list[int]:
        protocol = self.design.protocol.for_group(judge.group)
        usable = practice_for(protocol, self.plan.source_language, self.plan.target_language)
        made = {task.practice: task.id for task in self.design.tasks if task.role == "practice"}
        return [made[index] for index in usable if index in made]
