"""Lossless encoding of constituency trees as dependency trees, so that a dependency parser can learn them.

Every word has a feature ``Chain``: the constituents it is the head of, from the lowest up. Every arc names the
constituent in the head's chain to which the word attaches: its label and, if the chain has that label more than once,
its number from below. For example, in ``(S (NP (PRP I)) (VP (VBD slept)))``, *slept* has the chain ``VP/S``, and *I*
has the chain ``NP`` and an arc ``S``.

Decoding produces a tree for any parser output. Inconsistent output is repaired deterministically; see `decode`.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import NamedTuple
from urllib.parse import quote, unquote

from understudy.syntax.head_rules import head_children, head_leaves
from understudy.syntax.trees import ConstituentTree, DependencyToken, DependencyTree

_ROOT = "ROOT"
_FALLBACK_LABEL = "FRAG"  # Penn's label for a fragment
_CHAIN = "Chain="
_NAMELESS = ("", "_", "dep", _ROOT)  # spaCy uses `dep` for unnamed relations


def encode(tree: ConstituentTree) -> DependencyTree:
    """The dependency tree that encodes the constituency tree.

    >>> tree = ConstituentTree.read("(S (NP (PRP I)) (VP (VBD slept)))")[0]
    >>> [(token.form, token.features, token.head, token.relation) for token in encode(tree).tokens]
    [('I', 'Chain=NP', 2, 'S'), ('slept', 'Chain=VP/S', 0, 'ROOT')]
    >>> decode(encode(tree)) == tree
    True
    """
    heads = head_children(tree)
    head_leaf = head_leaves(heads)
    leaves = tree.leaves
    number = {leaf: place for place, leaf in enumerate(leaves, 1)}
    chains: list[list[str]] = [[] for _ in leaves]
    relation_of: dict[int, str] = {}  # of a node's children other than its head
    for node in range(len(tree.labels) - 1, -1, -1):  # from below
        if tree.words[node] is None:
            chain = chains[number[head_leaf[node]] - 1]
            chain.append(tree.labels[node])
            relation_of[node] = _relation(tree.labels[node], chain.count(tree.labels[node]))
    head_of = [0] * len(leaves)
    relations = [_ROOT] * len(leaves)
    for node in range(1, len(tree.labels)):
        parent = tree.parents[node]
        if heads[parent] != node:
            word = number[head_leaf[node]] - 1
            head_of[word] = number[head_leaf[parent]]
            relations[word] = relation_of[parent]
    return DependencyTree(
        tuple(
            DependencyToken(
                form=tree.words[leaf] or "_",
                tag=tree.labels[leaf],
                head=head,
                relation=relation,
                features=_features(chain),
            )
            for leaf, head, relation, chain in zip(leaves, head_of, relations, chains, strict=True)
        )
    )


def decode(encoded: DependencyTree) -> ConstituentTree:
    """The constituency tree of an encoded tree, or the closest one.

    Output that no constituency tree corresponds to is repaired first:

    - heads that do not form a projective tree: by `mended`;
    - an arc that names a label missing from its head's chain: the highest constituent that no arc names, except the
      lowest of all, takes that label, or else a new constituent is added at the top. If the chain has the label, but
      too few times, one more is added directly above. An arc without a name attaches to the highest constituent;
    - on each side of a word, a dependent attached to a lower constituent than a nearer dependent: it is raised to the
      constituent of that one;
    - a word with dependents, but with neither a chain nor named arcs: it becomes the head of a `FRAG`. A word without
      a tag gets the tag `X`.
    """
    tokens = mended(encoded.tokens)
    dependents: list[list[int]] = [[] for _ in range(len(tokens) + 1)]
    for number, token in enumerate(tokens, 1):
        dependents[token.head].append(number)
    labels: list[str] = []
    parents: list[int] = []
    words: list[str | None] = []
    # A word is written as its chain from the top down, with the other children of each constituent to the left and
    # right of the next lower one. An entry of the stack is a word, or the rest of a word's chain (its negated number),
    # with its parent.
    waiting: list[tuple[int, int]] = [(dependents[0][0], -1)]
    rest: dict[int, list[_Level]] = {}
    while waiting:
        number, parent = waiting.pop()
        if number > 0:
            levels = rest[number] = _levels(number, tokens, dependents[number])
        else:
            number = -number
            levels = rest[number]
        while levels:
            label, left, right = levels.pop()
            labels.append(label)
            parents.append(parent)
            words.append(None)
            parent = len(labels) - 1
            if right:
                waiting.extend([(child, parent) for child in reversed(right)])
            if left:
                waiting.append((-number, parent))
                waiting.extend([(child, parent) for child in reversed(left)])
                break
        else:
            token = tokens[number - 1]
            labels.append(token.tag if token.tag not in ("", "_") else "X")
            parents.append(parent)
            words.append(token.form)
    return ConstituentTree(tuple(labels), tuple(parents), tuple(words))


class _Level(NamedTuple):
    """A constituent in a word's chain, and the words attached to it to the left and right of that word."""

    label: str
    left: Sequence[int]
    right: Sequence[int]


def _levels(number: int, tokens: Sequence[DependencyToken], dependents: Sequence[int]) -> list[_Level]:
    """The chain of a word, from below."""
    features = tokens[number - 1].features
    if not dependents:
        return [_Level(label, (), ()) for label in _chain(features)]
    # Dependents to the left of `left`, and from `right` on, are not attached to a constituent yet.
    left = right = bisect(dependents, number)
    relations = [tokens[child - 1].relation for child in dependents]
    levels = []
    for label, count_left, count_right in _shape(features, (*relations[:left],), (*relations[left:],)):
        levels.append(
            _Level(label, dependents[left - count_left : left], dependents[right : right + count_right])
        )
        left -= count_left
        right += count_right
    return levels


# Few distinct values: fewer than 900 for 11,500 words with dependents in 1,000 sentences.
@lru_cache(maxsize=1 << 14)
def _shape(features: str, left: tuple[str, ...], right: tuple[str, ...]) -> tuple[tuple[str, int, int], ...]:
    """The chain of a word with these features and arcs to its left and right, from below; and the number of
    dependents on each side attached to each constituent.
    """
    named_left = [_label_and_number(relation) for relation in reversed(left)]  # the nearest first
    named_right = [_label_and_number(relation) for relation in right]
    chain = _completed(_chain(features), named_left + named_right)
    left_places, right_places = (
        list(accumulate((_place(chain, label, times) for label, times in named), max))
        for named in (named_left, named_right)
    )
    return tuple(
        (label, left_places.count(place), right_places.count(place)) for place, label in enumerate(chain)
    )


def _completed(chain: Sequence[str], named: Sequence[tuple[str, int]]) -> Sequence[str]:
    """The chain, completed with constituents that arcs name but it lacks."""
    if all(chain.count(label) >= number for label, number in named):  # the most frequent case
        return chain
    found = list(chain)
    labels = {label for label, _ in named}
    for label, number in named:
        if label in found:
            if found.count(label) < number:
                found.insert(len(found) - found[::-1].index(label), label)
        elif label not in _NAMELESS:
            unnamed = [place for place, other in enumerate(found) if place and other not in labels]
            if unnamed:
                found[unnamed[-1]] = label
            else:
                found.append(label)
    return found or [_FALLBACK_LABEL]


def _place(chain: Sequence[str], label: str, number: int) -> int:
    places = [place for place, other in enumerate(chain) if other == label]
    return places[min(number, len(places)) - 1] if places else len(chain) - 1


# There are few distinct labels, relations and chains but many words, so each is parsed once.


@cache
def _relation(label: str, number: int) -> str:
    return _quoted(label) if number == 1 else f"{_quoted(label)}:{number}"


@cache
def _label_and_number(relation: str) -> tuple[str, int]:
    label, _, number = relation.partition(":")
    return unquote(label), max(int(number), 1) if number.isdecimal() else 1


def _features(chain: Sequence[str]) -> str:
    return _CHAIN + "/".join(map(_quoted, chain)) if chain else "_"


@cache
def _chain(features: str) -> tuple[str, ...]:
    for feature in features.split("|"):
        if feature.startswith(_CHAIN):
            return tuple(unquote(label) for label in feature.removeprefix(_CHAIN).split("/") if label)
    return ()


@cache
def _quoted(label: str) -> str:
    """The label without the characters that have a meaning in features and relations."""
    return quote(label, safe="$-")


def without_idle_repetitions(encoded: DependencyTree) -> DependencyTree:
    """The tree without constituents whose only child has the same label, such as `(NP (NP ...))`.

    For predicted trees. In treebanks such constituents are rare (0.1% in GUM), so a chain that contains one is almost
    always wrong.
    """
    named: dict[tuple[int, str], int] = {}
    for token in encoded.tokens:
        label, number = _label_and_number(token.relation)
        named[token.head, label] = max(number, named.get((token.head, label), 1))
    tokens = []
    for place, token in enumerate(encoded.tokens, 1):
        chain = _chain(token.features)
        kept: list[str] = []
        for label in chain:
            if not kept or kept[-1] != label or kept.count(label) < named.get((place, label), 1):
                kept.append(label)
        tokens.append(token if len(kept) == len(chain) else token._replace(features=_features(kept)))
    return DependencyTree(tuple(tokens))


def mended(tokens: Sequence[DependencyToken]) -> list[DependencyToken]:
    """The words with heads that form one projective tree; unchanged if they already do.

    The first word without a head is the root (the first word, if all have a head). Other words without a head and the
    first word of every cycle become its dependents. Then every arc over a word that is not a descendant of the arc's
    head is moved to the head's head, all at once, until there is none (Nivre and Nilsson 2005, "lifting"). A moved
    arc loses its label, which referred to another head.
    """
    count = len(tokens)
    heads = [0, *(token.head if 0 < token.head <= count else 0 for token in tokens)]
    roots = [number for number in range(1, count + 1) if heads[number] in (0, number)]
    root = roots[0] if roots else 1
    for number in (*roots, root):
        heads[number] = root
    heads[root] = 0
    for number in _first_of_circles(heads):
        heads[number] = root
    while lifted := _crossing(heads):
        for number, head in [(number, heads[heads[number]]) for number in lifted]:
            heads[number] = head
    return [
        token if token.head == head else token._replace(head=head, relation="_" if head else _ROOT)
        for token, head in zip(tokens, heads[1:], strict=True)
    ]


def _first_of_circles(heads: Sequence[int]) -> list[int]:
    """The lowest word number of every cycle of heads; `heads[0]` stands for the root and is ignored."""
    found = []
    seen = [0] * len(heads)  # the word from which each word was first reached
    for start in range(1, len(heads)):
        number = start
        while number and not seen[number]:
            seen[number] = start
            number = heads[number]
        if number and seen[number] == start:
            circle = [number]
            while heads[circle[-1]] != number:
                circle.append(heads[circle[-1]])
            found.append(min(circle))
    return found


def _crossing(heads: Sequence[int]) -> list[int]:
    """The words whose arc crosses a word that is not a descendant of their head; `heads` is a tree."""
    children: list[list[int]] = [[] for _ in heads]
    for number in range(1, len(heads)):
        children[heads[number]].append(number)
    order = [0]
    for number in order:  # grows during the loop; parents come before children
        order.extend(children[number])
    size, first, last = [1] * len(heads), list(range(len(heads))), list(range(len(heads)))
    for number in reversed(order[1:]):
        head = heads[number]
        size[head] += size[number]
        first[head] = min(first[head], first[number])
        last[head] = max(last[head], last[number])
    gaps = {number for number in order[1:] if last[number] - first[number] + 1 > size[number]}
    if not gaps:
        return []
    entered, left = _intervals(children)
    return [
        number
        for number in order[1:]
        if (head := heads[number]) in gaps
        and any(
            not entered[head] <= entered[between] < left[head]
            for between in range(min(number, head) + 1, max(number, head))
        )
    ]


def _intervals(children: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """Entry and exit times of every word in a depth-first traversal; words visited in between are its descendants."""
    entered, left = [0] * len(children), [0] * len(children)
    time = 0
    waiting = [0]
    while waiting:
        number = waiting.pop()
        if number < 0:
            left[~number] = time
            continue
        entered[number] = time
        time += 1
        waiting.append(~number)
        waiting.extend(children[number])
    return entered, left
