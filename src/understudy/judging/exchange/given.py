"""Given: what files say, row by row and by name; several files together make one `Judgments`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from understudy.judging.judgments import (
    Annotated,
    Controls,
    Judgments,
    Question,
    Rankings,
    Ratings,
    Spans,
    Texts,
)

UNNAMED = "unnamed"  # the judge of files that name none
_MOST_STEPS = 10  # a question with more different answers is on an interval scale


class Rating(NamedTuple):
    """One answer about one system."""

    judge: str
    system: str
    segment: int
    value: float
    repeat: bool = False
    seconds: float = float("nan")
    others: tuple[str, ...] = ()  # the systems that have this text, if the answer is credited to several


class Ranked(NamedTuple):
    """One system in one ranking."""

    judge: str
    segment: int
    screen: int
    system: str
    rank: int
    repeat: bool = False


class Marked(NamedTuple):
    """One error span."""

    judge: str
    system: str
    segment: int
    start: int
    end: int
    side: str
    category: str
    severity: str
    penalty: float


class Control(NamedTuple):
    """A degraded text and its original."""

    judge: str
    segment: int
    question: str
    original: float
    degraded: float


@dataclass(eq=False)
class Given:
    """Rows in the order of the files."""

    protocol: str
    ratings: dict[str, list[Rating]] = field(default_factory=dict)  # by question
    questions: dict[str, Question] = field(default_factory=dict)  # whose scale is known
    rankings: list[Ranked] = field(default_factory=list)
    spans: list[Marked] = field(default_factory=list)
    # Translations whose errors were marked: judge, system, segment.
    annotated: dict[tuple[str, str, int], None] = field(default_factory=dict)
    has_spans: bool = False
    controls: list[Control] = field(default_factory=list)
    documents: dict[int, str] = field(default_factory=dict)
    outputs: dict[tuple[str, int], str] = field(default_factory=dict)
    sources: dict[int, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def add(self, other: Given) -> None:
        """The rows of another file behind these. Rankings of two files are never one ranking."""
        if other.protocol not in self.protocol.split(", "):
            self.protocol = f"{self.protocol}, {other.protocol}"
        for question, rows in other.ratings.items():
            self.ratings.setdefault(question, []).extend(rows)
        screens = 1 + max((row.screen for row in self.rankings), default=-1)
        self.rankings += [row._replace(screen=row.screen + screens) for row in other.rankings]
        self.spans += other.spans
        self.controls += other.controls
        self.has_spans |= other.has_spans
        for name in ("questions", "annotated", "documents", "outputs", "sources"):
            getattr(self, name).update(getattr(other, name))
        self.notes += [note for note in other.notes if note not in self.notes]

    def judgments(self, name: str) -> Judgments:
        """In columns. Systems and judges are in the order of their first rows, segments in that of their numbers."""
        numbers = _Numbers(self)
        return Judgments(
            name=name,
            protocol=self.protocol,
            systems=tuple(numbers.systems),
            judges=tuple(numbers.judges),
            segments=tuple(numbers.segments),
            questions=tuple(self._question(question) for question in self.ratings),
            ratings={question: numbers.ratings(rows) for question, rows in self.ratings.items()},
            rankings=numbers.rankings(self.rankings) if self.rankings else None,
            spans=numbers.spans(self.spans, self.annotated) if self.has_spans else None,
            controls=numbers.controls(self.controls) if self.controls else None,
            documents=tuple(self.documents.get(each, "") for each in numbers.segments)
            if self.documents
            else None,
            texts=self._texts(numbers) if self.outputs else None,
            notes=tuple(self.notes),
        )

    def _question(self, name: str) -> Question:
        """As it is known, else by its answers: few integers are steps of a scale."""
        if name in self.questions:
            return replace(self.questions[name], name=name)
        values = {row.value for row in self.ratings[name]}
        steps = len(values) <= _MOST_STEPS and all(float(value).is_integer() for value in values)
        return Question(name, level="ordinal" if steps else "interval")

    def _texts(self, numbers: _Numbers) -> Texts:
        sources = tuple(self.sources.get(segment, "") for segment in numbers.segments)
        outputs = tuple(
            tuple(self.outputs.get((system, segment)) for segment in numbers.segments)
            for system in numbers.systems
        )
        return Texts(sources if any(sources) else None, outputs)


class _Numbers:
    """The places of judges, systems and segments."""

    def __init__(self, given: Given) -> None:
        rows: list[Any] = [row for each in given.ratings.values() for row in each]
        rows += given.rankings
        systems = [row.system for row in rows] + [system for _, system, _ in given.annotated]
        judges = [row.judge for row in (*rows, *given.controls)] + [judge for judge, _, _ in given.annotated]
        segments = {row.segment for row in (*rows, *given.controls)} | {each for *_, each in given.annotated}
        self.systems = {name: place for place, name in enumerate(dict.fromkeys(systems))}
        self.judges = {name: place for place, name in enumerate(dict.fromkeys(judges))}
        self.segments = {number: place for place, number in enumerate(sorted(segments))}

    def _of(self, rows: Iterable[Any], *names: str) -> list[list[int]]:
        places = {"judge": self.judges, "system": self.systems, "segment": self.segments}
        given = list(rows)
        return [[places[name][getattr(row, name)] for row in given] for name in names]

    def ratings(self, rows: list[Rating]) -> Ratings:
        judge, system, segment = self._of(rows, "judge", "system", "segment")
        found = Ratings.of(
            judge,
            system,
            segment,
            [row.value for row in rows],
            repeat=[row.repeat for row in rows],
            seconds=[row.seconds for row in rows],
        )
        if not any(row.others for row in rows):
            return found
        texts: dict[tuple[int, tuple[str, ...]], int] = {}
        answers: dict[Any, int] = {}
        unit, answer = [], []
        for place, row in enumerate(rows):
            shared = row.others or (row.system,)
            unit.append(texts.setdefault((row.segment, shared), len(texts)))
            # The rows of one answer: a judge who judged the text twice gave two, and each has every system once.
            key: Any = (row.judge, row.segment, shared, row.value, row.repeat, str(row.seconds))
            answer.append(answers.setdefault(key if row.others else place, len(answers)))
        return replace(found, unit=np.array(unit), answer=np.array(answer))

    def rankings(self, rows: list[Ranked]) -> Rankings:
        judge, segment, system = self._of(rows, "judge", "segment", "system")
        ranks, repeat = [row.rank for row in rows], [row.repeat for row in rows]
        return Rankings.of(judge, segment, [row.screen for row in rows], system, ranks, repeat=repeat)

    def spans(self, rows: list[Marked], annotated: Iterable[tuple[str, str, int]]) -> Spans:
        looked_at = list(annotated)
        answers = {each: place for place, each in enumerate(looked_at)}
        known = Annotated.of(
            [self.judges[judge] for judge, _, _ in looked_at],
            [self.systems[system] for _, system, _ in looked_at],
            [self.segments[segment] for *_, segment in looked_at],
        )
        answer = np.array([answers[row.judge, row.system, row.segment] for row in rows], dtype=np.int64)
        judge, system, segment = (
            np.array(column, dtype=np.int64) for column in self._of(rows, "judge", "system", "segment")
        )
        return Spans(
            judge,
            system,
            segment,
            known.unit[answer],
            answer,
            np.array([row.start for row in rows], dtype=np.int64),
            np.array([row.end for row in rows], dtype=np.int64),
            tuple(row.side for row in rows),
            tuple(row.category for row in rows),
            tuple(row.severity for row in rows),
            np.array([row.penalty for row in rows], dtype=np.float64),
            ("judge",) * len(rows),
            known,
        )

    def controls(self, rows: list[Control]) -> Controls:
        judge, segment = self._of(rows, "judge", "segment")
        return Controls(
            np.array(judge, dtype=np.int64),
            np.array(segment, dtype=np.int64),
            tuple(row.question for row in rows),
            np.array([row.original for row in rows]),
            np.array([row.degraded for row in rows]),
        )
