"""Segment labels as given by the caller: by title, in table columns, or in files."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

from understudy.corpus.columns import as_labels, columns_of_table, kind_of, labels_of_table, listed
from understudy.corpus.segment_label_files import WITHOUT_LABEL, Labeling, documents_among, read_labels
from understudy.errors import WrongType


def documents_given(documents: Any) -> Sequence[str]:
    """The document of every segment, given as names or as label files."""
    paths = [documents] if isinstance(documents, (str, os.PathLike)) else documents
    if paths is not documents or _all_paths(paths):
        found = documents_among([labeling for path in paths for labeling in read_labels(path)])
        assert found is not None, "a file has labels"
        return found
    return names_given(documents, "documents")


def _all_paths(values: Any) -> bool:
    return (
        isinstance(values, (list, tuple)) and bool(values) and all(isinstance(v, os.PathLike) for v in values)
    )


def labelings(labels: Any) -> tuple[Labeling, ...]:
    """The labels by title, from a mapping, table columns or files."""
    if labels is None:
        return ()
    if isinstance(labels, Mapping):
        return tuple(_labeling(str(title), values) for title, values in labels.items())
    if names := columns_of_table(labels, "labels"):
        return tuple(_labeling(str(title), labels_of_table(labels, title, "labels")) for title in names)
    if isinstance(labels, (str, os.PathLike)):
        labels = [labels]
    found: list[Labeling] = []
    for entry in listed(labels, "labels"):
        if isinstance(entry, Labeling):
            found.append(entry)
        elif isinstance(entry, (str, os.PathLike)):
            found += read_labels(entry)
        else:
            raise WrongType(
                f"labels: got {kind_of(entry)}, expected a file, or labels by title: {{'domain': [...]}}."
            )
    return tuple(found)


def _labeling(title: str, values: Any) -> Labeling:
    column = as_labels(values, f"labels '{title}'")
    return Labeling(title, tuple(column[row] or WITHOUT_LABEL for row in range(len(column))))


def names_given(values: Any, what: str) -> tuple[str, ...]:
    column = as_labels(values, what)
    for row in column.absent_rows():
        raise WrongType(f"{what}: segment {row + 1} has none, expected a string or an integer.")
    return tuple(column[row] or "" for row in range(len(column)))
