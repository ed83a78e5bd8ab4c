"""Constituent trees as dependency trees: nothing is lost on the way, and whatever comes back is a tree."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from material.gum import needs_treebank, needs_trees, news, treebank
from understudy.syntax.encoding import decode, encode, mended, without_idle_repetitions
from understudy.syntax.trees import ConstituentTree, DependencyToken, DependencyTree

# Labels of real trees, so that rules apply, and some with characters that mean something in features and relations.
LABELS = st.sampled_from(
    ["S", "NP", "VP", "PP", "CC", "NN", "VBD", ",", "NP-SBJ=2", "A/B", "A:2", "A|B=C", "%", "é", "ROOT"]
)


@st.composite
def constituent_trees(draw) -> ConstituentTree:
    """Any tree: every node hangs on one that is still open where it begins."""
    labels, parents = [draw(LABELS)], [-1]
    open_nodes = [0]
    for node in range(1, draw(st.integers(1, 25))):
        del open_nodes[draw(st.integers(1, len(open_nodes))) :]
        labels.append(draw(LABELS))
        parents.append(open_nodes[-1])
        open_nodes.append(node)
    inner = set(parents)
    words = [None if node in inner else f"w{node}" for node in range(len(labels))]
    return ConstituentTree(tuple(labels), tuple(parents), tuple(words))


@given(constituent_trees())
def test_any_tree_comes_back(tree):
    encoded = encode(tree)
    assert decode(encoded) == tree
    # It survives being written down too.
    assert [decode(read) for read in DependencyTree.read(str(encoded))] == [tree]


@needs_trees
def test_the_news_come_back():
    assert len(news()) > 50
    assert [decode(encode(sentence.tree)) for sentence in news()] == [sentence.tree for sentence in news()]


@needs_treebank
@pytest.mark.parametrize("part", ["train", "dev", "test"])
def test_the_treebank_comes_back(part):
    trees = [sentence.tree for sentence in treebank()[part]]
    assert len(trees) > 900
    assert [decode(encode(tree)) for tree in trees] == trees


@pytest.mark.parametrize(
    "text",
    [
        "(NN dog)",
        "(NP (NN dog))",
        "(NP (NP (NP (NN dog))))",
        "(X (S (NP (PRP I)) (VP (VBD slept)) (. .)))",
        "(A " * 2_000 + "(N n)" + ")" * 2_000,
        "(S (X x) " * 2_000 + "(VB go)" + ")" * 2_000,
        "(NP " * 2_000 + "(NN n)" + " (PP of))" * 2_000,
        "(FRAG " + "(NN n) " * 2_000 + ")",
    ],
    ids=lambda text: text[:30],
)
def test_single_words_and_deep_and_wide_trees_come_back(text):
    (tree,) = ConstituentTree.read(text)
    assert decode(encode(tree)) == tree


def test_what_is_written():
    (tree,) = ConstituentTree.read(
        "(S (NP (NP (DT the) (NN dog)) (PP (IN of) (NP (NNP Ann)))) (VP (VBD slept)))"
    )
    assert [(token.form, token.features, token.head, token.relation) for token in encode(tree).tokens] == [
        ("the", "_", 2, "NP"),
        ("dog", "Chain=NP/NP", 5, "S"),
        ("of", "Chain=PP", 2, "NP:2"),
        ("Ann", "Chain=NP", 3, "PP"),
        ("slept", "Chain=VP/S", 0, "ROOT"),
    ]


def words_of(rows: str) -> DependencyTree:
    """Words from `head relation chain`, a row each; tagged T."""
    split = [row.split() for row in rows.split(",")]
    return DependencyTree(
        tuple(
            DependencyToken(
                f"w{number}", tag="T", head=int(head), relation=relation, features=f"Chain={chain}"
            )
            for number, (head, relation, chain) in enumerate(split, 1)
        )
    )


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # Right as it is.
        ("2 S NP,0 ROOT VP/S", "(S (NP (T w1)) (VP (T w2)))"),
        # Two words without a head: the first is the root.
        ("0 ROOT NP,0 ROOT VP", "(NP (T w1) (VP (T w2)))"),
        # Nobody without a head: the first word is the root.
        ("2 NP NP,1 NP PP", "(NP (T w1) (PP (T w2)))"),
        # A word that is its own head, and one whose head is not there.
        ("1 NP NP,9 NP PP", "(NP (T w1) (PP (T w2)))"),
        # A circle beside the root is cut at its first word.
        ("0 ROOT S,3 S NP,2 NP PP", "(S (T w1) (NP (T w2) (PP (T w3))))"),
        # An arc over the root: w1 is lifted from w3 to w3's head.
        ("3 NP A,0 ROOT S,2 S NP", "(S (A (T w1)) (T w2) (NP (T w3)))"),
        # An arc names a constituent that the chain lacks: at the top, or for one that no arc names.
        ("2 S NP,0 ROOT VP", "(S (NP (T w1)) (VP (T w2)))"),
        ("2 SINV NP,0 ROOT VP/S", "(SINV (NP (T w1)) (VP (T w2)))"),
        ("3 S NP,3 VP NP,0 ROOT VP", "(S (NP (T w1)) (VP (NP (T w2)) (T w3)))"),
        # The chain has it, but not so often: once more, right above.
        ("0 ROOT NP/S,1 NP:2 PP", "(S (NP (NP (T w1)) (PP (T w2))))"),
        ("2 S:7 NP,0 ROOT VP/S", "(S (NP (T w1)) (S (VP (T w2))))"),
        # An arc without a name stands highest.
        ("2 dep NP,0 ROOT VP/S", "(S (NP (T w1)) (VP (T w2)))"),
        # What is farther away stands no lower.
        ("3 VP NP,3 S NP,0 ROOT VP/S", "(S (NP (T w1)) (NP (T w2)) (VP (T w3)))"),
    ],
)
def test_what_contradicts_itself_is_mended(rows, expected):
    assert str(decode(words_of(rows))) == expected


def test_a_word_without_chain_or_tag():
    bare = DependencyTree((DependencyToken("a", head=2), DependencyToken("b")))
    assert str(decode(bare)) == "(FRAG (X a) (X b))"
    named = DependencyTree(
        (DependencyToken("a", head=2, relation="NP", tag="DT"), DependencyToken("b", tag="NN"))
    )
    assert str(decode(named)) == "(NP (DT a) (NN b))"
    assert str(decode(DependencyTree((DependencyToken("a", tag="UH"),)))) == "(UH a)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(NP (NP (NP (DT a) (NN dog))))", "(NP (DT a) (NN dog))"),
        ("(NP (NP (DT a) (NN dog)) (PP (IN of)))", "(NP (NP (DT a) (NN dog)) (PP (IN of)))"),
        ("(S (S (VP (VB go))))", "(S (VP (VB go)))"),
        ("(NP (QP (NP (NN dog))))", "(NP (QP (NP (NN dog))))"),
    ],
)
def test_idle_repetitions(text, expected):
    (tree,) = ConstituentTree.read(text)
    assert str(decode(without_idle_repetitions(encode(tree)))) == expected


CHAINS = st.sampled_from(
    ["_", "", "Chain=", "Chain=NP", "Chain=NP/NP", "Chain=VP/S", "Chain=VP/S/SBAR", "Case=Nom|Chain=NP"]
)
RELATIONS = st.sampled_from(
    ["ROOT", "", "_", "dep", "NP", "NP:2", "NP:0", "NP:x", "S", "S:99", "VP", "SBAR", "%", ":"]
)


@st.composite
def predictions(draw) -> DependencyTree:
    """What a parser could say at worst: any head, any relation, any chain."""
    count = draw(st.integers(1, 12))
    return DependencyTree(
        tuple(
            DependencyToken(
                form=f"w{number}",
                tag=draw(st.sampled_from(["NN", "VB", "", "_"])),
                head=draw(st.integers(-1, count + 1)),
                relation=draw(RELATIONS),
                features=draw(CHAINS),
            )
            for number in range(count)
        )
    )


@given(predictions())
def test_any_prediction_gives_a_tree(prediction):
    tree = decode(prediction)
    assert [word for word in tree.words if word is not None] == [token.form for token in prediction.tokens]
    assert all(0 <= parent < node for node, parent in enumerate(tree.parents) if node)
    has_children = Counter(tree.parents)
    assert all((word is None) == (has_children[node] > 0) for node, word in enumerate(tree.words))
    assert ConstituentTree.read(str(tree)) == [tree]  # so the nodes are in order, and no label is empty
    assert decode(encode(tree)) == tree


@given(predictions())
def test_mended_heads_make_a_projective_tree(prediction):
    heads = [token.head for token in mended(prediction.tokens)]
    assert heads.count(0) == 1
    for number in range(1, len(heads) + 1):
        way = [number]
        while head := heads[way[-1] - 1]:
            assert head not in way  # no circle
            way.append(head)
    arcs = [(min(number, head), max(number, head)) for number, head in enumerate(heads, 1)]
    assert not any(a < c < b < d for a, b in arcs for c, d in arcs)


def test_mending_changes_nothing_that_is_right():
    right = words_of("2 S NP,0 ROOT VP/S,2 VP NP").tokens
    assert mended(right) == list(right)


def test_mending_is_quick_enough_for_long_circles_and_crossings():
    count = 2_000
    circle = DependencyTree(
        tuple(DependencyToken("w", head=number % count + 1) for number in range(1, count + 1))
    )
    assert len(decode(circle).leaves) == count
    crossing = DependencyTree(
        tuple(DependencyToken("w", head=max(number - 2, 0)) for number in range(1, count + 1))
    )
    assert len(decode(crossing).leaves) == count
