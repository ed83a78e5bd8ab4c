"""Texts of a whole test set, of which only some segments are scored."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

from understudy.corpus.corpus_input import CorpusInput, InMemoryText, SystemInput, Text
from understudy.corpus.naming import NameCandidate, names_apart
from understudy.corpus.segment_sources import Role, open_sources
from understudy.corpus.streamed_tables import StreamedText
from understudy.corpus.test_sets.test_set import TestSet
from understudy.errors import LengthMismatch
from understudy.wording import number_of


def selected(texts: CorpusInput, test_set: TestSet) -> CorpusInput:
    """The segments of systems, references and source text that are in the selection, in memory. Each must have all
    segments of the test set; texts in memory can also be of the selection.
    """
    systems: list[tuple[NameCandidate, list[InMemoryText]]] = []
    for system in texts.systems:
        runs = [found for run in system.runs for found in _texts(run, "system", test_set)]
        if system.name is None:
            systems += [(NameCandidate(None, name, where), [text]) for name, where, text in runs]
        else:
            systems.append((NameCandidate(system.name, system.name, runs[0][1]), [text for *_, text in runs]))
    names = names_apart([candidate for candidate, _ in systems])
    return replace(
        texts,
        systems=tuple(SystemInput(name, tuple(runs)) for name, (_, runs) in zip(names, systems, strict=True)),
        references=tuple(
            text for given in texts.references for *_, text in _texts(given, "reference", test_set)
        ),
        sources=None if texts.sources is None else _texts(texts.sources, "source", test_set)[0][2],
    )


def _texts(given: Text, role: Role, test_set: TestSet) -> Sequence[tuple[str, str, InMemoryText]]:
    """Name, place and selected segments of every text in a file."""
    if isinstance(given, InMemoryText):
        if len(given.column) == len(test_set):  # such as `test_set.systems`
            return [(given.name, given.name, given)]
        return [(given.name, given.name, _selected(given, given.name, test_set))]
    found = []
    for source in [given.opened(role)] if isinstance(given, StreamedText) else open_sources(given, role=role):
        with closing(source):
            text = InMemoryText(source.name, source.take(2**62))
        found.append((source.name, source.where, _selected(text, source.where, test_set)))
    return found


def _selected(text: InMemoryText, where: str, test_set: TestSet) -> InMemoryText:
    assert test_set.rows is not None, "only called with a selection"
    if len(text.column) != test_set.whole:
        raise LengthMismatch(
            f"'{where}' has {number_of(len(text.column), 'segment')}, test set {test_set.name} {test_set.pair} has "
            f"{test_set.whole:,}. Give the whole test set; the segments with {test_set.called.selection} are selected "
            "from it."
        )
    return replace(text, column=text.column.taken(test_set.rows))
