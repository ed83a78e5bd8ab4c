"""Files of word labels: one label per word of a reference."""

from __future__ import annotations

import os
from contextlib import closing

from understudy.corpus.segment_sources import open_sources
from understudy.errors import BadInput


def read_word_labels(path: str | os.PathLike[str]) -> list[list[str]]:
    """A line for every segment: the labels of its words, with spaces between them."""
    source, *others = open_sources(path, role="label")
    if others:
        names = ", ".join(each.name.rpartition(":")[2] for each in (source, *others))
        raise BadInput(
            f"word labels '{os.fspath(path)}' have {1 + len(others)} columns ({names}), expected one. Select it with "
            "FILE:COLUMN."
        )
    with closing(source):
        column = source.take(2**62)
    return [(column[row] or "").split() for row in range(len(column))]
