"""The input of a corpus: files, or texts in memory.

A single string or path is a file. Columns of numpy, pandas, Polars and Arrow are texts, and so are the columns of a
table. For lists of strings see `files_or_texts`; in `Corpus.read` every string is a file, like a `pathlib.Path`, and in
`Corpus.of_texts` every list is segments.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from understudy._core import Column
from understudy.corpus.columns import (
    References,
    as_column,
    column_of_table,
    columns_of_table,
    is_column,
    kind_of,
    labels_of_table,
    listed,
    reference_columns,
)
from understudy.corpus.files_or_texts import Strings, are_files
from understudy.corpus.reference_copies import warn_of_copies
from understudy.corpus.segment_sources import holds_several_texts
from understudy.corpus.streamed_tables import StreamedTable, StreamedText, streamed_table
from understudy.corpus.test_sets.test_set import NamedSet, TestSet, among
from understudy.errors import BadInput, BadParameter, LengthMismatch, MissingFile, WrongType

if TYPE_CHECKING:
    from understudy.corpus.segment_label_files import Labeling

_ONE_SYSTEM, _ONE_REFERENCE = "hypotheses", "references"  # default names of texts
SOURCES = "sources"


@dataclass(frozen=True, eq=False, repr=False)
class InMemoryText:
    """Segments in memory."""

    name: str
    column: Column


# The path of a file, segments in memory, or a column of a table that comes in batches.
Text = str | InMemoryText | StreamedText


@dataclass(frozen=True, eq=False, repr=False)
class SystemInput:
    """A system: one text, or several that are training runs of it."""

    name: str | None  # None: named after its file
    runs: tuple[Text, ...]


@dataclass(frozen=True, eq=False, repr=False)
class CorpusInput:
    """The input of a corpus. Only labels have been read."""

    systems: tuple[SystemInput, ...]
    references: tuple[Text, ...] = ()
    sources: Text | None = None
    documents: Sequence[str] | None = None  # the document of every segment; takes precedence over the files
    domains: Sequence[str] | None = None
    labels: tuple[Labeling, ...] = ()
    test_set: NamedSet | None = None  # where references and sources come from, if that has a name
    language: str | None = None  # of the references, if it is known from more than files

    @property
    def files(self) -> list[str]:
        """The files of systems, references and source text, in this order."""
        texts = [*(run for system in self.systems for run in system.runs), *self.references]
        return [text for text in (*texts, self.sources) if isinstance(text, str)]

    @property
    def read_in_parts(self) -> bool:
        """Whether no text is in memory, nor has to be because its table can be read only once."""
        runs = [run for system in self.systems for run in system.runs]
        return all(
            isinstance(text, str) or (isinstance(text, StreamedText) and not text.table.once)
            for text in (*runs, *self.references, self.sources or "")
        )

    @property
    def reference_files(self) -> list[str]:
        return [text for text in self.references if isinstance(text, str)]

    @property
    def may_lack_references(self) -> bool:
        """Whether a reference can be missing in single segments, which only tables and markup can express."""
        return any(not isinstance(text, str) or holds_several_texts(text) for text in self.references)


def corpus_input(
    systems: Any,
    references: Any = None,
    *,
    sources: Any = None,
    documents: Any = None,
    domains: Any = None,
    labels: Any = None,
    strings: Strings | None = None,
) -> CorpusInput:
    """Classify all arguments as files or texts."""
    test_set, references = among(references)
    table = streamed_table(systems, "systems")
    if names := columns_of_table(systems, "systems") if table is None else table.columns:
        roles = _roles(names)
        found = tuple(_of_table(table or systems, name, "system") for name in roles["system"])
        if not found:
            raise BadInput(
                f"systems: all of the columns {', '.join(map(repr, names))} have other roles, expected at least one "
                "system. Use "
                "{'NAME': table['COLUMN']}."
            )
        named = tuple(SystemInput(each.name, (each,)) for each in found)
        held = table or systems
        references = _in_its_role("references", references, held, roles["reference"])
        sources = _in_its_role("sources", sources, held, roles["source"][:1])
        documents = _in_its_role("documents", documents, held, roles["document"][:1])
        domains = _in_its_role("domains", domains, held, roles["domain"][:1])
    else:
        named = _systems(systems, strings)
    first = next((run for system in named for run in system.runs), None)
    segments = len(first.column) if isinstance(first, InMemoryText) else None
    texts = CorpusInput(
        named,
        _references(references, segments, strings),
        None if sources is None else _source_text(sources, segments, strings),
    )
    if test_set is not None:
        texts = _of_test_set(texts, test_set)
        documents = test_set.documents if documents is None else documents
        domains = test_set.domains if domains is None else domains
    warn_of_copies(texts)
    return texts if documents is domains is labels is None else _labeled(texts, documents, domains, labels)


def _of_test_set(texts: CorpusInput, test_set: TestSet) -> CorpusInput:
    """With the references and the source of a test set. If some of its segments are selected, so are those of the
    given texts.
    """
    if test_set.rows is not None:
        from understudy.corpus.test_sets.selected import selected

        texts = selected(texts, test_set)
    called = {name: f"{test_set.called} {name}".removesuffix(" ref") for name in test_set.references}
    if len(called) == 1:
        called = dict.fromkeys(called, str(test_set.called))
    return replace(
        texts,
        references=(
            *(InMemoryText(called[name], column) for name, column in test_set.references.items()),
            *texts.references,
        ),
        sources=texts.sources or InMemoryText(SOURCES, test_set.sources),
        test_set=test_set.called,
        language=test_set.target_language,
    )


def _labeled(texts: CorpusInput, documents: Any, domains: Any, labels: Any) -> CorpusInput:
    from understudy.corpus.label_input import documents_given, labelings, names_given

    return replace(
        texts,
        documents=None if documents is None else documents_given(documents),
        domains=None if domains is None else names_given(domains, "domains"),
        labels=labelings(labels),
    )


# --- systems ------------------------------------------------------------------------------------------------


def _systems(systems: Any, strings: Strings | None) -> tuple[SystemInput, ...]:
    if isinstance(systems, Mapping):
        return tuple(_named(str(name), value, strings) for name, value in systems.items())
    if isinstance(systems, (str, os.PathLike)):
        return (SystemInput(None, (os.fspath(systems),)),)
    if is_column(systems):
        return (_unnamed(systems),)
    entries = listed(systems, "systems")
    if entries and all(isinstance(entry, str) for entry in entries):
        if are_files(entries, "systems", strings):
            return tuple(SystemInput(None, (path,)) for path in entries)
        return (_unnamed(entries),)
    return tuple(_entry(entry, strings) for entry in entries)


def _entry(entry: Any, strings: Strings | None) -> SystemInput:
    """One of several systems: a file, a pair of name and texts or files, or a named column."""
    if isinstance(entry, (str, os.PathLike)):
        return SystemInput(None, (os.fspath(entry),))
    if isinstance(entry, tuple) and len(entry) == 2 and isinstance(entry[0], str):
        return _named(entry[0], entry[1], strings)
    if is_column(entry) and _own_name(entry):
        return _unnamed(entry)
    if hasattr(entry, "to_batches") or hasattr(entry, "schema"):
        raise WrongType(
            f"systems: got several parts of a table ({type(entry).__name__}), expected one table. Use "
            "pyarrow.RecordBatchReader.from_batches(schema, batches)."
        )
    raise WrongType(
        f"systems: got {kind_of(entry)} among several, expected a file or a named text. Use "
        "{'a': texts_a, 'b': texts_b}."
    )


def _unnamed(texts: Any) -> SystemInput:
    name = _own_name(texts) or _ONE_SYSTEM
    return SystemInput(name, (InMemoryText(name, as_column(texts, name)),))


def _own_name(column: Any) -> str:
    """The name of a pandas or Polars column."""
    name = getattr(column, "name", None)
    return name if isinstance(name, str) else ""


def _named(name: str, value: Any, strings: Strings | None) -> SystemInput:
    what = f"system '{name}'"
    if isinstance(value, (str, os.PathLike)):
        return SystemInput(name, (os.fspath(value),))
    if (table := streamed_table(value, what)) is not None:
        raise WrongType(
            f"{what}: got a table ({table.what}), expected one column. Give the table alone: its columns are systems, "
            "and those named ref, source, doc and domain have these roles."
        )
    array = len(getattr(value, "shape", ())) > 0  # one dimension expected; a matrix is an error
    if array or is_column(value) or not isinstance(value, Iterable):
        return SystemInput(name, (InMemoryText(name, as_column(value, what)),))
    entries = listed(value, what)
    if not entries:
        raise BadParameter(f"system '{name}': the list is empty, expected files or segments.")
    if all(isinstance(entry, str) for entry in entries) and are_files(entries, what, strings):
        return SystemInput(name, tuple(entries))
    if not any(isinstance(entry, (os.PathLike, list, tuple)) or is_column(entry) for entry in entries):
        return SystemInput(name, (InMemoryText(name, as_column(entries, what)),))
    return SystemInput(
        name,
        tuple(
            os.fspath(run)
            if isinstance(run, (str, os.PathLike))
            else InMemoryText(f"{name}, run {number}", as_column(run, f"{what}, run {number}"))
            for number, run in enumerate(entries, start=1)
        ),
    )


# --- references and sources ---------------------------------------------------------------------------------


def _references(references: Any, segments: int | None, strings: Strings | None) -> tuple[Text, ...]:
    if isinstance(references, (str, os.PathLike)):
        return (os.fspath(references),)
    if isinstance(references, Mapping):
        return tuple(
            _text(value, str(name), f"reference '{name}'", strings) for name, value in references.items()
        )
    table = streamed_table(references, "references")
    if names := columns_of_table(references, "references") if table is None else table.columns:
        return tuple(_of_table(table or references, name, "reference") for name in names)
    if not isinstance(references, References) and references is not None and not is_column(references):
        references = listed(references, "references")
        if any(isinstance(entry, os.PathLike) for entry in references) or _are_all_files(references, strings):
            return _all_files(references)
    if references is None or (isinstance(references, (list, tuple)) and not references):
        return ()
    found = isinstance(references, References)
    return _held_references(references.columns if found else reference_columns(references, segments))


def _are_all_files(references: Sequence[Any], strings: Strings | None) -> bool:
    strings_only = bool(references) and all(isinstance(entry, str) for entry in references)
    return strings_only and are_files(references, "references", strings)


def _held_references(columns: Sequence[Column]) -> tuple[InMemoryText, ...]:
    if len(columns) == 1:
        return (InMemoryText(_ONE_REFERENCE, columns[0]),)
    return tuple(
        InMemoryText(f"reference {number}", column) for number, column in enumerate(columns, start=1)
    )


def _all_files(entries: Sequence[Any]) -> tuple[str, ...]:
    for entry in entries:
        if not isinstance(entry, (str, os.PathLike)):
            raise WrongType(f"references: got {kind_of(entry)} among files, expected the path of a file.")
    return tuple(os.fspath(entry) for entry in entries)


def _source_text(sources: Any, segments: int | None, strings: Strings | None) -> Text:
    """A list of words that name no file is neither files nor segments, unless it is as long as the systems."""
    try:
        return _text(sources, SOURCES, SOURCES, strings)
    except MissingFile as error:
        if segments is None or not isinstance(sources, (list, tuple)) or len(sources) == segments:
            raise
        entries = "1 entry" if len(sources) == 1 else f"{len(sources):,} entries"
        raise LengthMismatch(
            f"{SOURCES}: got {entries}, expected {segments:,} segments, one source per segment. ({error})"
        ) from None


def _text(value: Any, name: str, what: str, strings: Strings | None) -> Text:
    """A single text: a file, or segments."""
    if isinstance(value, StreamedText):
        return value
    if isinstance(value, (str, os.PathLike)):
        return str(os.fspath(value))
    if not is_column(value) and not columns_of_table(value, what):
        entries = listed(value, what)
        if len(entries) == 1 and isinstance(entries[0], os.PathLike):
            return str(os.fspath(entries[0]))
        if entries and all(isinstance(entry, str) for entry in entries) and are_files(entries, what, strings):
            if len(entries) > 1:
                raise BadInput(f"{what}: got {len(entries)} files, expected one.")
            return str(entries[0])
        value = entries
    return InMemoryText(name, as_column(value, what))


# --- tables -------------------------------------------------------------------------------------------------


def _roles(names: Sequence[Any]) -> dict[str, list[Any]]:
    """The roles of a table's columns by name. All columns without a known name are systems."""
    from understudy.corpus.segment_label_files import DOCUMENT_NAMES, DOMAIN_NAMES
    from understudy.corpus.tables import USUAL_NAMES, USUAL_REFERENCE

    roles: dict[str, list[Any]] = {
        role: [] for role in ("system", "reference", "source", "document", "domain")
    }
    for name in names:
        text = str(name).lower()
        if USUAL_REFERENCE.fullmatch(text):
            roles["reference"].append(name)
        elif text in USUAL_NAMES["source"]:
            roles["source"].append(name)
        elif text in DOCUMENT_NAMES:
            roles["document"].append(name)
        elif text in DOMAIN_NAMES:
            roles["domain"].append(name)
        else:
            roles["system"].append(name)
    return roles


def _in_its_role(role: str, given: Any, table: Any, columns: Sequence[Any]) -> Any:
    """The given value, or the table's column for this role."""
    if not columns:
        return given
    if given is not None:
        raise BadInput(
            f"{role}: given twice, as an argument and as column {columns[0]!r} of the table. Omit one of them."
        )
    if isinstance(table, StreamedTable):
        if role in ("documents", "domains"):
            return table.labels(columns[0], role)
        texts = {name: StreamedText(name, table, name) for name in columns}
        return texts if role == "references" else texts[columns[0]]
    if role == "references":
        if len(columns) == 1:  # possibly lists of references
            return table[columns[0]]
        return {str(name): column_of_table(table, name, "references") for name in columns}
    in_role = column_of_table if role == "sources" else labels_of_table
    return in_role(table, columns[0], role)


def _of_table(table: Any, name: Any, role: str) -> InMemoryText | StreamedText:
    if isinstance(table, StreamedTable):
        return StreamedText(name, table, name)
    return InMemoryText(str(name), column_of_table(table, name, f"{role}s"))
