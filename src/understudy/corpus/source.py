"""Where segments come from: one stream of them per system, reference or source text; or labels of segments.

A file is read by the reader its name asks for, a suffix of compression aside: `.tsv`, `.csv`, `.jsonl`
(`.ndjson`, `.json`), `.parquet`, `.sgm` (`.sgml`), `.xml`; trees from `.mrg`, `.ptb`, `.brackets`, `.conllu` and
`.conll`. Everything else, and standard input (`-`), is plain text with one segment per line, or trees if it is all
brackets. `FILE:NAME` chooses a column, a system or a reference inside a file that can hold several;
`FILE:NAME1,NAME2` chooses some of them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal, Protocol

from understudy._core import Column
from understudy.corpus.files import STDIN, shown, without_compression
from understudy.errors import BadInput, did_you_mean

Role = Literal["system", "reference", "source", "label"]

TABLE_SUFFIXES = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    ".parquet": "parquet",
}
MARKUP_SUFFIXES = {".sgm": "sgml", ".sgml": "sgml", ".xml": "xml"}
TREE_SUFFIXES = {
    ".mrg": "brackets",
    ".ptb": "brackets",
    ".brackets": "brackets",
    ".conllu": "conllu",
    ".conll": "conllu",
}
_TEXT_SUFFIXES = {".txt"}
_ARCHIVE_SUFFIXES = {".zip", ".tar", ".tgz", ".tbz2", ".txz", ".7z", ".rar", ".pdf", ".docx", ".xlsx"}


class Source(Protocol):
    """A stream of segments, taken some at a time."""

    name: str
    """For people: the file name without directory and known suffixes, then `:part` if there are several."""

    where: str
    """For messages: the path as the user gave it, with the same addition."""

    origin: str
    """As `where`, but always with the part, even if there is but one."""

    documents: list[str] | None
    """The document of every segment, in order, where the format says so."""

    domains: list[str] | None
    """What its document is about, likewise."""

    identifiers: list[str] | None
    """What a segment is called within its document, likewise."""

    language: str | None
    """The language of the text, as the format says it: a tag such as de."""

    def take(self, count: int) -> Column:
        """The next `count` segments; fewer only at the end, then none."""

    def close(self) -> None: ...


def open_sources(spec: str | os.PathLike[str], *, role: Role) -> list[Source]:
    """Everything of one role that a file holds: usually one source, several if it holds several systems or
    references. The caller closes them.
    """
    path, chosen = _split(os.fspath(spec))
    suffix = _format_suffix(path)
    if suffix in _ARCHIVE_SUFFIXES:
        raise BadInput(f"{shown(path)} is not text ({suffix}). Give the text file itself.")
    # The readers import this module for what they share, and a plain text file needs none of their imports.
    if suffix in TABLE_SUFFIXES:
        from understudy.corpus.tables import open_table

        return open_table(path, TABLE_SUFFIXES[suffix], chosen, role)
    if suffix in MARKUP_SUFFIXES:
        from understudy.corpus.markup import open_markup

        return open_markup(path, MARKUP_SUFFIXES[suffix], chosen, role)
    if suffix in TREE_SUFFIXES:
        from understudy.corpus.tree_files import open_trees

        return open_trees(path, TREE_SUFFIXES[suffix], role)
    if role == "label":
        from understudy.corpus.lines import LineSource

        return [LineSource(path)]
    from understudy.corpus.tree_files import PlainSource

    return [PlainSource(path)]


def readable_twice(spec: str | os.PathLike[str]) -> bool:
    """Whether what was read once is there to be read again: not in standard input, nor in a pipe."""
    path, _ = _split(os.fspath(spec))
    return path != STDIN and (os.path.isfile(path) or not os.path.exists(path))


def is_copy(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Whether two files hold the same text, byte by byte. Of formats that hold several texts nothing is said: one file
    may hold a system and its reference; and empty files are refused elsewhere.
    """
    first, second = _split(os.fspath(one))[0], _split(os.fspath(other))[0]
    several = {*TABLE_SUFFIXES, *MARKUP_SUFFIXES}
    if any(_format_suffix(path) in several or not os.path.isfile(path) for path in (first, second)):
        return False
    if not os.path.getsize(first) == os.path.getsize(second) > 0:
        return False
    import filecmp

    return filecmp.cmp(first, second, shallow=False)


def names_documents(spec: str | os.PathLike[str]) -> bool:
    """Whether the format says which document a segment is of."""
    path, _ = _split(os.fspath(spec))
    return _format_suffix(path) in MARKUP_SUFFIXES


def trees_promised(path: str) -> str | None:
    """The form of the trees that a file holds by its name, as in TREE_SUFFIXES; None if the name promises none.

    >>> trees_promised("nmt.ptb.gz"), trees_promised("nmt.txt")
    ('brackets', None)
    """
    return TREE_SUFFIXES.get(_format_suffix(path))


class HeldSource:
    """Segments that are in memory already."""

    def __init__(
        self,
        path: str,
        part: str | None,
        column: Column,
        *,
        origin: str | None = None,
        documents: list[str] | None = None,
        domains: list[str] | None = None,
        identifiers: list[str] | None = None,
        language: str | None = None,
    ) -> None:
        self.name = short_name(path, part)
        self.where = full_name(path, part)
        self.origin = origin or self.where
        self.documents = documents
        self.domains = domains
        self.identifiers = identifiers
        self.language = language
        self._column = column
        self._taken = 0

    def take(self, count: int) -> Column:
        start = self._taken
        self._taken = min(start + count, len(self._column))
        return self._column[start : self._taken]

    def close(self) -> None:
        pass


def short_name(path: str, part: str | None = None) -> str:
    """What people call a file, and a part of it.

    >>> short_name("out/nmt.en.txt.gz"), short_name("all.tsv", "hyp"), short_name("-")
    ('nmt.en', 'all:hyp', 'stdin')
    """
    name = "stdin" if path == STDIN else without_compression(os.path.basename(path))
    stem, suffix = os.path.splitext(name)
    if suffix.lower() in {*TABLE_SUFFIXES, *MARKUP_SUFFIXES, *TREE_SUFFIXES, *_TEXT_SUFFIXES}:
        name = stem
    return name if part is None else f"{name}:{part}"


def name_of(spec: str | os.PathLike[str]) -> str:
    """What people call what a spec stands for, `FILE` or `FILE:NAME`.

    >>> name_of("out/nmt.txt.gz")
    'nmt'
    """
    return short_name(*_split(os.fspath(spec)))


def full_name(path: str, part: str | None = None) -> str:
    """A file, or a part of it, as `open_sources` takes it."""
    return path if part is None else f"{path}:{part}"


def choose(chosen: str, known: Sequence[str], what: str, path: str) -> list[str]:
    """The names after `FILE:`. A name that itself holds a comma is found before the comma separates two.

    >>> choose("a,b", ["a", "b", "c"], "column", "all.tsv")
    ['a', 'b']
    """
    names = [chosen] if chosen in known else chosen.split(",")
    for index, name in enumerate(names):
        if name not in known:
            raise BadInput(f"{shown(path)} has no {what} {name!r}. {did_you_mean(name, known)}")
        if name in names[:index]:
            raise BadInput(f"{path}:{chosen} names the {what} {name!r} twice.")
    return names


def _split(spec: str) -> tuple[str, str | None]:
    """FILE:NAME as its two parts. A file that is really called so wins."""
    if spec != STDIN and not os.path.lexists(spec):
        for position, character in enumerate(spec):
            path, name = spec[:position], spec[position + 1 :]
            if character == ":" and _format_suffix(path) in {*TABLE_SUFFIXES, *MARKUP_SUFFIXES}:
                if not name:
                    raise BadInput(f"'{spec}' names nothing after the colon. Write FILE:NAME, or FILE alone.")
                return path, name
    return spec, None


def _format_suffix(path: str) -> str:
    return os.path.splitext(without_compression(path))[1].lower()
