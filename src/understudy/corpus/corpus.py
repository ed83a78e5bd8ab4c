"""Corpus: system outputs and their references, aligned and checked.

>>> references = ["examples/reference-1.en", "examples/reference-2.en"]
>>> corpus = Corpus.read(["examples/system-strong.en"], references)
>>> corpus
<Corpus: 60 segments, 2 references, 1 system (system-strong.en)>
>>> from understudy import BLEU
>>> print(f"{BLEU().corpus(corpus['system-strong.en'], corpus.references).value:.1f}")
68.9
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from understudy._core import Column
from understudy.corpus.columns import References
from understudy.corpus.languages import common_language, language_of_name
from understudy.corpus.naming import Nameable, names_apart
from understudy.corpus.source import HeldSource, Source, names_documents, open_sources
from understudy.errors import BadInput, BadParameter, LengthMismatch, NoSegments, did_you_mean

PathLike = str | os.PathLike[str]
# Files whose names also name the systems, (name, file) pairs, or a mapping of names to files.
Systems = Iterable[PathLike | tuple[str, PathLike]] | Mapping[str, PathLike]

# Small enough for constant memory however long the files are, large enough to make the overhead per chunk negligible.
CHUNK_SEGMENTS = 8192

GIVEN_DOCUMENTS = "(documents)"  # in place of a file name, if given by the caller


@dataclass(frozen=True, eq=False)
class Corpus:
    """Systems by name, and the references of every segment, if any."""

    systems: Mapping[str, Column]
    references: References | None
    documents: Sequence[str] | None = None  # the document of every segment, from the files or the caller
    domains: Sequence[str] | None = None  # the domain of its document, likewise
    reference_names: Sequence[str] = ()  # named after their files, like systems
    language: str | None = (
        None  # the language of systems and references according to their files: a tag such as de
    )

    @classmethod
    def read(cls, systems: Systems, references: Iterable[PathLike] = ()) -> Corpus:
        """Read all files into memory."""
        return next(cls.stream(systems, references, chunk=None))

    @classmethod
    def stream(
        cls,
        systems: Systems,
        references: Iterable[PathLike] = (),
        *,
        documents: Sequence[str] | None = None,
        chunk: int | None = CHUNK_SEGMENTS,
    ) -> Iterator[Corpus]:
        """The files in consecutive parts of `chunk` segments, so that memory does not grow with their length.
        `documents` gives the document of each segment and takes precedence over the files.
        """
        with ExitStack() as opened:
            named = _open_systems(systems, opened)
            answers = _open_references(references, opened)
            if not named:
                raise BadParameter("expected at least one system.")
            sources = [*named.values(), *answers]
            known = _documents(sources) if documents is None else documents
            names = None if known is None else Column.from_strings(known)
            domains = next((source.domains for source in sources if source.domains is not None), None)
            reference_names = names_apart([Nameable(None, source.name, source.where) for source in answers])
            language = _language(list(named.values()), answers)
            count = 0
            for columns in _in_parts([*sources, *_given(documents)], chunk, systems=len(named)):
                start, count = count, count + len(columns[0])
                of_part = None if names is None else names[start:count]
                yield cls(
                    dict(zip(named, columns[: len(named)], strict=True)),
                    References(tuple(columns[len(named) : len(sources)]), of_part) if answers else None,
                    None if known is None else known[start:count],
                    None if domains is None else domains[start:count],
                    reference_names,
                    language,
                )

    @staticmethod
    def stream_references(
        references: Iterable[PathLike],
        *,
        documents: Sequence[str] | None = None,
        chunk: int | None = CHUNK_SEGMENTS,
    ) -> Iterator[References]:
        """Only the references, in the same parts."""
        with ExitStack() as opened:
            answers = _open_references(references, opened)
            known = _documents(answers) if documents is None else documents
            names = None if known is None else Column.from_strings(known)
            count = 0
            for columns in _in_parts([*answers, *_given(documents)], chunk):
                start, count = count, count + len(columns[0])
                yield References(
                    tuple(columns[: len(answers)]), None if names is None else names[start:count]
                )

    @staticmethod
    def documents_of(systems: Systems, references: Iterable[PathLike] = ()) -> Sequence[str] | None:
        """The document of every segment, if one of the files names them. Other files are not opened."""
        entries = [entry[1] if isinstance(entry, tuple) else entry for entry in _entries(systems)]
        with ExitStack() as opened:
            for role, paths in (("system", entries), ("reference", references)):
                found = _documents(_open_all(filter(names_documents, paths), role, opened))
                if found is not None:
                    return found
        return None

    def __getitem__(self, system: str) -> Column:
        if system not in self.systems:
            raise BadParameter(f"unknown system '{system}'. {did_you_mean(system, self.systems)}")
        return self.systems[system]

    def __len__(self) -> int:
        return len(next(iter(self.systems.values())))

    def __repr__(self) -> str:
        systems = len(self.systems)
        references = len(self.references.columns) if self.references else 0
        return (
            f"<Corpus: {len(self):,} segments, {references} reference{'s' if references != 1 else ''}, "
            f"{systems} system{'s' if systems != 1 else ''} ({', '.join(self.systems)})>"
        )


def read_ahead(parts: Iterator[Corpus]) -> Iterator[Corpus]:
    """The same parts. While one is processed, another thread reads the next."""
    first = next(parts)
    if len(first) < CHUNK_SEGMENTS:  # no next part; importing threads takes a while
        yield first
        yield from parts
        return
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(max_workers=1) as reader:
        waiting = reader.submit(next, parts, None)
        yield first
        while (part := waiting.result()) is not None:
            waiting = reader.submit(next, parts, None)
            yield part


def _documents(sources: list[Source]) -> list[str] | None:
    """The value from the first source that names documents."""
    return next((source.documents for source in sources if source.documents is not None), None)


def _language(systems: list[Source], references: list[Source]) -> str | None:
    """From formats and reference names: `ref.no` is Norwegian. System names are arbitrary: one does not establish a
    language, but can contradict it.
    """
    named = {source: language_of_name(source.name.partition(":")[0]) for source in (*systems, *references)}
    said = [source.language for source in (*systems, *references)]
    if not any(said) and not any(named[source] for source in references):
        return None
    return common_language([*said, *named.values()])


def _given(documents: Sequence[str] | None) -> list[Source]:
    """The documents as another source, which must have the same length."""
    return [] if documents is None else [HeldSource(GIVEN_DOCUMENTS, None, Column.from_strings(documents))]


def _entries(systems: Systems) -> Iterable[PathLike | tuple[str, PathLike]]:
    if isinstance(systems, (str, os.PathLike)):
        return [systems]
    return systems.items() if isinstance(systems, Mapping) else systems


def _in_parts(sources: list[Source], chunk: int | None, *, systems: int = 0) -> Iterator[list[Column]]:
    """The segments of all sources in parallel. The first `systems` sources must have text in every segment."""
    _refuse_other_order(sources)
    count = 0
    while True:
        columns = [source.take(chunk or 2**62) for source in sources]
        lengths = [len(column) for column in columns]
        if len(set(lengths)) > 1:
            _refuse_lengths(sources, [count + length for length in lengths], chunk, columns)
        if lengths[0] == 0:
            break
        count += lengths[0]
        _refuse_absent(sources[:systems], columns, count - lengths[0])
        yield columns
        if chunk is None:
            break
    if count == 0:
        raise NoSegments(f"'{sources[0].where}' has no segments. Is the file empty?")


def _open_systems(systems: Systems, opened: ExitStack) -> dict[str, Source]:
    """Systems by their names."""
    found: list[tuple[str | None, Source]] = []
    for entry in _entries(systems):
        given, path = entry if isinstance(entry, tuple) else (None, entry)
        sources = _open_all([path], "system", opened)
        if given is not None and len(sources) != 1:
            raise BadInput(
                f"'{os.fspath(path)}' contains {len(sources)} systems, which cannot all be named '{given}'. "
                f"Select one, e.g. '{sources[0].where}', or omit the name."
            )
        found += [(given, source) for source in sources]

    names = names_apart([Nameable(given, source.name, source.where) for given, source in found])
    return dict(zip(names, (source for _, source in found), strict=True))


def _open_references(references: Iterable[PathLike], opened: ExitStack) -> list[Source]:
    """The same text given twice is not a second reference, but the signature would count it as one."""
    sources = _open_all(references, "reference", opened)
    seen: dict[str, Source] = {}
    for source in sources:
        earlier = seen.setdefault(os.path.realpath(source.origin), source)
        if earlier is not source:
            also = "" if earlier.where == source.where else f", first as '{earlier.where}'"
            raise BadInput(f"reference '{source.where}' is given twice{also}.")
    return sources


def _open_all(paths: Iterable[PathLike], role: str, opened: ExitStack) -> list[Source]:
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    sources: list[Source] = []
    for path in paths:
        for source in open_sources(path, role=role):  # type: ignore[arg-type]
            opened.callback(source.close)
            sources.append(source)
    return sources


def _refuse_other_order(sources: list[Source]) -> None:
    """Formats with document and segment names must agree in names and order, which a count alone would not detect.
    They are not reordered here, because labels and plain text files follow the order of lines.
    """
    labelled = [source for source in sources if source.documents is not None]
    for other in labelled[1:]:
        first = labelled[0]
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


def _first_difference(expected: list[str] | None, got: list[str] | None) -> tuple[int, str, str] | None:
    pairs = zip(expected or [], got or [], strict=False)  # lengths are compared later
    return next(((row, one, other) for row, (one, other) in enumerate(pairs) if one != other), None)


def _refuse_lengths(
    sources: list[Source], counts: list[int], chunk: int | None, columns: list[Column]
) -> None:
    """An error that names two inputs of different lengths, with their total lengths. `columns` are their last parts."""
    if chunk is not None:
        for index, source in enumerate(sources):
            while rest := len(source.take(chunk)):
                counts[index] += rest
    if sources[-1].where == GIVEN_DOCUMENTS and len(set(counts[:-1])) == 1:
        raise LengthMismatch(
            f"document labels: {counts[-1]:,} segment{'s' if counts[-1] != 1 else ''}, '{sources[0].where}' has "
            f"{counts[0]:,}. Entry or line i must be the document of segment i."
        )
    usual = max(reversed(counts), key=counts.count)  # the most common length; of two sources, the reference's
    other = counts.index(usual)
    odd = next(index for index, count in enumerate(counts) if count != usual)
    shorter = min(odd, other, key=lambda index: counts[index])
    if any("\r" in (columns[shorter][row] or "") for row in range(len(columns[shorter]))):
        hint = f"Only LF ends a line, but '{sources[shorter].where}' has CR within lines. Replace CR with LF."
    elif abs(counts[odd] - counts[other]) == 1:
        hint = "Was the last line lost?"
    else:
        hint = "Line i of every file must be segment i."
    raise LengthMismatch(
        f"'{sources[odd].where}' has {counts[odd]:,} segment{'s' if counts[odd] != 1 else ''}, "
        f"'{sources[other].where}' has {counts[other]:,}. {hint}"
    )


def _refuse_absent(systems: list[Source], columns: list[Column], before: int) -> None:
    for source, column in zip(systems, columns, strict=False):
        for row in column.absent_rows():
            raise BadInput(f"'{source.where}': segment {before + row + 1} has no translation.")
