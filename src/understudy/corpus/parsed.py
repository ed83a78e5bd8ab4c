"""Text segments with their trees.

A segment's trees are text, too: Penn brackets for constituents, the word lines of CoNLL-U for dependencies. A
segment may have several (one for each of its sentences), or none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import overload

from understudy import _core
from understudy._core import Column, TreeReading
from understudy.errors import BadInput

GIVEN = "given"  # who parsed it is not known

BRACKETS = TreeReading.brackets()
DEPENDENCIES = TreeReading.dependencies()
# Words of bracketed trees as they stood in the text.
_UNESCAPED = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
}  # fmt: skip


class ParsedColumn(Column):
    """A column of text that knows its trees: metrics of words read the text, those of syntax the trees.

    >>> parsed = ParsedColumn.from_brackets(["(S (NP (PRP I)) (VP (VBD slept)) (. .))"])
    >>> parsed[0]
    'I slept .'
    """

    constituents: Column | None
    dependencies: Column | None
    origin: str  # who parsed it, as in signatures

    def __init__(
        self,
        text: Column,
        *,
        constituents: Column | None = None,
        dependencies: Column | None = None,
        origin: str = GIVEN,
    ) -> None:
        super().__init__(text)
        self.constituents = constituents
        self.dependencies = dependencies
        self.origin = origin

    @classmethod
    def from_brackets(cls, segments: Iterable[str], origin: str = GIVEN) -> ParsedColumn:
        """Constituents, each segment's as Penn brackets."""
        column = Column.from_strings(segments)
        _refuse_bad(column, BRACKETS)
        text = [_words_of_brackets(column[row] or "") for row in range(len(column))]
        return cls(Column.from_strings(text), constituents=column, origin=origin)

    @classmethod
    def from_conllu(cls, segments: Iterable[str], origin: str = GIVEN) -> ParsedColumn:
        """Dependencies, each segment's as CoNLL-U."""
        column = Column.from_strings(segments)
        _refuse_bad(column, DEPENDENCIES)
        text = [text_of_conllu(column[row] or "") for row in range(len(column))]
        return cls(Column.from_strings(text), dependencies=column, origin=origin)

    @overload
    def __getitem__(self, index: int) -> str | None: ...
    @overload
    def __getitem__(self, index: slice) -> ParsedColumn: ...
    def __getitem__(self, index: int | slice) -> str | ParsedColumn | None:
        if isinstance(index, int):
            return super().__getitem__(index)
        return ParsedColumn(
            super().__getitem__(index),
            constituents=None if self.constituents is None else self.constituents[index],
            dependencies=None if self.dependencies is None else self.dependencies[index],
            origin=self.origin,
        )


def text_of_conllu(text: str) -> str:
    """The text that sentences in CoNLL-U say they are of; else their words, with spaces where they say so."""
    sentences: list[list[str]] = [[]]
    for line in text.splitlines():
        if line:
            sentences[-1].append(line)
        else:
            sentences.append([])
    return " ".join(filter(None, map(_text_of_sentence, sentences)))


def _text_of_sentence(lines: list[str]) -> str:
    text = ""
    covered = 0  # the last word that a multi-word token has written out
    for line in lines:
        if line.startswith("#"):
            name, _, value = line[1:].partition("=")
            if name.strip() == "text" and value.strip():
                return value.strip()
            continue
        number, form, *rest = line.split("\t")
        _, is_range, last = number.partition("-")
        if "." in number or (not is_range and int(number) <= covered):
            continue
        if is_range:
            covered = int(last)
        text += form if "SpaceAfter=No" in rest[-1].split("|") else f"{form} "
    return text.strip()


def _words_of_brackets(text: str) -> str:
    nodes = _core.tree_nodes(text, BRACKETS)
    assert isinstance(nodes, list), "checked before"
    return " ".join(_UNESCAPED.get(word, word) for _, word, _ in nodes if word is not None)


def _refuse_bad(column: Column, reading: TreeReading) -> None:
    bad = _core.check_trees(column, reading)
    if bad is not None:
        segment, _, offset, what = bad
        raise BadInput(f"segment {segment + 1}, character {offset + 1}: {what}.")
