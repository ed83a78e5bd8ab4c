"""Sources of segments: one stream per system, reference or source text; or segment labels.

The suffix of a file, ignoring a compression suffix, selects its reader: `.tsv`, `.csv`, `.jsonl` (`.ndjson`,
`.json`), `.parquet`, `.arrow` (`.feather`, `.ipc`), `.sgm` (`.sgml`), `.xml`; trees from `.mrg`, `.ptb`, `.brackets`,
`.conllu` and `.conll`. Everything else, including standard input (`-`), is plain text with one segment per line, or
trees if it consists of brackets. A folder of Parquet or Arrow files is one table. `FILE:NAME` selects a column, a
system or a reference in a file that can contain several; `FILE:NAME1,NAME2` selects several of them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Literal, Protocol

from understudy._core import Column
from understudy.corpus.data_sets import ARROW_SUFFIXES, files_of_data_set, is_data_set
from understudy.corpus.files import STDIN, shown, without_compression
from understudy.errors import BadInput, did_you_mean

Role = Literal["system", "reference", "source", "label"]

TABLE_SUFFIXES = {
    ".tsv": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "jsonl",
    **ARROW_SUFFIXES,
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


class SegmentSource(Protocol):
    """A stream of segments, read in parts."""

    name: str
    """For tables: the file name without directory and known suffixes, then `:part` if there are several."""

    where: str
    """For messages: the path as given, with the same addition."""

    origin: str
    """As `where`, but always with the part, even if there is only one."""

    documents: Sequence[str] | None
    """The document of every segment, in order, if the format has documents."""

    domains: Sequence[str] | None
    """The domain of its document, likewise."""

    identifiers: Iterable[str] | None
    """The id of a segment within its document, likewise. Only of a source that is not closed."""

    language: str | None
    """The language of the text according to the format: a tag such as de."""

    def take(self, count: int) -> Column:
        """The next `count` segments; fewer only at the end, then none."""

    def close(self) -> None: ...


def open_sources(spec: str | os.PathLike[str], *, role: Role) -> list[SegmentSource]:
    """All sources with one role in a file: usually one, several if the file contains several systems or references.
    The caller closes them.
    """
    path, chosen = _split(os.fspath(spec))
    suffix = _format_suffix(path)
    if suffix in _ARCHIVE_SUFFIXES:
        raise BadInput(f"{shown(path)} is not a text file ({suffix}). Give the extracted text.")
    # The readers import this module, and plain text files do not need their imports.
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


def file_of(spec: str | os.PathLike[str]) -> str:
    """The file of a spec, `FILE` or `FILE:NAME`."""
    return _split(os.fspath(spec))[0]


def readable_twice(spec: str | os.PathLike[str]) -> bool:
    """Whether the file can be read twice, unlike standard input or a pipe."""
    path, _ = _split(os.fspath(spec))
    return path != STDIN and (os.path.isfile(path) or not os.path.exists(path) or is_data_set(path))


def is_copy(one: str | os.PathLike[str], other: str | os.PathLike[str]) -> bool:
    """Whether two files are identical byte by byte. False for formats with several texts, since one file may contain
    a system and its reference, and for empty files, which raise an error elsewhere.
    """
    first, second = _split(os.fspath(one))[0], _split(os.fspath(other))[0]
    if any(holds_several_texts(path) or not os.path.isfile(path) for path in (first, second)):
        return False
    if not os.path.getsize(first) == os.path.getsize(second) > 0:
        return False
    import filecmp

    return filecmp.cmp(first, second, shallow=False)


def names_documents(spec: str | os.PathLike[str]) -> bool:
    """Whether the format has documents."""
    path, _ = _split(os.fspath(spec))
    return _format_suffix(path) in MARKUP_SUFFIXES


def holds_several_texts(spec: str | os.PathLike[str]) -> bool:
    """Whether a file of this format can hold several texts, and a text can lack segments."""
    path, _ = _split(os.fspath(spec))
    return _format_suffix(path) in {*TABLE_SUFFIXES, *MARKUP_SUFFIXES}


def trees_promised(path: str) -> str | None:
    """The tree format implied by a file name, as in TREE_SUFFIXES; None if none is implied.

    >>> trees_promised("nmt.ptb.gz"), trees_promised("nmt.txt")
    ('brackets', None)
    """
    return TREE_SUFFIXES.get(_format_suffix(path))


class InMemorySource:
    """Segments in memory."""

    documents: Sequence[str] | None = None
    domains: Sequence[str] | None = None
    identifiers: Iterable[str] | None = None
    language: str | None = None

    def __init__(
        self,
        path: str,
        part: str | None,
        column: Column,
    ) -> None:
        self.name = short_name(path, part)
        self.where = full_name(path, part)
        self.origin = self.where
        self._column = column
        self._taken = 0

    def take(self, count: int) -> Column:
        start = self._taken
        self._taken = min(start + count, len(self._column))
        return self._column[start : self._taken]

    def close(self) -> None:
        pass


def short_name(path: str, part: str | None = None) -> str:
    """The short name of a file, or of a part of it.

    >>> short_name("out/nmt.en.txt.gz"), short_name("all.tsv", "hyp"), short_name("-")
    ('nmt.en', 'all:hyp', 'stdin')
    """
    name = "stdin" if path == STDIN else without_compression(os.path.basename(path))
    stem, suffix = os.path.splitext(name)
    if suffix.lower() in {*TABLE_SUFFIXES, *MARKUP_SUFFIXES, *TREE_SUFFIXES, *_TEXT_SUFFIXES}:
        name = stem
    return name if part is None else f"{name}:{part}"


def name_of(spec: str | os.PathLike[str]) -> str:
    """The short name of `FILE` or `FILE:NAME`.

    >>> name_of("out/nmt.txt.gz")
    'nmt'
    """
    return short_name(*_split(os.fspath(spec)))


def full_name(path: str, part: str | None = None) -> str:
    """A file, or a part of it, as accepted by `open_sources`."""
    return path if part is None else f"{path}:{part}"


def choose(chosen: str, known: Sequence[str], what: str, path: str) -> list[str]:
    """The names after `FILE:`. A name that contains a comma takes precedence over a list of names.

    >>> choose("a,b", ["a", "b", "c"], "column", "all.tsv")
    ['a', 'b']
    """
    names = [chosen] if chosen in known else chosen.split(",")
    for index, name in enumerate(names):
        if not known:
            raise BadInput(
                f"{shown(path)} has no {what}s, expected {name!r}. Give a file that has this {what}."
            )
        if name not in known:
            raise BadInput(f"{shown(path)}: unknown {what} {name!r}. {did_you_mean(name, known)}")
        if name in names[:index]:
            raise BadInput(f"{path}:{chosen} selects the {what} {name!r} twice. Omit one of them.")
    return names


def _split(spec: str) -> tuple[str, str | None]:
    """FILE:NAME as its two parts. An existing file of the full name takes precedence."""
    if spec != STDIN and not os.path.lexists(spec):
        for position, character in enumerate(spec):
            path, name = spec[:position], spec[position + 1 :]
            if character == ":" and _format_suffix(path) in {*TABLE_SUFFIXES, *MARKUP_SUFFIXES}:
                if not name:
                    raise BadInput(f"'{spec}' has no name after the colon. Use FILE:NAME, or FILE alone.")
                return path, name
    return spec, None


def _format_suffix(path: str) -> str:
    if os.path.isdir(path):
        path = files_of_data_set(path)[0]
    return os.path.splitext(without_compression(path))[1].lower()
