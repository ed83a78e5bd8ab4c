"""Trees drawn as text. Nothing here recurses: a tree may be thousands of levels deep."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from understudy.errors import BadInput
from understudy.report.grid import printable
from understudy.report.terminal import display_width
from understudy.syntax.trees import ConstituentTree, DependencyTree


@dataclass(frozen=True)
class Strokes:
    """What lines are made of. The first four are of one width."""

    branch: str
    last: str
    bar: str
    gap: str
    chain: str
    more: str


BOXES = Strokes("├─ ", "└─ ", "│  ", "   ", " ─ ", " … ")
ASCII = Strokes("|- ", "`- ", "|  ", "   ", " - ", " ... ")

_ROOM_FOR_TEXT = 36  # columns that the lines of a tree leave for what stands at their ends


def draw_constituents(tree: ConstituentTree, *, strokes: Strokes = BOXES, width: int | None = None) -> str:
    """A constituent tree. A node and its only child share a line.

    >>> print(draw_constituents(ConstituentTree.read("(S (NP (PRP I)) (VP (VBD had) (NP (NN fun))))")[0]))
    S
    ├─ NP ─ PRP  I
    └─ VP
       ├─ VBD  had
       └─ NP ─ NN  fun
    """
    children = tree.children

    def chain(node: int) -> tuple[str, int]:
        labels = [printable(tree.labels[node])]
        while len(children[node]) == 1:
            node = children[node][0]
            labels.append(printable(tree.labels[node]))
        word = tree.words[node]
        return strokes.chain.join(labels) + ("" if word is None else f"  {printable(word)}"), node

    lines = _outline([0], lambda node: children[chain(node)[1]], lambda node: chain(node)[0], strokes, width)
    return "\n".join(prefix + text for prefix, text in lines)


def draw_dependencies(tree: DependencyTree, *, strokes: Strokes = BOXES, width: int | None = None) -> str:
    """A dependency tree: under each word those that depend on it, numbered by their places in the sentence."""
    if not tree.tokens:
        return ""
    children: list[list[int]] = [[] for _ in range(len(tree.tokens) + 1)]
    for number, token in enumerate(tree.tokens, 1):
        if not 0 <= token.head <= len(tree.tokens):
            raise BadInput(
                f"the head of word {number}, {token.form!r}, is {token.head}: expected 0 to {len(tree.tokens)}."
            )
        children[token.head].append(number)

    drawn: list[int] = []

    def text(number: int) -> str:
        drawn.append(number)
        return f"{number} {printable(tree.tokens[number - 1].form)}"

    lines = _outline(children[0], children.__getitem__, text, strokes, width)
    for number in sorted(set(range(1, len(tree.tokens) + 1)) - set(drawn)):
        raise BadInput(
            f"the heads of word {number}, {tree.tokens[number - 1].form!r}, form a cycle and do not reach the root."
        )
    widths = [len(prefix) + display_width(shown) for prefix, shown in lines]
    column = max(widths)
    tags = [_tag(tree, number) for number in drawn]
    relations = [printable(tree.tokens[number - 1].relation) for number in drawn]
    tag_column = max(map(len, tags))
    return "\n".join(
        f"{prefix}{shown}{' ' * (column - taken)}  {tag:{tag_column}}  {relation}"
        for (prefix, shown), taken, tag, relation in zip(lines, widths, tags, relations, strict=True)
    )


def _tag(tree: DependencyTree, number: int) -> str:
    token = tree.tokens[number - 1]
    return printable(token.tag if token.tag != "_" else token.coarse)


def _outline(
    roots: Sequence[int],
    children_of: Callable[[int], Sequence[int]],
    text_of: Callable[[int], str],
    strokes: Strokes,
    width: int | None,
) -> list[tuple[str, str]]:
    """The lines of a tree, each as its strokes and its text, from the top down.

    What would stand too far to the right is drawn below, under a number that stands in both places.
    """
    step = len(strokes.bar)
    deepest = None if width is None else max((width - _ROOM_FOR_TEXT) // step, 2)
    lines: list[tuple[str, str]] = []
    parts: list[tuple[str, Sequence[int]]] = [("", roots)]  # a part: what is put before it, and its roots
    for mark, tops in parts:  # grows meanwhile
        # Each node with the strokes before it and before its descendants.
        waiting = [(node, mark, "", 0) for node in reversed(tops)]
        while waiting:
            node, before, below, depth = waiting.pop()
            text, children = text_of(node), children_of(node)
            if children and depth == deepest:
                mark_below = f"[{len(parts)}]"
                parts.append((f"{mark_below}{strokes.more}", children))
                lines.append((before, f"{text}{strokes.more}{mark_below}"))
                continue
            lines.append((before, text))
            for child in reversed(children):
                last = child == children[-1]
                waiting.append(
                    (
                        child,
                        below + (strokes.last if last else strokes.branch),
                        below + (strokes.gap if last else strokes.bar),
                        depth + 1,
                    )
                )
    return lines
