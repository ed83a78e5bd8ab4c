"""Error spans in translations, with their severity, from human annotation or from a predictor.

A TSV or CSV file has the columns `system`, `seg`, `start`, `end` and `severity`, and may have `rater`, `side` and
`metric`, and `category` for judges. A JSON Lines file has objects with the same keys. Offsets count characters from 0,
and the end is exclusive. A row with the severity `no-error` and no offsets marks a translation that was annotated and
has no errors.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy._core import Column
from understudy.corpus.corpus import Corpus
from understudy.corpus.corpus_input import InMemoryText, corpus_input
from understudy.corpus.delimited import records_in
from understudy.corpus.files import Path, read_all, shown, without_compression
from understudy.corpus.lines import decoded
from understudy.corpus.score_tables import JUDGE_NAMES, MEASURE_NAMES, SCORE_NAMES, one_score
from understudy.corpus.segment_label_files import SEGMENT_NAMES
from understudy.corpus.segment_sources import name_of, open_sources
from understudy.equality import EqualByValue
from understudy.errors import BadInput, did_you_mean
from understudy.settings import check_file
from understudy.wording import number_of

MAJOR = {"minor": False, "major": True, "critical": True}  # two severities, as in WMT's tasks
NOT_COUNTED = ("neutral", "undecided")  # severities of what is no error, or not known to be one
NO_ERROR = "no-error"
TARGET, SOURCE, OMISSION = SIDES = ("target", "source", "omission")
JSON_LINES = (".jsonl", ".ndjson")
_LONGEST = 10**9  # characters of a translation

Annotation = tuple[str, int, str]  # system, segment, rater; the rater is empty if not named
Texts = Mapping[str, Sequence[str]]  # the segments of systems, by name
_Columns = Mapping[str, Sequence[str]]  # the titles that a column may have, by its name here

_COLUMNS = {
    "system": ("system",),
    "seg": SEGMENT_NAMES,
    "start": ("start",),
    "end": ("end",),
    "severity": ("severity",),
    "rater": JUDGE_NAMES,
    "side": ("side",),
    "metric": MEASURE_NAMES,
}
_WITH_CATEGORY = {**_COLUMNS, "category": ("category",)}
_WITH_SCORE = {**_WITH_CATEGORY, "score": SCORE_NAMES}


@dataclass(frozen=True)
class MarkedSpan:
    """One span as a file has it, of any severity and category."""

    system: str
    segment: int  # from 1
    start: int
    end: int
    severity: str
    category: str = ""
    side: str = TARGET
    rater: str = ""  # empty if not named
    score: float | None = None  # what it costs, if the file says so
    line: int = field(default=0, compare=False)  # of the file


@dataclass(frozen=True, eq=False)
class Spans(EqualByValue):
    """Spans in the order of the translations that they are of."""

    name: str
    annotations: tuple[Annotation, ...]  # the translations that were looked at, by each rater
    annotation: NDArray[np.int64]  # of each span: the number of its translation
    start: NDArray[np.int64]
    end: NDArray[np.int64]
    major: NDArray[np.bool_]  # else minor
    left_out: dict[str, int]  # why, and how many spans
    names_error_free: bool  # whether any row says that a translation has no error

    @property
    def raters(self) -> tuple[str, ...]:
        return tuple(sorted({rater for *_, rater in self.annotations} - {""}))

    def with_annotations(self, more: Iterable[Annotation]) -> Spans:
        """The same, with translations in which no error was found. One without a rater is of somebody who may be known
        by name already, if that translation has spans.
        """
        known = set(self.annotations)
        translations = {(system, segment) for system, segment, _ in self.annotations}
        added = [
            each
            for each in dict.fromkeys(more)
            if each not in known and (each[2] or each[:2] not in translations)
        ]
        return Spans(
            self.name,
            (*self.annotations, *added),
            self.annotation,
            self.start,
            self.end,
            self.major,
            self.left_out,
            names_error_free=True,
        )


def read_human_spans(path: Path, texts: Texts | None = None) -> Spans:
    """Human error spans. If texts are given, spans must lie within them."""
    check_file("human spans", path)
    where = os.fspath(path)
    return _spans(name_of(where), where, _rows(where, needed=5), texts or {})


def read_predicted_spans(path: Path, texts: Texts | None = None) -> dict[str, Spans]:
    """Predicted error spans by predictor: those of the column `metric`, else one predictor named after the file."""
    check_file("predicted spans", path)
    where = os.fspath(path)
    by_metric: dict[str, list[tuple[int, dict[str, str]]]] = {}
    for number, row in _rows(where, needed=5):
        by_metric.setdefault(row.get("metric") or name_of(where), []).append((number, row))
    # A file without any span is of a predictor that found none.
    by_metric = by_metric or {name_of(where): []}
    found = {name: _spans(name, where, rows, texts or {}) for name, rows in by_metric.items()}
    for name, spans in found.items():
        if len(spans.raters) > 1:
            raise BadInput(
                f"{shown(where)}: '{name}' has spans of {len(spans.raters)} raters, expected one predictor. Rename the "
                "column 'rater' to 'metric' to compare each with the human spans."
            )
    return found


def read_marked_spans(path: Path) -> list[MarkedSpan]:
    """The spans of a file one by one, for judges to start from. Their severities and categories are not checked."""
    where = os.fspath(path)
    found = [
        _marked(where, number, row)
        for number, row in _rows(where, needed=5, columns=_WITH_CATEGORY)
        if row["severity"].strip().lower() != NO_ERROR
    ]
    for span in found:
        if span.end <= span.start:
            raise BadInput(
                f"{shown(where)}, line {span.line}: span from {span.start:,} to {span.end:,}, expected an end "
                "after the start."
            )
    return found


def read_judged_spans(path: Path) -> tuple[list[MarkedSpan], list[Annotation]]:
    """All spans that judges marked, of any severity and on any side, and the translations that they looked at."""
    where = os.fspath(path)
    spans: list[MarkedSpan] = []
    annotations: dict[Annotation, None] = {}
    for number, row in _rows(where, needed=5, columns=_WITH_SCORE):
        translation = (_system(where, number, row["system"]), _segment(where, number, row["seg"]))
        annotations[(*translation, row.get("rater", "").strip())] = None
        if row["severity"].strip().lower() == NO_ERROR:
            continue
        span = _marked(where, number, row)
        if span.end < span.start:
            raise BadInput(
                f"{shown(where)}, line {number}: span from {span.start:,} to {span.end:,}, expected an end at or "
                "after the start."
            )
        spans.append(span)
    return spans, list(annotations)


def _marked(where: str, number: int, row: Mapping[str, str]) -> MarkedSpan:
    return MarkedSpan(
        system=_system(where, number, row["system"]),
        segment=_segment(where, number, row["seg"]),
        start=_offset(where, number, "start", row["start"]),
        end=_offset(where, number, "end", row["end"]),
        severity=row["severity"].strip(),
        category=row.get("category", "").strip(),
        side=row.get("side", "").strip().lower() or TARGET,
        rater=row.get("rater", "").strip(),
        score=one_score(where, number, row["score"]) if row.get("score", "").strip() else None,
        line=number,
    )


def read_annotated(path: Path) -> list[Annotation]:
    """The annotated translations: a table with the columns `system`, `seg` and, for several raters, `rater`. Other
    columns are ignored.
    """
    where = os.fspath(path)
    found = [
        (_system(where, number, row["system"]), _segment(where, number, row["seg"]), row.get("rater", ""))
        for number, row in _rows(where, needed=2)
    ]
    if not found:
        raise BadInput(f"{shown(where)} lists no translation, expected all annotated translations.")
    return found


def read_texts(systems: Any) -> dict[str, list[str]]:
    """The segments of systems, a corpus or what one can be made of. They need not be equally long."""
    found: dict[str, list[str]] = {}
    for name, column in _texts(systems):
        if name in found:
            raise BadInput(f"two systems are named '{name}'. Rename one with NAME=FILE.")
        found[name] = [column[row] or "" for row in range(len(column))]
    return found


def _texts(systems: Any) -> Iterator[tuple[str, Column]]:
    """The texts; for several runs of a system, those of the first run."""
    if isinstance(systems, Corpus):
        yield from ((name, systems[runs[0]]) for name, runs in systems.runs.items())
        return
    # A system has no runs here, so that a list under a name is segments.
    for system in corpus_input(systems, strings="texts" if isinstance(systems, Mapping) else None).systems:
        text = system.runs[0]
        if isinstance(text, InMemoryText):
            yield system.name or text.name, text.column
            continue
        source = open_sources(text, role="system")[0] if isinstance(text, str) else text.opened("system")
        with closing(source):
            yield system.name or source.name, source.take(2**62)


# --- rows ---------------------------------------------------------------------------------------------------


def _spans(name: str, where: str, rows: Iterable[tuple[int, dict[str, str]]], texts: Texts) -> Spans:
    numbers: dict[Annotation, int] = {}
    spans: list[tuple[int, int, int, bool]] = []
    left_out: Counter[str] = Counter()
    error_free: dict[int, int] = {}  # by translation: a line that says so
    with_errors: dict[int, int] = {}
    for number, row in rows:
        segment = _segment(where, number, row["seg"])
        annotation = (_system(where, number, row["system"]), segment, row.get("rater", ""))
        of_translation = numbers.setdefault(annotation, len(numbers))
        severity = row["severity"].strip().lower()
        if severity == NO_ERROR:
            error_free[of_translation] = number
            continue
        if (side := row.get("side", TARGET).strip().lower()) not in SIDES:
            raise BadInput(
                f"{shown(where)}, line {number}: side '{row['side']}', expected {', '.join(SIDES)}."
            )
        if severity not in MAJOR and severity not in NOT_COUNTED:
            expected = [*MAJOR, *NOT_COUNTED, NO_ERROR]
            raise BadInput(
                f"{shown(where)}, line {number}: unknown severity '{row['severity']}'. "
                f"{did_you_mean(severity, expected)}"
            )
        start, end = _offset(where, number, "start", row["start"]), _offset(where, number, "end", row["end"])
        if end < start:
            raise BadInput(
                f"{shown(where)}, line {number}: span from {start:,} to {end:,}, expected an end at or after the "
                "start."
            )
        if side != TARGET:
            left_out["in the source" if side == SOURCE else "of omissions"] += 1
            continue
        with_errors.setdefault(of_translation, number)
        if severity in NOT_COUNTED:
            left_out[f"of severity {severity}"] += 1
        else:
            _check_within(where, number, (row["system"], segment, end), texts)
            if start == end:
                left_out["without a character"] += 1
            else:
                spans.append((of_translation, start, end, MAJOR[severity]))
    if both := [each for each in error_free if each in with_errors]:
        raise BadInput(
            f"{shown(where)}, line {error_free[both[0]]}: a translation is marked as {NO_ERROR}, but line "
            f"{with_errors[both[0]]} has an error in it. Remove one of them."
        )
    table = np.array(spans, dtype=np.int64).reshape(-1, 4)
    table = table[np.argsort(table[:, 0], kind="stable")]
    return Spans(
        name,
        tuple(numbers),
        table[:, 0],
        table[:, 1],
        table[:, 2],
        table[:, 3].astype(bool),
        dict(left_out),
        bool(error_free),
    )


def _system(where: str, number: int, text: str) -> str:
    if not text:
        raise BadInput(f"{shown(where)}, line {number}: no system name.")
    return text


def _segment(where: str, number: int, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 19) or int(text) < 1:
        raise BadInput(f"{shown(where)}, line {number}: segment '{text}', expected an integer of at least 1.")
    return int(text)


def _offset(where: str, number: int, what: str, text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 19) or int(text) > _LONGEST:
        raise BadInput(
            f"{shown(where)}, line {number}: {what} '{text}', expected a character offset of at least 0. Use "
            f"the severity {NO_ERROR} for a translation without errors."
        )
    return int(text)


def _check_within(where: str, number: int, place: tuple[str, int, int], texts: Texts) -> None:
    system, segment, end = place
    if system not in texts:
        return
    if segment > len(texts[system]):
        raise BadInput(
            f"{shown(where)}, line {number}: the span is in segment {segment:,} of '{system}', which has "
            f"{number_of(len(texts[system]), 'segment')}. Is this another test set?"
        )
    if end > (length := len(texts[system][segment - 1])):
        raise BadInput(
            f"{shown(where)}, line {number}: the span ends at character {end:,} of segment {segment:,} of '{system}', "
            f"which has {length:,} characters. Are offsets counted in bytes, or is this another text?"
        )


# --- files --------------------------------------------------------------------------------------------------


def _rows(where: str, *, needed: int, columns: _Columns = _COLUMNS) -> list[tuple[int, dict[str, str]]]:
    """The number of every line, and what it has under the names that are known here; the first so many are needed."""
    rows = list(_read_rows(where, list(columns)[:needed], columns))
    unnamed = [number for number, row in rows if not row.get("rater", "").strip()]
    if unnamed and len(unnamed) < len(rows):
        raise BadInput(
            f"{shown(where)}, line {unnamed[0]}: no rater, but other lines have one. Name every rater, or none."
        )
    return rows


def _read_rows(
    where: str, required: Sequence[str], columns: _Columns
) -> Iterator[tuple[int, dict[str, str]]]:
    lines = [line.rstrip("\r") for line in decoded(read_all(where), where).split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise BadInput(f"{shown(where)} is empty, expected a header or JSON lines.")
    if without_compression(where).lower().endswith(JSON_LINES):
        yield from _json_rows(where, lines, required, columns)
        return
    kind = "csv" if without_compression(where).lower().endswith(".csv") else "tsv"
    records = records_in(lines, where, "csv" if kind == "csv" else "tsv")
    _, header = next(records)
    places = _places(where, [name.strip().lower() for name in header], required, columns)
    for number, fields in records:
        if len(fields) != len(header):
            raise BadInput(
                f"{shown(where)}, line {number}: {number_of(len(fields), 'column')}, expected {len(header)}."
            )
        yield number, {name: fields[place] for name, place in places.items()}


def _places(where: str, header: Sequence[str], required: Sequence[str], columns: _Columns) -> dict[str, int]:
    found: dict[str, int] = {}
    for name, names in columns.items():
        places = [place for place, title in enumerate(header) if title in names]
        if len(places) > 1:
            raise BadInput(
                f"{shown(where)}, line 1: the columns '{header[places[0]]}' and '{header[places[1]]}' have the "
                "same meaning. Remove one."
            )
        if places:
            found[name] = places[0]
    if missing := [name for name in required if name not in found]:
        raise BadInput(
            f"{shown(where)}, line 1: no column '{missing[0]}', expected {', '.join(required)}. It has "
            f"{', '.join(header[:8])}."
        )
    return found


def _json_rows(
    where: str, lines: Sequence[str], required: Sequence[str], columns: _Columns
) -> Iterator[tuple[int, dict[str, str]]]:
    for number, line in enumerate(lines, start=1):
        try:
            given = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{shown(where)}, line {number}: not JSON ({error}).") from None
        if not isinstance(given, dict):
            raise BadInput(
                f"{shown(where)}, line {number}: not a JSON object, expected one with system and seg."
            )
        row = {
            name: _json_text(where, number, title, given[title])
            for name, names in columns.items()
            for title in names
            if title in given
        }
        if row.get("severity") == NO_ERROR:
            row = {"start": "", "end": "", **row}
        if missing := [name for name in required if name not in row]:
            raise BadInput(
                f"{shown(where)}, line {number}: no '{missing[0]}', expected {', '.join(required)}."
            )
        yield number, row


def _json_text(where: str, number: int, title: str, value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        raise BadInput(
            f"{shown(where)}, line {number}: {value!r} as '{title}', expected a string or an integer."
        )
    return str(value)
