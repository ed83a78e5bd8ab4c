"""Files that are not there, damaged, or not text: every refusal says in one line what and where."""

from __future__ import annotations

import gzip
import os
import re
from pathlib import Path
from typing import Any

import pytest

from material.written_files import COMPRESSORS, refusal, write
from understudy.corpus.segment_sources import open_sources
from understudy.errors import BadInput, MissingFile


def test_missing_files(here: Path) -> None:
    write("system.txt", "a\n")
    with pytest.raises(MissingFile, match=r"^no such file: 'systm.txt'. Did you mean 'system.txt'\?$"):
        open_sources("systm.txt", role="system")
    with pytest.raises(FileNotFoundError):
        open_sources(here / "other", role="system")
    assert refusal("zzz") == "no such file: 'zzz'."
    assert refusal("out/nmt.txt") == "no such file: 'out/nmt.txt'. The directory 'out' does not exist either."
    assert refusal("system.txt/a") == (
        "no such file: 'system.txt/a'. The directory 'system.txt' does not exist either."
    )
    assert refusal("system.txt:hyp") == (
        "no such file: 'system.txt:hyp'. To select a part such as 'hyp', the file name must end in .tsv, "
        ".csv, .jsonl, .parquet, .arrow, .sgm or .xml."
    )
    assert refusal("") == "the file name is empty."
    assert refusal("a\0b") == r"'a\x00b' is not a file name."
    for suffix in (".tsv", ".csv", ".jsonl", ".parquet", ".sgm", ".xml"):
        assert refusal("x" + suffix) == f"no such file: 'x{suffix}'."
        assert refusal(f"x{suffix}:hyp") == f"no such file: 'x{suffix}'."


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

    def refuse(*_: Any) -> None:
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
        f"'cut{suffix}' is truncated: the {name} data end early. Copy or download it again."
    )
    changed = bytearray(whole)
    changed[len(whole) // 2 : len(whole) // 2 + 50] = bytes(50)
    Path("bad" + suffix).write_bytes(changed)
    message = refusal("bad" + suffix)
    assert re.fullmatch(rf"'bad{suffix}' is damaged: the {name} data cannot be decompressed \(.+\).", message)

    Path("not" + suffix).write_bytes(b"plain text\n")
    assert refusal("not" + suffix) == (
        f"'not{suffix}' does not contain {name} data, although its name has a compression suffix. Copy or "
        f"download it again, or rename it if it is not compressed."
    )
    Path("empty" + suffix).write_bytes(b"")
    assert refusal("empty" + suffix).startswith(f"'empty{suffix}' is empty, although its name has")


def test_archives_are_refused() -> None:
    Path("a.tar.gz").write_bytes(gzip.compress(b"a"))
    assert refusal("a.tar.gz") == "'a.tar.gz' is not a text file (.tar). Give the extracted text."


def test_invalid_utf8() -> None:
    good = "schön\n" * 16
    write("nmt.txt", good.encode() + b"caf\xe9 x\n")
    assert refusal("nmt.txt") == (
        f"'nmt.txt', line 17: byte 0xe9 at offset {len(good.encode()) + 3} is not UTF-8. Convert it, e.g. "
        f"with iconv -f latin1 -t utf-8 nmt.txt"
    )
    write("my file.txt.gz", b"\xef\xbb\xbfab\xff")
    assert refusal("my file.txt.gz") == (
        "'my file.txt.gz', line 1: byte 0xff at offset 5 is not UTF-8. Convert it, e.g. with iconv -f latin1 "
        "-t utf-8"
    )
    write("my file.txt", "x\n".encode("utf-16"))
    assert refusal("my file.txt") == (
        "'my file.txt' is UTF-16, expected UTF-8. Convert it, e.g. with iconv -f utf-16 -t utf-8 'my "
        "file.txt'"
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
