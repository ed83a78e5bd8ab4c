"""CampaignDesign: segments, outputs, tasks and assignments of a campaign, before anyone has judged anything."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from understudy.corpus.error_spans import MarkedSpan
from understudy.judging.campaigns.campaign_plan import CampaignPlan
from understudy.judging.protocols.protocol import Protocol

_ROLES = ("main", "repeat", "control", "practice")


@dataclass(frozen=True)
class Context:
    """A neighboring segment, as shown beside a task. The output is left out if a screen has several."""

    source: str | None
    output: str | None


@dataclass(frozen=True)
class PlannedSegment:
    """A segment to be judged, or the texts of a practice item, which has no number."""

    number: int | None  # in the corpus, from 1
    source: str | None
    reference: str | None
    document: str | None = None


@dataclass(frozen=True)
class PlannedOutput:
    """A text to be judged once and credited to all systems that wrote it. Degraded and practice texts are credited to
    none.
    """

    segment: int  # index of the segment
    text: str
    systems: tuple[str, ...]
    control_of: int | None = None  # index of the output that was degraded
    prefilled: tuple[MarkedSpan, ...] = ()


@dataclass(frozen=True)
class PlannedTask:
    """One screen. Its identifier says nothing about its role or its systems."""

    id: int
    segment: int  # index of the segment
    outputs: tuple[int, ...]  # indices of the outputs, in the order shown
    role: str = "main"
    repeat_of: int | None = None  # the id of another task
    control_of: int | None = None  # likewise: the main task whose output is degraded here
    practice: int | None = None  # index in the protocol's practice items
    before: tuple[Context, ...] = ()
    after: tuple[Context, ...] = ()


@dataclass(frozen=True)
class Problem:
    """Something that `judge check` reports."""

    serious: bool  # whether results would be worth little
    message: str


@dataclass(frozen=True)
class CampaignDesign:
    """All of a campaign that is known from the start. Equal input and seed give an equal design."""

    protocol: Protocol
    plan: CampaignPlan
    systems: tuple[str, ...]
    segments: tuple[PlannedSegment, ...]
    outputs: tuple[PlannedOutput, ...]
    tasks: tuple[PlannedTask, ...]  # by id
    blocks: tuple[
        tuple[int, ...], ...
    ]  # ids of main tasks that are judged in one go: one, or those of a document
    assignments: Mapping[str, tuple[int, ...]]  # by judge: ids in order; with a pool, practice alone
    problems: tuple[Problem, ...] = ()

    @cached_property
    def by_id(self) -> dict[int, PlannedTask]:
        return {task.id: task for task in self.tasks}

    def systems_of(self, task: PlannedTask) -> list[str]:
        """The systems that a task credits."""
        return [system for output in task.outputs for system in self.outputs[output].systems]
