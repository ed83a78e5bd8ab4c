"""What a judge's browser receives: the campaign as their group meets it, and one task at a time. Nothing in it names a
system, or tells a repeat or a control from other tasks.
"""

from __future__ import annotations

from typing import Any

from understudy.judging.campaigns.desk import Desk, Judge, PlannedTask


def campaign_screen(desk: Desk, judge: Judge) -> dict[str, Any]:
    """The protocol, what is still to be asked about the judge, and how far they are."""
    protocol, settings, profile = desk.protocol_of(judge), desk.settings, judge.profile or {}
    consent, fields = settings["consent"], settings["demographics"]
    finished = judge.role == "judge" and desk.next_position(judge) is None
    return {
        "campaign": desk.meta["name"],
        "protocol": {
            "name": protocol.name,
            "title": protocol.title,
            "instructions": list(protocol.instructions),
            "steps": [step.as_json() for step in protocol.steps],
            "comment": settings["comment"],
            "post_edit": settings["post_edit"],
        },
        "judge": {"name": judge.name, "group": judge.group},
        "consent": {"text": consent, "given": bool(profile.get("consent"))} if consent else None,
        "demographics": {"fields": fields, "given": "demographics" in profile} if fields else None,
        "progress": desk.progress(judge),
        "completion": settings["completion"] if finished else None,
    }


def next_task_screen(desk: Desk, judge: Judge) -> dict[str, Any] | None:
    """The first unfinished task; None if all are done."""
    position = desk.next_position(judge)
    return None if position is None else task_screen(desk, judge, position)


def task_screen(desk: Desk, judge: Judge, position: int) -> dict[str, Any]:
    """The judge's task at a position, from 1, with their answers so far."""
    task = desk.tasks[judge.tasks[position - 1]]
    step = desk.step_to_answer(judge, task)
    # A text leaves the server with the first step that shows it, not before: fluency is judged without a reference.
    seen = desk.texts_seen(judge, task)
    segment = desk.segments[task.segment]
    source_language, target_language = _languages(desk, task)
    return {
        "task": task.id,
        "position": position,
        "count": len(judge.tasks),
        "practice": task.role == "practice",
        "document": segment.document,
        "context": _context(desk, task, "source" in seen),
        "source": _text(segment.source, source_language) if "source" in seen else None,
        "reference": _text(segment.reference, target_language) if "reference" in seen else None,
        "outputs": [
            {
                "id": f"o{place}",
                **_text(desk.outputs[output].text, target_language),
                "prefilled": list(desk.outputs[output].prefilled),
            }
            for place, output in enumerate(task.outputs, 1)
        ],
        "step": step.name,
        "locked": desk.locked_steps(judge, task),
        "answers": judge.answers.get(task.id, {}),
    }


# Unicode's right-to-left scripts, by the languages written in them.
RIGHT_TO_LEFT = frozenset(
    "ar arc arz azb bal bqi ckb dv fa glk ha-arab he ks ku-arab lrc mzn pnb ps sd syr ug ur yi".split()
)


def _text(text: str | None, language: str | None) -> dict[str, Any]:
    direction = "auto" if language is None else "rtl" if language in RIGHT_TO_LEFT else "ltr"
    return {"text": text, "lang": language or "", "dir": direction}


def _languages(desk: Desk, task: PlannedTask) -> tuple[str | None, str | None]:
    """Of source and output. Practice items have languages of their own."""
    return (
        task.details.get("source_language", desk.source_language),
        task.details.get("target_language", desk.target_language),
    )


def _context(desk: Desk, task: PlannedTask, with_source: bool) -> dict[str, Any] | None:
    """The segments around this one in its document; if one output is shown, in the same system's translation."""
    width = int(desk.settings["context"])
    if not width or task.role == "practice":
        return None
    before, after = desk.neighbours(task.segment, width)
    system = desk.systems_of(task.outputs[0])[:1] if len(task.outputs) == 1 else ()
    return {
        "before": [_neighbour(desk, segment, system, with_source) for segment in before],
        "after": [_neighbour(desk, segment, system, with_source) for segment in after],
    }


def _neighbour(desk: Desk, segment: int, system: tuple[str, ...], with_source: bool) -> dict[str, Any]:
    return {
        "source": desk.segments[segment].source if with_source else None,
        "output": desk.output_text(segment, system[0]) if system else None,
    }
