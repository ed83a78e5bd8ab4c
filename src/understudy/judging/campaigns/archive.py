"""Archive: a finished campaign as one HTML file with protocol, progress, results, items and answers."""

from __future__ import annotations

import time
from importlib import resources
from typing import Any

from understudy.errors import MissingExtra
from understudy.judging.campaigns.collected import judgments_of, last_answers
from understudy.judging.campaigns.design import CampaignDesign
from understudy.judging.campaigns.desk import Desk
from understudy.judging.campaigns.languages import direction, language_tag
from understudy.judging.campaigns.progress import status_of
from understudy.judging.campaigns.standing import standing_of
from understudy.judging.campaigns.store import Store
from understudy.judging.protocols.protocol import RANKED, RATED


def archived(store: Store, *, names: bool = False) -> str:
    """The page. Without `names`, judges are numbered; consent, demographics and participant ids are never in it."""
    try:
        import jinja2
    except ModuleNotFoundError:
        raise MissingExtra.of("archives", "jinja2", "judge") from None
    desk = Desk(store)
    status, standing = status_of(desk), standing_of(judgments_of(store))
    shown = {
        judge.name: judge.name if names else f"judge {place}" for place, judge in enumerate(status.judges, 1)
    }
    text = (resources.files("understudy.judging.server") / "templates" / "archive.html").read_text("utf-8")
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
    return environment.from_string(text).render(
        name=desk.name,
        protocol=desk.protocol,
        written_on=time.strftime("%Y-%m-%d", time.gmtime()),
        status=status,
        shown=shown,
        standing=standing,
        post_edit=desk.plan.post_edit,
        items=_items(desk, shown, store),
    )


def _items(desk: Desk, shown: dict[str, str], store: Store) -> list[dict[str, Any]]:
    """Every judged segment with its outputs, and what each judge said about them."""
    design = desk.design
    people = {judge.id: judge.name for judge in desk.judges.values()}
    said: dict[int, list[dict[str, Any]]] = {}
    for answer in last_answers(store):
        task = design.by_id[answer.task]
        if task.role == "practice":
            continue
        for place, output in enumerate(task.outputs, 1):
            said.setdefault(output, []).append(
                {
                    "judge": shown[people[answer.judge]],
                    "step": answer.step,
                    "role": task.role,
                    "answer": _in_words(design, answer.step, answer.payload, f"o{place}"),
                    "corrected": answer.payload.get("post_edit", {}).get(f"o{place}"),
                    "comment": answer.payload.get("comment", ""),
                }
            )
    source, target = design.plan.source_language, design.plan.target_language
    return [
        {
            "number": segment.number,
            "document": segment.document,
            "source": _text(segment.source, source),
            "reference": _text(segment.reference, target),
            "outputs": [
                {**_text(output.text, target), "systems": _systems(design, id), "answers": said.get(id, [])}
                for id, output in enumerate(design.outputs)
                if output.segment == index
            ],
        }
        for index, segment in enumerate(design.segments)
        if segment.number is not None
    ]


def _systems(design: CampaignDesign, output: int) -> str:
    found = design.outputs[output]
    if found.control_of is None:
        return ", ".join(found.systems)
    return f"control: degraded output of {', '.join(design.outputs[found.control_of].systems)}"


def _in_words(design: CampaignDesign, step: str, payload: Any, output: str) -> str:
    widget = design.protocol.step(step).widget
    if "skipped" in payload:
        return "skipped"
    if widget in RATED:
        return f"{payload['values'][output]:g}"
    if widget in RANKED:
        return f"rank {payload['ranks'][output]}"
    spans = [
        f"{span['severity']}{' ' + span['category'] if span['category'] else ''}: “{span['text']}”"
        for span in payload["spans"][output]
    ]
    return "; ".join(spans) or "no errors"


def _text(text: str | None, language: str | None) -> dict[str, Any]:
    return {"text": text, "lang": language_tag(language), "dir": direction(language)}
