"""Files of segment labels: document, domain or any other label."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, field

from understudy.corpus.segment_sources import open_sources
from understudy.errors import BadInput, BadParameter, LengthMismatch
from understudy.wording import number_of

SEGMENT_NAMES = ("segment", "seg")
DOCUMENT_NAMES = ("document", "documents", "doc", "docs", "docid")
DOMAIN_NAMES = ("domain", "domains")
WITHOUT_LABEL = "(none)"


@dataclass(frozen=True)
class Labeling:
    """A label for every segment."""

    title: str  # such as document
    labels: tuple[str, ...]
    file: str = field(default="", compare=False)  # the label file, if any


def read_labels(path: str | os.PathLike[str]) -> list[Labeling]:
    """A text file has one label per line, and its name is the title. Every column of a table is a labeling, with the
    header as its title; a column `segment` only numbers the rows.

    >>> [(found.title, found.labels[59]) for found in read_labels("examples/documents.tsv")]
    [('document', 'landlord')]
    """
    found = []
    for source in open_sources(path, role="label"):
        with closing(source):
            column = source.take(2**62)
        title = source.name.rpartition(":")[2]
        labels = tuple(column[row] or WITHOUT_LABEL for row in range(len(column)))
        if title.lower() in SEGMENT_NAMES:
            _check_numbers(source.where, labels)
        else:
            found.append(Labeling(title, labels, os.fspath(path)))
    if not found:
        raise BadInput(f"'{os.fspath(path)}' has segment numbers but no labels. Add a column of labels.")
    return found


def called_documents(labelings: Sequence[Labeling]) -> tuple[str, ...] | None:
    """The labels with a title such as document."""
    return next((found.labels for found in labelings if found.title.lower() in DOCUMENT_NAMES), None)


def documents_among(labelings: Sequence[Labeling]) -> tuple[str, ...] | None:
    """The documents: the labels with such a title, or the only labels."""
    if not labelings:
        return None
    if (called := called_documents(labelings)) is not None:
        return _all_named(called)
    if len(labelings) > 1:
        raise BadParameter(
            f"cannot tell which labels are documents: {', '.join(found.title for found in labelings)}. Name the "
            "column 'document', or give no others."
        )
    return _all_named(labelings[0].labels)


def check_labels(title: str, labels: Sequence[object], segments: int, file: str = "") -> None:
    """Raise an error unless there is one label per segment."""
    if len(labels) != segments:
        of_file = f" of '{file}'" if file else ""
        raise LengthMismatch(
            f"labels '{title}'{of_file} are for {number_of(len(labels), 'segment')}, expected {segments:,}. Line "
            "i must be the label of segment i."
        )


def _all_named(documents: tuple[str, ...]) -> tuple[str, ...]:
    """Segments without a label would be treated as one document."""
    if WITHOUT_LABEL in documents:
        number = documents.index(WITHOUT_LABEL) + 1
        raise BadInput(f"document labels: segment {number} has none. Add the name of its document.")
    return documents


def _check_numbers(where: str, numbers: Sequence[str]) -> None:
    for expected, number in enumerate(numbers, start=1):
        if number.strip() != str(expected):
            raise BadInput(f"'{where}': row {expected} has segment number '{number}', expected {expected}.")
