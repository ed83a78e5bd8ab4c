"""N-best lists in files: Moses' format, TSV, CSV, JSON lines and plain text.

- Moses' format: `SEGMENT ||| TEXT ||| FEATURES ||| SCORE`, segments counted from 0. Features are `NAME= VALUE ...` or
  `NAME: VALUE ...` (Moses), `NAME=VALUE` (cdec, Joshua) or values without names (`feature_1`, ...). Several values of
  one name are `NAME_1`, `NAME_2`, ... Features and score may be missing. Further columns are kept as written.
- TSV and CSV: a header line; columns `segment` and `text` or `hypothesis`, optionally `score`, `weight` and
  `alignment`. All other columns are features.
- JSON lines: a candidate per line, `{"segment": 1, "text": "...", "features": {...}, "score": ...}`, or a segment per
  line, `{"candidates": [...]}` or a list, of strings or such objects.
- Plain text: one candidate per line, the same number for each segment.

In TSV and JSON lines, segments are counted from 1, or from 0 if the first is 0. Segments must be in order: only this
shows a lost candidate list, which would shift all later segments against the references.
"""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain, islice
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from understudy._core import Column
from understudy.arrays import Floats
from understudy.corpus.delimited import Kind, Records, records_in, records_of
from understudy.corpus.files import STDIN, is_device, shown, without_compression
from understudy.corpus.lines import LineSource
from understudy.corpus.nbest import NBest
from understudy.corpus.segment_sources import TABLE_SUFFIXES
from understudy.corpus.tables import json_values, kind_of_json
from understudy.errors import BadInput, InvalidText, NoSegments

_NumberedLines = Iterable[tuple[int, str]]

_TEXT_NAMES = ("text", "hypothesis", "hyp", "candidate", "translation")
_SEGMENT_NAMES = ("segment", "segment_id", "seg_id", "id")


@dataclass(frozen=True)
class _Layout:
    """The names of the features of a line, in order; `groups` are the names with several values."""

    names: tuple[str, ...] = ()
    groups: tuple[tuple[str, int], ...] = ()


_NOTHING = _Layout()


class _Row(NamedTuple):
    """One candidate as read."""

    line: int
    segment: int | None  # as numbered in the file; None continues the current one
    text: str
    layout: _Layout = _NOTHING
    values: tuple[float, ...] = ()
    score: float | None = None
    weight: float | None = None
    alignment: str | None = None


class _NewSegment(NamedTuple):
    """The beginning of a segment, for formats that do not number candidates."""

    line: int
    segment: int | None = None


_Rows = Iterator[_Row | _NewSegment]


def nbest_parts(
    path: str, *, candidates: int | None, may_be_empty: bool, per_segment: int | None
) -> Iterator[NBest]:
    """The lists in parts of whole segments with at least so many candidates, or all of them in one part."""
    with closing(LineSource(path)) as source:
        numbered = source.numbered()
        start = list(islice(numbered, 1))
        if not start:
            raise NoSegments(f"{shown(path)} is empty, expected an n-best list.")
        rows, base = _rows(path, start[0][1], chain(start, numbered), per_segment)
        part = _Part(path)
        numbers = _SegmentNumbers(path, base, may_be_empty)
        found = False
        for row in rows:
            position = numbers.position(row)
            if candidates is not None and position > numbers.last and len(part.texts) >= candidates:
                yield part.finished(numbers.last)
                part = _Part(path, first=numbers.last + 1)
            numbers.last = position
            if isinstance(row, _Row):
                part.add(row, position)
                found = True
        numbers.end()
        if not found:
            raise NoSegments(f"{shown(path)} has no candidates.")
        yield part.finished(numbers.last)


# ---------------------------------------------------------------------------------------------------
# Which format


def _rows(path: str, first: str, lines: _NumberedLines, per_segment: int | None) -> tuple[_Rows, int | None]:
    """The rows of a file that begins with this line, and the number of its first segment, if the format says so."""
    kind = TABLE_SUFFIXES.get(os.path.splitext(without_compression(path))[1].lower())
    if kind == "parquet":
        raise BadInput(f"{shown(path)}: n-best lists are read from Moses' format, TSV, CSV and JSON lines.")
    if per_segment is not None:
        if kind is not None:
            raise BadInput(
                f"{shown(path)}: a number of candidates per segment is for plain text, but the file is {kind.upper()}."
            )
        return _plain_rows(lines, path, per_segment), None
    if kind is None and _SEPARATOR.search(first):
        return _moses_rows(lines, path), 0
    if kind == "jsonl" or (kind is None and first.lstrip()[:1] in ("{", "[")):
        return _json_rows(lines, path), None
    if kind is not None or "\t" in first:
        return _table_rows(lines, path, "csv" if kind == "csv" else "tsv"), None
    raise BadInput(
        f"{shown(path)}, line 1: not an n-best list. Expected 'SEGMENT ||| TEXT ||| FEATURES ||| SCORE', TSV with a "
        "header, or JSON lines.",
        on_command_line=f"{shown(path)}, line 1: not an n-best list. Expected 'SEGMENT ||| TEXT ||| FEATURES ||| "
        "SCORE', TSV with a header, or JSON lines. Use --candidates-per-segment for plain text.",
    )


# ---------------------------------------------------------------------------------------------------
# Moses, and what writes like it

# The separator is a token of its own: `a|||b` is text.
_SEPARATOR = re.compile(r"(?:(?<=\s)|^)\|\|\|(?=\s|$)")
_ALIGNMENT = re.compile(r"\d+-\d+(?: \d+-\d+)*")


def _moses_rows(lines: _NumberedLines, path: str) -> _Rows:
    fast: tuple[Any, ...] | None = None  # the layout of the line before, whose values are read at once
    for number, line in lines:
        fields = _SEPARATOR.split(line)
        at = f"{shown(path)}, line {number}"
        if len(fields) < 2:
            found = "the line is empty" if not line.strip() else "no '|||' found"
            raise BadInput(f"{at}: {found}, expected 'SEGMENT ||| TEXT ||| FEATURES ||| SCORE'.")
        segment = _segment_number(fields[0].strip(), at)
        text = fields[1].removeprefix(" ")
        if len(fields) > 2:  # at the end of the line, a space belongs to the text
            text = text.removesuffix(" ")
        rest = [part.strip() for part in fields[2:]]
        alignment = []
        if rest and _ALIGNMENT.fullmatch(rest[0]):  # where Marian writes it
            alignment.append(rest.pop(0))
        if len(rest) == 1 and _is_number(rest[0]):
            rest.insert(0, "")  # one number alone is the score
        alignment += rest[2:]

        tokens = rest[0].split() if rest else []
        if fast is not None and len(tokens) == fast[0] and fast[1](tokens) == fast[2]:
            try:
                values = tuple(map(float, fast[3](tokens)))
                layout = fast[4]
            except ValueError:
                layout, values = _features(tokens, at)
        else:
            layout, values = _features(tokens, at)
            fast = _fast_reading(tokens, layout)
        score = _number(rest[1], "the score", at) if len(rest) > 1 and rest[1] else None
        yield _Row(
            number, segment, text, layout, values, score, None, " ||| ".join(alignment) if alignment else None
        )


def _fast_reading(tokens: list[str], layout: _Layout) -> tuple[Any, ...] | None:
    """How to read a line with the same names in the same places; None if values and names share tokens."""
    names = [index for index, token in enumerate(tokens) if token[-1] in "=:"]
    values = [index for index, token in enumerate(tokens) if token[-1] not in "=:"]
    if len(names) < 2 or len(values) < 2 or any("=" in tokens[index] for index in values):
        return None
    getter = itemgetter(*names)
    return len(tokens), getter, getter(tokens), itemgetter(*values), layout


def _features(tokens: list[str], at: str) -> tuple[_Layout, tuple[float, ...]]:
    values: dict[str, list[float]] = {}
    current = "feature"
    for token in tokens:
        if token[-1] in "=:":
            current = token[:-1]
            if current in values:
                raise BadInput(f"{at}: feature '{current}' is repeated.")
            values[current] = []
            continue
        name, equals, value = token.rpartition("=")
        if equals:
            if name in values:
                raise BadInput(f"{at}: feature '{name}' is repeated.")
            values[name] = [_number(value, f"feature '{name}'", at)]
        elif _is_number(token):
            values.setdefault(current, []).append(float(token))
        else:
            raise BadInput(
                f"{at}: '{token[:40]}' is not a feature, expected NAME= VALUE. Does the text contain '|||'?"
            )
    return _layout_of(values, at, unnamed="feature")


def _layout_of(
    values: dict[str, list[float]], at: str, unnamed: str = ""
) -> tuple[_Layout, tuple[float, ...]]:
    names: list[str] = []
    groups = []
    for name, numbers in values.items():
        if not numbers:
            raise BadInput(f"{at}: feature '{name}' has no value.")
        several = len(numbers) > 1 or name == unnamed
        names += [f"{name}_{k}" for k in range(1, len(numbers) + 1)] if several else [name]
        if several:
            groups.append((name, len(numbers)))
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise BadInput(f"{at}: feature '{twice}' is repeated.")
    return _Layout(tuple(names), tuple(groups)), tuple(chain.from_iterable(values.values()))


# ---------------------------------------------------------------------------------------------------
# TSV and CSV


def _table_rows(lines: _NumberedLines, path: str, kind: Kind) -> _Rows:
    if path == STDIN or is_device(path):  # read once: the convention of quoting is inferred from all lines
        yield from _rows_of_records(records_in([line for _, line in lines], path, kind), path)
    else:
        with closing(LineSource(path)) as again:
            yield from _rows_of_records(records_of(path, kind)(again), path)


def _rows_of_records(records: Records, path: str) -> _Rows:
    _, header = next(records)
    lowered = [name.strip().lower() for name in header]
    roles = {
        role: next((lowered.index(name) for name in names if name in lowered), None)
        for role, names in {
            "segment": _SEGMENT_NAMES,
            "text": _TEXT_NAMES,
            "score": ("score",),
            "weight": ("weight",),
            "alignment": ("alignment",),
        }.items()
    }
    for role in ("segment", "text"):
        if roles[role] is None:
            named = ", ".join(repr(name[:40]) for name in header[:8])
            raise BadInput(
                f"{shown(path)}: no column is named '{role}', found {named}. An n-best list needs 'segment' and "
                "'text' or 'hypothesis'."
            )
    features = [index for index in range(len(header)) if index not in roles.values()]
    names = tuple(header[index] for index in features)
    if len(set(names)) < len(names) or "" in names:
        wrong = next(name for name in names if names.count(name) > 1 or not name)
        raise BadInput(
            f"{shown(path)}: two columns are named {wrong!r}."
            if wrong
            else f"{shown(path)}: a column has no name."
        )
    layout = _Layout(names)
    segment_at, text_at = roles["segment"], roles["text"]
    assert segment_at is not None and text_at is not None
    for number, cells in records:
        at = f"{shown(path)}, line {number}"
        if len(cells) != len(header):
            raise BadInput(
                f"{at}: wrong number of fields, expected {len(header)} as in the header, got {len(cells)}."
            )

        def optional(role: str, cells: list[str] = cells, at: str = at) -> float | None:
            index = roles[role]
            return None if index is None else _number(cells[index], f"the {role}", at)

        values = tuple(_number(cells[index], f"feature '{header[index]}'", at) for index in features)
        aligned = roles["alignment"]
        yield _Row(
            number,
            _segment_number(cells[segment_at].strip(), at),
            cells[text_at],
            layout,
            values,
            optional("score"),
            optional("weight"),
            None if aligned is None else cells[aligned],
        )


# ---------------------------------------------------------------------------------------------------
# JSON lines

_JSON_FORMS = 'Expected one candidate per line, {"segment": 1, "text": "..."}, or one segment per line, {"candidates": [...]}'


def _json_rows(lines: _NumberedLines, path: str) -> _Rows:
    for number, value in json_values(lines, path, _JSON_FORMS):
        at = f"{shown(path)}, line {number}"
        if isinstance(value, list):
            segments = value if value and all(isinstance(item, list) for item in value) else [value]
            for segment in segments:
                yield _NewSegment(number)
                yield from _json_candidates(segment, {}, number, at)
        elif isinstance(value, dict) and "candidates" in value:
            if not isinstance(value["candidates"], list):
                raise BadInput(f"{at}: 'candidates' is {kind_of_json(value['candidates'])}, expected a list.")
            yield _NewSegment(number, _json_segment(value, at))
            yield from _json_candidates(value["candidates"], value, number, at)
        elif isinstance(value, dict):
            segment = _json_segment(value, at)
            if segment is None:
                raise BadInput(f"{at}: 'segment' is missing. {_JSON_FORMS}.")
            yield _json_candidate(value, segment, number, at)
        else:
            raise BadInput(f"{at}: got {kind_of_json(value)}. {_JSON_FORMS}.")


def _json_candidates(candidates: list[Any], beside: dict[str, Any], number: int, at: str) -> _Rows:
    for key in ("scores", "weights"):
        if (column := beside.get(key)) is not None and (
            not isinstance(column, list) or len(column) != len(candidates)
        ):
            raise BadInput(f"{at}: '{key}' is not a list of {len(candidates)} numbers, one per candidate.")
    for index, candidate in enumerate(candidates):
        here = f"{at}, candidate {index + 1}"
        if not isinstance(candidate, (str, dict)):
            raise BadInput(f"{here}: got {kind_of_json(candidate)}, expected a string or an object.")
        row: dict[str, Any] = {"text": candidate} if isinstance(candidate, str) else dict(candidate)
        for key in ("score", "weight"):
            if beside.get(f"{key}s") is not None:
                row[key] = beside[f"{key}s"][index]
        yield _json_candidate(row, None, number, here)


def _json_candidate(row: dict[str, Any], segment: int | None, number: int, at: str) -> _Row:
    key = next((name for name in _TEXT_NAMES if name in row), None)
    if key is None:
        raise BadInput(f"{at}: 'text' is missing. {_JSON_FORMS}.")
    text, alignment, given = row[key], row.get("alignment"), row.get("features") or {}
    for name, value in ((key, text), ("alignment", "" if alignment is None else alignment)):
        if not isinstance(value, str):
            raise BadInput(f"{at}: '{name}' is {kind_of_json(value)}, expected a string.")
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InvalidText(f"{at}: '{name}' has a lone surrogate. Was a character split?") from None
    if not isinstance(given, dict):
        raise BadInput(f"{at}: 'features' is {kind_of_json(given)}, expected an object, name to number.")
    values = {
        name: [
            _json_number(item, f"feature '{name}'", at)
            for item in (value if isinstance(value, list) else [value])
        ]
        for name, value in given.items()
    }
    layout, numbers = _layout_of(values, at)
    score, weight = (
        None if row.get(name) is None else _json_number(row[name], f"'{name}'", at)
        for name in ("score", "weight")
    )
    return _Row(number, segment, text, layout, numbers, score, weight, alignment)


def _json_segment(row: dict[str, Any], at: str) -> int | None:
    key = next((name for name in _SEGMENT_NAMES if name in row), None)
    if key is None:
        return None
    value = row[key]
    if isinstance(value, str):
        return _segment_number(value, at)
    if type(value) is not int or value < 0:
        raise BadInput(f"{at}: '{key}' is {value!r}, expected the number of the segment.")
    return value


def _json_number(value: Any, what: str, at: str) -> float:
    if type(value) not in (int, float):
        raise BadInput(f"{at}: {what} is {kind_of_json(value)}, expected a number.")
    try:
        return float(value)
    except OverflowError:
        raise BadInput(f"{at}: {what} is too large a number.") from None


# ---------------------------------------------------------------------------------------------------
# Plain text


def _plain_rows(lines: _NumberedLines, path: str, per_segment: int) -> _Rows:
    number = 0
    for number, line in lines:
        if (number - 1) % per_segment == 0:
            yield _NewSegment(number)
        yield _Row(number, None, line)
    if number % per_segment:
        raise BadInput(
            f"{shown(path)} has {number:,} lines, which is not a multiple of {per_segment} candidates per segment."
        )


# ---------------------------------------------------------------------------------------------------
# Segments and columns


def _segment_number(text: str, at: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise BadInput(f"{at}: got {text[:40]!r}, expected the number of the segment.")
    return int(text)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text  # which Python permits between digits


def _number(text: str, what: str, at: str) -> float:
    if not _is_number(text):
        raise BadInput(f"{at}: {what} is {text[:40]!r}, expected a number.")
    return float(text)


class _SegmentNumbers:
    """Positions of segments from their numbers in the file, which must rise by one."""

    def __init__(self, path: str, base: int | None, may_be_empty: bool) -> None:
        self._path = path
        self._base = base  # the number of the first segment, if the format or the file has told
        self._may_be_empty = may_be_empty
        self._filled = True
        self._line = 0
        self.last = -1

    def position(self, row: _Row | _NewSegment) -> int:
        new = isinstance(row, _NewSegment)
        if new:
            self._refuse_empty()
            self._filled = False
        else:
            self._filled = True
        self._line = row.line
        if row.segment is None:
            return self.last + new
        if self._base is None:
            self._base = min(row.segment, 1)
        position = row.segment - self._base
        at = f"{shown(self._path)}, line {row.line}"
        if position < self.last or (new and position == self.last):
            raise BadInput(
                f"{at}: segment {row.segment} follows segment {self.last + self._base}. Sort the list by segment."
            )
        if position > self.last + 1 and not self._may_be_empty:
            raise self._gap(at, row.segment)
        return position

    def end(self) -> None:
        self._refuse_empty()

    def _refuse_empty(self) -> None:
        if not self._filled and not self._may_be_empty:
            problem = f"{shown(self._path)}, line {self._line}: the segment has no candidates."
            raise BadInput(
                f"{problem} Use gaps='empty' to permit this.",
                on_command_line=f"{problem} Use --gaps empty to permit this.",
            )

    def _gap(self, at: str, segment: int) -> BadInput:
        base = self._base or 0
        problem = (
            f"{at}: segment {segment} follows segment {self.last + base}"
            if self.last >= 0
            else f"{at}: the first segment is {segment}, expected {base}"
        )
        return BadInput(
            f"{problem}. If the segments between have no candidates, use gaps='empty'.",
            on_command_line=f"{problem}. If the segments between have no candidates, use --gaps empty.",
        )


@dataclass
class _Part:
    """Columns that grow row by row."""

    path: str
    first: int = 0  # the position of the first segment
    texts: list[str] = field(default_factory=list)
    _segments: array[int] = field(default_factory=lambda: array("q"))
    _lines: array[int] = field(default_factory=lambda: array("q"))
    _blocks: list[tuple[_Layout, int]] = field(
        default_factory=list
    )  # a layout, and the first row that has it
    _values: array[float] = field(default_factory=lambda: array("d"))
    _scores: array[float] = field(default_factory=lambda: array("d"))
    _weights: array[float] = field(default_factory=lambda: array("d"))
    _alignments: list[str] = field(default_factory=list)
    _names: dict[str, int] = field(default_factory=dict)
    _groups: dict[str, int] = field(default_factory=dict)

    def add(self, row: _Row, segment: int) -> None:
        if not self._blocks or row.layout != self._blocks[-1][0]:
            self._add_layout(row)
        rows = len(self.texts)
        for name, column, value in (
            ("score", self._scores, row.score),
            ("weight", self._weights, row.weight),
            ("alignment", self._alignments, row.alignment),
        ):
            if value is not None:
                column.append(value)  # type: ignore[attr-defined]
            if len(column) != (rows + 1 if value is not None else 0):
                which = "has no" if value is None else "has a"
                raise BadInput(f"{self._at(row.line)}: the candidate {which} {name}, unlike those before.")
        self.texts.append(row.text)
        self._segments.append(segment - self.first)
        self._lines.append(row.line)
        self._values.extend(row.values)

    def _add_layout(self, row: _Row) -> None:
        """A feature with one value may be missing in a line (0), a feature with several may not."""
        layout = row.layout
        if self._blocks and bool(layout.names) != bool(self._names):
            raise BadInput(
                f"{self._at(row.line)}: the candidate has {'' if layout.names else 'no '}features, unlike those before."
            )
        groups = dict(layout.groups)
        for name, size in self._groups.items() if self._blocks else ():
            if groups.get(name, 0) != size:
                raise BadInput(
                    f"{self._at(row.line)}: feature '{name}' has {groups.get(name, 0)} values, expected {size} as before."
                )
        if self._blocks and len(groups) > len(self._groups):
            name = next(name for name in groups if name not in self._groups)
            raise BadInput(
                f"{self._at(row.line)}: feature '{name}' has {groups[name]} values, expected at most one as before."
            )
        self._groups = groups
        for name in layout.names:
            self._names.setdefault(name, len(self._names))
        self._blocks.append((layout, len(self.texts)))

    def _at(self, line: int) -> str:
        return f"{shown(self.path)}, line {line}"

    def finished(self, last: int) -> NBest:
        """The columns, with segments up to the last one."""
        features = self._matrix()
        names = tuple(self._names)
        for what, column in (
            *((f"feature '{name}'", features[:, k]) for k, name in enumerate(names)),
            ("the score", np.array(self._scores, dtype=np.float64)),
            ("the weight", np.array(self._weights, dtype=np.float64)),
        ):
            wrong = ~np.isfinite(column)
            if what == "the weight":
                wrong |= column < 0
            for row in np.flatnonzero(wrong)[:1].tolist():
                expected = "at least 0" if what == "the weight" else "a finite number"
                raise BadInput(f"{self._at(self._lines[row])}: {what} is {column[row]}, expected {expected}.")
        counts = np.bincount(np.array(self._segments, dtype=np.int64), minlength=last + 1 - self.first)
        return NBest(
            texts=Column.from_strings(self.texts),
            offsets=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            features=features,
            feature_names=names,
            scores=np.array(self._scores) if self._scores else None,
            weights=np.array(self._weights) if self._weights else None,
            alignments=Column.from_strings(self._alignments) if self._alignments else None,
            origin=shown(self.path),
        )

    def _matrix(self) -> Floats:
        values = np.array(self._values, dtype=np.float64)
        matrix = np.zeros((len(self.texts), len(self._names)))
        taken = 0
        ends = [start for _, start in self._blocks[1:]] + [len(self.texts)]
        for (layout, start), end in zip(self._blocks, ends, strict=True):
            columns = [self._names[name] for name in layout.names]
            size = (end - start) * len(columns)
            matrix[start:end, columns] = values[taken : taken + size].reshape(end - start, len(columns))
            taken += size
        return matrix
