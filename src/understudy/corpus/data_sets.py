"""Data sets of several files: a folder of Parquet or Arrow files, or a pattern such as `data/*.parquet`.

Other programs write large tables in this form. The files follow each other in the order of their names; those whose
names begin with `_` or `.` hold no rows.
"""

from __future__ import annotations

import glob
import os

ARROW_SUFFIXES = {".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow", ".ipc": "arrow"}


def is_data_set(path: str) -> bool:
    """Whether it names several files, or a folder that has them."""
    return files_of_data_set(path) != [path]


def files_of_data_set(path: str) -> list[str]:
    """The files in order; the path itself if it is not a data set."""
    if os.path.isdir(path):
        inside = sorted(name for name in os.listdir(path) if not name.startswith(("_", ".")))
        return [os.path.join(path, name) for name in inside if _suffix(name) in ARROW_SUFFIXES] or [path]
    if glob.has_magic(path) and _suffix(path) in ARROW_SUFFIXES and not os.path.exists(path):
        return sorted(glob.glob(path)) or [path]
    return [path]


def _suffix(path: str) -> str:
    return os.path.splitext(path)[1].lower()
