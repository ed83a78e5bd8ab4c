"""A small campaign: the rows of its tables, written by hand, and links to it."""

from __future__ import annotations

import time
from typing import Any

from understudy.judging.campaigns.schema import SCHEMA_VERSION
from understudy.judging.campaigns.tokens import new_token
from understudy.judging.protocols.reading import protocol_text

SETTINGS = {
    "comment": True,
    "post_edit": True,
    "consent": None,
    "demographics": [],
    "completion": None,
    "context": 0,
}


def small_campaign(
    protocol: str = "adequacy-fluency", judges: int = 2, tasks: int = 5, **settings: Any
) -> tuple[dict[str, list[dict[str, Any]]], dict[str, str]]:
    """The rows of a campaign of one output per task, the same for all judges, and the tokens of its people by name."""
    names = [f"judge-{number}" for number in range(1, judges + 1)]
    people = [(name, "judge") for name in names] + [("lead", "lead"), ("viewer", "viewer")]
    made = {name: new_token() for name, _ in people}
    every_task = range(1, tasks + 1)
    rows = {
        "meta": [
            {"name": name, "value": value}
            for name, value in {
                "schema_version": SCHEMA_VERSION,
                "changes": 0,
                "id": "0123456789ab",
                "name": "small",
                "protocol": protocol_text(protocol),
                "languages": {"source": "de", "target": "en"},
                "settings": {**SETTINGS, **settings},
            }.items()
        ],
        "segments": [
            {
                "id": task,
                "number": task,
                "document": f"document {task // 3}",
                "source": f"Quelle {task} 𝄞",
                "reference": f"secret reference {task}",
            }
            for task in every_task
        ],
        "outputs": [
            {
                "id": task,
                "segment": task,
                "text": f"Output {task} 𝄞.",
                "systems": ["hidden-system"],
                "control_of": None,
                "prefilled": [],
            }
            for task in every_task
        ],
        "tasks": [
            {"id": task, "role": "main", "segment": task, "outputs": [task], "repeat_of": None, "details": {}}
            for task in every_task
        ],
        "judges": [
            {"id": id, "name": name, "group": None, "role": role, "revoked": False}
            for id, (name, role) in enumerate(people, 1)
        ],
        "links": [
            {**made[name][1]._asdict(), "judge": id, "created": time.time(), "revoked": False}
            for id, (name, _) in enumerate(people, 1)
        ],
        "assignments": [
            {"judge": judge, "position": task, "task": task}
            for judge in range(1, judges + 1)
            for task in every_task
        ],
    }
    return rows, {name: token for name, (token, _) in made.items()}


def fluency(task: int, key: str, value: int = 4, step: str = "fluency", **more: Any) -> dict[str, Any]:
    """An answer to a step of adequacy-fluency."""
    return {"key": key, "task": task, "step": step, "payload": {"values": {"o1": value}, **more}, "seconds": 3.5}
