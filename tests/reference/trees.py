"""Slow textbook versions of what is counted in trees: every subtree, chain and fragment is written out.

A tree is a pair (label, children).
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

Tree = tuple[str, tuple[Any, ...]]


def nodes(trees: list[Tree]) -> Iterator[Tree]:
    for tree in trees:
        yield tree
        yield from nodes(list(tree[1]))


def height(tree: Tree) -> int:
    return 1 + max(map(height, tree[1]), default=0)


def cut(tree: Tree, levels: int) -> Tree:
    return tree[0], tuple(cut(child, levels - 1) for child in tree[1]) if levels > 1 else ()


def subtrees(trees: list[Tree], depth: int) -> Counter[Any]:
    return Counter(cut(node, depth) for node in nodes(trees) if height(node) >= depth)


def paths(tree: Tree, length: int) -> Iterator[tuple[str, ...]]:
    """Downward from this node."""
    if length == 1:
        yield (tree[0],)
    for child in tree[1] if length > 1 else ():
        for rest in paths(child, length - 1):
            yield (tree[0], *rest)


def chains(trees: list[Tree], length: int) -> Counter[Any]:
    return Counter(path for node in nodes(trees) for path in paths(node, length))


def overlap(
    parts: Any, hypothesis: list[Tree], references: list[list[Tree]], depth: int
) -> tuple[list[int], list[int], list[int]]:
    """Matches, totals and the largest total of a reference, of the depths 1 to `depth`; `parts` lists what counts."""
    matches, totals, in_references = [], [], []
    for n in range(1, depth + 1):
        found = parts(hypothesis, n)
        known = [parts(reference, n) for reference in references]
        matches.append(sum(min(count, max(other[part] for other in known)) for part, count in found.items()))
        totals.append(sum(found.values()))
        in_references.append(max(sum(other.values()) for other in known))
    return matches, totals, in_references


def mean_precision(
    matches: list[int],
    totals: list[int],
    in_references: list[int],
    *,
    strict: bool = False,
    zero: float = 0.0,
) -> float:
    precisions = [
        (match / total if match else zero) if total else 0.0
        for match, total, other in zip(matches, totals, in_references, strict=True)
        if total or other or strict
    ]
    return sum(precisions) / len(precisions) if precisions else 0.0


def fragments_at(tree: Tree) -> list[Tree]:
    """All that start at this node with its whole production; each child then is cut off or goes on likewise."""
    if not tree[1]:
        return []
    grown = [[(child[0], ()), *fragments_at(child)] for child in tree[1]]
    return [(tree[0], children) for children in itertools.product(*grown)]


def fragments(trees: list[Tree], *, single_nodes: bool = False) -> Counter[Tree]:
    found = Counter(fragment for node in nodes(trees) for fragment in fragments_at(node))
    if single_nodes:
        found.update((node[0], ()) for node in nodes(trees))
    return found


def productions(tree: Tree) -> int:
    return sum(1 for node in nodes([tree]) if node[1])


def kernel(first: list[Tree], second: list[Tree], *, decay: float = 1.0, single_nodes: bool = False) -> float:
    ours, theirs = (fragments(trees, single_nodes=single_nodes) for trees in (first, second))
    return math.fsum(
        decay ** productions(fragment) * count * theirs[fragment] for fragment, count in ours.items()
    )


def cosine(first: list[Tree], second: list[Tree], **choices: Any) -> float:
    squares = kernel(first, first, **choices) * kernel(second, second, **choices)
    if squares == 0:
        return float(bool(first) and first == second)
    return kernel(first, second, **choices) / math.sqrt(squares)


# --- the same trees as text ----------------------------------------------------------------------------------


def brackets(trees: list[Tree]) -> str:
    def one(tree: Tree) -> str:
        return f"({' '.join([tree[0], *map(one, tree[1])])})"

    return " ".join(map(one, trees))


def dependency_tree(words: list[str], heads: list[int]) -> list[Tree]:
    def below(head: int) -> list[Tree]:
        return [
            (words[number - 1], tuple(below(number))) for number, own in enumerate(heads, 1) if own == head
        ]

    return below(0)


def conllu(words: list[str], heads: list[int]) -> str:
    rows = enumerate(zip(words, heads, strict=True), 1)
    return "".join(f"{number}\t{word}\t_\t_\t_\t_\t{head}\t_\t_\t_\n" for number, (word, head) in rows)
