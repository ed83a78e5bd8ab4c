"""What holds for files of every format: what is written is read back, in parts of any size, or refused."""

from __future__ import annotations

import os
import tempfile
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from material.written_files import COMPRESSORS, read, write, write_any
from understudy.corpus.segment_sources import open_sources
from understudy.errors import UnderstudyError


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
