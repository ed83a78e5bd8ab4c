"""What a judge's browser receives: the campaign as their group meets it, and one task at a time. Nothing in it names a
system, or tells a repeat or a control from other tasks.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from understudy.corpus.error_spans import MarkedSpan
from understudy.judging.campaigns.design import Context, PlannedTask
from understudy.judging.campaigns.desk import Desk, Judge
from understudy.judging.campaigns.languages import direction, language_tag


def campaign_screen(desk: Desk, judge: Judge) -> dict[str, Any]:
    """The protocol, what is still to be asked about the judge, and how far they are."""
    protocol, plan, profile = desk.protocol_of(judge), desk.plan, judge.profile or {}
    asked = [asdict(field) for field in plan.demographics]
    finished = judge.role == "judge" and desk.next_position(judge) is None
    return {
        "id": desk.id,
        "campaign": desk.name,
        "protocol": {
            "name": protocol.name,
            "title": protocol.title,
            "instructions": list(protocol.instructions),
            "steps": [step.as_json() for step in protocol.steps],
            "comment": plan.comment,
            "post_edit": plan.post_edit,
        },
        "judge": {"name": judge.name, "group": judge.group},
        "consent": {"text": plan.consent, "given": bool(profile.get("consent"))} if plan.consent else None,
        "demographics": {"fields": asked, "given": "demographics" in profile} if asked else None,
        "progress": desk.progress(judge),
        "completion": _completion(desk) if finished else None,
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
    segment = desk.design.segments[task.segment]
    source_language, target_language = desk.languages_of(task)
    return {
        "task": task.id,
        "position": position,
        "count": desk.total(judge),
        "practice": task.role == "practice",
        "document": segment.document,
        "context": _context(task, "source" in seen),
        "source": _text(segment.source, source_language) if "source" in seen else None,
        "reference": _text(segment.reference, target_language) if "reference" in seen else None,
        "outputs": [
            {
                "id": f"o{place}",
                **_text(output.text, target_language),
                "prefilled": [_prefilled(span, output.text, segment.source) for span in output.prefilled],
            }
            for place, output in enumerate((desk.design.outputs[index] for index in task.outputs), 1)
        ],
        "step": step.name,
        "locked": desk.locked_steps(judge, task),
        "answers": judge.answers.get(task.id, {}),
    }


def _text(text: str | None, language: str | None) -> dict[str, Any]:
    return {"text": text, "lang": language_tag(language), "dir": direction(language)}


def _prefilled(span: MarkedSpan, output: str, source: str | None) -> dict[str, Any]:
    covered = output if span.side == "target" else source or ""
    return {
        **{"start": span.start, "end": span.end, "text": covered[span.start : span.end], "side": span.side},
        **{"category": span.category or None, "severity": span.severity},
    }


def _completion(desk: Desk) -> dict[str, Any] | None:
    code, url = desk.plan.completion_code, desk.plan.completion_url
    return {"code": code, "url": url} if code or url else None


def _context(task: PlannedTask, with_source: bool) -> dict[str, Any] | None:
    """The segments around this one in its document."""
    if not task.before and not task.after:
        return None

    def shown(neighbors: Sequence[Context]) -> list[dict[str, Any]]:
        return [{"source": each.source if with_source else None, "output": each.output} for each in neighbors]

    return {"before": shown(task.before), "after": shown(task.after)}
