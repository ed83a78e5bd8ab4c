"""Judgments of a campaign: the last answer of every judge to every step of every task, in columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from understudy.judging.campaigns.design import CampaignDesign, PlannedTask
from understudy.judging.campaigns.design_rows import read_design
from understudy.judging.campaigns.payloads import is_final
from understudy.judging.campaigns.post_edits import HTER, HTER_NOTE, hter
from understudy.judging.campaigns.scores import penalty_of, value_of
from understudy.judging.campaigns.store import Store
from understudy.judging.judgments import (
    Annotated,
    Controls,
    Judgments,
    Level,
    Question,
    Rankings,
    Ratings,
    Spans,
    Texts,
)
from understudy.judging.protocols.protocol import RANKED, Step


class Answer(NamedTuple):
    """The last answer of a judge to a step of a task."""

    judge: int  # as the database numbers them
    task: int
    step: str
    payload: Mapping[str, Any]
    seconds: float | None


def judgments_of(store: Store) -> Judgments:
    """What has been collected so far, without practice and without skipped tasks."""
    people = store.tables.judges
    with store.reading() as connection:
        judges = connection.execute(
            people.select().where(people.c.role == "judge").order_by(people.c.id)
        ).all()
    return judgments_from(
        str(store.meta()["name"]),
        read_design(store),
        {row.id: (row.name, row.group) for row in judges},
        last_answers(store),
    )


def last_answers(store: Store) -> list[Answer]:
    """In the order in which they were given."""
    table = store.tables.answers
    found: dict[tuple[int, int, str], Answer] = {}
    with store.reading() as connection:
        for row in connection.execute(table.select().order_by(table.c.id)):
            key = (row.judge, row.task, row.step)
            found.pop(key, None)
            found[key] = Answer(*key, row.payload, row.seconds)
    return list(found.values())


def judgments_from(
    name: str,
    design: CampaignDesign,
    judges: Mapping[int, tuple[str, str | None]],
    answers: Iterable[Answer],
) -> Judgments:
    """The same of answers in memory."""
    collected = _Collected(design, list(judges))
    for answer in answers:
        collected.add(answer)
    numbers = [segment.number for segment in design.segments if segment.number is not None]
    segments = [segment for segment in design.segments if segment.number is not None]
    documents = tuple(segment.document or "" for segment in segments)
    return Judgments(
        name=name,
        protocol=design.protocol.name,
        systems=design.systems,
        judges=tuple(judge for judge, _ in judges.values()),
        segments=tuple(numbers),
        questions=_questions(design),
        ratings=collected.ratings(),
        rankings=collected.rankings(),
        spans=collected.spans(),
        controls=collected.controls(),
        groups=tuple(group or "" for _, group in judges.values()) if design.protocol.groups else None,
        documents=documents if any(documents) else None,
        texts=_texts(design),
        notes=(HTER_NOTE,) if collected.corrected else (),
    )


def _questions(design: CampaignDesign) -> tuple[Question, ...]:
    asked = [_question(step) for step in design.protocol.steps]
    if design.plan.post_edit:
        asked.append(Question(HTER, 0, None, "interval", higher_is_better=False))
    return tuple(asked)


def _question(step: Step) -> Question:
    if step.scale is not None:
        level: Level = "interval" if step.scale.level == "interval" else "ordinal"
        return Question(step.name, step.scale.low, step.scale.high, level)
    if step.widget in RANKED:
        return Question(step.name, 1, None, "ordinal", higher_is_better=False)
    return Question(step.name, None, 0, "interval")  # minus the sum of penalties, as in WMT's MQM scores


class _Collected:
    """Rows, as they come."""

    def __init__(self, design: CampaignDesign, judges: list[int]) -> None:
        self.design = design
        self.judges = {judge: place for place, judge in enumerate(judges)}
        self.systems = {system: place for place, system in enumerate(design.systems)}
        real = [index for index, segment in enumerate(design.segments) if segment.number is not None]
        self.segments = {index: place for place, index in enumerate(real)}
        self.rated: dict[str, list[tuple[Any, ...]]] = {
            step.name: [] for step in design.protocol.steps if step.widget not in RANKED
        }
        self.ranked: list[tuple[Any, ...]] = []
        self.annotated: list[tuple[Any, ...]] = []
        self.marked: list[tuple[Any, ...]] = []
        self.corrected: list[tuple[str, tuple[Any, ...]]] = []
        self.values: dict[tuple[int, int, str], list[float]] = {}  # by judge, task and step: of every output
        self.answers = 0  # an output's answer credited to several systems has one number

    def add(self, answer: Answer) -> None:
        task = self.design.by_id[answer.task]
        if task.role == "practice" or "skipped" in answer.payload or not is_final(answer.payload):
            return
        step = self.design.protocol.step(answer.step)
        values = [value_of(step, answer.payload, f"o{place}") for place in range(1, len(task.outputs) + 1)]
        self.values[answer.judge, answer.task, answer.step] = values
        if task.role == "control":
            return
        for place in range(len(task.outputs)):
            self._add_output(answer, task, step, place)

    def _add_output(self, answer: Answer, task: PlannedTask, step: Step, place: int) -> None:
        output, value = task.outputs[place], self.values[answer.judge, answer.task, answer.step][place]
        number, self.answers = self.answers, self.answers + 1
        judge, segment, repeat = self.judges[answer.judge], self.segments[task.segment], task.role == "repeat"
        seconds = np.nan if answer.seconds is None else answer.seconds / len(task.outputs)
        spans = answer.payload["spans"][f"o{place + 1}"] if step.widget == "spans" else []
        corrected = answer.payload.get("post_edit", {}).get(f"o{place + 1}")
        for system in (self.systems[name] for name in self.design.outputs[output].systems):
            if corrected is not None:
                self.corrected.append((corrected, (judge, system, segment, output, number, repeat)))
            if step.widget in RANKED:
                screen = answer.judge * (max(self.design.by_id) + 1) + task.id
                self.ranked.append((judge, segment, screen, system, output, int(value), repeat))
                continue
            self.rated[step.name].append((judge, system, segment, output, number, value, repeat, seconds))
            if step.widget == "spans":
                self.annotated.append((judge, system, segment, output, number, repeat))
                self.marked += [
                    (
                        *(judge, system, segment, output, number, span["start"], span["end"], span["side"]),
                        *(span["category"] or "", span["severity"], penalty_of(step, span), span["origin"]),
                    )
                    for span in spans
                ]

    def ratings(self) -> dict[str, Ratings]:
        kinds = (np.int64, np.int64, np.int64, np.int64, np.int64, np.float64, np.bool_, np.float64)
        rated = dict(self.rated)
        if self.design.plan.post_edit:
            rated[HTER] = self._post_edits()
        return {name: Ratings(*_columns(rows, kinds)) for name, rows in rated.items()}

    def _post_edits(self) -> list[tuple[Any, ...]]:
        outputs = [self.design.outputs[output].text for _, (*_, output, _, _) in self.corrected]
        values = hter(outputs, [text for text, _ in self.corrected], self.design.plan.target_language)
        return [
            (*who, value, repeat, np.nan)
            for (_, (*who, repeat)), value in zip(self.corrected, values.tolist(), strict=True)
        ]

    def rankings(self) -> Rankings | None:
        if not any(step.widget in RANKED for step in self.design.protocol.steps):
            return None
        return Rankings(*_columns(self.ranked, (*[np.int64] * 6, np.bool_)))

    def spans(self) -> Spans | None:
        if not self.design.protocol.has_spans:
            return None
        annotated = Annotated(*_columns(self.annotated, (*[np.int64] * 5, np.bool_)))
        columns = list(zip(*self.marked, strict=True)) or [()] * 12
        numbers: list[Any] = [np.array(column, dtype=np.int64) for column in columns[:7]]
        side, category, severity, penalty, origin = columns[7:]
        penalties = np.array(penalty, dtype=np.float64)
        rest: tuple[Any, ...] = (side, category, severity, penalties, origin, annotated)
        return Spans(*numbers, *rest)

    def controls(self) -> Controls | None:
        """Degraded outputs beside their originals, by the same judge, for every step that both have an answer to."""
        rows = []
        for (judge, id, step), values in self.values.items():
            task = self.design.by_id[id]
            if task.role != "control" or task.control_of is None:
                continue
            main = self.design.by_id[task.control_of]
            originals = self.values.get((judge, main.id, step))
            for place, output in enumerate(task.outputs):
                original = self.design.outputs[output].control_of
                if original is not None and originals is not None and original in main.outputs:
                    value = originals[main.outputs.index(original)]
                    rows.append((self.judges[judge], self.segments[task.segment], step, value, values[place]))
        if not any(task.role == "control" for task in self.design.tasks):
            return None
        judges, segments, steps, original_values, degraded = list(zip(*rows, strict=True)) or [()] * 5
        return Controls(
            np.array(judges, dtype=np.int64),
            np.array(segments, dtype=np.int64),
            tuple(steps),
            np.array(original_values, dtype=np.float64),
            np.array(degraded, dtype=np.float64),
        )


def _columns(rows: list[tuple[Any, ...]], kinds: Iterable[Any]) -> list[Any]:
    types = list(kinds)
    columns = list(zip(*rows, strict=True)) or [()] * len(types)
    return [np.array(column, dtype=kind) for column, kind in zip(columns, types, strict=True)]


def _texts(design: CampaignDesign) -> Texts:
    """The texts of all systems and segments, for showing items."""
    places: dict[int, int] = {}
    for index, segment in enumerate(design.segments):
        if segment.number is not None:
            places[index] = len(places)
    known = [design.segments[index] for index in places]
    outputs: dict[str, list[str | None]] = {system: [None] * len(places) for system in design.systems}
    for output in design.outputs:
        for system in output.systems:
            outputs[system][places[output.segment]] = output.text
    sources = tuple(segment.source or "" for segment in known)
    references = tuple(segment.reference or "" for segment in known)
    return Texts(
        sources=sources if any(sources) else None,
        outputs=tuple(tuple(texts) for texts in outputs.values()),
        references=references if any(references) else None,
    )
