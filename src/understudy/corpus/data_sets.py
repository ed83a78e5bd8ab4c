"""Data sets of several files: a folder of Parquet or Arrow files, or a pattern such as `data/*.parquet`.

Other programs write large tables in this form, with folders inside for the values of a column (`year=2025`). The files
follow each other in the order of their paths; those whose names begin with `_` or `.` hold no rows.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator

ARROW_SUFFIXES = {".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow"}


def is_data_set(path: str) -> bool:
    """Whether it names several files, or a folder that has them."""
    return files_of_data_set(path) != [path]


def files_of_data_set(path: str) -> list[str]:
    """The files in order; the path itself if it is not a data set."""
    if os.path.isdir(path):
        return list(_files_in(path)) or [path]
    if glob.has_magic(path) and _suffix(path) in ARROW_SUFFIXES and not os.path.exists(path):
        return _files_matching(path) or [path]
    return [path]


def _files_matching(pattern: str) -> list[str]:
    """In the order that they have in a folder. `**` is any number of folders, as in shells. A folder that matches, as
    Spark names it after a file, is the files in it.
    """
    written = set(pattern.split(os.sep))
    ignoring = not any(_is_ignored(part) and glob.has_magic(part) for part in written)
    found: set[str] = set()
    for path in glob.glob(pattern, recursive=True):
        if ignoring and any(map(_is_ignored, set(path.split(os.sep)) - written)):
            continue
        found |= set(_files_in(path)) if os.path.isdir(path) else {path}
    return sorted(found, key=lambda file: file.split(os.sep))


def _files_in(folder: str) -> Iterator[str]:
    for name in sorted(os.listdir(folder)):
        inside = os.path.join(folder, name)
        if _is_ignored(name):
            continue
        if os.path.isdir(inside):
            yield from _files_in(inside)
        elif _suffix(name) in ARROW_SUFFIXES:
            yield inside


def _is_ignored(name: str) -> bool:
    return name.startswith(("_", "."))


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()
