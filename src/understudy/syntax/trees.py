"""Constituency and dependency trees in flat form, and their text formats.

Nothing here recurses: a tree may be thousands of levels deep.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from understudy import _core
from understudy.corpus.parsed_column import BRACKETS
from understudy.errors import BadInput

# Escapes for brackets in words (Bies et al. 1995).
_ESCAPED = {"(": "-LRB-", ")": "-RRB-"}


@dataclass(frozen=True)
class ConstituentTree:
    """A constituency tree: its nodes in preorder.

    >>> tree = ConstituentTree.read("(S (NP (PRP I)) (VP (VBD slept)))")[0]
    >>> tree.labels
    ('S', 'NP', 'PRP', 'VP', 'VBD')
    >>> tree.parents
    (-1, 0, 1, 0, 3)
    >>> print(tree)
    (S (NP (PRP I)) (VP (VBD slept)))
    """

    labels: tuple[str, ...]
    parents: tuple[int, ...]  # -1 for the root, which comes first
    words: tuple[str | None, ...]  # None except at part-of-speech nodes

    @property
    def leaves(self) -> list[int]:
        """The numbers of the part-of-speech nodes, from left to right."""
        return [node for node, word in enumerate(self.words) if word is not None]

    @property
    def children(self) -> list[list[int]]:
        """For every node, the numbers of its children from left to right."""
        found: list[list[int]] = [[] for _ in self.labels]
        for node in range(1, len(self.parents)):
            found[self.parents[node]].append(node)
        return found

    def without_empty_constituents(self) -> ConstituentTree:
        """The tree without empty constituents, which have no head; an empty tree if there are no words.

        >>> print(ConstituentTree.read("(S (NP) (VP (VBD slept)))")[0].without_empty_constituents())
        (S (VP (VBD slept)))
        """
        kept = [word is not None for word in self.words]
        for node in range(len(kept) - 1, 0, -1):  # children come after their parents
            kept[self.parents[node]] |= kept[node]
        if all(kept):
            return self
        places = [place - 1 for place in accumulate(kept)]
        nodes = [node for node, worded in enumerate(kept) if worded]
        return ConstituentTree(
            tuple(self.labels[node] for node in nodes),
            tuple(places[self.parents[node]] if node else -1 for node in nodes),
            tuple(self.words[node] for node in nodes),
        )

    def __str__(self) -> str:
        """The tree as Penn brackets on one line."""
        parts: list[str] = []
        open_nodes: list[int] = []
        for node, (label, parent, word) in enumerate(zip(self.labels, self.parents, self.words, strict=True)):
            while open_nodes and open_nodes[-1] != parent:
                open_nodes.pop()
                parts.append(")")
            parts.append(f" ({label}" if node else f"({label}")
            open_nodes.append(node)
            if word is not None:
                parts.append(f" {_escaped(word)}")
        parts.append(")" * len(open_nodes))
        return "".join(parts)

    @classmethod
    def read(cls, text: str) -> list[ConstituentTree]:
        """The trees of a text in Penn brackets; core/tree/forest.h says what is omitted.

        >>> [len(tree.labels) for tree in ConstituentTree.read("(NN dog) (S (NP (PRP I)))")]
        [1, 3]
        """
        nodes = _core.tree_nodes(text, BRACKETS)
        if isinstance(nodes, tuple):
            offset, what = nodes
            raise BadInput(f"brackets: {what}, at character {offset + 1} of {text[:60]!r}.")
        starts = [number for number, (_, _, parent) in enumerate(nodes) if parent < 0]
        ends = [*starts[1:], None]
        return [
            cls._of_nodes(nodes[start:end], start) for start, end in zip(starts, ends, strict=bool(starts))
        ]

    @classmethod
    def _of_nodes(cls, nodes: Sequence[tuple[str, str | None, int]], start: int) -> ConstituentTree:
        """The tree of the nodes from `start` on."""
        labels, words, parents = zip(*nodes, strict=True)
        return cls(
            labels,
            tuple(max(parent - start, -1) for parent in parents),
            tuple(None if word is None else _unescaped(word) for word in words),
        )


class DependencyToken(
    NamedTuple
):  # immutable like the others, but three times as fast to create, once per word
    """A word of a dependency tree and the arc to its head."""

    form: str
    lemma: str = "_"
    tag: str = "_"  # language-specific tag, XPOS
    coarse: str = "_"  # universal tag, UPOS
    head: int = 0  # the number of the head, counted from 1; 0 for the root
    relation: str = "_"
    features: str = "_"
    space_after: bool = True


@dataclass(frozen=True)
class DependencyTree:
    """A dependency tree: its words in order.

    >>> tree = DependencyTree((DependencyToken("I", head=2), DependencyToken("slept", space_after=False)))
    >>> print(str(tree).replace("\\t", " "), end="")
    1 I _ _ _ _ 2 _ _ _
    2 slept _ _ _ _ 0 _ _ SpaceAfter=No
    >>> DependencyTree.read(str(tree)) == [tree]
    True
    """

    tokens: tuple[DependencyToken, ...]

    @property
    def heads(self) -> list[int]:
        return [token.head for token in self.tokens]

    def __str__(self) -> str:
        """The tree as lines of CoNLL-U."""
        lines = []
        for number, (form, lemma, tag, coarse, head, relation, features, space) in enumerate(self.tokens, 1):
            rest = "_" if space else "SpaceAfter=No"
            lines.append(
                f"{number}\t{form}\t{lemma}\t{coarse}\t{tag}\t{features}\t{head}\t{relation}\t_\t{rest}\n"
            )
        return "".join(lines)

    @classmethod
    def read(cls, text: str) -> list[DependencyTree]:
        """The trees of a text in CoNLL-U as written by this module: token lines, with empty lines between trees."""
        blocks = (block.splitlines() for block in re.split(r"\n{2,}", text.strip("\n")))
        return [cls(tuple(_read_token(line) for line in lines)) for lines in blocks if lines]


def written(trees: Sequence[ConstituentTree] | Sequence[DependencyTree]) -> str:
    """The trees of a segment as text, as stored and counted; empty if there are none.

    >>> written(ConstituentTree.read("(NN dog)\\n(NN cat)"))
    '(NN dog) (NN cat)'
    """
    separator = "\n" if trees and isinstance(trees[0], DependencyTree) else " "
    return separator.join(map(str, trees))


def _escaped(word: str) -> str:
    for plain, escape in _ESCAPED.items():
        word = word.replace(plain, escape)
    return word


def _unescaped(word: str) -> str:
    for plain, escape in _ESCAPED.items():
        word = word.replace(escape, plain)
    return word


def _read_token(line: str) -> DependencyToken:
    columns = line.split("\t")
    if len(columns) != 10:
        raise BadInput(f"CoNLL-U: expected 10 tab-separated columns, got {len(columns)} in {line[:60]!r}")
    _, form, lemma, coarse, tag, features, head, relation, _, rest = columns
    if not (head.isascii() and head.isdigit()):
        raise BadInput(f"CoNLL-U: expected the number of the head in column 7, got {head!r} in {line[:60]!r}")
    return DependencyToken(
        form, lemma, tag, coarse, int(head), relation, features, "SpaceAfter=No" not in rest.split("|")
    )
