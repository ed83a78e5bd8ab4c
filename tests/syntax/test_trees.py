"""Trees and the text they are kept as."""

from __future__ import annotations

import pytest

from understudy.errors import BadInput
from understudy.syntax.trees import ConstituentTree, DependencyToken, DependencyTree, written


@pytest.mark.parametrize(
    "text",
    [
        "(NN dog)",
        "(S (NP (PRP I)) (VP (VBD slept)) (. .))",
        "(NP (-LRB- -LRB-) (NN x) (-RRB- -RRB-))",
        "(A (B (C (D d))) (E (F f) (G g)))",
    ],
)
def test_brackets_are_read_and_written(text):
    (tree,) = ConstituentTree.read(text)
    assert str(tree) == text
    assert ConstituentTree.read(f"\n  {text}  \n") == [tree]


def test_brackets_in_words():
    (tree,) = ConstituentTree.read("(NP (NN a-LRB-s-RRB-))")
    assert tree.words == (None, "a(s)")


def test_several_trees():
    trees = ConstituentTree.read("(NN dog) (S\n (NP (PRP I)))")
    assert [tree.labels for tree in trees] == [("NN",), ("S", "NP", "PRP")]
    assert written(trees) == "(NN dog) (S (NP (PRP I)))"
    assert written([]) == ""


def test_children_and_leaves():
    (tree,) = ConstituentTree.read("(S (NP (DT a) (NN dog)) (VP (VBD slept)))")
    assert tree.children == [[1, 4], [2, 3], [], [], [5], []]
    assert tree.leaves == [2, 3, 5]


@pytest.mark.parametrize("text", ["(S (NN dog)", "(NN dog))", "dog", "(NN dog) cat"])
def test_brackets_that_do_not_match(text):
    with pytest.raises(
        BadInput, match=r"brackets: an? (opening bracket|closing bracket|word) .* at character"
    ):
        ConstituentTree.read(text)


def test_a_deep_tree():
    text = "(A " * 2_000 + "(N n)" + ")" * 2_000
    (tree,) = ConstituentTree.read(text)
    assert len(tree.labels) == 2_001
    assert str(tree) == text


def test_dependencies_are_read_and_written():
    first = DependencyTree(
        (
            DependencyToken("dogs", "dog", "NNS", "NOUN", 2, "nsubj", "Number=Plur"),
            DependencyToken("sleep", "sleep", "VBP", "VERB", 0, "root", space_after=False),
        )
    )
    second = DependencyTree((DependencyToken("No", relation="root"),))
    text = written([first, second])
    assert text == (
        "1\tdogs\tdog\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_\n"
        "2\tsleep\tsleep\tVERB\tVBP\t_\t0\troot\t_\tSpaceAfter=No\n"
        "\n"
        "1\tNo\t_\t_\t_\t_\t0\troot\t_\t_\n"
    )
    assert DependencyTree.read(text) == [first, second]
    assert DependencyTree.read("") == []


def test_a_token_line_with_too_few_columns():
    with pytest.raises(BadInput, match="expected 10 tab-separated columns, got 2"):
        DependencyTree.read("1\tdog\n")


@pytest.mark.parametrize("head", ["_", "", "-1", "1.5", "²"])
def test_a_token_line_whose_head_is_no_number(head):
    with pytest.raises(BadInput, match="expected the number of the head in column 7, got"):
        DependencyTree.read(f"1\tdog\t_\tNOUN\tNN\t_\t{head}\troot\t_\t_\n")
