"""The sentences of `../shared/trees` and `../shared/treebank`, with both kinds of tree; for tests that read them."""

from __future__ import annotations

from functools import cache

from treebank import Sentence, read_archive, sentences

from material.shared import SHARED, needs

TREES = SHARED / "trees"
TREEBANK = SHARED / "treebank" / "gum-by-sa.tar.xz"

needs_trees = needs(TREES)
needs_treebank = needs(TREEBANK)


@cache
def news() -> list[Sentence]:
    """The sentences of the four Wikinews documents."""
    return [
        sentence
        for brackets in sorted(TREES.glob("*.ptb"))
        for sentence in sentences(
            brackets.stem,
            brackets.read_text(encoding="utf-8"),
            brackets.with_suffix(".conllu").read_text(encoding="utf-8"),
        )
    ]


@cache
def treebank() -> dict[str, list[Sentence]]:
    """The sentences of the treebank by part: train, dev, test."""
    return read_archive(TREEBANK)
