"""TSV with quoted cells: told from literal TSV by the whole file, refused where it could be either."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import understudy
from material.written_files import read, refusal, write
from understudy.corpus.delimited import records_in
from understudy.corpus.score_files import read_segment_scores
from understudy.corpus.segment_label_files import read_labels
from understudy.errors import BadInput, BadParameter

TEXTS = [
    'He said "no".',
    "plain, without",
    '"quoted" at the start',
    'all of "it"',
    "",
    "\u201ctypographic\u201d",
]
SWITCH = "Use `with understudy.tsv_quoting('csv')` if cells are quoted, 'none' if quotation marks are text."


def tsv(rows: list[list[str]], **dialect: Any) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter="\t", lineterminator="\n", **dialect).writerows(rows)
    return text.getvalue()


def table(texts: list[str]) -> list[list[str]]:
    return [["", "hyp", "n"], *([str(row), text, "1.5"] for row, text in enumerate(texts))]


@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC])
@pytest.mark.parametrize("start", ["", "\ufeff"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_what_csv_writers_quote_is_unquoted(quoting: int, start: str, line_end: str) -> None:
    written = start + tsv(table(TEXTS), quoting=quoting).replace("\n", line_end)
    assert read(write("all.tsv", written)) == [TEXTS]


def test_a_file_of_pandas() -> None:
    pandas = pytest.importorskip("pandas")
    pandas.DataFrame({"hyp": TEXTS, "ref": TEXTS[::-1]}).to_csv("all.tsv", sep="\t")
    assert read("all.tsv") == [TEXTS]
    assert read("all.tsv", "reference") == [TEXTS[::-1]]
    pandas.DataFrame({"hyp": TEXTS}).to_csv("one.tsv.gz", sep="\t", index=False)
    assert read("one.tsv.gz") == [TEXTS]


def test_tabs_and_line_breaks_in_quoted_cells() -> None:
    texts = ["a\tb", "two\nlines", "c"]
    assert read(write("all.tsv", tsv(table(texts)))) == [texts]
    assert read(write("one.tsv", tsv([["hyp"], ["a\tb"], ['say\n"x"']]))) == [["a\tb", 'say\n"x"']]


LITERAL = {
    "marks inside": ['He said "no".', '"Hello"', "x, y"],
    "a word in marks among others": ['"Hello"', "plain", "x, y"],
    "a mark that is never closed": ['"Hello', "x", "y"],
    "marks before a blank": ['"Hello" ', "x"],
    "odd marks": ['"""Hello""', "x"],
    "a quotation over two segments": ['"Hello.', 'Goodbye."', "x"],
    "no mark at a start": ['5"', "x"],
}


@pytest.mark.parametrize("texts", LITERAL.values(), ids=LITERAL)
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_literal_files_stay_literal(texts: list[str], line_end: str) -> None:
    rows = ["id\thyp", *(f"{row}\t{text}" for row, text in enumerate(texts))]
    assert read(write("all.tsv", line_end.join(rows) + line_end)) == [texts]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ('id\thyp\n1\t"Hello"\n2\t"you"\n', 2),  # a column of them
        ('id\thyp\n1\tHello\n2\t"Yes, you"\n', 3),  # those with a comma, as spreadsheets do
        ('id\t"hyp\tref"\n1\t"a\tb"\n', 1),  # three columns or two
        ('hyp\nx\n""\n', 3),  # the only way to write an empty text, or two marks
        ('hyp\nx\n"Hello.\nGoodbye."\n', 3),  # one segment or two
        ('id\thyp\n1\t"""a""\n2\tb"\n', 2),  # each line has its fields, and there are doubled marks
    ],
)
def test_what_could_be_either_is_refused(content: str, line: int) -> None:
    assert refusal(write("all.tsv", content)) == (
        f"'all.tsv', line {line}: the quotation marks around the cell may be text or quoting. {SWITCH}"
    )


@pytest.mark.parametrize(
    ("content", "quoted", "literal"),
    [
        (
            'hyp\tref\n"a ""b"""\tx\ny\ta "c" d\n',
            2,
            3,
        ),  # one column was quoted before the other was pasted to it
        ('hyp\tref\nx\t"yes"\n"a ""b"""\tno\n', 3, 2),  # marks without a reason
        ('hyp\n"a ""b"""\n"cut off\n', 2, 3),
        ('id\thyp\n1\t"a\n2\tb"\n3\t"c ""d"""\n', 4, 2),  # each line has its fields
    ],
)
def test_contradictions_are_refused(content: str, quoted: int, literal: int) -> None:
    assert refusal(write("all.tsv", content)) == (
        f"'all.tsv', line {quoted}: the cell is quoted, with doubled quotation marks, but line {literal} is not quoted "
        f"that way. {SWITCH}"
    )


def test_the_switch_goes_both_ways() -> None:
    doubtful = write("all.tsv", 'id\thyp\n1\t"Hello"\n2\t"you"\n')
    with understudy.tsv_quoting("csv"):
        assert read(doubtful) == [["Hello", "you"]]
        with understudy.tsv_quoting("none"):
            assert read(doubtful) == [['"Hello"', '"you"']]
        assert read(doubtful) == [["Hello", "you"]]
    assert "may be text or quoting" in refusal(doubtful)
    with understudy.tsv_quoting("none"):
        assert read(write("p.tsv", tsv(table(TEXTS))))[0][0] == '"He said ""no""."'
    with understudy.tsv_quoting("csv"):
        message = refusal(write("bad.tsv", 'hyp\n"a" b\n'))
        assert message == "'bad.tsv', line 2: not valid TSV with quoted cells ('\\t' expected after '\"')."
        assert read(write("lit.tsv", 'hyp\nsay "a"\n')) == [['say "a"']]
    with (
        pytest.raises(BadParameter, match=r"unknown TSV quoting 'csvs'. Did you mean 'csv'"),
        understudy.tsv_quoting("csvs"),
    ):
        pass


def test_the_choice_is_made_when_a_file_is_opened() -> None:
    """Another thread may read it, and does so where files are long."""
    texts = ['"Hello"'] * 20_000
    write("all.tsv", "hyp\tref\n" + "".join(f"{text}\t{text}\n" for text in texts))
    with understudy.tsv_quoting("none"):
        kept = understudy.score(["all.tsv"], ["all.tsv"], "length-ratio")
        assert kept.systems[0].scores[0].detail["hyp_length"] == 3 * len(texts)
    with understudy.tsv_quoting("csv"):
        removed = understudy.score(["all.tsv"], ["all.tsv"], "length-ratio")
        assert removed.systems[0].scores[0].detail["hyp_length"] == len(texts)


def test_tables_of_scores_and_labels_are_read_alike() -> None:
    rows = [["system", "seg", "score"], ['the "new" one', "1", "0.5"], ['the "new" one', "2", "0.25"]]
    for name in ("scores.tsv", "scores.txt"):
        found = read_segment_scores(write(name, tsv(rows, quoting=csv.QUOTE_ALL)))
        assert {system: list(scores) for system, scores in found["scores"].items()} == {
            'the "new" one': [0.5, 0.25]
        }
    write("labels.tsv", tsv([["document"], ['"a"'], ["b"]]))
    assert read_labels("labels.tsv")[0].labels == ('"a"', "b")
    write("doubt.tsv", 'system\tseg\tscore\n"A"\t1\t0.5\n"A"\t2\t1\n')
    with pytest.raises(BadInput, match=r"'doubt\.tsv', line 2: the quotation marks"):
        read_segment_scores("doubt.tsv")
    with understudy.tsv_quoting("csv"):
        assert list(read_segment_scores("doubt.tsv")["doubt"]) == ["A"]


def test_scores_are_still_read_from_a_pipe_once(tmp_path: Path) -> None:
    assert list(records_in(['a\t"b ""c"""', "d\te"], str(tmp_path), "tsv")) == [
        (1, ["a", 'b "c"']),
        (2, ["d", "e"]),
    ]


# All characters that make a difference, and few others.
CELLS = st.lists(st.text(st.sampled_from('"",\t\na ') | st.characters(exclude_categories=["Cs"])), min_size=1)


@given(cells=CELLS, quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
@settings(deadline=None)
def test_what_a_writer_quoted_is_never_read_otherwise(cells: list[str], quoting: int) -> None:
    """It is read as it was meant, or refused."""
    cells = [cell.replace("\r", " ") for cell in cells]
    assume(not any("\0" in cell for cell in cells))
    lines = tsv(table(cells), quoting=quoting).removesuffix("\n").split("\n")
    assert [fields[1] for _, fields in records_in(lines, "all.tsv", "tsv")][1:] == cells


@pytest.mark.parametrize(("name", "delimiter"), [("a.csv", ","), ("a.tsv", "\t")])
def test_null_characters_are_text(name: str, delimiter: str) -> None:
    """Python's csv refuses them before 3.11."""
    write(name, f'"hyp"{delimiter}"n"\n"a\0b ""c"" \0"{delimiter}"\0"\n')
    assert read(name) == [['a\0b "c" \0']]
