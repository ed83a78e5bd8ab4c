"""The tables of a challenge set: files, folders of files, or a table in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Set
from typing import Any

from understudy.corpus.columns import columns_of_table, kind_of, listed
from understudy.corpus.files import files_of, shown, without_compression
from understudy.corpus.segment_sources import TABLE_SUFFIXES
from understudy.corpus.tables import TableRows, read_rows
from understudy.errors import BadInput, LengthMismatch, WrongType

_IN_MEMORY = "pairs"  # what a table is called that is in no file
_SUFFIXES = f"{', '.join(list(TABLE_SUFFIXES)[:-1])} or {list(TABLE_SUFFIXES)[-1]}"


def named_tables(pairs: Any) -> tuple[str, list[TableRows]]:
    """All tables, and a name for them: the files and folders as given, with commas."""
    paths = _paths(pairs)
    if paths is None:
        return _IN_MEMORY, [_in_memory(pairs)]
    return ", ".join(paths), [_table(file) for path in paths for file in _files(path)]


def _paths(pairs: Any) -> list[str] | None:
    """The files and folders; None if it is a table in memory."""
    if isinstance(pairs, (str, os.PathLike)):
        return [os.fspath(pairs)]
    if isinstance(pairs, (list, tuple)) and any(isinstance(entry, (str, os.PathLike)) for entry in pairs):
        for entry in pairs:
            if not isinstance(entry, (str, os.PathLike)):
                raise WrongType(f"pairs: got {kind_of(entry)} among files, expected the path of a file.")
        return [os.fspath(entry) for entry in pairs]
    return None


def _files(path: str) -> list[str]:
    """A file, or the tables in a folder: others, such as a license, are ignored."""
    if not os.path.isdir(path):
        return [path]
    found = [file for file in files_of(path) if _suffix(file) in TABLE_SUFFIXES]
    if not found:
        raise BadInput(f"{shown(path)} has no tables in it, expected files ending in {_SUFFIXES}.")
    return found


def _table(path: str) -> TableRows:
    if _suffix(path) not in TABLE_SUFFIXES:
        raise BadInput(f"{shown(path)} is not known to be a table. Use a name ending in {_SUFFIXES}.")
    return read_rows(path)


def _suffix(path: str) -> str:
    return os.path.splitext(without_compression(path))[1].lower()


def _in_memory(table: Any) -> TableRows:
    rows: list[Any]
    if names := list(table) if isinstance(table, Mapping) else columns_of_table(table, _IN_MEMORY):
        columns = [listed(table[name], f"{_IN_MEMORY}, column {name!r}") for name in names]
        for name, column in zip(names, columns, strict=True):
            if len(column) != len(columns[0]):
                raise LengthMismatch(
                    f"{_IN_MEMORY}: column {name!r} has {len(column):,} rows, {names[0]!r} has {len(columns[0]):,}."
                )
        rows = [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]
    elif isinstance(table, Iterable) and not isinstance(table, (bytes, Set)):
        rows = list(table)
    else:
        raise WrongType(
            f"{_IN_MEMORY}: got {kind_of(table)}, expected a file, a folder, a data frame, columns by name, or a "
            "list of mappings."
        )
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, Mapping):
            raise WrongType(
                f"{_IN_MEMORY}, row {number}: got {kind_of(row)}, expected a mapping with the keys good and incorrect."
            )
    if not rows:
        raise BadInput(f"{_IN_MEMORY}: no pairs of translations, expected at least one.")
    named = [(number, {str(key): row[key] for key in row}) for number, row in enumerate(rows, start=1)]
    return TableRows(_IN_MEMORY, list(dict.fromkeys(key for _, row in named for key in row)), named, "row")
