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
        return sorted(glob.glob(path)) or [path]
    return [path]


def _files_in(folder: str) -> Iterator[str]:
    for name in sorted(os.listdir(folder)):
        inside = os.path.join(folder, name)
        if name.startswith(("_", ".")):
            continue
        if os.path.isdir(inside):
            yield from _files_in(inside)
        elif _suffix(name) in ARROW_SUFFIXES:
            yield inside


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()
