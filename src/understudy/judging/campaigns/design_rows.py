"""The design of a campaign as rows of its tables, and back."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from understudy.corpus.error_spans import MarkedSpan
from understudy.errors import BadParameter
from understudy.judging.campaigns.campaign_plan import CampaignPlan, DemographicField, PlannedJudge
from understudy.judging.campaigns.crowd import CROWD
from understudy.judging.campaigns.design import (
    CampaignDesign,
    Context,
    PlannedOutput,
    PlannedSegment,
    PlannedTask,
    Problem,
)
from understudy.judging.campaigns.schema import SCHEMA_VERSION
from understudy.judging.protocols.reading import protocol_of_text
from understudy.version import __version__

if TYPE_CHECKING:
    from understudy.judging.campaigns.store import Store

Rows = dict[str, list[dict[str, Any]]]
# Parts of a plan that other tables have.
_ELSEWHERE = ("judges", "prefilled", "demographics")
RESERVED = ("lead", "viewer", CROWD)  # names and roles of those who do not judge


def rows_of(design: CampaignDesign, name: str) -> Rows:
    """All rows of a new campaign. A lead and a viewer are among its people, and the shared link of a crowd."""
    roles = [role for role in RESERVED if role != CROWD or design.plan.crowd]
    ids = {judge.name: place for place, judge in enumerate(design.plan.judges, 1)}
    return {
        "meta": [{"name": key, "value": value} for key, value in _facts(design, name).items()],
        "segments": [{"id": id, **asdict(segment)} for id, segment in enumerate(design.segments)],
        "outputs": [
            {**asdict(output), "id": id, "prefilled": [asdict(span) for span in output.prefilled]}
            for id, output in sorted(
                enumerate(design.outputs), key=lambda item: item[1].control_of is not None
            )
        ],
        "tasks": [_task_row(task) for task in _in_order_of_reference(design.tasks)],
        "judges": [
            *(judge_row(judge.name, judge.group, "judge", ids[judge.name]) for judge in design.plan.judges),
            *(judge_row(role, None, role, len(ids) + 1 + place) for place, role in enumerate(roles)),
        ],
        "assignments": assignment_rows({ids[name]: tasks for name, tasks in design.assignments.items()}),
    }


def refuse_reserved(names: Iterable[str]) -> None:
    for name in names:
        if name in RESERVED:
            raise BadParameter(
                f"a judge cannot be named '{name}': that is the name of another link. Rename the judge."
            )


def judge_row(name: str, group: str | None, role: str, id: int) -> dict[str, Any]:
    return {"id": id, "name": name, "group": group, "role": role, "revoked": False}


def assignment_rows(by_judge: Mapping[int, Sequence[int]]) -> list[dict[str, Any]]:
    return [
        {"judge": judge, "position": position, "task": task}
        for judge, tasks in by_judge.items()
        for position, task in enumerate(tasks, 1)
    ]


IMPORTED = "imported"  # the fact that has judgments which were collected elsewhere


def refuse_imported(facts: Mapping[str, Any], where: str) -> None:
    """For everything that needs tasks."""
    if IMPORTED in facts:
        raise BadParameter(
            f"'{where}' has imported judgments, and no tasks to be judged. Use results, export, status or backup."
        )


def read_design(store: Store) -> CampaignDesign:
    """The design as it was made; its judges and assignments as they are now."""
    known = store.tables
    facts = store.meta()
    refuse_imported(facts, store.where)
    with store.reading() as connection:
        everything = {
            table.name: connection.execute(table.select()).all()
            for table in (known.segments, known.outputs, known.tasks, known.judges, known.assignments)
        }
    judges = {row.id: row for row in everything["judges"] if row.role == "judge"}
    of_judge: dict[str, list[tuple[int, int]]] = {row.name: [] for row in judges.values()}
    for row in everything["assignments"]:
        of_judge[judges[row.judge].name].append((row.position, row.task))
    planned = tuple(PlannedJudge(row.name, row.group) for _, row in sorted(judges.items()))
    return CampaignDesign(
        protocol=protocol_of_text(facts["protocol"], f"protocol of '{store.where}'"),
        plan=_plan(facts, planned),
        systems=tuple(facts["systems"]),
        segments=tuple(
            PlannedSegment(row.number, row.source, row.reference, row.document)
            for row in sorted(everything["segments"])
        ),
        outputs=tuple(_output(row) for row in sorted(everything["outputs"], key=lambda row: row.id)),
        tasks=tuple(_task(row) for row in sorted(everything["tasks"], key=lambda row: row.id)),
        blocks=tuple(tuple(block) for block in facts["blocks"]),
        assignments={name: tuple(task for _, task in sorted(rows)) for name, rows in of_judge.items()},
        problems=tuple(Problem(**problem) for problem in facts["problems"]),
    )


def new_campaign_facts(name: str) -> dict[str, Any]:
    """What every campaign has in `meta`, however it is made."""
    return {
        "schema_version": SCHEMA_VERSION,
        "understudy": __version__,
        "changes": 0,
        "id": secrets.token_hex(6),
        "name": name,
        "created": time.time(),
    }


def _facts(design: CampaignDesign, name: str) -> dict[str, Any]:
    plan = design.plan
    return {
        **new_campaign_facts(name),
        "protocol": design.protocol.written,
        "plan": {each.name: getattr(plan, each.name) for each in fields(plan) if each.name not in _ELSEWHERE},
        "demographics": [asdict(field) for field in plan.demographics],
        "systems": design.systems,
        "blocks": design.blocks,
        "problems": [asdict(problem) for problem in design.problems],
    }


def _plan(facts: Mapping[str, Any], judges: tuple[PlannedJudge, ...]) -> CampaignPlan:
    asked = tuple(
        DemographicField(**{**each, "choices": tuple(each["choices"])}) for each in facts["demographics"]
    )
    return CampaignPlan(judges=judges, demographics=asked, **facts["plan"])


def _task_row(task: PlannedTask) -> dict[str, Any]:
    details = {
        "practice": task.practice,
        "before": [asdict(context) for context in task.before],
        "after": [asdict(context) for context in task.after],
    }
    kept = ("id", "segment", "outputs", "role", "repeat_of", "control_of")
    return {**{name: getattr(task, name) for name in kept}, "details": details}


def _in_order_of_reference(tasks: Sequence[PlannedTask]) -> list[PlannedTask]:
    """Those that others refer to first, as foreign keys want it."""
    return sorted(tasks, key=lambda task: (task.repeat_of is not None, task.control_of is not None, task.id))


def _task(row: Any) -> PlannedTask:
    return PlannedTask(
        id=row.id,
        segment=row.segment,
        outputs=tuple(row.outputs),
        role=row.role,
        repeat_of=row.repeat_of,
        control_of=row.control_of,
        practice=row.details["practice"],
        before=tuple(Context(**each) for each in row.details["before"]),
        after=tuple(Context(**each) for each in row.details["after"]),
    )


def _output(row: Any) -> PlannedOutput:
    spans = tuple(MarkedSpan(**span) for span in row.prefilled)
    return PlannedOutput(row.segment, row.text, tuple(row.systems), row.control_of, spans)
