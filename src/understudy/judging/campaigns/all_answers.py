"""All answers of a campaign as they were given, one row per hypothesis and step: for whoever wants more than scores."""

from __future__ import annotations

from typing import Any

from understudy.judging.campaigns.collected import Answer, last_answers
from understudy.judging.campaigns.design import CampaignDesign, PlannedTask
from understudy.judging.campaigns.design_rows import read_design
from understudy.judging.campaigns.payloads import is_final
from understudy.judging.campaigns.store import Store

_TYPES = {"main": "system"}  # of roles that have another name in tables
_BY_OUTPUT = {
    "values": "score",
    "ranks": "rank",
    "spans": "spans",
    "removed": "removed",
    "post_edit": "corrected",
}


def all_answers(store: Store) -> list[dict[str, Any]]:
    """The last answer of every judge to every step, in the order in which they were given, without practice.

    `type` is system, repeat or control. Spans have an `origin`: judge, kept or changed; `removed` are the numbers of
    prefilled spans that the judge removed.
    """
    people = store.tables.judges
    with store.reading() as connection:
        judges = {row.id: row for row in connection.execute(people.select())}
    design = read_design(store)
    rows = []
    for answer in last_answers(store):
        task = design.by_id[answer.task]
        if task.role != "practice" and is_final(answer.payload):
            rows += _rows(design, task, answer, judges[answer.judge])
    return rows


def _rows(design: CampaignDesign, task: PlannedTask, answer: Answer, judge: Any) -> list[dict[str, Any]]:
    given = answer.payload
    segment = design.segments[task.segment]
    return [
        {
            **{"judge": judge.name, "group": judge.group, "seg": segment.number, "screen": task.id},
            "systems": list(_systems(design, output)),
            **{
                "type": _TYPES.get(task.role, task.role),
                "question": answer.step,
                "hypothesis": design.outputs[output].text,
            },
            **{
                name: given[key][f"o{place}"]
                for key, name in _BY_OUTPUT.items()
                if f"o{place}" in given.get(key, {})
            },
            **{name: given[name] for name in ("skipped", "comment") if name in given},
            "seconds": answer.seconds,
        }
        for place, output in enumerate(task.outputs, 1)
    ]


def _systems(design: CampaignDesign, output: int) -> tuple[str, ...]:
    """A control is made of the output of systems."""
    found = design.outputs[output]
    return found.systems if found.control_of is None else design.outputs[found.control_of].systems
