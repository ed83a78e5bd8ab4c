"""Which parts of trees match: as many of every depth as the textbook counts, and the right ones."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from reference import trees as textbook
from reference.trees import Tree, brackets, conllu, dependency_tree
from understudy import _core
from understudy._core import TreeReading

DEPTH = 4
BRACKETS = TreeReading.brackets()
DEPENDENCIES = TreeReading.dependencies()


def random_tree(rng: random.Random, nodes: int) -> Tree:
    """Of few labels, so that parts repeat and match."""
    children: list[list[int]] = [[] for _ in range(nodes)]
    for node in range(1, nodes):
        children[rng.randrange(max(0, node - 3), node)].append(node)

    def build(node: int) -> Tree:
        return rng.choice("AB"), tuple(map(build, children[node]))

    return build(0)


def random_sentence(rng: random.Random) -> tuple[list[str], list[int]]:
    count = rng.randrange(1, 9)
    order = rng.sample(range(1, count + 1), count)
    heads = [0] * count
    for place, number in enumerate(order):
        heads[number - 1] = rng.choice(order[:place]) if place else 0
    return rng.choices(["a", "b", "c"], k=count), heads


def chains_by_end(trees: list[Tree], length: int) -> list[tuple[str, ...] | None]:
    """For every node the chain of so many words that ends there."""
    found: list[tuple[str, ...] | None] = []

    def visit(tree: Tree, above: tuple[str, ...]) -> None:
        path = (*above, tree[0])
        found.append(path[-length:] if len(path) >= length else None)
        for child in tree[1]:
            visit(child, path)

    for tree in trees:
        visit(tree, ())
    return found


def subtrees_by_top(trees: list[Tree], depth: int) -> list[Tree | None]:
    return [
        textbook.cut(node, depth) if textbook.height(node) >= depth else None
        for node in textbook.nodes(trees)
    ]


def expected_nodes(
    parts_by_node: Any, hypothesis: list[Tree], references: list[list[Tree]]
) -> list[list[int]]:
    """The first occurrences, as many as the reference has that has most."""
    by_depth = []
    for depth in range(1, DEPTH + 1):
        allowed: Counter[Any] = Counter()
        for reference in references:
            allowed |= Counter(part for part in parts_by_node(reference, depth) if part is not None)
        matching = []
        for node, part in enumerate(parts_by_node(hypothesis, depth)):
            if part is not None and allowed[part] > 0:
                allowed[part] -= 1
                matching.append(node)
        by_depth.append(matching)
    return by_depth


def found_nodes(text: str, references: list[str], reading: TreeReading, part: str) -> Any:
    return _core.matching_tree_nodes(text, references, reading=reading, part=part, max_depth=DEPTH)


@pytest.mark.parametrize(
    ("part", "parts", "by_node"),
    [
        ("subtree", textbook.subtrees, subtrees_by_top),
        ("chain", textbook.chains, chains_by_end),
    ],
)
def test_the_nodes_are_those_of_the_textbook_and_as_many_as_match(part, parts, by_node):
    rng = random.Random(8)
    for _ in range(400):
        hypothesis, *references = (
            [random_tree(rng, rng.randrange(1, 12)) for _ in range(rng.choice([0, 1, 1, 2]))]
            for _ in range(3)
        )
        written = list(map(brackets, references))
        found = found_nodes(brackets(hypothesis), written, BRACKETS, part)
        assert found == expected_nodes(by_node, hypothesis, references)
        matches, _, _ = textbook.overlap(parts, hypothesis, references, DEPTH)
        assert [len(nodes) for nodes in found] == matches
        # The other way round, of one reference.
        back = found_nodes(written[0], [brackets(hypothesis)], BRACKETS, part)
        assert [len(nodes) for nodes in back] == textbook.overlap(parts, references[0], [hypothesis], DEPTH)[
            0
        ]


def test_chains_of_dependencies():
    rng = random.Random(9)
    for _ in range(60):
        sentences = [random_sentence(rng) for _ in range(3)]
        texts = [conllu(*sentence) for sentence in sentences]
        trees, *others = (dependency_tree(*sentence) for sentence in sentences)
        found = found_nodes(texts[0], texts[1:], DEPENDENCIES, "chain")
        assert found == expected_nodes(chains_by_end, trees, others)


def test_what_is_no_tree_is_said():
    assert found_nodes("(A a)", ["(A a)", "(A a"], BRACKETS, "subtree") == (
        (0, 1, 0, "an opening bracket without a closing one")
    )


def test_words_stand_where_they_are_in_the_text():
    text = conllu(["they", "saw", "Dogs"], [2, 0, 2])
    reading = TreeReading.dependencies(letter_case="lower")
    nodes = _core.tree_nodes(text, reading)
    assert isinstance(nodes, list)
    assert [word for _, word, _ in nodes] == ["saw", "they", "Dogs"]
    places = _core.tree_word_places(text, reading)
    assert places == [text.index(word) for word in ("saw", "they", "Dogs")]
    assert _core.tree_word_places("(S (NN a) (NN))", BRACKETS) == [-1, 7, -1]
    assert _core.tree_word_places("(S", BRACKETS) == (0, "an opening bracket without a closing one")
