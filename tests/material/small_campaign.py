"""A small campaign, designed by hand, and the tokens of its people."""

from __future__ import annotations

import time
from typing import Any

from understudy.judging.campaigns.campaign_plan import CampaignPlan, PlannedJudge
from understudy.judging.campaigns.design import CampaignDesign, PlannedOutput, PlannedSegment, PlannedTask
from understudy.judging.campaigns.design_rows import Rows, rows_of
from understudy.judging.campaigns.tokens import new_token
from understudy.judging.protocols.reading import protocol


def small_design(
    name: str = "adequacy-fluency",
    judges: int = 2,
    tasks: int = 5,
    outputs: int = 1,
    assignments: Any = None,
    **plan: Any,
) -> CampaignDesign:
    """The same tasks for all judges, each with the output of one system, or of several."""
    chosen = protocol(name)
    group = next(iter(chosen.groups), None)
    people = tuple(PlannedJudge(f"judge-{number}", group) for number in range(1, judges + 1))
    options = {"comment": True, "post_edit": True, "source_language": "de", "target_language": "en", **plan}
    numbers = range(1, tasks + 1)
    systems = tuple(f"hidden-system-{number}" for number in range(1, outputs + 1))
    return CampaignDesign(
        protocol=chosen,
        plan=CampaignPlan(judges=people, **options),
        systems=systems,
        segments=tuple(
            PlannedSegment(number, f"Quelle {number} 𝄞", f"secret reference {number}") for number in numbers
        ),
        outputs=tuple(
            PlannedOutput(number - 1, f"Output {number} 𝄞 {place}.", (system,))
            for number in numbers
            for place, system in enumerate(systems)
        ),
        tasks=tuple(
            PlannedTask(number, number - 1, tuple(range(outputs * (number - 1), outputs * number)))
            for number in numbers
        ),
        blocks=tuple((number,) for number in numbers),
        assignments={judge.name: tuple(numbers) for judge in people} if assignments is None else assignments,
    )


def rows_and_tokens(design: CampaignDesign) -> tuple[Rows, dict[str, str]]:
    """The rows of the campaign with a link for each of its people, and the tokens of these links by name."""
    rows = rows_of(design, "small")
    made = {person["name"]: new_token() for person in rows["judges"]}
    rows["links"] = [
        {**made[person["name"]][1]._asdict(), "judge": person["id"], "created": time.time(), "revoked": False}
        for person in rows["judges"]
    ]
    return rows, {name: token for name, (token, _) in made.items()}


def fluency(task: int, key: str, value: int = 4, step: str = "fluency", **more: Any) -> dict[str, Any]:
    """An answer to a step of adequacy-fluency."""
    return {
        "key": key,
        "task": task,
        "step": step,
        "payload": {"values": {"o1": value}, **more},
        "seconds": 3.5,
    }


def answers_to(task: Any, key: str) -> dict[str, Any]:
    """An answer to the open step of a task with scales, as the page would send it."""
    values = {output["id"]: 3 for output in task["outputs"]}
    return {
        "key": key,
        "task": task["task"],
        "step": task["step"],
        "payload": {"values": values},
        "seconds": 1.5,
    }
