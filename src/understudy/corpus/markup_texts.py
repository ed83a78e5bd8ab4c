"""The texts of a file with markup, in an anonymous temporary file.

Documents of a system may come in another order than those of its reference, so that a file must be read to its end
before its first segment is known. Texts and segment ids wait on disk. In memory are the names of documents, and a few
numbers for each document of each version.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator
from itertools import islice

from understudy.corpus.segment_sources import Role
from understudy.corpus.temporary_bytes import TemporaryBytes
from understudy.errors import BadInput

_PIECE = 1 << 16  # bytes that are written or read at once

# What is not yet one space: only the whitespace that separates words and lines; a no-break space is part of the text.
_BLANKS = re.compile(r"[ \t\r\n\f\v]{2,}|[\t\r\n\f\v]")


class Version:
    """One system, one reference or the source: for each of its documents, where its segments are."""

    def __init__(self) -> None:
        self.documents = array("q")  # their numbers, in file order; the following are parallel
        self.starts = array("q")
        self.ends = array("q")
        self.segments = array("q")  # how many
        self._places = array("q")  # by number of the document: its index in these, or -1

    def place_of(self, document: int) -> int | None:
        """The index of a document, if the version has it."""
        place = self._places[document] if document < len(self._places) else -1
        return place if place >= 0 else None

    def begin(self, document: int, start: int) -> None:
        self._places.extend([-1] * (document + 1 - len(self._places)))
        self._places[document] = len(self.documents)
        self.documents.append(document)
        self.starts.append(start)
        self.ends.append(start)
        self.segments.append(0)


class MarkupTexts:
    """What a reader of markup finds, in the order in which it finds it."""

    def __init__(self, what: str, kept: Callable[[Role, str], bool]) -> None:
        """`what` names the file in messages. `kept`: whether the text of a version may be asked for; of others, only
        segment ids are kept.
        """
        self.versions: dict[Role, dict[str, Version]] = {"system": {}, "reference": {}, "source": {}}
        self.documents: list[str] = []
        self.domains: list[str | None] = []  # by document, where given
        # For every version, each language attribute found. A source differs in language from its translations.
        self.languages: dict[tuple[bool, str], set[str | None]] = {}
        self._numbers: dict[str, int] = {}  # of documents
        self._kept = kept
        self._bytes = TemporaryBytes(what)  # removed with the last source that reads it
        self._waiting: list[bytes] = []  # not yet written
        self._end = self._written = 0
        self._version = Version()  # to which segments are added
        self._keeps = True
        self._highest = -1  # of the ids in this document, if they are increasing numbers
        self._seen: set[str] | None = None  # otherwise all of them

    def document(self, name: str) -> tuple[int, bool]:
        """The number of a document, and whether it is new."""
        number = self._numbers.setdefault(name, len(self.documents))
        if new := number == len(self.documents):
            self.documents.append(name)
            self.domains.append(None)
        return number, new

    def begin(self, role: Role, name: str, document: int, language: str | None) -> bool:
        """Segments of this document of this version follow. False if it has occurred before."""
        self._version = self.versions[role].setdefault(name, Version())
        self.languages.setdefault((role == "source", name), set()).add(language)
        if self._version.place_of(document) is not None:
            return False
        self._version.begin(document, self._end)
        self._keeps = self._kept(role, name)
        self._highest, self._seen = -1, None
        return True

    def add(self, identifier: str | None, text: str, at: str) -> None:
        """The next segment; `at` is its location in messages."""
        identifier = identifier or str(self._version.segments[-1] + 1)
        if self._occurs(identifier):
            raise BadInput(f"{at} has two segments '{identifier}'.")
        kept = _BLANKS.sub(" ", text).strip(" ").encode() if self._keeps else b""
        record = b"%b\n%b\n" % (identifier.encode("unicode_escape"), kept)  # neither has a line break
        self._waiting.append(record)
        self._end += len(record)
        if self._end - self._written >= _PIECE:
            self._write()
        self._version.ends[-1] = self._end
        self._version.segments[-1] += 1

    def complete(self) -> None:
        """Nothing is added any more."""
        self._write()
        self._numbers = {}

    def identifiers(self, version: Version, place: int) -> Iterator[str]:
        """The ids of the segments in the document at this place."""
        lines = self._lines(version.starts[place], version.ends[place])
        return (line.decode("unicode_escape") for line in islice(lines, 0, None, 2))

    def texts(self, version: Version, place: int) -> Iterator[str]:
        lines = self._lines(version.starts[place], version.ends[place])
        return map(bytes.decode, islice(lines, 1, None, 2))

    def same_identifiers(self, version: Version, place: int, other: Version, other_place: int) -> bool:
        """Whether two documents have the same ids in the same order."""
        if version.segments[place] != other.segments[other_place]:
            return False
        lines = self._lines(version.starts[place], version.ends[place])
        others = self._lines(other.starts[other_place], other.ends[other_place])
        return all(map(bytes.__eq__, islice(lines, 0, None, 2), islice(others, 0, None, 2)))

    def _lines(self, start: int, end: int) -> Iterator[bytes]:
        rest = b""
        while start < end:
            piece = self._bytes.read(start, min(_PIECE, end - start))
            start += len(piece)
            *lines, rest = (rest + piece).split(b"\n")
            yield from lines

    def _write(self) -> None:
        self._bytes.append(b"".join(self._waiting))
        self._waiting, self._written = [], self._end

    def _occurs(self, identifier: str) -> bool:
        """Whether the document has this id already. Most ids are increasing numbers, which need not be remembered."""
        if self._seen is None:
            number = int(identifier) if re.fullmatch(r"0|[1-9][0-9]{0,17}", identifier) else -1
            if number > self._highest:
                self._highest = number
                return False
            self._write()
            self._seen = set(self.identifiers(self._version, len(self._version.documents) - 1))
        if identifier in self._seen:
            return True
        self._seen.add(identifier)
        return False
