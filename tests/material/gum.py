"""The sentences of `../shared/trees` and `../shared/treebank`, with both kinds of tree; for tests that read them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from treebank import Sentence, read_archive, sentences

TREES = Path(__file__).parents[3] / "shared" / "trees"
TREEBANK = Path(__file__).parents[3] / "shared" / "treebank" / "gum-by-sa.tar.xz"

needs_trees = pytest.mark.skipif(
    not TREES.is_dir(), reason="reads ../shared/trees, which is not part of the repository"
)
needs_treebank = pytest.mark.skipif(
    not TREEBANK.is_file(), reason="reads ../shared/treebank, which is not part of the repository"
)


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
