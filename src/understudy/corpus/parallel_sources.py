"""Systems, references and source text in parallel: opened together and checked for alignment."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from understudy._core import Column
from understudy.corpus.columns import transposed
from understudy.corpus.corpus_input import SOURCES, CorpusInput, InMemoryText, SystemInput, Text
from understudy.corpus.files import shown
from understudy.corpus.languages import common_language, language_of_name, language_tag
from understudy.corpus.naming import NameCandidate, names_apart
from understudy.corpus.segment_sources import (
    InMemorySource,
    Role,
    SegmentSource,
    names_documents,
    open_sources,
)
from understudy.corpus.streamed_tables import StreamedSource, StreamedText
from understudy.errors import BadInput, BadParameter, LengthMismatch, NoSegments
from understudy.wording import number_of

_GIVEN_DOCUMENTS = "(documents)"  # in place of a file name, if given by the caller


class _TextSource(InMemorySource):
    """Segments in memory, as given by the caller."""

    def __init__(self, text: InMemoryText) -> None:
        super().__init__(text.name, None, text.column)
        self.name = text.name  # not a file name


_GIVEN = (_TextSource, StreamedSource)  # not files


@dataclass(frozen=True, eq=False, repr=False)
class OpenedSources:
    """All sources of a corpus. The exit stack closes those that are files."""

    systems: dict[str, SegmentSource]  # by the name of the run
    runs: dict[str, tuple[str, ...]]  # by system: the names of its runs
    references: list[SegmentSource]
    source_text: SegmentSource | None
    given: CorpusInput

    @classmethod
    def of(cls, given: CorpusInput, opened: ExitStack) -> OpenedSources:
        systems, runs = _open_systems(given.systems, opened)
        references = _open_references(given.references, opened)
        source_text = None
        if given.sources is not None:
            source_text = open_source_text(given.sources, opened)
        return cls(systems, runs, references, source_text, given)

    @property
    def all(self) -> list[SegmentSource]:
        found = [*self.systems.values(), *self.references]
        return found if self.source_text is None else [*found, self.source_text]

    @property
    def documents(self) -> Sequence[str] | None:
        """The documents given by the caller, else those of the first source that names documents."""
        return self.given.documents if self.given.documents is not None else _documents(self.all)

    @property
    def domains(self) -> Sequence[str] | None:
        if self.given.domains is not None:
            return self.given.domains
        return next((source.domains for source in self.all if source.domains is not None), None)

    @property
    def reference_names(self) -> list[str]:
        return names_apart([NameCandidate(None, source.name, source.where) for source in self.references])

    @property
    def reference_places(self) -> list[str]:
        """The references as named in messages."""
        return [
            source.where if isinstance(source, _GIVEN) else shown(source.where) for source in self.references
        ]

    @property
    def language(self) -> str | None:
        """From formats and the names of reference files: `ref.no` is Norwegian. System names are arbitrary: one does
        not establish a language, but can contradict it.
        """
        if self.given.language is not None:
            return language_tag(self.given.language)
        files = [source for source in self.systems.values() if not isinstance(source, _GIVEN)]
        answers = [source for source in self.references if not isinstance(source, _GIVEN)]
        named = {source: language_of_name(source.name.partition(":")[0]) for source in (*files, *answers)}
        said = [source.language for source in (*files, *answers)]
        if not any(said) and not any(named[source] for source in answers):
            return None
        return common_language([*said, *named.values()])

    def in_parts(self, chunk: int | None) -> Iterator[list[Column]]:
        """The segments of all sources in parallel, and the documents if given."""
        return in_parts([*self.all, *given_documents(self.given)], chunk, systems=len(self.systems))


def open_references(given: CorpusInput, opened: ExitStack) -> list[SegmentSource]:
    """Only the references."""
    return _open_references(given.references, opened)


def open_source_text(text: Text, opened: ExitStack) -> SegmentSource:
    """Only the source text."""
    found, *others = _open_all([text], "source", opened)
    if others:
        raise BadInput(f"{SOURCES}: '{text}' holds {1 + len(others)} texts, expected one.")
    return found


def given_documents(given: CorpusInput) -> list[SegmentSource]:
    """The documents as another source, which must have the same length."""
    if given.documents is None:
        return []
    return [InMemorySource(_GIVEN_DOCUMENTS, None, Column.from_strings(given.documents))]


def documents_of_files(given: CorpusInput) -> Sequence[str] | None:
    """The document of every segment, if one of the files names them. Other files are not opened."""
    systems = [run for system in given.systems for run in system.runs]
    roles: list[tuple[Role, Sequence[Text]]] = [("system", systems), ("reference", given.references)]
    with ExitStack() as opened:
        for role, texts in roles:
            files = [text for text in texts if isinstance(text, str) and names_documents(text)]
            found = _documents(_open_all(files, role, opened))
            if found is not None:
                return found
    return None


def in_parts(sources: list[SegmentSource], chunk: int | None, *, systems: int = 0) -> Iterator[list[Column]]:
    """The segments of all sources in parallel. The first `systems` sources must have text in every segment."""
    _refuse_other_order(sources)
    count = 0
    while True:
        columns = [source.take(chunk or 2**62) for source in sources]
        lengths = [len(column) for column in columns]
        if len(set(lengths)) > 1:
            _refuse_lengths(sources, [count + length for length in lengths], chunk, columns, systems)
        if lengths[0] == 0:
            break
        count += lengths[0]
        _refuse_absent(sources[:systems], columns, count - lengths[0])
        yield columns
        if chunk is None:
            break
    if count == 0:
        holder = "list" if isinstance(sources[0], _GIVEN) else "file"
        raise NoSegments(f"'{sources[0].where}' has no segments. Is the {holder} empty?")


# --- opening ------------------------------------------------------------------------------------------------


def _open_systems(
    systems: Sequence[SystemInput], opened: ExitStack
) -> tuple[dict[str, SegmentSource], dict[str, tuple[str, ...]]]:
    """The runs of all systems by their names, and the names of the runs of each system."""
    if not systems:
        raise BadParameter("expected at least one system.")
    found: list[tuple[NameCandidate, list[SegmentSource]]] = []
    for system in systems:
        opened_runs = [(run, _open_all([run], "system", opened)) for run in system.runs]
        for run, sources in opened_runs:
            if system.name is not None and len(sources) != 1:
                raise BadInput(
                    f"'{run}' contains {len(sources)} systems, which cannot all be named '{system.name}'. "
                    f"Select one, e.g. '{sources[0].where}', or omit the name."
                )
        if system.name is None:
            found += [
                (NameCandidate(None, source.name, source.where), [source])
                for _, sources in opened_runs
                for source in sources
            ]
        else:
            of_runs = [source for _, sources in opened_runs for source in sources]
            found.append((NameCandidate(system.name, system.name, of_runs[0].where), of_runs))
    names = names_apart([nameable for nameable, _ in found])
    by_run: dict[str, SegmentSource] = {}
    runs: dict[str, tuple[str, ...]] = {}
    for name, (_, sources) in zip(names, found, strict=True):
        called = [name] if len(sources) == 1 else [f"{name}, run {k}" for k in range(1, len(sources) + 1)]
        for run, source in zip(called, sources, strict=True):
            if run in by_run:
                raise BadParameter(
                    f"two systems are named '{run}', one of them as a training run. Use a different name."
                )
            by_run[run] = source
        runs[name] = tuple(called)
    return by_run, runs


def _open_references(references: Sequence[Text], opened: ExitStack) -> list[SegmentSource]:
    """The same text given twice is not a second reference, but the signature would count it as one."""
    sources = _open_all(references, "reference", opened)
    seen: dict[str, SegmentSource] = {}
    for source in sources:
        if isinstance(source, _GIVEN):
            continue
        earlier = seen.setdefault(os.path.realpath(source.origin), source)
        if earlier is not source:
            also = "" if earlier.where == source.where else f", first as '{earlier.where}'"
            raise BadInput(f"reference '{source.where}' is given twice{also}. Omit one of them.")
    return sources


def _open_all(texts: Iterable[Text], role: Role, opened: ExitStack) -> list[SegmentSource]:
    sources: list[SegmentSource] = []
    for text in texts:
        if isinstance(text, InMemoryText):
            sources.append(_TextSource(text))
            continue
        if isinstance(text, StreamedText):
            sources.append(streamed := text.opened(role))
            opened.callback(streamed.close)
            continue
        for source in open_sources(text, role=role):
            opened.callback(source.close)
            sources.append(source)
    return sources


def _documents(sources: Sequence[SegmentSource]) -> Sequence[str] | None:
    """The value from the first source that names documents."""
    return next((source.documents for source in sources if source.documents is not None), None)


# --- checks -------------------------------------------------------------------------------------------------


def _refuse_other_order(sources: list[SegmentSource]) -> None:
    """Formats with document and segment names must agree in names and order, which a count alone would not detect.
    They are not reordered here, because labels and plain text files follow the order of lines.
    """
    labeled = [source for source in sources if source.documents is not None]
    for other in labeled[1:]:
        first = labeled[0]
        if differing := _first_difference(first.documents, other.documents):
            row, expected, got = differing
            raise BadInput(
                f"segment {row + 1} belongs to document '{expected}' in '{first.where}', but to '{got}' in "
                f"'{other.where}'. Both files must have the same documents in the same order."
            )
        if differing := _first_difference(first.identifiers, other.identifiers):
            row, expected, got = differing
            raise BadInput(
                f"segment {row + 1} has the id '{expected}' in '{first.where}', but '{got}' in '{other.where}'. "
                "Both files must have the same segments in the same order."
            )


def _first_difference(
    expected: Iterable[str] | None, got: Iterable[str] | None
) -> tuple[int, str, str] | None:
    if expected is got:  # of one file
        return None
    pairs = zip(expected or [], got or [], strict=False)  # lengths are compared later
    return next(((row, one, other) for row, (one, other) in enumerate(pairs) if one != other), None)


def _refuse_lengths(
    sources: list[SegmentSource], counts: list[int], chunk: int | None, columns: list[Column], systems: int
) -> None:
    """An error that names two inputs of different lengths, with their total lengths. `columns` are their last parts."""
    if chunk is not None:
        for index, source in enumerate(sources):
            while rest := len(source.take(chunk)):
                counts[index] += rest
    if sources[-1].where == _GIVEN_DOCUMENTS and len(set(counts[:-1])) == 1:
        raise LengthMismatch(
            f"document labels: {counts[-1]:,} segment{'s' if counts[-1] != 1 else ''}, '{sources[0].where}' has "
            f"{counts[0]:,}. Entry or line i must be the document of segment i."
        )
    texts = [place for place, source in enumerate(sources) if _is_source_text(source)]
    of_others = {count for place, count in enumerate(counts) if place not in texts}
    if texts and len(of_others) == 1:
        got = "1 segment" if counts[texts[0]] == 1 else f"{counts[texts[0]]:,} segments"
        raise LengthMismatch(
            f"{SOURCES}: got {got}, expected {counts[0]:,}, the number of segments of '{sources[0].where}'. Entry i "
            "must be the source of segment i."
        )
    lists = {
        count
        for source, count in zip(sources[systems:], counts[systems:], strict=True)
        if isinstance(source, _TextSource) and not _is_source_text(source)
    }
    references = sum(
        isinstance(each, _TextSource) and not _is_source_text(each) for each in sources[systems:]
    )
    if (
        references > 1 and set(counts[:systems]) == {references} and len(lists) == 1
    ):  # a column for every segment
        raise transposed(lists.pop(), references)
    usual = max(reversed(counts), key=counts.count)  # the most common length; of two sources, the reference's
    other = counts.index(usual)
    odd = next(index for index, count in enumerate(counts) if count != usual)
    shorter = min(odd, other, key=lambda index: counts[index])
    in_memory = all(isinstance(sources[index], _GIVEN) for index in (odd, other))
    if any("\r" in (columns[shorter][row] or "") for row in range(len(columns[shorter]))) and not in_memory:
        hint = f"Only LF ends a line, but '{sources[shorter].where}' has CR within lines. Replace CR with LF."
    elif in_memory and counts[0] == 1:
        hint = "For multiple references of one segment, use [[first, second]]."
    elif abs(counts[odd] - counts[other]) == 1:
        hint = "Was the last segment lost?" if in_memory else "Was the last line lost?"
    elif in_memory:
        hint = "Entry i of every list must be segment i."
    else:
        hint = "Line i of every file must be segment i."
    raise LengthMismatch(
        f"'{sources[odd].where}' has {number_of(counts[odd], 'segment')}, "
        f"'{sources[other].where}' has {counts[other]:,}. {hint}"
    )


def _is_source_text(source: SegmentSource) -> bool:
    return isinstance(source, _TextSource) and source.where == SOURCES


def _refuse_absent(systems: list[SegmentSource], columns: list[Column], before: int) -> None:
    for source, column in zip(systems, columns, strict=False):
        for row in column.absent_rows():
            raise BadInput(f"'{source.where}': segment {before + row + 1} has no translation.")
