"""Tables: TSV, CSV, JSON, Parquet and Arrow, one segment per row.

- TSV: a header line, then literal values, or quoted values if the file uses quoting (see `delimited`). An empty
  cell is an empty segment.
- CSV: a header line, commas, double quotes; a quoted value may contain line breaks.
- JSON Lines (one object per line), a JSON array (of objects, or of strings only), Parquet and Arrow: strings. A
  reference may also be null if the segment lacks it, or a list of strings.

Rows are streamed, each column separately. Lists of references are read once more, to determine their number.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from typing import Any

from understudy._core import Column, NotText
from understudy.corpus.arrow_tables import ArrowTable
from understudy.corpus.data_sets import is_data_set
from understudy.corpus.delimited import Kind, records_of
from understudy.corpus.files import ByteReader, shown, without_compression
from understudy.corpus.json_arrays import (
    JSON_FORMS,
    begins_with_bracket,
    entries_of_array,
    without_repeated_keys,
)
from understudy.corpus.lines import LineSource
from understudy.corpus.segment_sources import (
    TABLE_SUFFIXES,
    Role,
    SegmentSource,
    choose,
    full_name,
    short_name,
)
from understudy.errors import BadInput, InvalidText

USUAL_NAMES = {
    "system": ("hyp", "hypothesis", "mt", "translation", "output", "system", "target"),
    "source": ("src", "source"),
}
# refA, ref_1, references; not ref_id or ref_len, which are not text.
USUAL_REFERENCE = re.compile(r"ref(erence)?s?([-_. ]?([a-z]|\d{1,3}))?", re.IGNORECASE)

# The number of a row, as a user would count it, and its value. The generator owns the open file.
_Cells = Generator[tuple[int, Any], None, None]


@dataclass(frozen=True)
class _Table:
    """A table that has not been read yet."""

    path: str
    columns: list[str]
    cells: Callable[[str], _Cells]
    row: str = "line"  # the unit of row numbers
    arrow: ArrowTable | None = None  # if its texts can be read without a Python string for each
    has_names: bool = True  # whether the file names its columns

    def at(self, number: int) -> str:
        return f"{shown(self.path)}, {self.row} {number}"


def open_table(path: str, kind: str, chosen: str | None, role: Role) -> list[SegmentSource]:
    """The columns with one role, or those selected by name, as sources."""
    table = _opened(path, kind)
    columns = choose(chosen, table.columns, "column", path) if chosen else _usual_columns(table, role)
    # Recognized by name.
    named = chosen is not None or len(columns) > 1 or (role == "label" and table.has_names)

    sources: list[SegmentSource] = []
    for column in columns:
        part = column if named else None
        if table.arrow is not None and table.arrow.is_text(column):
            sources.append(_BatchSource(table, table.arrow, column, role, part))
        elif role == "reference" and _holds_lists(table, column):
            sources += _listed_references(table, column, named)
        else:
            sources.append(_ColumnSource(table, column, role, part))
    return sources


@dataclass(frozen=True, eq=False)
class TableRows:
    """All rows of a table, whose cells need not be text."""

    path: str
    columns: list[str]  # of any row, in the order in which they first occur
    rows: Sequence[tuple[int, Mapping[str, Any]]]  # with their numbers; a key of JSON may be missing
    row: str  # the unit of the numbers

    def at(self, number: int) -> str:
        return f"{shown(self.path)}, {self.row} {number}"


def read_rows(path: str) -> TableRows:
    """A whole table. Its suffix is one of TABLE_SUFFIXES."""
    kind = TABLE_SUFFIXES[os.path.splitext(without_compression(path))[1].lower()]
    if kind == "jsonl":
        return _json_rows(path)
    table = _opened(path, kind)
    cells = [table.cells(column) for column in table.columns]
    rows = [
        (row[0][0], dict(zip(table.columns, (cell for _, cell in row), strict=True)))
        for row in zip(*cells, strict=True)
    ]
    return TableRows(path, table.columns, rows, table.row)


class _ColumnSource:
    """One column of a table, read row by row."""

    documents: Sequence[str] | None = None
    domains: Sequence[str] | None = None
    identifiers: Iterable[str] | None = None
    language: str | None = None

    def __init__(
        self, table: _Table, column: str, role: Role, part: str | None, rank: tuple[int, str] | None = None
    ) -> None:
        """`rank`: of lists, which entry, and how it is called in messages."""
        self.name = short_name(table.path, part)
        self.where = full_name(table.path, part)
        self.origin = full_name(table.path, column if rank is None else rank[1])
        self._cells = table.cells(column)
        cells = self._cells if rank is None else ((row, _ranked(cell, rank[0])) for row, cell in self._cells)
        self._texts = (_text(cell, table, number, column, role) for number, cell in cells)

    def take(self, count: int) -> Column:
        return Column.from_strings(list(islice(self._texts, count)))

    def close(self) -> None:
        self._cells.close()


class _BatchSource:
    """One column of texts in a Parquet or Arrow file, read batch by batch."""

    documents: Sequence[str] | None = None
    domains: Sequence[str] | None = None
    identifiers: Iterable[str] | None = None
    language: str | None = None

    def __init__(self, table: _Table, arrow: ArrowTable, column: str, role: Role, part: str | None) -> None:
        self.name = short_name(table.path, part)
        self.where = full_name(table.path, part)
        self.origin = full_name(table.path, column)
        self._table, self._arrow, self._column, self._role = table, arrow, column, role
        self._arrays = arrow.arrays(column)
        self._left: Any = None  # of the last array
        self._taken = 0

    def take(self, count: int) -> Column:
        taken = []
        while count > 0:
            array = self._left if self._left is not None and len(self._left) else next(self._arrays, None)
            if array is None:
                break
            taken.append(array[:count])
            self._left = array[count:]
            count -= len(taken[-1])
        if not taken:
            return Column.from_strings([])
        try:
            column = Column.from_arrow(self._arrow.column(taken))
        except NotText as error:
            found = re.search(r"\d+", str(error))  # the number of the value
            at = self._table.at(self._taken + (int(found[0]) if found else 1))
            raise InvalidText(f"{at}: {self._column!r} is not UTF-8.") from None
        for row in column.absent_rows()[:1] if self._role != "reference" else []:
            _text(None, self._table, self._taken + row + 1, self._column, self._role)
        self._taken += len(column)
        return column

    def close(self) -> None:
        self._arrays.close()


def _opened(path: str, kind: str) -> _Table:
    _check_readable(path)
    table = _FORMATS[kind](path)
    for index, column in enumerate(table.columns):
        if column in table.columns[:index]:
            raise BadInput(f"{shown(path)} has two columns named {column!r}.")
    return table


def _check_readable(path: str) -> None:
    if is_data_set(path):
        return
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        raise BadInput(
            f"{shown(path)} is not a regular file, and tables are read more than once. Save it to a file first."
        )
    ByteReader(path).close()  # report first if it cannot be opened


# ---------------------------------------------------------------------------------------------------
# Which columns


def _usual_columns(table: _Table, role: Role) -> list[str]:
    if role == "label":
        return table.columns
    if role == "reference":
        found = [column for column in table.columns if USUAL_REFERENCE.fullmatch(column)]
    else:
        lowered = {column.lower(): column for column in reversed(table.columns)}
        found = [lowered[name] for name in USUAL_NAMES[role] if name in lowered][:1]
    if found:
        return found
    # A single column whose name contains a separator means a wrong delimiter or a missing header.
    if len(table.columns) == 1 and table.columns[0] and not re.search(r"[,;\t]", table.columns[0]):
        return table.columns
    listed = ", ".join(repr(column if len(column) <= 40 else column[:39] + "…") for column in table.columns)
    raise BadInput(
        f"{shown(table.path)}: no column is recognized as the {role}. Use {table.path}:COLUMN, where COLUMN is "
        f"one of {listed}."
    )


# ---------------------------------------------------------------------------------------------------
# What a cell may hold


def _text(cell: Any, table: _Table, number: int, column: str, role: Role) -> str | None:
    if isinstance(cell, str):
        try:
            cell.encode()
        except UnicodeEncodeError:
            what = "has a lone surrogate. Was a character split?"
            raise InvalidText(f"{table.at(number)}: {column!r} {what}") from None
        return cell
    if cell is None and role == "reference":
        return None
    hint = " Use an empty string for an empty segment." if cell is None else ""
    if isinstance(cell, list) and role == "reference":
        hint = " Use lists in all rows or in none."
    raise BadInput(f"{table.at(number)}: {column!r} is {kind_of_json(cell)}, expected a string.{hint}")


def _holds_lists(table: _Table, column: str) -> bool:
    with closing(table.cells(column)) as cells:
        _, first = next(cells, (0, ""))
    return first is None or isinstance(first, list)  # either may follow null


def _listed_references(table: _Table, column: str, named: bool) -> list[SegmentSource]:
    """The k-th source has the k-th reference of every segment, or None if there are fewer. The lists are read once to
    find out how many there are.
    """
    ranks = 0
    with closing(table.cells(column)) as cells:
        for number, cell in cells:
            group = cell if isinstance(cell, list) else [cell]
            texts = [_text(item, table, number, column, "reference") for item in group]
            ranks = max(ranks, *(place for place, text in enumerate(texts, 1) if text is not None), 0)
    if not ranks:
        raise BadInput(f"{shown(table.path)}: {column!r} contains no references.")
    parts = [f"{column}.{k}" for k in range(1, ranks + 1)] if ranks > 1 else [column if named else None]
    return [
        _ColumnSource(table, column, "reference", part, (rank, part or column))
        for rank, part in enumerate(parts)
    ]


def _ranked(cell: Any, rank: int) -> Any:
    """An entry of a list, or None if it has fewer. A single reference is a list of one."""
    group = cell if isinstance(cell, list) else [cell]
    return group[rank] if rank < len(group) else None


def kind_of_json(cell: Any) -> str:
    """The kind of a value, for messages."""
    numbers = {bool: "true or false", int: "a number", float: "a number"}
    kinds = {type(None): "null", str: "a string", list: "a list", dict: "an object", **numbers}
    return kinds.get(type(cell), f"of type {type(cell).__name__}")


# ---------------------------------------------------------------------------------------------------
# TSV and CSV


def _delimited(path: str, kind: Kind) -> _Table:
    records = records_of(path, kind)
    with closing(LineSource(path)) as lines:
        header = next(records(lines), None)
    if header is None:
        raise BadInput(f"{shown(path)} is empty, expected a header line with the names of the columns.")
    columns = header[1]

    def cells(column: str) -> _Cells:
        index = columns.index(column)
        with closing(LineSource(path)) as lines:
            for number, fields in islice(records(lines), 1, None):
                if len(fields) != len(columns):
                    counts = f"expected {len(columns)} as in the header, got {len(fields)}"
                    raise BadInput(f"{shown(path)}, line {number}: wrong number of fields, {counts}.")
                yield number, fields[index]

    return _Table(path, columns, cells)


# ---------------------------------------------------------------------------------------------------
# JSON: lines, or one array

_TEXT = "text"  # the name of the only column of an array of strings


def _json(path: str) -> _Table:
    return _json_array(path) if begins_with_bracket(path) else _json_lines(path)


def _json_rows(path: str) -> TableRows:
    _check_readable(path)
    is_array = begins_with_bracket(path)
    if is_array:
        rows = list(_numbered_objects(entries_of_array(path), path))
    else:
        with closing(LineSource(path)) as lines:
            rows = list(_objects(lines))
    if not rows:
        raise BadInput(f"{shown(path)} is empty. {JSON_FORMS}.")
    columns = list(dict.fromkeys(key for _, row in rows for key in row))
    return TableRows(path, columns, rows, "entry" if is_array else "line")


def _json_lines(path: str) -> _Table:
    with closing(LineSource(path)) as lines:
        first = next(_objects(lines), None)
    if first is None:
        raise BadInput(f"{shown(path)} is empty, expected one JSON object per line.")

    def cells(column: str) -> _Cells:
        with closing(LineSource(path)) as lines:
            for number, row in _objects(lines):
                yield number, _value(row, column, f"{shown(path)}, line {number}")

    return _Table(path, list(first[1]), cells)


def _json_array(path: str) -> _Table:
    with closing(entries_of_array(path)) as entries:
        first = next(entries)
    if not isinstance(first, dict):

        def texts(_column: str) -> _Cells:
            with closing(entries_of_array(path)) as entries:
                yield from _numbered_texts(entries, path)

        return _Table(path, [_TEXT], texts, row="entry", has_names=False)

    def cells(column: str) -> _Cells:
        with closing(entries_of_array(path)) as entries:
            for number, row in _numbered_objects(entries, path):
                yield number, _value(row, column, f"{shown(path)}, entry {number}")

    return _Table(path, list(first), cells, row="entry")


def _numbered_objects(rows: Iterator[Any], path: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            raise BadInput(
                f"{shown(path)}, entry {number}: expected an object{_as_first(number)}, got {kind_of_json(row)}."
            )
        yield number, row


def _as_first(number: int) -> str:
    return " as in entry 1" if number > 1 else ""


def _numbered_texts(rows: Iterator[Any], path: str) -> _Cells:
    for number, row in enumerate(rows, start=1):
        if isinstance(row, dict):
            raise BadInput(f"{shown(path)}, entry {number}: expected a string as in entry 1, got an object.")
        yield number, row


def _value(row: dict[str, Any], column: str, at: str) -> Any:
    if column not in row:
        raise BadInput(f"{at}: {column!r} is missing.")
    return row[column]


def _objects(lines: LineSource) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, row in json_values(lines.numbered(), lines.where, JSON_FORMS):
        if not isinstance(row, dict):
            at = f"{shown(lines.where)}, line {number}"
            raise BadInput(f"{at}: expected an object, got {kind_of_json(row)}. {JSON_FORMS}.")
        yield number, row


def json_values(lines: Iterable[tuple[int, str]], path: str, expected: str) -> Iterator[tuple[int, Any]]:
    """The value on each of the numbered lines of a file. Errors end with what was expected."""
    for number, line in lines:
        try:
            value = _DECODE(line)
        except json.JSONDecodeError as error:
            found = f"not valid JSON ({error.msg})" if line.strip() else "the line is empty"
            at = f"{shown(path)}, line {number}, column {error.colno}"
            raise BadInput(f"{at}: {found}. {expected}.") from None
        except (ValueError, RecursionError) as error:
            raise BadInput(f"{shown(path)}, line {number}: invalid JSON ({error}).") from None
        yield number, value


_DECODE = json.JSONDecoder(object_pairs_hook=without_repeated_keys).decode


# ---------------------------------------------------------------------------------------------------
# Parquet and Arrow


def _arrow(path: str, kind: str) -> _Table:
    table = ArrowTable(path, kind)

    def cells(column: str) -> _Cells:
        number = 0
        with closing(table.arrays(column)) as arrays:
            for array in arrays:
                for cell in _cells_of(array, path, number, column):
                    number += 1
                    yield number, cell

    return _Table(path, table.columns, cells, row="row", arrow=table)


def _cells_of(array: Any, path: str, before: int, column: str) -> list[Any]:
    try:
        cells: list[Any] = array.to_pylist()
    except UnicodeDecodeError:
        raise InvalidText(f"{shown(path)}, after row {before}: {column!r} is not UTF-8.") from None
    return cells


_FORMATS: dict[str, Callable[[str], _Table]] = {
    "tsv": lambda path: _delimited(path, "tsv"),
    "csv": lambda path: _delimited(path, "csv"),
    "jsonl": _json,
    "parquet": lambda path: _arrow(path, "parquet"),
    "arrow": lambda path: _arrow(path, "arrow"),
}
