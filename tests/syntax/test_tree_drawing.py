"""Trees drawn with lines of text."""

from __future__ import annotations

import pytest

from understudy.errors import BadInput
from understudy.report.tree_drawing import ASCII, draw_constituents, draw_dependencies
from understudy.syntax.trees import ConstituentTree, DependencyToken, DependencyTree


def brackets(text: str) -> ConstituentTree:
    [tree] = ConstituentTree.read(text)
    return tree


def arcs(*rows: tuple[str, int, str]) -> DependencyTree:
    return DependencyTree(
        tuple(DependencyToken(form, tag="T", head=head, relation=relation) for form, head, relation in rows)
    )


def test_constituents():
    drawn = draw_constituents(
        brackets("(S (NP (PRP I)) (VP (VBD saw) (NP (DT a) (NN dog))) (-LRB- -LRB-))"), strokes=ASCII
    )
    assert drawn.splitlines() == [
        "S",
        "|- NP - PRP  I",
        "|- VP",
        "|  |- VBD  saw",
        "|  `- NP",
        "|     |- DT  a",
        "|     `- NN  dog",
        "`- -LRB-  (",
    ]


def test_dependencies_in_columns_that_wide_characters_do_not_break():
    drawn = draw_dependencies(
        arcs(("I", 2, "nsubj"), ("saw", 0, "root"), ("翻訳", 4, "compound"), ("it", 2, "obj"))
    )
    assert drawn.splitlines() == [
        "2 saw         T  root",
        "├─ 1 I        T  nsubj",
        "└─ 4 it       T  obj",
        "   └─ 3 翻訳  T  compound",
    ]


def test_the_universal_tag_stands_in_where_there_is_no_other():
    tree = DependencyTree((DependencyToken("a", coarse="X", relation="root"),))
    assert draw_dependencies(tree) == "1 a  X  root"


def test_several_roots_stand_below_one_another():
    assert draw_dependencies(arcs(("a", 0, "root"), ("b", 0, "root"))) == "1 a  T  root\n2 b  T  root"


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("a", 0, "root"), ("b", 3, "x"), ("c", 2, "x")], "the heads of word 2, 'b', form a cycle"),
        ([("a", 1, "x")], "the heads of word 1"),
        ([("a", 7, "x")], "the head of word 1, 'a', is 7: expected 0 to 1."),
    ],
)
def test_heads_that_make_no_tree_are_refused(rows, said):
    with pytest.raises(BadInput, match=said):
        draw_dependencies(arcs(*rows))


def test_control_characters_do_not_reach_the_terminal():
    assert "\x1b" not in draw_constituents(brackets("(X \x1b[31mred)"))
    assert "\x1b" not in draw_dependencies(arcs(("\x1b[31m", 0, "root")))


DEEP = 2000


def test_deep_trees_fit_and_lose_nothing():
    text = "".join(f"(A (B w{n}) " for n in range(DEEP)) + "(C end)" + ")" * DEEP
    drawn = draw_constituents(brackets(text), width=80)
    assert max(map(len, drawn.splitlines())) <= 80
    assert [line.split()[-1] for line in drawn.splitlines() if "  w" in line] == [
        f"w{n}" for n in range(DEEP)
    ]
    assert " … [1]" in drawn
    assert drawn.count("[2]") == 1 + 2  # where it is left off, and both that go on there
    assert len(draw_constituents(brackets(text)).splitlines()) == 2 * DEEP + 1


def test_deep_chains():
    one_line = draw_constituents(brackets("(A " * DEEP + "(B w)" + ")" * DEEP))
    assert one_line.count("A ─ ") == DEEP
    words = [("w", number, "x") for number in range(DEEP)]
    assert len(draw_dependencies(arcs(*words)).splitlines()) == DEEP
    assert max(map(len, draw_dependencies(arcs(*words), width=80).splitlines())) <= 80
