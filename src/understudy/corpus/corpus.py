"""Corpus: system outputs and their references, aligned and checked. Every verb accepts one.

>>> references = ["examples/reference-1.en", "examples/reference-2.en"]
>>> corpus = Corpus(["examples/system-strong.en"], references)
>>> corpus
<Corpus: 60 segments, 2 references, 1 system (system-strong.en)>
>>> Corpus({"nmt": ["The cat sat.", "It rained."]}, ["A cat sat.", "It was raining."])
<Corpus: 2 segments, 1 reference, 1 system (nmt)>
>>> from understudy import BLEU
>>> print(f"{BLEU().corpus(corpus['system-strong.en'], corpus.references).value:.1f}")
68.9
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from understudy._core import Column
from understudy.corpus.columns import References
from understudy.corpus.corpus_input import SOURCES, CorpusInput, InMemoryText, SystemInput, corpus_input
from understudy.corpus.files_or_texts import Strings
from understudy.corpus.parallel_sources import (
    OpenedSources,
    documents_of_files,
    given_documents,
    in_parts,
    open_references,
)
from understudy.errors import BadParameter, did_you_mean
from understudy.settings import check_name
from understudy.wording import number_of

if TYPE_CHECKING:
    from understudy.corpus.segment_label_files import Labeling
    from understudy.corpus.test_sets.test_set import NamedSet

# Small enough for constant memory however long the files are, large enough to make the overhead per chunk negligible.
CHUNK_SEGMENTS = 8192


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Corpus:
    """Systems by name, and the references of every segment, if any. A corpus keeps the statistics counted for it, so
    that several verbs read and count only once.
    """

    systems: Mapping[str, Column]  # by name; several training runs are named 'NAME, run 1', ...
    references: References | None
    runs: Mapping[str, tuple[str, ...]]  # by system: the names of its training runs in `systems`
    sources: Column | None = None
    documents: tuple[str, ...] | None = None  # the document of every segment, from the files or the caller
    domains: tuple[str, ...] | None = None  # the domain of its document, likewise
    labels: tuple[Labeling, ...] = ()  # other labels of every segment
    reference_names: tuple[str, ...] = ()  # named after their files, like systems
    language: str | None = None  # according to the files: a tag such as de
    places: tuple[str, ...] = ()  # the references as named in messages
    test_set: NamedSet | None = None  # where references and sources come from, if that has a name
    preceding: int = 0  # the number of segments before it, if it is a part of a corpus
    kept: dict[Hashable, Any] = field(default_factory=dict, compare=False)  # results computed from it, by key

    def __init__(
        self,
        systems: Any,
        references: Any = None,
        *,
        sources: Any = None,
        documents: Any = None,
        domains: Any = None,
        labels: Any = None,
    ) -> None:
        """`systems` is a mapping of names, `{"a": texts_a, "b": texts_b}`; a list of files, which name the systems; or
        a table, in which every column is a system unless it is called ref, src, document or domain. Several files, or
        several lists of segments, under one name are training runs of one system. `references[i]` holds the references
        of segment i; files and a mapping of names are also accepted.

        Texts are lists, tuples, or columns of numpy, pandas, Polars and Arrow. A string or a path is a file. A list of
        strings is files if all of them exist, and segments if they cannot be file names. Anything in between is an
        error; use `Corpus.read` for files and `Corpus.of_texts` for segments. `documents` and `domains` have one entry
        per segment; `labels` are a mapping of titles, or files.
        """
        self._take(corpus_input(systems, references, **_beside(sources, documents, domains, labels)))

    @classmethod
    def read(
        cls,
        systems: Any,
        references: Any = None,
        *,
        sources: Any = None,
        documents: Any = None,
        domains: Any = None,
        labels: Any = None,
    ) -> Corpus:
        """The same; every string is a file path."""
        return cls._of(systems, references, "files", **_beside(sources, documents, domains, labels))

    @classmethod
    def of_texts(
        cls,
        systems: Any,
        references: Any = None,
        *,
        sources: Any = None,
        documents: Any = None,
        domains: Any = None,
        labels: Any = None,
    ) -> Corpus:
        """The same; every list of strings is segments.

        >>> Corpus.of_texts({"short": ["Yes", "No"]}, ["Yes", "Nope"])
        <Corpus: 2 segments, 1 reference, 1 system (short)>
        """
        return cls._of(systems, references, "texts", **_beside(sources, documents, domains, labels))

    @classmethod
    def stream(
        cls,
        systems: Any,
        references: Any = None,
        *,
        sources: Any = None,
        documents: Sequence[str] | None = None,
        chunk: int | None = CHUNK_SEGMENTS,
    ) -> Iterator[Corpus]:
        """The files in consecutive parts of `chunk` segments, so that memory does not grow with their length.
        `documents` gives the document of each segment and takes precedence over the files.
        """
        return parts_of(corpus_input(systems, references, sources=sources, documents=documents), chunk)

    def __getitem__(self, system: str) -> Column:
        check_name("system", system)
        if system not in self.systems:
            raise BadParameter(f"unknown system '{system}'. {did_you_mean(system, self.systems)}")
        return self.systems[system]

    def __len__(self) -> int:
        return len(next(iter(self.systems.values())))

    def __repr__(self) -> str:
        systems = len(self.runs)
        references = len(self.references.columns) if self.references else 0
        return (
            f"<Corpus: {number_of(len(self), 'segment')}, {number_of(references, 'reference')}, "
            f"{number_of(systems, 'system')} ({', '.join(self.runs)})>"
        )

    def as_input(self) -> CorpusInput:
        """Its texts as input for another corpus."""
        columns = () if self.references is None else self.references.columns
        return CorpusInput(
            tuple(SystemInput(run, (InMemoryText(run, column),)) for run, column in self.systems.items()),
            tuple(InMemoryText(*named) for named in zip(self.reference_names, columns, strict=True)),
            None if self.sources is None else InMemoryText(SOURCES, self.sources),
            documents=self.documents,
            test_set=self.test_set,
        )

    def __getstate__(self) -> dict[str, Any]:
        """A view of a dictionary, which nobody can change, cannot be pickled either."""
        return {**vars(self), "systems": dict(self.systems), "runs": dict(self.runs)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        views = {name: MappingProxyType(state[name]) for name in ("systems", "runs")}
        vars(self).update({**state, **views})

    @classmethod
    def of_input(cls, given: CorpusInput) -> Corpus:
        """The corpus of arguments that are already classified as files or texts."""
        made = cls.__new__(cls)
        made._take(given)
        return made

    @classmethod
    def _of(cls, systems: Any, references: Any, strings: Strings, **others: Any) -> Corpus:
        return cls.of_input(corpus_input(systems, references, strings=strings, **others))

    def _take(self, given: CorpusInput) -> None:
        from understudy.corpus.segment_label_files import called_documents, check_labels

        whole = next(parts_of(given, None))
        for labeling in given.labels:
            check_labels(labeling.title, labeling.labels, len(whole), labeling.file)
        if given.domains is not None:
            check_labels("domains", given.domains, len(whole))
        vars(self).update(vars(whole), labels=given.labels)
        called = called_documents(given.labels)
        if given.documents is None and called is not None:
            named = Column.from_strings(called)
            references = self.references and replace(self.references, documents=named)
            vars(self).update(documents=called, references=references)


def as_corpus(systems: Any, references: Any = None, **others: Any) -> Corpus:
    """The corpus itself, or a new one made of the arguments."""
    if not isinstance(systems, Corpus):
        return Corpus(systems, references, **others)
    for what, value in {"references": references, **others}.items():
        if value is not None and not (isinstance(value, (list, tuple)) and len(value) == 0):
            raise BadParameter(f"{what}: already part of the corpus. Use Corpus(..., {what}=...) instead.")
    return systems


def parts_of(given: CorpusInput, chunk: int | None) -> Iterator[Corpus]:
    """The input in consecutive parts of `chunk` segments; None: in one part."""
    with ExitStack() as opened:
        sources = OpenedSources.of(given, opened)
        known, domains = sources.documents, sources.domains
        systems, answers = len(sources.systems), len(sources.references)
        shared = {
            "runs": MappingProxyType(sources.runs),
            "labels": (),
            "reference_names": tuple(sources.reference_names),
            "language": sources.language,
            "places": tuple(sources.reference_places),
            "test_set": given.test_set,
        }
        count = 0
        for columns in sources.in_parts(chunk):
            start, count = count, count + len(columns[0])
            documents = None if known is None else tuple(known[start:count])
            named = None if documents is None else Column.from_strings(documents)
            texts = None if sources.source_text is None else columns[systems + answers]
            part = Corpus.__new__(Corpus)
            vars(part).update(
                systems=MappingProxyType(dict(zip(sources.systems, columns[:systems], strict=True))),
                references=References(tuple(columns[systems : systems + answers]), named, texts)
                if answers
                else None,
                sources=texts,
                documents=documents,
                domains=None if domains is None else tuple(domains[start:count]),
                preceding=start,
                kept={},
                **shared,
            )
            yield part


def references_in_parts(given: CorpusInput, chunk: int | None = CHUNK_SEGMENTS) -> Iterator[References]:
    """Only the references, in the same parts."""
    with ExitStack() as opened:
        answers = open_references(given, opened)
        said = next((source.documents for source in answers if source.documents is not None), None)
        known = said if given.documents is None else given.documents
        count = 0
        for columns in in_parts([*answers, *given_documents(given)], chunk):
            start, count = count, count + len(columns[0])
            named = None if known is None else Column.from_strings(known[start:count])
            yield References(tuple(columns[: len(answers)]), named)


def with_documents(given: CorpusInput) -> CorpusInput:
    """With the documents of the files if the caller gives none. A system file may name them although no reference file
    does.
    """
    if given.documents is not None:
        return given
    return replace(given, documents=documents_of_files(given))


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


def _beside(sources: Any, documents: Any, domains: Any, labels: Any) -> dict[str, Any]:
    return {"sources": sources, "documents": documents, "domains": domains, "labels": labels}
