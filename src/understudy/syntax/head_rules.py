"""Collins' head rules: English Penn constituency trees to dependencies.

Collins (1999), *Head-Driven Statistical Models for Natural Language Parsing*, appendix A. Two details that the thesis
does not specify are taken from Bikel (2004), *Intricacies of Collins' Parsing Model*, section 3.12.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from understudy import _core
from understudy.syntax.trees import ConstituentTree, DependencyToken, DependencyTree

SCHEME = "collins"

# The table of appendix A: the direction in which the children are searched, and the labels in order of priority. Each
# label is searched for among all children before the next. If none is found, the first child in that direction is the
# head.
RULES: dict[str, tuple[str, tuple[str, ...]]] = {
    label: (side, tuple(wanted.split()))
    for label, side, wanted in (
        ("ADJP", "left", "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
        ("ADVP", "right", "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
        ("CONJP", "right", "CC RB IN"),
        ("FRAG", "right", ""),
        ("INTJ", "left", ""),
        ("LST", "right", "LS :"),
        ("NAC", "left", "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW"),
        ("PP", "right", "IN TO VBG VBN RP FW"),
        ("PRN", "left", ""),
        ("PRT", "right", "RP"),
        ("QP", "left", "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
        ("RRC", "right", "VP NP ADVP ADJP PP"),
        ("S", "left", "TO IN VP S SBAR ADJP UCP NP"),
        ("SBAR", "left", "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
        ("SBARQ", "left", "SQ S SINV SBARQ FRAG"),
        ("SINV", "left", "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
        ("SQ", "left", "VBZ VBD VBP VB MD VP SQ"),
        ("UCP", "right", ""),
        ("VP", "left", "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
        ("WHADJP", "left", "CC WRB JJ ADJP"),
        ("WHADVP", "right", "CC WRB"),
        ("WHNP", "left", "WDT WP WP$ WHADJP WHPP WHNP"),
        ("WHPP", "right", "IN TO FW"),
    )
}
# Labels without a rule: "the default rule of picking the leftmost child is used" (Bikel, section 3.12).
_DEFAULT_RULE: tuple[str, tuple[str, ...]] = ("left", ())

# The rules for noun phrases, in order: the first child with any of these labels, in this direction. Before these rules,
# a last word tagged POS is the head; after them, the last word is.
_NOUN_PHRASE_RULES: tuple[tuple[str, frozenset[str]], ...] = (
    ("right", frozenset({"NN", "NNP", "NNPS", "NNS", "NX", "POS", "JJR"})),
    ("left", frozenset({"NP"})),
    ("right", frozenset({"$", "ADJP", "PRN"})),
    ("right", frozenset({"CD"})),
    ("right", frozenset({"JJ", "JJS", "RB", "QP"})),
)


# Few distinct values: 3,062 among the 40,548 constituents of 1,983 sentences.
@lru_cache(maxsize=1 << 14)
def head_child(label: str, children: tuple[str, ...], *, base: bool = False) -> int:
    """Which of the children (their labels) is the head of a constituent with this label.

    `base`: the constituent is a noun phrase without another one in it.

    >>> head_child("S", ("NP", "VP", "."))
    1
    >>> head_child("NP", ("NP", "CC", "NP"))
    0
    """
    # Collins' parser removes punctuation from the constituents before it determines heads.
    places = [place for place, child in enumerate(children) if not _core.is_punctuation_tag(child)]
    places = places or list(range(len(children)))
    labels = [children[place] for place in places]
    head = (
        _noun_phrase_head(labels) if label == "NP" else _ruled_head(labels, *RULES.get(label, _DEFAULT_RULE))
    )
    # In a coordination, except in base noun phrases, the head moves to the child left of the conjunction (Bikel,
    # section 3.12 and figure 6).
    if head >= 2 and labels[head - 1] == "CC" and not base:
        head -= 2
    return places[head]


def _ruled_head(children: Sequence[str], side: str, wanted: Sequence[str]) -> int:
    order = _from_side(len(children), side)
    for label in wanted:
        for place in order:
            if children[place] == label:
                return place
    return order[0]


def _noun_phrase_head(children: Sequence[str]) -> int:
    last = len(children) - 1
    if children[last] == "POS":
        return last
    for side, wanted in _NOUN_PHRASE_RULES:
        for place in _from_side(len(children), side):
            if children[place] in wanted:
                return place
    return last


def _from_side(count: int, side: str) -> range:
    return range(count) if side == "left" else range(count - 1, -1, -1)


def head_children(tree: ConstituentTree) -> list[int]:
    """For every node, the number of its head child; for a part-of-speech node, the node itself.

    A noun phrase is a base one if no child is a noun phrase that is not a possessive.
    """
    children = tree.children
    labels = tree.labels
    heads = []
    for node, label in enumerate(labels):
        below = children[node]
        if not below:
            heads.append(node)
            continue
        base = label == "NP" and all(
            labels[child] != "NP" or _possessive(tree, children[child]) for child in below
        )
        heads.append(below[head_child(label, tuple([labels[child] for child in below]), base=base)])
    return heads


def _possessive(tree: ConstituentTree, children: Iterable[int]) -> bool:
    return any(tree.labels[child] == "POS" for child in children)


def head_leaves(heads: Sequence[int]) -> list[int]:
    """For every node, the number of the part-of-speech node of its headword, given the head child of each node."""
    found = list(heads)
    for node in range(len(found) - 1, -1, -1):  # children come after their parents
        found[node] = found[found[node]]
    return found


def dependencies(tree: ConstituentTree, space_after: Sequence[bool] | None = None) -> DependencyTree:
    """The dependencies of a constituency tree: in every constituent, the headwords of the other children are
    dependents of the headword of the head child.

    A relation names the three labels that Collins' dependencies consist of: of the modifier, of the parent and of the
    head child.

    >>> tree = ConstituentTree.read("(S (NP (PRP I)) (VP (VBP have) (NP (DT a) (JJ red) (NN pen))))")[0]
    >>> [(token.form, token.head, token.relation) for token in dependencies(tree).tokens]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('I', 2, 'NP/S/VP'), ('have', 0, 'root'), ('a', 5, 'DT/NP/NN'), ('red', 5, 'JJ/NP/NN'), ('pen', 2, 'NP/VP/VBP')]
    """
    tree = tree.without_empty_constituents()
    heads = head_children(tree)
    words = head_leaves(heads)
    leaves = tree.leaves
    number = {leaf: place for place, leaf in enumerate(leaves, 1)}
    head_of = [0] * len(leaves)
    relations = ["root"] * len(leaves)
    for node in range(1, len(tree.labels)):
        parent = tree.parents[node]
        if heads[parent] != node:
            word = number[words[node]] - 1
            head_of[word] = number[words[parent]]
            relations[word] = f"{tree.labels[node]}/{tree.labels[parent]}/{tree.labels[heads[parent]]}"
    return DependencyTree(
        tuple(
            DependencyToken(
                form=tree.words[leaf] or "_",
                tag=tree.labels[leaf],
                coarse=_core.coarse_tag(tree.labels[leaf]) or "X",
                head=head,
                relation=relation,
                space_after=space,
            )
            for leaf, head, relation, space in zip(
                leaves, head_of, relations, space_after or [True] * len(leaves), strict=True
            )
        )
    )
