"""Tree files: all trees of a text, each with its segment.

CoNLL-U: before every sentence its segment number, from 1, and its text; before the first sentence also the number of
segments and the parser. Brackets: one line per segment, `()` if it has no tree. The sentences of a segment are
consecutive.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from understudy.syntax.parsing import Parse
from understudy.syntax.trees import DependencyTree

_NO_TREE = "()"


def conllu_of(parses: Sequence[Parse], origin: str) -> Iterator[str]:
    """The file in CoNLL-U, sentence by sentence. `origin` is the parser and annotation scheme.

    >>> parse = Parse(None, "1\\tYes\\t_\\t_\\t_\\t_\\t0\\troot\\t_\\t_\\n")
    >>> print("".join(conllu_of([parse], "hand-1")).replace("\\t", " ").rstrip())
    # segments = 1
    # parser = hand-1
    # segment = 1
    # text = Yes
    1 Yes _ _ _ _ 0 root _ _
    """
    yield f"# segments = {len(parses)}\n# parser = {origin}\n"
    for number, parse in enumerate(parses, 1):
        for tree in DependencyTree.read(parse.dependencies or ""):
            yield f"# segment = {number}\n# text = {text_of(tree)}\n{tree}\n"


def brackets_of(parses: Iterable[Parse]) -> Iterator[str]:
    """The file in Penn brackets, line by line."""
    for parse in parses:
        yield f"{parse.constituents or _NO_TREE}\n"


def text_of(tree: DependencyTree) -> str:
    """The text of the words, as far as the tree records spacing."""
    return "".join(token.form + " " * token.space_after for token in tree.tokens).rstrip()
