"""The file readers: what they read is what was written, and what they refuse is said in one line."""

from __future__ import annotations

import bz2
import csv
import gzip
import html
import io
import json
import lzma
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.corpus.source import Role, Source, open_sources
from understudy.errors import BadInput, InvalidText, MissingExtra, MissingFile, UnderstudyError

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

SHARED = Path(__file__).parents[3] / "shared"
COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
    ".zst": zstd.compress,
}


def rows_of(source: Source, size: int = 1000) -> list[str | None]:
    rows: list[str | None] = []
    with closing(source):
        while len(column := source.take(size)):
            rows += [column[i] for i in range(len(column))]
    return rows


def read(spec: Any, role: Role = "system", size: int = 1000) -> list[list[str | None]]:
    return [rows_of(source, size) for source in open_sources(spec, role=role)]


def refusal(spec: Any, role: Role = "system") -> str:
    """The message of the error that reading ends with: one line, of the package's own kind."""
    with pytest.raises(UnderstudyError) as caught:
        read(spec, role)
    message = str(caught.value)
    assert "\n" not in message
    return message


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Every test writes and reads in an empty directory, so that messages hold short names."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(name: str, content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    for suffix, compress in COMPRESSORS.items():
        if name.endswith(suffix):
            data = compress(data)
    Path(name).write_bytes(data)
    return name


def pipe(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    buffer = io.BytesIO(data)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=buffer, closed=False))


# ---------------------------------------------------------------------------------------------------
# Plain text


@pytest.mark.parametrize(
    ("content", "lines"),
    [
        ("a\nb\n", ["a", "b"]),
        ("a\nb", ["a", "b"]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("\ufeffa\nb\n", ["a", "b"]),
        ("a\n\ufeffb\n", ["a", "\ufeffb"]),
        ("\n\na\n\n", ["", "", "a", ""]),
        ("a\rb\nc\n", ["a\rb", "c"]),
        ("a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg\n", ["a\u2028b\u2029c\u0085d\x0be\x0cf\x1cg"]),
        (" a \t\n", [" a \t"]),
        ("", []),
        ("\ufeff", []),
    ],
)
def test_lines_end_with_lf_only(content: str, lines: list[str]) -> None:
    assert read(write("nmt.txt", content)) == [lines]


def test_a_huge_line_spans_many_blocks() -> None:
    huge = "é" * 3_000_000
    assert read(write("nmt.txt", f"a\n{huge}\nb")) == [["a", huge, "b"]]


@pytest.mark.parametrize("name", ["a.txt", "a.tsv", "a.csv", "a.jsonl", "a.parquet", "a.sgm", "a.xml"])
@pytest.mark.parametrize("size", [1, 2, 7, 1000, 2**62])
def test_the_size_of_what_is_taken_does_not_matter(name: str, size: int) -> None:
    rows: list[str | None] = [f"segment {i} – x" + "x" * (i % 50) for i in range(100)]
    write_any(name, rows)
    assert read(name, size=size) == [rows]


def test_take_gives_fewer_only_at_the_end() -> None:
    (source,) = open_sources(write("nmt.txt", "a\nb\nc\n" * 400_000), role="system")
    with closing(source):
        sizes = [len(source.take(500_000)) for _ in range(4)]
    assert sizes == [500_000, 500_000, 200_000, 0]


@pytest.mark.parametrize("suffix", ["", *COMPRESSORS])
def test_compression(suffix: str) -> None:
    name = write("nmt.en.txt" + suffix, "a\nb\n")
    (source,) = open_sources(name, role="system")
    assert (source.name, source.where, source.documents) == ("nmt.en", name, None)
    assert rows_of(source) == ["a", "b"]


@pytest.mark.parametrize("suffix", COMPRESSORS)
def test_compression_is_seen_without_its_suffix(suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    data = COMPRESSORS[suffix](b"a\nb\n")
    Path("nmt.txt").write_bytes(data)
    assert read("nmt.txt") == [["a", "b"]]
    pipe(monkeypatch, data)
    assert read("-") == [["a", "b"]]


def test_several_compressed_members_are_one_file() -> None:
    for suffix, compress in COMPRESSORS.items():
        Path("nmt" + suffix).write_bytes(compress(b"a\n") + compress(b"b\n"))
        assert read("nmt" + suffix) == [["a", "b"]]
    for suffix in COMPRESSORS:
        assert read(write("empty" + suffix, b"")) == [[]]


def test_text_that_resembles_compressed_data_is_text() -> None:
    assert read(write("nmt.txt", "BZh9 is how bzip2 begins\n")) == [["BZh9 is how bzip2 begins"]]


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, b"\xef\xbb\xbfa\r\n\nb")
    (source,) = open_sources("-", role="reference")
    assert (source.name, source.where) == ("stdin", "-")
    assert rows_of(source) == ["a", "", "b"]
    assert not sys.stdin.buffer.closed
    assert refusal("-") == "standard input ('-') can be read only once. Save it in a file to use it twice."


def test_standard_input_as_a_real_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.write(writing, gzip.compress(b"a\nb\n"))
    os.close(writing)
    with os.fdopen(reading, "rb") as stream, io.TextIOWrapper(stream) as wrapper:
        monkeypatch.setattr(sys, "stdin", wrapper)
        assert read("-") == [["a", "b"]]


def test_standard_input_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    pipe(monkeypatch, b"caf\xe9\n")
    assert refusal("-") == (
        "standard input, line 1: byte 0xe9 at offset 3 is not UTF-8. "
        "Re-encode it, for example: iconv -f latin1 -t utf-8"
    )
    pipe(monkeypatch, gzip.compress(b"a\n" * 100)[:-4])
    assert refusal("-").startswith("standard input is cut off: its gzip data end too early.")
    monkeypatch.setattr(sys, "stdin", None)
    assert refusal("-") == "standard input ('-') is closed: there is nothing to read."


# ---------------------------------------------------------------------------------------------------
# Files that cannot be read


def test_missing_files(here: Path) -> None:
    write("system.txt", "a\n")
    with pytest.raises(MissingFile, match=r"^there is no file 'systm.txt'. Did you mean 'system.txt'\?$"):
        open_sources("systm.txt", role="system")
    with pytest.raises(FileNotFoundError):
        open_sources(here / "other", role="system")
    assert refusal("zzz") == "there is no file 'zzz'."
    assert refusal("out/nmt.txt") == "there is no file 'out/nmt.txt'. There is no directory 'out' either."
    assert refusal("system.txt/a") == (
        "there is no file 'system.txt/a'. There is no directory 'system.txt' either."
    )
    assert refusal("system.txt:hyp") == (
        "there is no file 'system.txt:hyp'. To choose a part such as 'hyp', the file must be called "
        ".tsv, .csv, .jsonl, .parquet, .sgm or .xml."
    )
    assert refusal("") == "the file name is empty."
    assert refusal("a\0b") == r"'a\x00b' is not a file name."
    for suffix in (".tsv", ".csv", ".jsonl", ".parquet", ".sgm", ".xml"):
        assert refusal("x" + suffix) == f"there is no file 'x{suffix}'."
        assert refusal(f"x{suffix}:hyp") == f"there is no file 'x{suffix}'."


def test_directories_and_forbidden_files() -> None:
    os.mkdir("out")
    assert refusal("out") == "'out' is a directory, expected a file."
    write("out/nmt.txt", "a\n")
    example = os.path.join("out", "nmt.txt")
    with pytest.raises(
        BadInput, match=rf"^'out' is a directory, expected a file, such as '{re.escape(example)}'.$"
    ):
        open_sources("out", role="system")
    os.mkdir("out.tsv")
    assert refusal("out.tsv") == "'out.tsv' is a directory, expected a file."


def test_a_forbidden_file(monkeypatch: pytest.MonkeyPatch) -> None:
    write("nmt.txt", "a\n")

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)  # root may read everything, and tests may run as root
    with pytest.raises(MissingFile, match=r"^'nmt.txt' cannot be opened: permission denied.$"):
        open_sources("nmt.txt", role="system")


@pytest.mark.parametrize(
    ("suffix", "name"), [(".gz", "gzip"), (".xz", "xz"), (".bz2", "bzip2"), (".zst", "zstd")]
)
def test_damaged_compressed_files(suffix: str, name: str) -> None:
    text = "".join(f"line {i * i}\n" for i in range(5000)).encode()
    whole = COMPRESSORS[suffix](text)
    Path("cut" + suffix).write_bytes(whole[: len(whole) // 2])
    assert refusal("cut" + suffix) == (
        f"'cut{suffix}' is cut off: its {name} data end too early. Was it copied or downloaded completely?"
    )
    changed = bytearray(whole)
    changed[len(whole) // 2 : len(whole) // 2 + 50] = bytes(50)
    Path("bad" + suffix).write_bytes(changed)
    message = refusal("bad" + suffix)
    assert re.fullmatch(rf"'bad{suffix}' is damaged: its {name} data do not unpack \(.+\)\.", message)

    Path("not" + suffix).write_bytes(b"plain text\n")
    assert refusal("not" + suffix) == (
        f"'not{suffix}' does not hold {name} data, though its name says it is compressed. Was it copied or "
        "downloaded completely? If it is not compressed, rename it."
    )
    Path("empty" + suffix).write_bytes(b"")
    assert refusal("empty" + suffix).startswith(f"'empty{suffix}' is empty, though its name says")


def test_archives_are_refused() -> None:
    Path("a.tar.gz").write_bytes(gzip.compress(b"a"))
    assert refusal("a.tar.gz") == "'a.tar.gz' is not text (.tar). Give the text file itself."


def test_invalid_utf8() -> None:
    good = "schön\n" * 16
    write("nmt.txt", good.encode() + b"caf\xe9 x\n")
    assert refusal("nmt.txt") == (
        f"'nmt.txt', line 17: byte 0xe9 at offset {len(good.encode()) + 3} is not UTF-8. "
        "Re-encode it, for example: iconv -f latin1 -t utf-8 nmt.txt"
    )
    write("my file.txt.gz", b"\xef\xbb\xbfab\xff")
    assert refusal("my file.txt.gz") == (
        "'my file.txt.gz', line 1: byte 0xff at offset 5 is not UTF-8. "
        "Re-encode it, for example: iconv -f latin1 -t utf-8"
    )
    write("my file.txt", "x\n".encode("utf-16"))
    assert refusal("my file.txt") == (
        "'my file.txt' is UTF-16, expected UTF-8. Re-encode it, for example: "
        "iconv -f utf-16 -t utf-8 'my file.txt'"
    )
    write("nmt.txt", b"\xfe\xff" + "x\n".encode("utf-16-be"))
    assert "is UTF-16, expected" in refusal("nmt.txt")
    write("nmt.txt", "x\n".encode("utf-32"))
    assert "is UTF-32, expected" in refusal("nmt.txt")
    for name in ("a.tsv", "a.csv", "a.jsonl", "a.sgm", "a.xml"):
        write(name, b"hyp\n\xe9\n")
        assert refusal(name).startswith(f"'{name}', line 2: byte 0xe9 at offset 4 is not UTF-8.")


def test_an_error_far_inside_a_long_file() -> None:
    write("nmt.txt", b"abc\n" * 1_000_000 + b"\xc3\x28\n")
    assert "line 1000001: byte 0xc3 at offset 4000000 " in refusal("nmt.txt")


# ---------------------------------------------------------------------------------------------------
# Tables


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
        == f"'{name}' has no column 'refa'. Did you mean 'refA' or 'ref_1' or 'ref_id'?"
    )
    assert refusal(f"{name}:mt,mt") == f"{name}:mt,mt names the column 'mt' twice."
    assert refusal(f"{name}:") == f"'{name}:' names nothing after the colon. Write FILE:NAME, or FILE alone."


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
            f"'all.tsv': which column is the {role}? Write all.tsv:COLUMN, one of 'foo', 'bar'."
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
            "Expected one object per line.",
        ),
        (
            "a.jsonl",
            '{"hyp": "a"}\n\n',
            "'a.jsonl', line 2, column 1: the line is empty. Expected one object per line.",
        ),
        ("a.jsonl", '["a"]\n', "'a.jsonl', line 1: expected an object, got a list."),
        ("a.jsonl", '{"hyp": "a"}\n"b"\n', "'a.jsonl', line 2: expected an object, got a string."),
        ("a.jsonl", '{"hyp": "a"}\n{"mt": "a"}\n', "'a.jsonl', line 2: there is no 'hyp'."),
        ("a.jsonl", '{"hyp": 1.5}\n', "'a.jsonl', line 1: 'hyp' is a number, expected a string."),
        ("a.jsonl", '{"hyp": true}\n', "'a.jsonl', line 1: 'hyp' is true or false, expected a string."),
        ("a.jsonl", '{"hyp": ["a"]}\n', "'a.jsonl', line 1: 'hyp' is a list, expected a string."),
        ("a.jsonl", '{"hyp": {}}\n', "'a.jsonl', line 1: 'hyp' is an object, expected a string."),
        (
            "a.jsonl",
            '{"hyp": null}\n',
            "'a.jsonl', line 1: 'hyp' is null, expected a string. "
            "An empty text is written as an empty string.",
        ),
        ("a.jsonl", '{"hyp": "a", "hyp": "b"}\n', "'a.jsonl', line 1: not usable JSON (a key is repeated)."),
        (
            "a.jsonl",
            '{"hyp": "\\ud83d"}\n',
            "'a.jsonl', line 1: 'hyp' holds half of a surrogate pair, which is not text. "
            "Was a character cut in two?",
        ),
    ],
)
def test_refused_tables(name: str, content: str, message: str) -> None:
    assert refusal(write(name, content)) == message


def test_deeply_nested_json_is_refused() -> None:
    write("a.jsonl", '{"hyp": ' + "[" * 200_000 + "\n")
    assert refusal("a.jsonl").startswith("'a.jsonl', line 1")


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
    assert refusal(name, "reference") == f"'{name}': 'refs' holds no reference at all."


def test_references_of_mixed_kinds() -> None:
    write_table("a.jsonl", {"ref": [["a", "b"], "c"]})
    assert read("a.jsonl", "reference") == [["a", "c"], ["b", None]]
    write_table("a.jsonl", {"ref": [None, "c"]})
    assert read("a.jsonl", "reference") == [[None, "c"]]
    assert [source.name for source in open_sources("a.jsonl", role="reference")] == ["a"]
    write_table("a.jsonl", {"ref": ["c", ["a", "b"]]})
    assert refusal("a.jsonl", "reference") == (
        "'a.jsonl', line 2: 'ref' is a list, expected a string. Write a list in every row, or in none."
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
        "'a.parquet', row 2: 'hyp' is null, expected a string. An empty text is written as an empty string."
    )
    write_table("a.parquet", {"hyp": [b"a"]})
    assert refusal("a.parquet") == "'a.parquet', row 1: 'hyp' is of type bytes, expected a string."
    invalid = arrow.StringArray.from_buffers(
        1, arrow.array([0, 1], "int32").buffers()[1], arrow.py_buffer(b"\xe9")
    )
    parquet.write_table(arrow.table({"hyp": invalid}), "a.parquet")
    with pytest.raises(InvalidText, match=r"^'a.parquet', after row 0: 'hyp' is not UTF-8.$"):
        read("a.parquet")
    write("a.parquet", "not Parquet")
    assert refusal("a.parquet").startswith("'a.parquet' is not a Parquet file: ")


def test_parquet_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    write("a.parquet", "")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        MissingExtra, match=r"^Parquet files need pyarrow: pip install 'understudy\[parquet\]'$"
    ):
        open_sources("a.parquet", role="system")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_table_in_a_named_pipe_is_refused() -> None:
    os.mkfifo("a.tsv")
    assert refusal("a.tsv") == "'a.tsv' is no regular file; a table is read more than once. Save it first."


def test_sources_of_one_table_are_independent() -> None:
    write("a.tsv", "ref1\tref2\n" + "".join(f"{i}\t{-i}\n" for i in range(10_000)))
    first, second = open_sources("a.tsv", role="reference")
    with closing(first), closing(second):
        assert first.take(9000)[8999] == "8999"
        assert second.take(1)[0] == "0"
        assert len(first.take(9000)) == 1000
        assert second.take(2)[1] == "-2"


# ---------------------------------------------------------------------------------------------------
# Markup


def sgml(kind: str, *docs: str) -> str:
    return f'<{kind} setid="s" srclang="de" trglang="en">\n' + "\n".join(docs) + f"\n</{kind}>\n"


def test_sgml() -> None:
    content = sgml(
        "TSTSET",
        '<DOC docid="d1" sysid="X"><hl><seg id="1">a  b</seg></hl>',
        '<p><seg id=2></seg><SEG ID="3"> c\r\n\td </SEG></p></DOC>',
        "<doc sysid='X' genre=news docid='d2'>",
        "<seg id='1'>R&amp;D <skipped> x\u00a0y\u2028z</seg>\n<seg/></doc>",
    )
    (source,) = open_sources(write("a.sgm", "\ufeff" + content), role="system")
    assert (source.name, source.where) == ("a", "a.sgm")
    assert source.documents == ["d1", "d1", "d1", "d2", "d2"]
    assert rows_of(source) == ["a b", "", "c d", "R&amp;D <skipped> x\u00a0y\u2028z", ""]
    write("a.xml.gz", '<?xml version="1.0"?><!DOCTYPE mteval SYSTEM "x.dtd"><mteval>' + content + "</mteval>")
    assert read("a.xml.gz")[0][3] == "R&amp;D <skipped> x\u00a0y\u2028z"


def test_sgml_of_several_systems() -> None:
    content = sgml(
        "refset",
        '<doc docid="d1" sysid="A"><seg id="1">A1</seg><seg id="2">A2</seg></doc>',
        '<doc docid="d2" sysid="A"><seg id="1">A3</seg></doc>',
        '<doc docid="d2" sysid="B"><seg id="1">B3</seg></doc>',
        '<doc docid="d1" sysid="B"><seg id="2">B2</seg><seg id="1">B1</seg></doc>',
    )
    write("ref.sgm", content)
    sources = open_sources("ref.sgm", role="reference")
    assert [(source.name, source.where) for source in sources] == [
        ("ref:A", "ref.sgm:A"),
        ("ref:B", "ref.sgm:B"),
    ]
    assert [source.documents for source in sources] == [["d1", "d1", "d2"]] * 2
    assert [rows_of(source) for source in sources] == [["A1", "A2", "A3"], ["B1", "B2", "B3"]]
    assert read("ref.sgm:B", "reference") == [["B1", "B2", "B3"]]
    assert read("ref.sgm:B,A", "reference") == [["B1", "B2", "B3"], ["A1", "A2", "A3"]]
    assert read("ref.sgm:B") == [["B1", "B2", "B3"]]
    assert refusal("ref.sgm:C", "reference") == "'ref.sgm' has no reference 'C'. Known: A, B."
    assert refusal("ref.sgm") == (
        "'ref.sgm' holds no system outputs, only references. Are the arguments swapped? "
        "What it holds can be chosen by name: ref.sgm:NAME."
    )
    assert refusal("ref.sgm", "source") == "'ref.sgm' holds no source texts."


DOC = '<doc docid="d" sysid="X">{}</doc>'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "'a.sgm' holds no <seg> inside a <doc> of a <srcset>, <refset> or <tstset>."),
        (
            sgml("tstset", DOC.format("")),
            "'a.sgm' holds no <seg> inside a <doc> of a <srcset>, <refset> or <tstset>.",
        ),
        ("<tstset>\n" + DOC.format("<seg>a</seg>"), "'a.sgm' ends inside <tstset>. Is it cut off?"),
        ("<tstset>\n<doc docid=d>\n<seg>a", "'a.sgm' ends inside <seg>. Is it cut off?"),
        (sgml("tstset", "<seg>a</seg>"), "'a.sgm', line 2: <seg> inside <tstset>. Is a tag missing?"),
        (DOC.format("<seg>a</seg>"), "'a.sgm', line 1: <doc> outside of all others. Is a tag missing?"),
        (
            sgml("tstset", DOC.format("<seg>a\n<seg>b</seg>")),
            "'a.sgm', line 3: <seg> inside <seg>. Is a tag missing?",
        ),
        (sgml("tstset", DOC.format("<seg>a")), "'a.sgm', line 2: </doc> inside <seg>. Is a tag missing?"),
        (
            sgml("tstset", DOC.format('<seg id="1>a</seg>')),
            "'a.sgm', line 2: </seg> inside <doc>. Is a tag missing?",
        ),
        (sgml("tstset", "<doc sysid=X><seg>a</seg></doc>"), "'a.sgm', line 2: a <doc> has no docid."),
        (
            sgml("tstset", DOC.format("<seg id=1>a</seg><seg id=1>b</seg>")),
            "'a.sgm', document 'd' of 'X' has two segments '1'.",
        ),
        (
            sgml("tstset", *["<doc docid=d><seg>a</seg></doc>"] * 2),
            "'a.sgm', line 3: document 'd' of 'unnamed' is there a second time. "
            "Different systems and references need a sysid each.",
        ),
        (
            sgml("tstset", DOC.format("<seg>a</seg>"), "<doc docid=e sysid=Y><seg>a</seg></doc>"),
            "'a.sgm': system 'Y' has a document 'e' that others lack.",
        ),
        (
            sgml("tstset", DOC.format("<seg id=7>a</seg>"), "<doc docid=d sysid=Y><seg id=8>a</seg></doc>"),
            "'a.sgm', document 'd': system 'Y' has a segment '8' that others lack.",
        ),
        (
            sgml("tstset", DOC.format("<seg>a</seg><seg>b</seg>"), "<doc docid=d sysid=Y><seg>a</seg></doc>"),
            "'a.sgm', document 'd': system 'Y' lacks segment '2'.",
        ),
        (
            sgml(
                "tstset",
                DOC.format("<seg>a</seg>"),
                "<doc docid=e sysid=X><seg id=5>a</seg></doc>",
                "<doc docid=d sysid=Y><seg>a</seg></doc>",
            ),
            "'a.sgm': system 'Y' lacks document 'e' (from segment '5').",
        ),
    ],
)
def test_refused_sgml(content: str, message: str) -> None:
    assert refusal(write("a.sgm", content)) == message


WMT = """<?xml version='1.0' encoding='utf-8'?>
<dataset id="test"><collection id="news">
  <doc origlang="de" id="d1">
    <src lang="de"><p><seg id="1">eins</seg>
      <seg id="2">zwei &amp; drei</seg></p></src>
    <ref lang="en" translator="A"><p><seg id="1">one</seg><seg id="2">two &amp;
      three</seg></p></ref>
    <ref lang="en" translator="B"><p><seg id="2">II</seg><seg id="1">I</seg></p></ref>
    <hyp system="X" lang="en"><p><seg id="1">x1</seg><seg id="2"/></p></hyp>
    <hyp system="Y" lang="en"><p><seg id="1">y1</seg><seg id="2">y2</seg></p></hyp>
  </doc>
  <doc id="d2">
    <src lang="de"><p><seg id="1">vier</seg></p></src>
    <ref lang="en" translator="A"><p><seg id="1">four</seg></p></ref>
    <hyp system="Y" lang="en"><p><seg id="1">y3</seg></p></hyp>
    <hyp system="X" lang="en"><p><seg id="1">x3</seg></p></hyp>
  </doc>
</collection></dataset>
"""


def test_wmt_xml() -> None:
    write("t.xml", WMT)
    sources = open_sources("t.xml", role="system")
    assert [source.name for source in sources] == ["t:X", "t:Y"]
    assert sources[0].documents == sources[1].documents == ["d1", "d1", "d2"]
    assert [rows_of(source) for source in sources] == [["x1", "", "x3"], ["y1", "y2", "y3"]]
    assert read("t.xml", "source") == [["eins", "zwei & drei", "vier"]]
    assert read("t.xml", "reference") == [["one", "two & three", "four"], ["I", "II", None]]
    assert read("t.xml:Y") == [["y1", "y2", "y3"]]
    assert read("t.xml:A") == [["one", "two & three", "four"]]
    assert refusal("t.xml:B") == "'t.xml': system 'B' lacks document 'd2' (from segment '1')."
    assert refusal("t.xml:Z") == "'t.xml' has no system 'Z'. Known: A, B, X, Y."


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('<seg id="2"/>', "", "'t.xml', document 'd1': system 'X' lacks segment '2'."),
        (
            '<seg id="2"/>',
            '<seg id="3"/>',
            "'t.xml', document 'd1': system 'X' has a segment '3' that others lack.",
        ),
        ('<seg id="2"/>', '<seg id="1"/>', "'t.xml', document 'd1' has two segments '1'."),
        ('system="Y"', 'system="X"', "'t.xml', document 'd1' has two <hyp> of the same system."),
        ('id="d2"', 'id="d1"', "'t.xml': document 'd1' is there twice."),
        (' id="d2"', "", "'t.xml': <doc> number 2 has no id."),
        ("</dataset>", "", "'t.xml', line 19, column 1: not valid XML (no element found)."),
        (
            '<dataset id="test">',
            '<!DOCTYPE dataset [<!ENTITY a "aaa">]><dataset>',
            "'t.xml' declares XML entities of its own, which are not read. Remove its DOCTYPE.",
        ),
    ],
)
def test_refused_xml(old: str, new: str, message: str) -> None:
    assert refusal(write("t.xml", WMT.replace(old, new))) == message


def test_other_xml() -> None:
    write("t.xml", "<html><body/></html>")
    assert refusal("t.xml") == "'t.xml' holds no <doc>, expected the XML of a WMT test set; got <html>."
    write("t.xml", "<dataset><doc id='d'><hyp system='X'/></doc></dataset>")
    assert refusal("t.xml") == "'t.xml' holds no segments."
    assert refusal("t.xml", "reference").startswith("'t.xml' holds no references, only system outputs.")


@pytest.mark.skipif(not (SHARED / "golden").is_dir(), reason="needs the WMT files beside the repository")
@pytest.mark.parametrize("name", ["edge", "wmt22-de-en"])
def test_real_sgml_agrees_with_its_plain_text(name: str) -> None:
    folder = SHARED / "golden/inputs" / name

    def check(sgml_name: str, twins: list[str], role: Role) -> None:
        found = read(folder / "sgm" / sgml_name, role)
        expected = [read(folder / twin, role)[0] for twin in twins]
        plain = [[" ".join(html.unescape(row or "").split()) for row in rows] for rows in found]
        assert plain == [[" ".join(html.unescape(row or "").split()) for row in rows] for rows in expected]

    references = sorted(path.name for path in folder.glob("ref*.en"))
    check("src.sgm", ["src.de"], "source")
    check(f"ref.{'ABCD'[: len(references)]}.sgm", references, "reference")
    for path in folder.glob("sys-*.en"):
        check(f"tst.{path.stem.removeprefix('sys-')}.sgm", [path.name], "system")


@pytest.mark.skipif(not (SHARED / "data").is_dir(), reason="needs the WMT files beside the repository")
def test_real_sgml_of_wmt12() -> None:
    folder = SHARED / "data/wmt12.cs-en.sgml-ranks"
    (reference,) = open_sources(folder / "ref.en.sgm.gz", role="reference")
    systems = [open_sources(path, role="system") for path in sorted(folder.glob("systems/*.sgm.gz"))]
    assert len(systems) == 6
    assert len(rows_of(reference)) == 3003
    assert len(set(reference.documents or [])) == 99
    for (system,) in systems:
        assert len(rows_of(system)) == 3003
        assert system.documents == reference.documents


# ---------------------------------------------------------------------------------------------------
# Whatever is written is read back

# What a line cannot hold: LF, CR where it would belong to the line end, and lone surrogates.
LINES = st.lists(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n")).filter(
        lambda line: not line.endswith("\r")
    ),
    max_size=30,
)


@given(lines=LINES, size=st.integers(1, 40), suffix=st.sampled_from(["", *COMPRESSORS]))
@settings(deadline=None)
def test_round_trip(lines: list[str], size: int, suffix: str) -> None:
    if lines and lines[0].startswith("\ufeff"):
        lines[0] = "x" + lines[0]  # at the start of a file it would be a byte order mark
    cells = [line.replace("\t", " ") for line in lines]
    # Python 3.10's csv module refuses zero bytes, as this reader then does.
    quoted = [line.replace("\0", " ") for line in lines]
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in (("a.txt", lines), ("a.tsv", cells), ("a.csv", quoted), ("a.jsonl", lines)):
            if rows or name != "a.jsonl":
                path = os.path.join(folder, name + suffix)
                write_any(path, list(rows))
                assert read(path, size=size) == [rows]


@given(data=st.binary(max_size=200))
@settings(deadline=None)
def test_whatever_a_file_holds_it_is_read_or_refused(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for suffix in (".txt", ".tsv", ".csv", ".jsonl", ".parquet", ".sgm", ".xml"):
            path = os.path.join(folder, "a" + suffix)
            Path(path).write_bytes(data)
            try:
                read(path)
            except UnderstudyError as error:
                assert "\n" not in str(error).replace(folder, "")  # noqa: PT017


def write_any(name: str, rows: list[str | None]) -> None:
    """The rows as a file of the format its name says, with one system."""
    plain = name
    for suffix in COMPRESSORS:
        plain = plain.removesuffix(suffix)
    if plain.endswith(".txt"):
        write(name, "".join(f"{row}\n" for row in rows))
    elif plain.endswith(".sgm"):
        segs = "\n".join(f"<seg id={i}>{row}</seg>" for i, row in enumerate(rows))
        write(name, sgml("tstset", DOC.format(segs)))
    elif plain.endswith(".xml"):
        segs = "\n".join(f"<seg id='{i}'>{row}</seg>" for i, row in enumerate(rows))
        write(name, f"<dataset><doc id='d'><hyp system='X'>{segs}</hyp></doc></dataset>")
    else:
        write_table(name, {"id": [str(i) for i in range(len(rows))], "hyp": rows})


def write_table(name: str, columns: dict[str, list[Any]]) -> None:
    def records() -> Iterator[tuple[Any, ...]]:
        yield from zip(*columns.values(), strict=True)

    plain = name.lower()
    for suffix in COMPRESSORS:
        plain = plain.removesuffix(suffix)
    if plain.endswith(".tsv"):
        write(name, "".join("\t".join(record) + "\n" for record in [tuple(columns), *records()]))
    elif plain.endswith(".csv"):
        text = io.StringIO(newline="")
        csv.writer(text, quoting=csv.QUOTE_ALL).writerows([tuple(columns), *records()])
        write(name, text.getvalue())
    elif plain.endswith(".jsonl"):
        lines = (
            json.dumps(dict(zip(columns, record, strict=True)), ensure_ascii=False) for record in records()
        )
        write(name, "".join(line + "\n" for line in lines))
    else:
        arrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(arrow.table(columns), name)
