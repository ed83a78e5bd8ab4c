"""Reading trees: dialects of Penn brackets, CoNLL-U, and what is wrong with what is neither."""

from __future__ import annotations

import pytest

from understudy import _core
from understudy._core import TreeReading

BRACKETS = TreeReading.brackets()
DEPENDENCIES = TreeReading.dependencies()


def shape(text: str, reading: TreeReading = BRACKETS) -> str:
    """The nodes as brackets again."""
    nodes = _core.tree_nodes(text, reading)
    assert isinstance(nodes, list), nodes
    written: list[str] = []
    open_nodes: list[int] = []
    for number, (label, word, parent) in enumerate(nodes):
        while open_nodes and open_nodes[-1] != parent:
            open_nodes.pop()
            written.append(")")
        written.append(f"({label}" + (f" {word}" if word is not None else ""))
        open_nodes.append(number)
    return "".join(written) + ")" * len(open_nodes)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(S (NP (PRP I)) (VP (VBD slept)))", "(S(NP(PRP I))(VP(VBD slept)))"),
        ("( (S (NP-SBJ-1 (PRP I)) (VP=2 (VBD slept))) )", "(S(NP(PRP I))(VP(VBD slept)))"),
        ("(ROOT\n  (S\n    (NP (PRP I))\r\n\t(VP (VBD slept))))", "(S(NP(PRP I))(VP(VBD slept)))"),
        ("(TOP (S1 (S (VP (VBD slept)))))", "(S(VP(VBD slept)))"),
        ("(S (NP-SBJ (-NONE- *T*-1)) (VP (VB go)))", "(S(VP(VB go)))"),
        ("(S (NP (NP (-NONE- *))) (VP (VB go)))", "(S(VP(VB go)))"),
        ("(S (PRT|ADVP (RP up)))", "(S(PRT(RP up)))"),
        ("(S (-LRB- -LRB-) (NN x) (-RRB- -RRB-))", "(S(-LRB- -LRB-)(NN x)(-RRB- -RRB-))"),
        ("(S (NN a)) (S (NN b))", "(S(NN a))(S(NN b))"),
        ("(ROOT (S (NN a)) (S (NN b)))", "(S(NN a))(S(NN b))"),
        ("(NP (NP (NP (NN x))))", "(NP(NP(NP(NN x))))"),
        ("(S (NP (PRON)) (V))", "(S(NP(PRON))(V))"),
        ("()", ""),
        ("", ""),
        ("( )", ""),
        ("(S (-NONE- *))", ""),
        ("(ROOT hello)", "(ROOT hello)"),
        ("(S (`` ``) (NP-TMP=1-2 (CD 3)))", "(S(`` ``)(NP(CD 3)))"),
        ("(S (NN Übung) (NN 他))", "(S(NN Übung)(NN 他))"),
    ],
)
def test_dialects_of_brackets(text, expected):
    assert shape(text) == expected


@pytest.mark.parametrize(
    ("text", "offset", "what"),
    [
        ("(S (NN a)", 0, "an opening bracket without a closing one"),
        ("(S (NN a))) ", 10, "a closing bracket without an opening one"),
        ("(S (NN a) b)", 10, "a word beside constituents"),
        ("(S (NN a b))", 9, "a second word in one pair of brackets"),
        ("(S (NN a (X b)))", 9, "an opening bracket after a word"),
        ("hello (S (NN a))", 0, "a word outside brackets"),
        ("(S (NN a) ())", 10, "a constituent without a label"),
        ("(S ((NN a) (NN b)))", 3, "a constituent without a label"),
    ],
)
def test_what_is_no_tree(text, offset, what):
    assert _core.tree_nodes(text, BRACKETS) == (offset, what)


def line(number: int | str, form: str, head: int | str) -> str:
    return f"{number}\t{form}\t_\t_\t_\t_\t{head}\t_\t_\t_"


def test_conllu():
    text = "\n".join(
        [
            "# text = Vámonos al mar.",
            line("1-2", "Vámonos", "_"),
            line(1, "Vamos", 0),
            line(2, "nos", 1),
            line("2.1", "(elided)", "_"),
            line(3, "mar", 1),
            "",
            line(1, "Sí", 0) + "\r",
            "",
        ]
    )
    assert shape(text, DEPENDENCIES) == "(Vamos Vamos(nos nos)(mar mar))(Sí Sí)"


def test_words_that_hang_on_punctuation_hang_on_its_head():
    rows = [
        "1\tgo\t_\tVERB\t_\t_\t0\t_\t_\t_",
        "2\t,\t_\tPUNCT\t_\t_\t1\t_\t_\t_",
        "3\tnow\t_\tADV\t_\t_\t2\t_\t_\t_",
    ]
    assert shape("\n".join(rows), TreeReading.dependencies(punctuation=False)) == "(go go(now now))"
    root = [
        "1\t.\t_\tPUNCT\t_\t_\t0\t_\t_\t_",
        "2\tgo\t_\tVERB\t_\t_\t1\t_\t_\t_",
        "3\tnow\t_\tADV\t_\t_\t1\t_\t_\t_",
    ]
    assert shape("\n".join(root), TreeReading.dependencies(punctuation=False)) == "(go go)(now now)"


@pytest.mark.parametrize(
    ("lines", "bad_line", "what"),
    [
        (["1\tI\t_"], 0, "expected 10 tab-separated columns, got 3"),
        ([line(1, "I", 0) + "\textra"], 0, "expected 10 tab-separated columns, got more than 10"),
        ([line(1, "I", 0), line(3, "x", 1)], 1, "expected word number 2, got '3'"),
        ([line(1, "I", "x")], 0, "expected the number of the head in column 7, got 'x'"),
        ([line(1, "I", 0), line(2, "x", 9)], 1, "expected a head from 0 to 2 in column 7, got 9"),
        (
            [line(1, "I", 0), line(2, "x", 3), line(3, "y", 2)],
            1,
            "word 2 has no path to a root: its heads form a cycle",
        ),
        ([line(1, "", 0)], 0, "column 2 is empty, expected '_' for no value"),
    ],
)
def test_what_is_no_conllu(lines, bad_line, what):
    offset = sum(len(before) + 1 for before in lines[:bad_line])
    assert _core.tree_nodes("\n".join(lines), DEPENDENCIES) == (offset, what)
