"""Judgments: human judgments of translations, in columns. A running campaign and every import make one of these,
and results and exports are made of it.

Judges, systems and segments are numbers: places in the tuples of `Judgments`. The order of rows is kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from understudy.arrays import LARGEST_SCORE, Floats
from understudy.corpus.error_spans import SIDES
from understudy.errors import BadInput

Places = NDArray[np.int64]
Level = Literal["nominal", "ordinal", "interval"]

_ORIGINS = (
    "judge",
    "kept",
    "changed",
)  # of a span: the judge's own; prefilled, and left as it was, or changed


@dataclass(frozen=True)
class Question:
    """What was asked, and on which scale."""

    name: str
    low: float | None = None  # None: the scale has no lower end, or it is not known
    high: float | None = None
    level: Level = "interval"
    higher_is_better: bool = True


@dataclass(frozen=True, eq=False)
class Ratings:
    """The answers to one question."""

    judge: Places
    system: Places
    segment: Places
    unit: Places  # the text judged: identical outputs of one segment share it
    answer: Places  # one number per answer given: an answer credited to several systems has several rows
    value: Floats
    repeat: NDArray[np.bool_]  # a hidden repeat of an item that this judge judged before
    seconds: Floats  # NaN: unknown

    @classmethod
    def of(
        cls,
        judge: ArrayLike,
        system: ArrayLike,
        segment: ArrayLike,
        value: ArrayLike,
        *,
        unit: ArrayLike | None = None,
        answer: ArrayLike | None = None,
        repeat: ArrayLike | None = None,
        seconds: ArrayLike | None = None,
    ) -> Ratings:
        """Without units, every system and segment is a text of its own; without answers, every row is one.

        >>> Ratings.of(judge=[0, 1, 0], system=[0, 0, 1], segment=[4, 4, 4], value=[3, 4, 5]).unit.tolist()
        [0, 0, 1]
        """
        rows = len(np.asarray(judge))
        systems, segments = _places(system), _places(segment)
        return cls(
            _places(judge),
            systems,
            segments,
            _texts_of(systems, segments) if unit is None else _places(unit),
            np.arange(rows) if answer is None else _places(answer),
            np.asarray(value, dtype=np.float64),
            np.zeros(rows, dtype=bool) if repeat is None else np.asarray(repeat, dtype=bool),
            np.full(rows, np.nan) if seconds is None else np.asarray(seconds, dtype=np.float64),
        )

    def __len__(self) -> int:
        return len(self.value)

    def rows(self, chosen: NDArray[Any]) -> Ratings:
        """Those rows, by number or by a mask."""
        return Ratings(*(getattr(self, each.name)[chosen] for each in fields(self)))

    @property
    def first(self) -> Ratings:
        """Without hidden repeats, which are there to measure self-agreement alone."""
        return self.rows(~self.repeat) if self.repeat.any() else self

    @property
    def answers(self) -> Ratings:
        """One row per answer: an answer credited to several systems is in it once, with the first of them."""
        _, place = np.unique(self.answer, return_index=True)
        return self if len(place) == len(self) else self.rows(np.sort(place))


@dataclass(frozen=True, eq=False)
class Rankings:
    """Outputs of one segment that a judge ranked together: the rows of one screen. Pairwise judgments have two rows."""

    judge: Places
    segment: Places
    screen: Places  # one number per ranking given
    system: Places
    unit: Places
    rank: Places  # 1 is best; ties allowed
    repeat: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        judge: ArrayLike,
        segment: ArrayLike,
        screen: ArrayLike,
        system: ArrayLike,
        rank: ArrayLike,
        *,
        unit: ArrayLike | None = None,
        repeat: ArrayLike | None = None,
    ) -> Rankings:
        """Without units, every system and segment is a text of its own."""
        systems, segments = _places(system), _places(segment)
        return cls(
            _places(judge),
            segments,
            _places(screen),
            systems,
            _texts_of(systems, segments) if unit is None else _places(unit),
            _places(rank),
            np.zeros(len(systems), dtype=bool) if repeat is None else np.asarray(repeat, dtype=bool),
        )

    def __len__(self) -> int:
        return len(self.rank)

    def rows(self, chosen: NDArray[Any]) -> Rankings:
        """Those rows, by number or by a mask."""
        return Rankings(*(getattr(self, each.name)[chosen] for each in fields(self)))

    @property
    def first(self) -> Rankings:
        """Without hidden repeats."""
        return self.rows(~self.repeat) if self.repeat.any() else self


@dataclass(frozen=True, eq=False)
class Annotated:
    """The translations whose errors a judge marked, also those without any: no span is a judgment, too."""

    judge: Places
    system: Places
    segment: Places
    unit: Places
    answer: Places
    repeat: NDArray[np.bool_]

    @classmethod
    def of(
        cls,
        judge: ArrayLike,
        system: ArrayLike,
        segment: ArrayLike,
        *,
        unit: ArrayLike | None = None,
        answer: ArrayLike | None = None,
        repeat: ArrayLike | None = None,
    ) -> Annotated:
        """Without units, every system and segment is a text of its own; without answers, every row is one."""
        systems, segments = _places(system), _places(segment)
        return cls(
            _places(judge),
            systems,
            segments,
            _texts_of(systems, segments) if unit is None else _places(unit),
            np.arange(len(systems)) if answer is None else _places(answer),
            np.zeros(len(systems), dtype=bool) if repeat is None else np.asarray(repeat, dtype=bool),
        )

    def __len__(self) -> int:
        return len(self.judge)


@dataclass(frozen=True, eq=False)
class Spans:
    """Errors that judges marked. Each belongs to a row of `annotated`: the one of its answer and system."""

    judge: Places
    system: Places
    segment: Places
    unit: Places
    answer: Places
    start: Places  # in code points
    end: Places  # exclusive
    side: tuple[str, ...]  # one of SIDES
    category: tuple[str, ...]
    severity: tuple[str, ...]
    penalty: Floats
    origin: tuple[str, ...]  # one of _ORIGINS
    annotated: Annotated

    def __len__(self) -> int:
        return len(self.start)


@dataclass(frozen=True, eq=False)
class Controls:
    """Degraded text beside its original, by the same judge. Missed: the degraded text did not get the worse answer."""

    judge: Places
    segment: Places
    question: tuple[str, ...]
    value_of_original: Floats
    value_of_degraded: Floats

    def __len__(self) -> int:
        return len(self.judge)


@dataclass(frozen=True)
class Texts:
    """What was judged, for showing items."""

    sources: tuple[str, ...] | None  # by segment
    outputs: tuple[tuple[str | None, ...], ...]  # by system and segment; None: not known
    references: tuple[str, ...] | None = None  # by segment


@dataclass(frozen=True, eq=False, kw_only=True)
class Judgments:
    """Everything that was said, and about what."""

    name: str
    protocol: str
    systems: tuple[str, ...]
    judges: tuple[str, ...]
    segments: tuple[int, ...]  # their numbers, from 1
    questions: tuple[Question, ...] = ()
    ratings: Mapping[str, Ratings] = field(default_factory=dict)  # by the name of the question
    rankings: Rankings | None = None
    spans: Spans | None = None
    controls: Controls | None = None
    groups: tuple[str, ...] | None = None  # by judge
    documents: tuple[str, ...] | None = None  # by segment
    texts: Texts | None = None
    notes: tuple[str, ...] = ()  # what the reader of a file has to say about it

    def __post_init__(self) -> None:
        self._check_names()
        for name, ratings in self.ratings.items():
            where = f"ratings of '{name}'"
            if name not in {question.name for question in self.questions}:
                raise BadInput(
                    f"{self.name}: {where}, but there is no such question. Add it to the questions."
                )
            self._check_columns(where, ratings)
            self._check_values(where, ratings.value)
        for where, columns in (
            ("rankings", self.rankings),
            ("spans", self.spans),
            ("controls", self.controls),
        ):
            if columns is not None:
                self._check_columns(where, columns)
        if self.rankings is not None:
            self._check_rankings(self.rankings)
        if self.spans is not None:
            self._check_spans(self.spans)
        if self.controls is not None:
            self._check_values("controls", self.controls.value_of_original)
            self._check_values("controls", self.controls.value_of_degraded)

    def question(self, name: str) -> Question:
        """The question of this name."""
        return next(each for each in self.questions if each.name == name)

    # -- checks ----------------------------------------------------------------------------------------------

    def _check_names(self) -> None:
        for what, names in (("system", self.systems), ("judge", self.judges), ("segment", self.segments)):
            if len(set(names)) < len(names):
                twice = next(name for place, name in enumerate(names) if name in names[:place])
                raise BadInput(f"{self.name}: {what} '{twice}' is named twice. Use each name once.")
        for what, of_each, count in (
            ("groups", self.groups, len(self.judges)),
            ("documents", self.documents, len(self.segments)),
        ):
            if of_each is not None and len(of_each) != count:
                raise BadInput(f"{self.name}: {len(of_each):,} {what}, expected {count:,}.")

    def _check_columns(self, where: str, columns: Any) -> None:
        """All are of one length, and every number has a name."""
        each_column = {each.name: getattr(columns, each.name) for each in fields(columns)}
        if isinstance(annotated := each_column.pop("annotated", None), Annotated):
            self._check_columns("annotated translations", annotated)
        lengths = {name: len(column) for name, column in each_column.items()}
        if len(set(lengths.values())) > 1:
            raise BadInput(f"{self.name}: columns of {where} differ in length: {lengths}.")
        for name, names in (("judge", self.judges), ("system", self.systems), ("segment", self.segments)):
            places = each_column.get(name, np.empty(0))
            if len(places) and not 0 <= places.min() <= places.max() < len(names):
                raise BadInput(
                    f"{self.name}: {where} name {name} {places.max():,} by its place, but there are {len(names):,} of "
                    "them, from 0."
                )

    def _check_values(self, where: str, values: Floats) -> None:
        for row in np.flatnonzero(~(np.abs(values) <= LARGEST_SCORE))[:1]:
            raise BadInput(
                f"{self.name}: {where}: row {row + 1:,} has the value {values[row]}, expected a number of at most "
                f"{LARGEST_SCORE:g}. Leave the row out."
            )

    def _check_rankings(self, rankings: Rankings) -> None:
        if len(rankings) and rankings.rank.min() < 1:
            raise BadInput(f"{self.name}: rank {rankings.rank.min()}, expected 1 for the best, 2 and so on.")
        if _kinds(rankings.screen, rankings.system) < len(rankings):
            raise BadInput(f"{self.name}: a ranking has a system twice. Give each system one rank.")
        for name in ("judge", "segment", "repeat"):
            if _kinds(rankings.screen, getattr(rankings, name)) > _kinds(rankings.screen):
                raise BadInput(
                    f"{self.name}: a ranking has rows of several values of '{name}', expected one."
                )

    def _check_spans(self, spans: Spans) -> None:
        wrong = np.flatnonzero((spans.start < 0) | (spans.end < spans.start))
        if len(wrong):
            row = wrong[0]
            raise BadInput(
                f"{self.name}: span {row + 1:,} goes from {spans.start[row]} to {spans.end[row]}, expected a start of "
                "at least 0 and an end that is not before it."
            )
        for name, allowed in (("side", SIDES), ("origin", _ORIGINS)):
            if unknown := set(getattr(spans, name)) - set(allowed):
                raise BadInput(
                    f"{self.name}: {name} '{min(unknown)}' of a span: expected {', '.join(allowed)}."
                )
        self._check_values("penalties of spans", spans.penalty)
        known = spans.annotated
        answer, system = (
            np.concatenate([getattr(known, name), getattr(spans, name)]) for name in ("answer", "system")
        )
        if _kinds(answer, system) > _kinds(known.answer, known.system):
            raise BadInput(
                f"{self.name}: a span of a translation that is not among the annotated ones. Add it to them."
            )


def _texts_of(system: Places, segment: Places) -> Places:
    """A number for every system and segment, in the order of their first rows."""
    keys = combined(system, segment)
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    number = np.empty(len(first), dtype=np.int64)
    number[order] = np.arange(len(first))
    return number[which]


def combined(*columns: NDArray[Any]) -> Places:
    """One number for every combination of values, from 0 without gaps, in the order of the combinations.

    >>> combined(np.array([7, 7, 2, 7]), np.array([0, 1, 0, 0])).tolist()
    [1, 2, 0, 1]
    """
    found = np.zeros(len(columns[0]), dtype=np.int64)
    for column in columns:
        values, which = np.unique(column, return_inverse=True)
        _, found = np.unique(found * max(1, len(values)) + which, return_inverse=True)
    return found


def _kinds(*columns: NDArray[Any]) -> int:
    return int(combined(*columns).max(initial=-1)) + 1


def _places(column: ArrayLike | Sequence[int]) -> Places:
    return np.asarray(column, dtype=np.int64)
