"""The treebank that the English model is trained on: both kinds of tree of every sentence, and the spacing."""

from __future__ import annotations

import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from understudy.syntax.trees import ConstituentTree


@dataclass(frozen=True)
class Sentence:
    """A sentence of the treebank."""

    document: str
    starts_paragraph: bool
    tree: ConstituentTree  # without function labels and without the outer ROOT; the words as in the text
    heads: tuple[int, ...]  # of Universal Dependencies
    relations: tuple[str, ...]
    space_after: tuple[bool, ...]

    @property
    def words(self) -> list[str]:
        return [word for word in self.tree.words if word is not None]

    @property
    def tags(self) -> list[str]:
        return [self.tree.labels[leaf] for leaf in self.tree.leaves]


def read_archive(path: Path) -> dict[str, list[Sentence]]:
    """The sentences of ``gum-by-sa.tar.xz`` by the part they belong to: train, dev, test."""
    with tarfile.open(path) as archive:
        texts = {
            Path(member.name).name: file.read().decode("utf-8")
            for member in archive.getmembers()
            if (file := archive.extractfile(member))
        }
    parts: dict[str, list[Sentence]] = {"train": [], "dev": [], "test": []}
    for line in texts["splits.tsv"].splitlines():
        document, part = line.split("\t")
        parts[part].extend(sentences(document, texts[f"{document}.ptb"], texts[f"{document}.conllu"]))
    return parts


def sentences(document: str, brackets: str, conllu: str) -> Iterator[Sentence]:
    """The sentences of a document given as brackets and as CoNLL-U."""
    trees = [plain(tree) for tree in ConstituentTree.read(brackets)]
    blocks = [block for block in conllu.split("\n\n") if block.strip()]
    for tree, block in zip(trees, blocks, strict=True):
        rows, spaces = _rows(block)
        forms = iter([row[1] for row in rows])
        words = tuple(None if word is None else next(forms) for word in tree.words)
        yield Sentence(
            document,
            "# newpar" in block,
            replace(tree, words=words),
            tuple(int(row[6]) for row in rows),
            tuple(row[7] for row in rows),
            tuple(spaces),
        )


def plain(tree: ConstituentTree) -> ConstituentTree:
    """The tree without an outer ROOT, and its labels without functions: NP-SBJ becomes NP."""
    top = 1 if tree.labels[0] in ("ROOT", "TOP") and tree.parents.count(0) == 1 else 0
    return ConstituentTree(
        tuple(
            label if word is not None or label.startswith("-") else label.split("-")[0].split("=")[0]
            for label, word in zip(tree.labels[top:], tree.words[top:], strict=True)
        ),
        tuple(parent - top for parent in tree.parents[top:]),
        tree.words[top:],
    )


def _rows(block: str) -> tuple[list[list[str]], list[bool]]:
    """The words of a sentence, and whether a space follows each; words written as one have none between them."""
    rows: list[list[str]] = []
    spaces: list[bool] = []
    joined_until, space_after_joined = 0, True
    for line in block.splitlines():
        if line.startswith("#") or not line:
            continue
        columns = line.split("\t")
        space = "SpaceAfter=No" not in columns[9].split("|")
        if "-" in columns[0]:
            joined_until, space_after_joined = int(columns[0].split("-")[1]), space
        elif "." not in columns[0]:
            number = int(columns[0])
            inside = number <= joined_until
            rows.append(columns)
            spaces.append(space_after_joined if number == joined_until else space and not inside)
    return rows, spaces
