"""Tables: TSV, CSV, JSON lines and Parquet; which of their columns are read, and what is refused."""

from __future__ import annotations

import json
import os
import sys
from contextlib import closing
from pathlib import Path

import pytest

from material.written_files import read, refusal, rows_of, write, write_table
from understudy.corpus.segment_sources import Role, open_sources
from understudy.errors import InvalidText, MissingExtra


def test_tsv_is_literal() -> None:
    write("all.tsv", '\ufeffid\thyp\tsrc\r\n1\t"a" \tx\r\n2\t\ty\u2028"\n3\t  "b\\n\tz')
    assert read("all.tsv") == [['"a" ', "", '  "b\\n']]
    assert read("all.tsv", "source") == [["x", 'y\u2028"', "z"]]
    assert read("all.tsv:id") == [["1", "2", "3"]]


def test_csv_has_quotes() -> None:
    write("all.csv", '\ufeffid,hyp\r\n1,"a ""b"", c"\r\n2,"line\r\nbreak"\n3,\n4,"x"')
    assert read("all.csv") == [['a "b", c', "line\nbreak", "", "x"]]


def test_an_empty_line_of_a_single_column_is_an_empty_segment() -> None:
    for name in ("one.tsv", "one.csv"):
        assert read(write(name, "anything\n\na\n\n")) == [["", "a", ""]]


def test_jsonl() -> None:
    write("all.jsonl.gz", '{"mt": "a\\nb\\u00e9", "n": 1}\r\n{"n": [{}], "mt": ""}\n')
    assert read("all.jsonl.gz") == [["a\nbé", ""]]
    write("all.ndjson", '{"hypothesis": "a"}')
    write("all.json", '{"x": "a"}\n')
    assert read("all.ndjson") == read("all.json") == [["a"]]


def test_a_json_array() -> None:
    rows = [{"mt": "a\nb", "n": 1, "refs": ["x", "y"]}, {"refs": ["z"], "mt": "", "n": 2}]
    for name in ("all.json", "all.jsonl", "all.json.gz"):
        for written in (json.dumps(rows), "\ufeff\r\n" + json.dumps(rows, indent=2)):
            assert read(write(name, written)) == read(f"{name}:mt") == [["a\nb", ""]]
            assert read(name, "reference") == [["x", "z"], ["y", None]]
            assert refusal(f"{name}:n") == f"'{name}', entry 1: 'n' is a number, expected a string."


def test_a_json_array_of_texts() -> None:
    write("all.json", '["a", "", "\\u00e9"]')
    assert read("all.json") == read("all.json:text") == read("all.json", "label") == [["a", "", "é"]]
    assert [source.name for source in open_sources("all.json", role="label")] == ["all"]
    write("refs.json", '[["a", "b"], null, ["c"]]')
    assert read("refs.json", "reference") == [["a", None, "c"], ["b", None, None]]
    assert refusal("all.json:hyp") == "'all.json': unknown column 'hyp'. Known: text."


@pytest.mark.parametrize("name", ["all.tsv", "all.csv", "all.jsonl", "all.parquet", "all.TSV.gz"])
def test_names_and_choice_of_columns(name: str) -> None:
    columns = ("Hyp", "mt", "refA", "ref_1", "references", "ref_id", "refined", "source", "a,b", "x:y")
    write_table(name, {column: [f"{column} 1", f"{column} 2"] for column in columns})

    def names(spec: str, role: Role) -> list[str]:
        sources = open_sources(spec, role=role)
        for source in sources:
            wanted = source.where.removeprefix(name).removeprefix(":")
            rows = rows_of(source)
            assert not wanted or rows == [f"{wanted} 1", f"{wanted} 2"]
        return [source.name for source in sources]

    assert names(name, "system") == ["all"]
    assert names(name, "source") == ["all"]
    assert names(name, "reference") == ["all:refA", "all:ref_1", "all:references"]
    assert names(f"{name}:mt", "system") == ["all:mt"]
    assert names(f"{name}:mt,Hyp", "reference") == ["all:mt", "all:Hyp"]
    assert names(f"{name}:a,b", "system") == ["all:a,b"]
    assert names(f"{name}:x:y", "system") == ["all:x:y"]
    assert (
        refusal(f"{name}:mt,refa")
        == f"'{name}': unknown column 'refa'. Did you mean 'refA' or 'ref_1' or 'ref_id'?"
    )
    assert refusal(f"{name}:mt,mt") == f"{name}:mt,mt selects the column 'mt' twice. Omit one of them."
    assert refusal(f"{name}:") == f"'{name}:' has no name after the colon. Use FILE:NAME, or FILE alone."


def test_a_file_that_is_really_called_so_wins() -> None:
    write("all.tsv", "hyp\na\n")
    write("all.tsv:hyp", "plain\ntext\n")
    assert read("all.tsv:hyp") == [["plain", "text"]]


def test_usual_names_go_by_their_order() -> None:
    write("all.tsv", "target\tmt\nT\tM\n")
    assert read("all.tsv") == [["M"]]


def test_no_usual_column() -> None:
    write("all.tsv", "foo\tbar\n1\t2\n")
    for role in ("system", "reference", "source"):
        assert refusal("all.tsv", role) == (
            f"'all.tsv': no column is recognized as the {role}. Use all.tsv:COLUMN, where COLUMN is one of "
            f"'foo', 'bar'."
        )
    long = "A sentence, where a header was expected to stand."
    write("all.tsv", f"{long}\n1\n")
    assert refusal("all.tsv").endswith("one of 'A sentence, where a header was expected…'.")
    write("all.csv", "src;hyp\n1;2\n")
    assert refusal("all.csv").endswith("one of 'src;hyp'.")
    write("all.tsv", "\na\n")
    assert refusal("all.tsv").endswith("one of ''.")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", "", "'a.tsv' is empty, expected a header line with the names of the columns."),
        ("a.csv", "", "'a.csv' is empty, expected a header line with the names of the columns."),
        ("a.jsonl", "", "'a.jsonl' is empty, expected one JSON object per line."),
        ("a.tsv", "hyp\tx\thyp\n", "'a.tsv' has two columns named 'hyp'."),
        (
            "a.tsv",
            "hyp\tx\na\tb\na\tb\tc\n",
            "'a.tsv', line 3: wrong number of fields, expected 2 as in the header, got 3.",
        ),
        (
            "a.csv",
            'hyp,x\n"a\n\nb",b\na\n',
            "'a.csv', line 5: wrong number of fields, expected 2 as in the header, got 1.",
        ),
        (
            "a.csv",
            "hyp,x\na,b\n\n",
            "'a.csv', line 3: wrong number of fields, expected 2 as in the header, got 0.",
        ),
        ("a.csv", 'hyp\n"a"b\n', "'a.csv', line 2: not valid CSV (',' expected after '\"')."),
        ("a.csv", 'hyp\n"a\nb\n', "'a.csv', line 2: not valid CSV (unexpected end of data)."),
        (
            "a.csv",
            "hyp\na\rb\n",
            "'a.csv', line 2: not valid CSV (new-line character seen in unquoted field).",
        ),
        (
            "a.jsonl",
            '{"hyp": "a"}\n{"hyp": "a"]\n',
            "'a.jsonl', line 2, column 12: not valid JSON (Expecting ',' delimiter). "
            "Expected JSON lines (one object per line), or one JSON array.",
        ),
        (
            "a.jsonl",
            '{"hyp": "a"}\n\n',
            "'a.jsonl', line 2, column 1: the line is empty. "
            "Expected JSON lines (one object per line), or one JSON array.",
        ),
        (
            "a.jsonl",
            '{"hyp": "a"}\n"b"\n',
            "'a.jsonl', line 2: expected an object, got a string. "
            "Expected JSON lines (one object per line), or one JSON array.",
        ),
        (
            "a.json",
            '{\n  "hyp": "a"\n}\n',
            "'a.json', line 1, column 2: not valid JSON (Expecting property name enclosed in double quotes). "
            "Expected JSON lines (one object per line), or one JSON array.",
        ),
        (
            "a.json",
            '["a",\n "b"\n "c"]\n',
            "'a.json', line 3, column 2: not valid JSON (Expecting ',' delimiter). "
            "Expected JSON lines (one object per line), or one JSON array.",
        ),
        ("a.json", " [ ]", "'a.json' is an empty JSON array, expected one entry per segment."),
        ("a.json", '["a", 1]', "'a.json', entry 2: 'text' is a number, expected a string."),
        ("a.json", '["a", {}]', "'a.json', entry 2: expected a string as in entry 1, got an object."),
        (
            "a.json",
            '[{"hyp": "a"}, "b"]',
            "'a.json', entry 2: expected an object as in entry 1, got a string.",
        ),
        ("a.json", '[{"hyp": "a"}, {"mt": "b"}]', "'a.json', entry 2: 'hyp' is missing."),
        ("a.json", '[{"hyp": "a", "hyp": "b"}]', "'a.json': invalid JSON (a key is repeated)."),
        (
            "a.json",
            '["\\ud83d"]',
            "'a.json', entry 1: 'text' has a lone surrogate. Was a character split?",
        ),
        ("a.jsonl", '{"hyp": "a"}\n{"mt": "a"}\n', "'a.jsonl', line 2: 'hyp' is missing."),
        ("a.jsonl", '{"hyp": 1.5}\n', "'a.jsonl', line 1: 'hyp' is a number, expected a string."),
        ("a.jsonl", '{"hyp": true}\n', "'a.jsonl', line 1: 'hyp' is true or false, expected a string."),
        ("a.jsonl", '{"hyp": ["a"]}\n', "'a.jsonl', line 1: 'hyp' is a list, expected a string."),
        ("a.jsonl", '{"hyp": {}}\n', "'a.jsonl', line 1: 'hyp' is an object, expected a string."),
        (
            "a.jsonl",
            '{"hyp": null}\n',
            "'a.jsonl', line 1: 'hyp' is null, expected a string. Use an empty string for an empty segment.",
        ),
        ("a.jsonl", '{"hyp": "a", "hyp": "b"}\n', "'a.jsonl', line 1: invalid JSON (a key is repeated)."),
        (
            "a.jsonl",
            '{"hyp": "\\ud83d"}\n',
            "'a.jsonl', line 1: 'hyp' has a lone surrogate. Was a character split?",
        ),
    ],
)
def test_refused_tables(name: str, content: str, message: str) -> None:
    assert refusal(write(name, content)) == message


def test_deeply_nested_json_is_refused() -> None:
    write("a.jsonl", '{"hyp": ' + "[" * 200_000 + "\n")
    assert refusal("a.jsonl").startswith("'a.jsonl', line 1")
    write("a.json", "[" * 200_000)
    assert refusal("a.json").startswith("'a.json'")


def test_a_very_long_csv_field_is_refused() -> None:
    write("a.csv", "hyp\n" + "x" * 200_000)
    assert refusal("a.csv") == "'a.csv', line 2: not valid CSV (field larger than field limit (131072))."


@pytest.mark.parametrize("name", ["a.jsonl", "a.parquet"])
def test_references_may_vary_in_number(name: str) -> None:
    write_table(name, {"refs": [["a", "b"], [], ["c"], None, ["d", None, "e"]]})
    assert read(name, "reference") == [
        ["a", None, "c", None, "d"],
        ["b", None, None, None, None],
        [None, None, None, None, "e"],
    ]
    assert [source.name for source in open_sources(name, role="reference")] == [
        "a:refs.1",
        "a:refs.2",
        "a:refs.3",
    ]
    write_table(name, {"ref": ["a", None, ""], "reference": [None, "x", None]})
    assert read(name, "reference") == [["a", None, ""], [None, "x", None]]
    write_table(name, {"refs": [[], None]})
    assert refusal(name, "reference") == f"'{name}': 'refs' contains no references."


def test_references_of_mixed_kinds() -> None:
    write_table("a.jsonl", {"ref": [["a", "b"], "c"]})
    assert read("a.jsonl", "reference") == [["a", "c"], ["b", None]]
    write_table("a.jsonl", {"ref": [None, "c"]})
    assert read("a.jsonl", "reference") == [[None, "c"]]
    assert [source.name for source in open_sources("a.jsonl", role="reference")] == ["a"]
    write_table("a.jsonl", {"ref": ["c", ["a", "b"]]})
    assert refusal("a.jsonl", "reference") == (
        "'a.jsonl', line 2: 'ref' is a list, expected a string. Use lists in all rows or in none."
    )
    write_table("a.jsonl", {"ref": [["a", 1]]})
    assert refusal("a.jsonl", "reference") == "'a.jsonl', line 1: 'ref' is a number, expected a string."


def test_parquet() -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [f"segment {i}" for i in range(10_000)]
    categories = arrow.array(["x", "y"] * 5000).dictionary_encode()
    table = arrow.table(
        {"hyp": arrow.array(rows, arrow.large_string()), "src": categories, "n": range(10_000)}
    )
    parquet.write_table(table, "a.parquet", row_group_size=3000)
    assert read("a.parquet") == [rows]
    assert read("a.parquet", "source") == [["x", "y"] * 5000]
    write("a.parquet.zst", Path("a.parquet").read_bytes())
    assert read("a.parquet.zst") == [rows]
    assert refusal("a.parquet:n") == "'a.parquet', row 1: 'n' is a number, expected a string."
    write_table("a.parquet", {"hyp": ["a", None]})
    assert refusal("a.parquet") == (
        "'a.parquet', row 2: 'hyp' is null, expected a string. Use an empty string for an empty segment."
    )
    write_table("a.parquet", {"hyp": [b"a"]})
    assert refusal("a.parquet") == "'a.parquet', row 1: 'hyp' is of type bytes, expected a string."
    invalid = arrow.StringArray.from_buffers(
        1, arrow.array([0, 1], "int32").buffers()[1], arrow.py_buffer(b"\xe9")
    )
    parquet.write_table(arrow.table({"hyp": invalid}), "a.parquet")
    with pytest.raises(InvalidText, match=r"^'a.parquet', row 1: 'hyp' is not UTF-8.$"):
        read("a.parquet")
    write("a.parquet", "not Parquet")
    assert refusal("a.parquet").startswith("'a.parquet' is not a Parquet file: ")


def test_parquet_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.parquet", "")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        MissingExtra, match=r"^Parquet files need pyarrow: pip install 'understudy-mt\[parquet\]', or "
    ):
        open_sources("a.parquet", role="system")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this platform has no named pipes")
def test_a_table_in_a_named_pipe_is_refused() -> None:
    os.mkfifo("a.tsv")
    assert (
        refusal("a.tsv")
        == "'a.tsv' is not a regular file, and tables are read more than once. Save it to a file first."
    )


def test_sources_of_one_table_are_independent() -> None:
    write("a.tsv", "ref1\tref2\n" + "".join(f"{i}\t{-i}\n" for i in range(10_000)))
    first, second = open_sources("a.tsv", role="reference")
    with closing(first), closing(second):
        assert first.take(9000)[8999] == "8999"
        assert second.take(1)[0] == "0"
        assert len(first.take(9000)) == 1000
        assert second.take(2)[1] == "-2"
