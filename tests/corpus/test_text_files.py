"""Plain text, compressed or from standard input: what is read is what was written."""

from __future__ import annotations

import gzip
import io
import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from material.written_files import COMPRESSORS, read, refusal, rows_of, write
from understudy.corpus.segment_sources import open_sources


def pipe(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    buffer = io.BytesIO(data)
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=buffer, closed=False))


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
    assert refusal("-") == "standard input ('-') can be read only once. Save it to a file first."


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
        "standard input, line 1: byte 0xe9 at offset 3 is not UTF-8. Convert it, e.g. with iconv -f latin1 "
        "-t utf-8"
    )
    pipe(monkeypatch, gzip.compress(b"a\n" * 100)[:-4])
    assert refusal("-").startswith("standard input is truncated: the gzip data end early.")
    monkeypatch.setattr(sys, "stdin", None)
    assert refusal("-") == "standard input ('-') is closed."
