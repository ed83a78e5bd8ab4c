"""Pool: judges take the next item from what is still open, any or the one that would settle most."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.errors import BadParameter
from understudy.judging.campaigns.assignment import USUAL_JUDGMENTS
from understudy.judging.campaigns.design import CampaignDesign
from understudy.judging.campaigns.differences import Differences
from understudy.judging.campaigns.sequences import far_enough
from understudy.resampling.randomness import generator

Floats = NDArray[np.float64]
Blocks = NDArray[np.int64]  # numbers of blocks

RECENT = 10  # items after which outputs of the same segment may be shown again
_BEGUN = 0.5  # worth of the first output of a segment, which needs a second to be compared with


@dataclass
class _Desk:
    """What one judge has done."""

    group: str | None
    seen: Floats  # how many blocks, by system
    known: NDArray[np.bool_]  # whether a block of it was shown, by part
    judged: NDArray[np.bool_]  # by part and system
    begun: set[int] = field(default_factory=set)  # blocks
    waiting: list[int] = field(default_factory=list)  # tasks of the current block
    open: int | None = None  # the task shown
    hidden: list[tuple[int, int]] = field(
        default_factory=list
    )  # repeats and controls to come: since when, and task
    served: set[int] = field(default_factory=set)
    answered: set[int] = field(default_factory=set)
    items: int = 0  # main tasks answered
    recent: list[int] = field(default_factory=list)  # parts


class Pool:
    """The state of a campaign with the assignment pool or dynamic. `serve` and `answer`, each in the order in which
    it happened, rebuild it.
    """

    def __init__(self, design: CampaignDesign) -> None:
        self.design = design
        kind = design.plan.assignment_for(design.protocol)
        if kind not in ("pool", "dynamic"):
            raise BadParameter(
                f"assignment '{kind}' is fixed from the start. Use the assignments of the design."
            )
        self.dynamic = kind == "dynamic"
        self.desks: dict[str, _Desk] = {}
        self.taken: dict[str | None, NDArray[np.int64]] = {}  # by group and block
        self._index()
        self.differences = Differences(len(design.systems))
        self._doubts: Floats | None = None  # of the differences as they are
        for judge in design.plan.judges:
            self.add_judge(judge.name, judge.group)

    def add_judge(self, judge: str, group: str | None = None) -> None:
        systems = len(self.design.systems)
        nothing = np.zeros((self.parts, systems), np.bool_)
        self.desks[judge] = _Desk(group, np.zeros(systems), np.zeros(self.parts, np.bool_), nothing)
        self.taken.setdefault(group, np.zeros(len(self.design.blocks), np.int64))

    def next_task(self, judge: str) -> int | None:
        """The id of the task that this judge should see now; None if nothing is left. Asking again without an answer
        gives the same task.
        """
        desk = self.desks[judge]
        if desk.open is None:
            chosen = self._chosen(judge, desk)
            if chosen is not None:
                self.serve(judge, chosen)
        return desk.open

    def serve(self, judge: str, task: int) -> None:
        """A judge sees a task."""
        desk = self.desks[judge]
        desk.open = task
        desk.served.add(task)
        desk.hidden = [(since, hidden) for since, hidden in desk.hidden if hidden != task]
        if task in desk.waiting:
            desk.waiting.remove(task)
        block = self.block_of.get(task)
        if block is not None and block not in desk.begun:
            desk.begun.add(block)
            desk.waiting = [each for each in self.design.blocks[block] if each != task]
            desk.seen += self.shows[block]
            desk.known[self.part_of[block]] = True
            self.taken[desk.group][block] += 1

    def answer(self, judge: str, task: int, scores: Mapping[int, float] | None = None) -> None:
        """A judge has answered a task, or changed the answer. `scores` are by index of the output, higher is better;
        None if the task was skipped.
        """
        desk = self.desks[judge]
        if desk.open == task:
            desk.open = None
        if task in self.block_of and task not in desk.answered:
            desk.items += 1
            new = [hidden for hidden in self.hidden.get(task, ()) if hidden not in desk.served]
            desk.hidden += [(desk.items, hidden) for hidden in new]
            desk.recent = [*desk.recent, self.part_of[self.block_of[task]]][-RECENT:]
        desk.answered.add(task)
        if scores and task in self.block_of:
            number = {system: index for index, system in enumerate(self.design.systems)}
            by_system = {
                number[system]: float(score)
                for output, score in scores.items()
                for system in self.design.outputs[output].systems
            }
            self.differences.record((judge, self.design.by_id[task].segment), by_system)
            desk.judged[self.part_of[self.block_of[task]], list(by_system)] = True
            self._doubts = None

    def release(self, judge: str) -> None:
        """Give back what a judge has begun and not finished, such as one whose link was revoked."""
        desk = self.desks[judge]
        for block in desk.begun:
            if not desk.answered.issuperset(self.design.blocks[block]):
                self.taken[desk.group][block] -= 1
        desk.begun = {block for block in desk.begun if desk.answered.issuperset(self.design.blocks[block])}
        desk.waiting, desk.open = [], None

    def left(self, judge: str) -> int:
        """How many main tasks this judge could still get."""
        desk = self.desks[judge]
        open_blocks = np.flatnonzero(self._available(desk))
        return len(desk.waiting) + int(sum(len(self.design.blocks[block]) for block in open_blocks))

    def _index(self) -> None:
        design = self.design
        self.block_of = {task: number for number, block in enumerate(design.blocks) for task in block}
        self.hidden: dict[int, list[int]] = {}
        for task in design.tasks:
            main = task.repeat_of if task.repeat_of is not None else task.control_of
            if main is not None:
                self.hidden.setdefault(main, []).append(task.id)
        segments = [design.by_id[block[0]].segment for block in design.blocks]
        by_document = design.plan.documents
        keys = [design.segments[each].document if by_document else each for each in segments]
        numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
        self.part_of = [numbers[key] for key in keys]
        self.parts = len(numbers)
        self._part_index = np.array(self.part_of, dtype=np.int64)
        self.shows = np.zeros((len(design.blocks), len(design.systems)), np.float64)
        for number, block in enumerate(design.blocks):
            for member in block:
                for system in design.systems_of(design.by_id[member]):
                    self.shows[number, design.systems.index(system)] = 1.0
        # Few different sets of systems are on many screens.
        self._patterns, inverse = np.unique(self.shows, axis=0, return_inverse=True)
        self._pattern_of = inverse.reshape(-1)  # numpy 2.0 keeps a second axis
        self._first_system = self.shows.argmax(axis=1)
        self.single = all(len(design.by_id[block[0]].outputs) == 1 for block in design.blocks)

    def _wanted(self, group: str | None) -> int:
        judges = sum(desk.group == group for desk in self.desks.values())
        return self.design.plan.judgments_per_item or min(USUAL_JUDGMENTS, judges)

    def _available(self, desk: _Desk) -> NDArray[np.bool_]:
        free = self.taken[desk.group] < self._wanted(desk.group)
        free[list(desk.begun)] = False
        return np.asarray(free)

    def _chosen(self, judge: str, desk: _Desk) -> int | None:
        for task in self.design.assignments.get(judge, ()):
            if task not in desk.answered:
                return task  # practice
        if desk.waiting:
            return desk.waiting[0]
        due = [task for since, task in desk.hidden if desk.items - since >= far_enough(2**31)]
        if due:
            return due[0]
        free = np.flatnonzero(self._available(desk))
        if len(free):
            return self.design.blocks[self._best(judge, desk, free)][0]
        late = [task for since, task in desk.hidden if desk.items - since >= far_enough(desk.items)]
        return late[0] if late else None

    def _best(self, judge: str, desk: _Desk, free: Blocks) -> int:
        """Of the free blocks, one that is not of a segment just seen. In a pool: with the fewest judgments, and rather
        of a segment that this judge knows, so that systems can be compared within judge and segment. With dynamic
        assignment: what settles most, with fewer judgments first. Then of the systems that the judge has seen least.
        """
        recent = np.zeros(self.parts, np.bool_)
        recent[desk.recent] = True
        taken = self.taken[desk.group]
        doubts = self._settled() if self.dynamic else None
        rng = generator(self.design.plan.seed, "pool", judge, len(desk.begun))
        keys: list[Callable[[Blocks], NDArray[Any]]] = [
            lambda blocks: recent[self._part_index[blocks]],
            lambda blocks: (
                (0 if doubts is None else -self._worth(desk, blocks, doubts)) / (1 + taken[blocks])
            ),
            lambda blocks: taken[blocks],
            lambda blocks: self._familiar(desk, blocks),
            lambda blocks: ~(desk.known[self._part_index[blocks]] | self.dynamic),
            lambda blocks: rng.random(len(blocks)),
        ]
        best = free
        for key in keys:
            values = key(best)
            best = best[values == values.min()]
        return int(best[0])

    def _familiar(self, desk: _Desk, blocks: Blocks) -> Floats:
        """How often the judge has seen the systems of the blocks."""
        if self.single:
            return np.asarray(desk.seen[self._first_system[blocks]])
        counts = self._patterns @ desk.seen / self._patterns.sum(axis=1)
        return np.asarray(counts[self._pattern_of[blocks]])

    def _settled(self) -> Floats:
        if self._doubts is None:
            self._doubts = self.differences.doubts()
        return self._doubts

    def _worth(self, desk: _Desk, blocks: Blocks, doubts: Floats) -> Floats:
        """How much the blocks may settle: the doubts about all pairs of systems on a screen; or about one system and
        the others that the judge knows of the segment, or may still get to know.
        """
        if not self.single:
            in_sum = ((self._patterns @ doubts) * self._patterns).sum(axis=1) / 2
            return np.asarray(in_sum[self._pattern_of[blocks]])
        systems = self._first_system[blocks]
        compared = desk.judged.astype(np.float64) @ doubts
        begun = compared[self._part_index[blocks], systems]
        return np.asarray(np.maximum(_BEGUN * doubts.max(axis=1)[systems], begun))
