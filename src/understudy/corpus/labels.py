"""Labels: what a file says of each segment (its document, its domain, ...) or of each word of a reference."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field

from understudy.corpus.corpus import Corpus
from understudy.corpus.files import Path
from understudy.corpus.score_tables import SEGMENT_NAMES
from understudy.corpus.source import open_sources
from understudy.errors import BadInput, BadParameter, LengthMismatch

DOCUMENT_NAMES = ("document", "documents", "doc", "docs", "docid")
WITHOUT_LABEL = "(none)"


@dataclass(frozen=True)
class Labelling:
    """A label for every segment."""

    title: str  # what the labels say, such as document
    labels: list[str]
    file: str = field(default="", compare=False)  # where a user finds them, if in a file of their own


def read_labels(path: Path) -> list[Labelling]:
    """A text file has a label per line, and its name says what they are. A table has a labelling in every column, named
    by its header; a column `segment` only numbers the rows.

    >>> [(found.title, found.labels[59]) for found in read_labels("examples/documents.tsv")]
    [('document', 'landlord')]
    """
    found = []
    for source in open_sources(path, role="label"):
        with closing(source):
            column = source.take(2**62)
        title = source.name.rpartition(":")[2]
        labels = [column[row] or WITHOUT_LABEL for row in range(len(column))]
        if title.lower() in SEGMENT_NAMES:
            _check_numbers(source.where, labels)
        else:
            found.append(Labelling(title, labels, os.fspath(path)))
    if not found:
        raise BadInput(f"'{os.fspath(path)}' has numbers of segments and no labels beside them.")
    return found


def read_word_labels(path: Path) -> list[list[str]]:
    """A line for every segment: the labels of its words, with spaces between them."""
    source, *others = open_sources(path, role="label")
    if others:
        names = ", ".join(each.name.rpartition(":")[2] for each in (source, *others))
        raise BadInput(
            f"word labels '{os.fspath(path)}' have {1 + len(others)} columns ({names}), expected one: "
            "choose it, FILE:COLUMN."
        )
    with closing(source):
        column = source.take(2**62)
    return [(column[row] or "").split() for row in range(len(column))]


def called_documents(labellings: Sequence[Labelling]) -> list[str] | None:
    """The labels whose title says that they are documents."""
    return next((found.labels for found in labellings if found.title.lower() in DOCUMENT_NAMES), None)


def documents_among(labellings: Sequence[Labelling]) -> list[str] | None:
    """The labels that say which document a segment is of: those called so, else the only ones there are."""
    if not labellings:
        return None
    if (called := called_documents(labellings)) is not None:
        return _all_named(called)
    if len(labellings) > 1:
        raise BadParameter(
            f"labels of {', '.join(found.title for found in labellings)}: which of them are documents? "
            "Name the column 'document', or give no others."
        )
    return _all_named(labellings[0].labels)


def _all_named(documents: list[str]) -> list[str]:
    """Segments without a name would be taken for one document."""
    if WITHOUT_LABEL in documents:
        number = documents.index(WITHOUT_LABEL) + 1
        raise BadInput(f"labels of documents: segment {number} has none, expected the name of its document.")
    return documents


def documents_in(systems: Mapping[str, Path], references: Iterable[Path]) -> Sequence[str]:
    """The documents that the files themselves name."""
    documents = Corpus.documents_of(systems, references)
    if documents is None:
        raise BadParameter(
            "the files do not say which document a segment is of. Give a file of labels, with the document of segment "
            "i in line i."
        )
    return documents


def check_labels(title: str, labels: Sequence[object], segments: int, file: str = "") -> None:
    """There must be one for every segment."""
    if len(labels) != segments:
        of_file = f" of '{file}'" if file else ""
        raise LengthMismatch(
            f"labels '{title}'{of_file} are for {len(labels):,} segments, there are {segments:,}. "
            "Line i must be of segment i."
        )


def _check_numbers(where: str, numbers: Sequence[str]) -> None:
    for expected, number in enumerate(numbers, start=1):
        if number.strip() != str(expected):
            raise BadInput(f"'{where}': row {expected} is of segment '{number}', expected {expected}.")
