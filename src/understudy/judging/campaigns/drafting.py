"""Draft: the segments, outputs and tasks of a campaign as they are made, one after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from understudy.corpus.error_spans import MarkedSpan
from understudy.judging.campaigns.degraded import FEWEST_UNITS, degraded, split
from understudy.judging.campaigns.design import Context, PlannedOutput, PlannedSegment, PlannedTask
from understudy.judging.campaigns.items import Screen, distinct_outputs
from understudy.judging.campaigns.texts import CampaignTexts
from understudy.judging.protocols.protocol import PracticeItem
from understudy.resampling.randomness import generator

_OTHERS = 40  # outputs of other segments from which a control takes its words

Prefilled = Mapping[tuple[str, int], Sequence[MarkedSpan]]  # by system and segment number


class Draft:
    """Tasks are numbered as they are made; `blind` numbers them at random in the end."""

    def __init__(self, texts: CampaignTexts, seed: int, prefilled: Prefilled, context: int) -> None:
        self.texts, self.seed, self.prefilled, self.context = texts, seed, prefilled, context
        self.segments: list[PlannedSegment] = []
        self.outputs: list[PlannedOutput] = []
        self.tasks: list[PlannedTask] = []
        self.repeats: dict[int, int] = {}  # by main task
        self.controls: dict[int, int | None] = {}  # likewise; None: it cannot be degraded
        self.outputs_of: list[list[int]] = []  # by segment

    def add_segment(self, row: int) -> list[tuple[str, ...]]:
        """A segment of the corpus with its distinct outputs; the systems of each."""
        texts = self.texts
        self.segments.append(
            PlannedSegment(
                row + 1,
                texts.source(row),
                texts.reference(row),
                texts.documents[row] if texts.documents else None,
            )
        )
        units = distinct_outputs(texts.outputs, row)
        self.outputs_of.append([])
        for text, systems in units.items():
            spans = next(
                (self.prefilled[key] for name in systems if (key := (name, row + 1)) in self.prefilled), ()
            )
            self.outputs_of[-1].append(len(self.outputs))
            self.outputs.append(PlannedOutput(len(self.segments) - 1, text, systems, prefilled=tuple(spans)))
        return list(units.values())

    def add_main(self, segment: int, screen: Screen) -> int:
        outputs = tuple(self.outputs_of[segment][unit] for unit in screen)
        before, after = self._context(segment, outputs)
        return self._add(PlannedTask(0, segment, outputs, before=before, after=after))

    def repeat_of(self, main: int) -> int:
        """The task that shows the same outputs again, in another order."""
        if main not in self.repeats:
            task = self.tasks[main]
            outputs = task.outputs[1:] + task.outputs[:1]
            self.repeats[main] = self._add(replace(task, outputs=outputs, role="repeat", repeat_of=main))
        return self.repeats[main]

    def control_of(self, main: int) -> int | None:
        """The task with a degraded output: alone, or beside its original in place of another output."""
        if main not in self.controls:
            self.controls[main] = self._degraded_task(main)
        return self.controls[main]

    def may_be_degraded(self, main: int) -> bool:
        return any(
            len(split(self.outputs[each].text)[0]) >= FEWEST_UNITS for each in self.tasks[main].outputs
        )

    def add_practice(self, index: int, item: PracticeItem, source: str | None) -> int:
        self.segments.append(PlannedSegment(None, source, item.reference))
        segment = len(self.segments) - 1
        first = len(self.outputs)
        self.outputs += [PlannedOutput(segment, text, ()) for text in item.outputs]
        outputs = tuple(range(first, len(self.outputs)))
        return self._add(PlannedTask(0, segment, outputs, role="practice", practice=index))

    def blind(self, rng: np.random.Generator) -> tuple[tuple[PlannedTask, ...], dict[int, int]]:
        """The tasks with identifiers from which nothing can be told, by identifier; and those by the old numbers."""
        new = {old: int(number) + 1 for old, number in enumerate(rng.permutation(len(self.tasks)))}
        tasks = [
            replace(
                task,
                id=new[task.id],
                repeat_of=None if task.repeat_of is None else new[task.repeat_of],
                control_of=None if task.control_of is None else new[task.control_of],
            )
            for task in self.tasks
        ]
        return tuple(sorted(tasks, key=lambda task: task.id)), new

    def _add(self, task: PlannedTask) -> int:
        self.tasks.append(replace(task, id=len(self.tasks)))
        return len(self.tasks) - 1

    def _degraded_task(self, main: int) -> int | None:
        task = self.tasks[main]
        rng = generator(self.seed, "control", task.segment, *task.outputs)
        for place in map(int, rng.permutation(len(task.outputs))):
            original = task.outputs[place]
            text = self._degraded_text(original, rng)
            if text is None:
                continue
            self.outputs.append(PlannedOutput(task.segment, text, (), control_of=original))
            shown = [original, len(self.outputs) - 1]
            if len(task.outputs) == 1:
                shown = shown[1:]
            else:
                others = [output for output in task.outputs if output != original]
                shown += others[: len(task.outputs) - 2]
            order = tuple(shown[int(each)] for each in rng.permutation(len(shown)))
            return self._add(replace(task, outputs=order, role="control", control_of=main))
        return None

    def _degraded_text(self, output: int, rng: np.random.Generator) -> str | None:
        here = self.outputs[output]
        drawn = rng.integers(len(self.outputs), size=_OTHERS)
        others = [self.outputs[int(each)] for each in drawn]
        beside = [self.outputs[each].text for each in self.outputs_of[here.segment]]
        usable = [other.text for other in others if other.segment != here.segment and other.systems]
        return degraded(here.text, usable, rng, beside)

    def _context(
        self, segment: int, outputs: tuple[int, ...]
    ) -> tuple[tuple[Context, ...], tuple[Context, ...]]:
        number = self.segments[segment].number
        assert number is not None, "practice items have no context"
        system = self.outputs[outputs[0]].systems[0] if len(outputs) == 1 else None

        def lines(rows: Sequence[int]) -> tuple[Context, ...]:
            output = {row: None if system is None else self.texts.outputs[system][row] for row in rows}
            return tuple(Context(self.texts.source(row), output[row]) for row in rows)

        before, after = self.texts.neighbors(number - 1, self.context)
        return lines(before), lines(after)
