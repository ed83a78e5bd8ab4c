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
from collections.abc import Iterator
from contextlib import closing
from itertools import chain, islice

from understudy.corpus.delimited import Kind, Records, records_in, records_of
from understudy.corpus.files import STDIN, is_device, shown, without_compression
from understudy.corpus.lines import LineSource
from understudy.corpus.nbest import NBest
from understudy.corpus.nbest_json import json_rows
from understudy.corpus.nbest_moses import SEPARATOR, moses_rows
from understudy.corpus.nbest_rows import (
    SEGMENT_NAMES,
    TEXT_NAMES,
    Layout,
    NBestColumns,
    NewSegment,
    NumberedLines,
    Row,
    Rows,
    number_in,
    segment_number,
)
from understudy.corpus.segment_sources import TABLE_SUFFIXES
from understudy.errors import BadInput, NoSegments


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
        part = NBestColumns(path)
        numbers = _SegmentNumbers(path, base, may_be_empty)
        found = False
        for row in rows:
            position = numbers.position(row)
            if candidates is not None and position > numbers.last and len(part.texts) >= candidates:
                yield part.finished(numbers.last)
                part = part.following(numbers.last + 1)
            numbers.last = position
            if isinstance(row, Row):
                part.add(row, position)
                found = True
        numbers.end()
        if not found:
            raise NoSegments(f"{shown(path)} has no candidates.")
        yield part.finished(numbers.last)


# ---------------------------------------------------------------------------------------------------
# Which format


def _rows(path: str, first: str, lines: NumberedLines, per_segment: int | None) -> tuple[Rows, int | None]:
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
    if kind is None and SEPARATOR.search(first):
        return moses_rows(lines, path), 0
    if kind == "jsonl" or (kind is None and first.lstrip()[:1] in ("{", "[")):
        return json_rows(lines, path), None
    if kind is not None or "\t" in first:
        return _table_rows(lines, path, "csv" if kind == "csv" else "tsv"), None
    raise BadInput(
        f"{shown(path)}, line 1: not an n-best list. Expected 'SEGMENT ||| TEXT ||| FEATURES ||| SCORE', TSV with a "
        "header, or JSON lines.",
        on_command_line=f"{shown(path)}, line 1: not an n-best list. Expected 'SEGMENT ||| TEXT ||| FEATURES ||| "
        "SCORE', TSV with a header, or JSON lines. `understudy decide` reads plain text with --candidates-per-segment.",
    )


# ---------------------------------------------------------------------------------------------------
# TSV and CSV


def _table_rows(lines: NumberedLines, path: str, kind: Kind) -> Rows:
    if path == STDIN or is_device(path):  # read once: the convention of quoting is inferred from all lines
        yield from _rows_of_records(records_in([line for _, line in lines], path, kind), path)
    else:
        with closing(LineSource(path)) as again:
            yield from _rows_of_records(records_of(path, kind)(again), path)


def _rows_of_records(records: Records, path: str) -> Rows:
    _, header = next(records)
    lowered = [name.strip().lower() for name in header]
    roles = {
        role: next((lowered.index(name) for name in names if name in lowered), None)
        for role, names in {
            "segment": SEGMENT_NAMES,
            "text": TEXT_NAMES,
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
    layout = Layout(names)
    segment_at, text_at = roles["segment"], roles["text"]
    assert segment_at is not None
    assert text_at is not None
    for number, cells in records:
        at = f"{shown(path)}, line {number}"
        if len(cells) != len(header):
            raise BadInput(
                f"{at}: wrong number of fields, expected {len(header)} as in the header, got {len(cells)}."
            )

        def optional(role: str, cells: list[str] = cells, at: str = at) -> float | None:
            index = roles[role]
            return None if index is None else number_in(cells[index], f"the {role}", at)

        values = tuple(number_in(cells[index], f"feature '{header[index]}'", at) for index in features)
        aligned = roles["alignment"]
        yield Row(
            number,
            segment_number(cells[segment_at].strip(), at),
            cells[text_at],
            layout,
            values,
            optional("score"),
            optional("weight"),
            None if aligned is None else cells[aligned],
        )


# ---------------------------------------------------------------------------------------------------
# Plain text


def _plain_rows(lines: NumberedLines, path: str, per_segment: int) -> Rows:
    number = 0
    for number, line in lines:
        if (number - 1) % per_segment == 0:
            yield NewSegment(number)
        yield Row(number, None, line)
    if number % per_segment:
        raise BadInput(
            f"{shown(path)} has {number:,} lines, which is not a multiple of {per_segment} candidates per segment."
        )


# ---------------------------------------------------------------------------------------------------
# Positions of segments


class _SegmentNumbers:
    """Positions of segments from their numbers in the file, which must rise by one."""

    def __init__(self, path: str, base: int | None, may_be_empty: bool) -> None:
        self._path = path
        self._base = base  # the number of the first segment, if the format or the file has told
        self._may_be_empty = may_be_empty
        self._filled = True
        self._line = 0
        self.last = -1

    def position(self, row: Row | NewSegment) -> int:
        new = isinstance(row, NewSegment)
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
