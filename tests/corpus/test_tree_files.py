"""Files of trees: segments, texts and origins, dialects, and what is refused with its line."""

from __future__ import annotations

import io
import sys
import tarfile
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from material.gum import TREEBANK, TREES, needs_treebank, needs_trees
from material.written_files import COMPRESSORS, read, refusal, write
from understudy import ParsedColumn
from understudy.corpus.segment_sources import open_sources

ONE = "(S (NP (PRP I)) (VP (VBD slept)) (. .))"
OTHER = "(S (NP (NN -LRB-)) (VP (VBD fell)))"


def word(number: int, form: str, head: int, more: str = "_") -> str:
    return f"{number}\t{form}\t_\t_\t_\t_\t{head}\t_\t_\t{more}\n"


YES_SIR = word(1, "yes", 0, "SpaceAfter=No") + word(2, "!", 1)


def parsed(spec: str) -> ParsedColumn:
    (source,) = open_sources(spec, role="system")
    with closing(source):
        column = source.take(1000)
    assert isinstance(column, ParsedColumn)
    return column


def trees(column: ParsedColumn) -> list[str | None]:
    kept = column.constituents or column.dependencies
    assert kept is not None
    return [kept[row] for row in range(len(kept))]


# --- Penn brackets ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        (f"{ONE}\n{OTHER}\n", ["I slept .", "( fell"]),
        (f"{ONE}\n\n()\n{OTHER}", ["I slept .", "", "", "( fell"]),
        (f"{ONE} {OTHER}\n{ONE}\n", ["I slept . ( fell", "I slept ."]),
        (f"\ufeff{ONE}\r\n{OTHER}\r\n", ["I slept .", "( fell"]),
        (
            "( (S\n  (NP-SBJ-1 (PRP I))\n\n (VP=2 (VBD slept)\n (NP (-NONE- *T*-1)))))\n(TOP (NN a))",
            ["I slept", "a"],
        ),
        ("(S (NN a)) (S\n(NN b))()\n", ["a", "b", ""]),
        ("(S (NN d-LRB-ə-RRB-n) (`` ``) (NN 1\\/2) (-RCB- -RCB-))\n", ['d(ə)n " 1/2 }']),
    ],
)
@pytest.mark.parametrize("name", ["nmt.mrg", "nmt.PTB", "nmt.brackets", "nmt.txt", "nmt"])
def test_brackets(content: str, texts: list[str], name: str) -> None:
    column = parsed(write(name, content))
    assert [column[row] for row in range(len(column))] == texts
    assert column.origin == "given"
    assert column.constituents is not None
    assert column.dependencies is None


@pytest.mark.parametrize(
    "text",
    [
        "(Laughter)\n",
        "(thank you)\n(bye)\n",
        "((Laughter))\n",
        f"{ONE}\nno tree\n",
        f"{ONE}\n(S (NN a)\n",
        "(a) first\n(b) second\n",
        "( ( ( \n",
    ],
)
def test_text_in_brackets_is_text(text: str) -> None:
    assert read(write("nmt.txt", text)) == [text.splitlines()]


def test_only_what_is_all_trees_is_trees() -> None:
    many = f"{ONE}\n" * 40_000  # more than is read at a time
    assert read(write("a.txt", many)) == [["I slept ."] * 40_000]
    assert read(write("b.txt", f"{many}no tree\n")) == [[*[ONE] * 40_000, "no tree"]]


@pytest.mark.parametrize("suffix", COMPRESSORS)
def test_compressed_and_named(suffix: str) -> None:
    (source,) = open_sources(write(f"nmt.en.ptb{suffix}", ONE), role="reference")
    with closing(source):
        assert (source.name, source.documents) == ("nmt.en", None)
        assert source.take(9)[0] == "I slept ."


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    buffer = io.BytesIO(f"{ONE}\n".encode())
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=buffer, closed=False))
    assert parsed("-")[0] == "I slept ."


@pytest.mark.parametrize(
    ("content", "line", "what"),
    [
        (f"{ONE}\n(S (NN a)\n{ONE}\n", 2, "an opening bracket without a closing one"),
        (f"{ONE}\n(S (NN a)))\n{ONE}\n", 2, "a closing bracket without an opening one"),
        (f"(S\n(NN é))\n\n(S\n (NN a)\n b)\n{ONE}", 6, "a word beside constituents"),
        (f"{ONE}\n\nhello\n", 3, "a word outside brackets"),
        (f"(S\n(NN a))\nhello {ONE}", 3, "a word outside brackets"),
        (f"{ONE}\n(S\n(NP ))\n(S ((NN x)))", 4, "a constituent without a label"),
    ],
)
def test_bad_brackets_are_named_by_line(content: str, line: int, what: str) -> None:
    message = refusal(write("nmt.ptb", content))
    assert (
        message
        == f"'nmt.ptb', line {line}: {what}. Expected a tree such as (S (NP (PRP I)) (VP (VBD slept)))."
    )


# --- CoNLL-U ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["nmt.conllu", "nmt.conll"])
def test_every_sentence_is_a_segment(name: str) -> None:
    column = parsed(write(name, f"# sent_id = 1\n# text = Yes  Sir!\n{YES_SIR}\n\n{YES_SIR}"))
    assert [column[0], column[1]] == ["Yes  Sir!", "yes!"]
    assert trees(column) == [YES_SIR, YES_SIR]
    assert (len(column), column.origin, column.constituents) == (2, "given", None)


def test_segments_by_number() -> None:
    column = parsed(
        write(
            "nmt.conllu",
            "# segments = 5\n# parser = flat-1/flat\n"
            f"# segment = 2\n# text = yes!\n{YES_SIR}\n# segment = 2\n{YES_SIR}\n# segment = 4\n{YES_SIR}\n",
        )
    )
    assert [column[row] for row in range(len(column))] == ["", "yes! yes!", "", "yes!", ""]
    assert trees(column) == ["", f"{YES_SIR}\n{YES_SIR}", "", YES_SIR, ""]
    assert column.origin == "flat-1/flat"
    assert len(column[1:3]) == 2
    assert column[1:3].origin == "flat-1/flat"
    assert trees(column[1:3]) == [f"{YES_SIR}\n{YES_SIR}", ""]


def test_segments_without_any_tree() -> None:
    assert read(write("nmt.conllu", "# segments = 2\n# parser = none\n")) == [["", ""]]


def test_multi_word_tokens_and_empty_nodes() -> None:
    row = "1-2\tdu\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
    empty = "1.1\tnothing\t_\t_\t_\t_\t_\t_\t_\t_\n"
    column = parsed(write("nmt.conllu", f"{row}{word(1, 'de', 0)}{empty}{word(2, 'le', 1)}{word(3, '.', 1)}"))
    assert column[0] == "du."
    assert trees(column) == [word(1, "de", 0) + word(2, "le", 1) + word(3, ".", 1)]


def test_line_ends_of_windows() -> None:
    column = parsed(write("nmt.conllu", f"{YES_SIR}\n{YES_SIR}".replace("\n", "\r\n")))
    assert trees(column) == [YES_SIR, YES_SIR]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            f"{YES_SIR}\n# é\n{word(1, 'é', 0)}2\tb\n",
            "line 6: expected 10 tab-separated columns, got 2.",
        ),
        (f"{YES_SIR}\n{word(1, 'a', 7)}", "line 4: expected a head from 0 to 1 in column 7, got 7."),
        (f"{YES_SIR}\n{word(2, 'a', 0)}", "line 4: expected word number 1, got '2'."),
        (word(1, "a", 2) + word(2, "b", 1), "line 1: word 1 has no path to a root: its heads form a cycle."),
        (
            "hello\n",
            "line 1: expected 10 tab-separated columns, got 1. See https://universaldependencies.org/format.html.",
        ),
        (f"# segment = 1\n{YES_SIR}\n{YES_SIR}", "line 5: a sentence without '# segment = NUMBER'"),
        (
            f"# segment = 2\n{YES_SIR}\n# segment = 1\n{YES_SIR}",
            "line 5: segment '1', expected a number of at least 2",
        ),
        (f"# segment = x\n{YES_SIR}", "line 1: segment 'x', expected a number of at least 1"),
        (f"# segment = 0\n{YES_SIR}", "line 1: segment '0', expected a number of at least 1"),
        (f"# segments = 1\n# segment = 2\n{YES_SIR}", "line 1: '# segments = 1', but found segment 2."),
        (f"# segments = many\n{YES_SIR}", "line 1: '# segments = many': expected a number."),
    ],
)
def test_bad_conllu_is_named_by_line(content: str, message: str) -> None:
    assert refusal(write("nmt.conllu", content)).startswith(f"'nmt.conllu', {message}")


# --- both ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["nmt.ptb", "nmt.conllu"])
def test_what_holds_for_every_format(name: str) -> None:
    assert read(write(name, "")) == [[]]
    assert refusal(write(name, b"(S (NN caf\xe9))\n")).startswith(f"'{name}', line 1: byte 0xe9 at offset 10")
    assert refusal(name, role="label") == (
        f"'{name}' is a tree file, expected labels: a text file with one label per line, or a table."
    )


def test_labels_may_be_in_brackets() -> None:
    assert read(write("labels.txt", f"{ONE}\n"), role="label") == [[ONE]]


def test_a_tree_may_be_deep() -> None:
    deep = "(S " * 2000 + "(NN x)" + ")" * 2000
    assert read(write("nmt.ptb", f"{deep}\n{deep}")) == [["x", "x"]]
    chain = "".join(word(number, "x", number - 1) for number in range(1, 2001))
    assert read(write("nmt.conllu", chain)) == [[" ".join(["x"] * 2000)]]


def _same_words(brackets: str, conllu: str) -> int:
    """The number of sentences, if both have the same, whatever the spaces."""
    (ours,), (theirs,) = read(brackets), read(conllu)
    odd = [
        (one, other)
        for one, other in zip(ours, theirs, strict=True)
        if (one or "").replace(" ", "") != (other or "").replace(" ", "").replace("``", '"')
    ]
    assert odd == []
    return len(ours)


@needs_trees
def test_both_readers_read_the_same_sentences() -> None:
    files = sorted(TREES.glob("*.ptb"))
    assert sum(_same_words(str(path), str(path.with_suffix(".conllu"))) for path in files) == 86


@needs_treebank
def test_both_readers_read_the_same_treebank() -> None:
    with tarfile.open(TREEBANK) as archive:
        archive.extractall(filter="data")
    files = sorted(Path().rglob("*.ptb"))
    assert sum(_same_words(str(path), str(path.with_suffix(".conllu"))) for path in files) == 9384
