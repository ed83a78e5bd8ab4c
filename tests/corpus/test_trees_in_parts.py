"""Tree files are read in parts: the same trees and errors for any size of parts, and no more than is needed."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest

from material.written_files import read, write
from understudy import ParsedColumn
from understudy.corpus import lines, temporary_bytes, tree_files
from understudy.corpus.conllu_segments import ConlluSegments
from understudy.corpus.files import ByteReader, ReadBytes
from understudy.corpus.segment_sources import open_sources
from understudy.errors import UnderstudyError

ONE = "(S (NP (PRP I)) (VP (VBD slept)) (. .))"
TWO = f"{ONE} (S (NN é))"


def word(number: int, form: str, head: int) -> str:
    return f"{number}\t{form}\t_\t_\tNN\t_\t{head}\t_\t_\t_\n"


SENTENCE = word(1, "Ä", 0) + word(2, "日本", 1)
NUMBERED = (
    "# segments = 9\n# parser = flat-1/flat\n\n"
    f"# segment = 2\n# text = Ä 日本\n{SENTENCE}\n\n# alone\n\n# segment = 2\n{SENTENCE}\n"
    f"# segment = 3\n{SENTENCE}\n# segment = 6\n{SENTENCE}\n"
)
FILES = {
    "lines.ptb": f"{ONE}\n\n()\n{TWO}\n" * 5,
    "windows.ptb": "\ufeff" + f"{ONE}\r\n{TWO}\r\n" * 3,
    "trees.mrg": f"( (S\n  (NP (PRP I))\n\n (VP (VBD slept))))\n()\n(TOP (NN é)) {ONE}\n" * 4,
    "plain.txt": f"{ONE}\n\n{TWO}\n" * 4,
    "plain-trees.txt": f"(S\n (NN a))\n\n{TWO}\n" * 4,
    "sentences.conllu": f"# sent_id = 1\n{SENTENCE}\n" * 5,
    "numbered.conllu": NUMBERED,
    "windows.conllu": NUMBERED.replace("\n", "\r\n"),
    "only-numbers.conllu": "# segments = 5\n",
}


def content(name: str, size: int) -> list[tuple[str | None, ...]]:
    """Text and trees of every segment, and the parser."""
    (source,) = open_sources(name, role="system")
    rows: list[tuple[str | None, ...]] = []
    with closing(source):
        while len(column := source.take(size)):
            assert isinstance(column, ParsedColumn)
            trees = column.constituents or column.dependencies
            assert trees is not None
            rows += [(column[row], trees[row], column.origin) for row in range(len(column))]
    return rows


def blocks_of(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "BLOCK", size)
    monkeypatch.setattr(tree_files, "BLOCK", size)
    monkeypatch.setattr(tree_files, "_PART", size)


@pytest.fixture(params=[100, 37, 7, 3, 2, 1])
def block(request: pytest.FixtureRequest) -> int:
    size: int = request.param
    return size


@pytest.mark.parametrize("name", FILES)
def test_parts_do_not_matter(name: str, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(name, FILES[name])
    expected = content(path, 2**62)
    assert len(expected) > 4
    # Whether a plain file may be trees depends on its first block, which must hold a bracket.
    blocks_of(max(block, 37) if name.startswith("plain") else block, monkeypatch)
    assert [content(path, size) for size in (1, 3, 1000)] == [expected] * 3


BAD_FILES: dict[str, tuple[str | bytes, int]] = {
    "bracket.ptb": (f"{ONE}\n" * 20 + "(S (NN a)))\n" + ONE, 21),
    "beside.ptb": (f"(S\n (NN é))\n{ONE}\n" * 10 + "(S\n (NN a)\n b)\n", 33),
    "open.ptb": (f"{ONE}\n" * 20 + "(S (NN a)\n", 21),
    "columns.conllu": (f"# é\n{SENTENCE}\n" * 10 + "# é\n1\tb\n", 42),
    "order.conllu": (
        "".join(f"# segment = {number}\n{SENTENCE}\n" for number in (*range(1, 11), 4)),
        41,
    ),
    "not-numbered.conllu": (f"{SENTENCE}\n" * 10 + f"# segment = 1\n{SENTENCE}", 1),
    "total.conllu": (f"# segments = 3\n{SENTENCE}\n" + f"{SENTENCE}\n" * 9, 1),
    "latin.conllu": (f"{SENTENCE}\n".encode() * 10 + b"# caf\xe9\n", 31),
    "latin.ptb": (f"{ONE}\n".encode() * 10 + b"(S (NN caf\xe9))\n", 11),
    "both.conllu": (f"1\tb\n\n{SENTENCE}\n# segment = x\n{SENTENCE}", 1),  # the first error of two
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_errors_name_the_line_whatever_the_parts(
    name: str, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, line = BAD_FILES[name]
    blocks_of(block, monkeypatch)
    path = write(name, text)
    messages = set()
    for size in (1, 3, 1000):
        with pytest.raises(UnderstudyError) as caught:
            content(path, size)
        messages.add(str(caught.value))
    (message,) = messages
    assert message.startswith(f"'{name}', line {line}: ")


# --- no more is read than is asked for --------------------------------------------------------------------------


class Parts:
    """Endless parts of a file, which count how many of them are read."""

    def __init__(self, part: Callable[[int], str]) -> None:
        self.part, self.read = part, 0

    def __iter__(self) -> Iterator[str]:
        while True:
            self.read += 1
            yield self.part(self.read)


@pytest.mark.parametrize("numbered", [False, True])
def test_conllu_without_an_end(numbered: bool) -> None:
    parts = Parts(lambda number: (f"# segment = {number}\n" if numbered else "") + f"{SENTENCE}\n")
    segments = iter(ConlluSegments(parts, "endless"))
    for number in range(1, 50):
        line, text = next(segments)
        assert line == (number - 1) * (4 if numbered else 3) + 1
        assert text.endswith(SENTENCE)
        assert parts.read <= number + 2


@pytest.mark.parametrize("name", ["lines.ptb", "trees.mrg", "plain.txt", "sentences.conllu"])
def test_only_the_blocks_that_are_needed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Brackets are looked through before; the blocks of this first reading are not counted."""
    blocks_of(1000, monkeypatch)
    path = write(name, FILES[name] * 100)
    reads: list[int] = []
    original = ByteReader.read

    def noted(self: ByteReader, size: int) -> bytes:
        reads.append(size)
        return original(self, size)

    monkeypatch.setattr(ByteReader, "read", noted)
    (source,) = open_sources(path, role="system")
    with closing(source):
        source.take(1)
        reads.clear()
        source.take(2)
        assert len(reads) <= 1
        source.take(100)
        assert 1 <= len(reads) <= 20


# --- how a file is read twice -----------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes, which this system does not have")
@pytest.mark.parametrize("name", FILES)
def test_pipes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks_of(100, monkeypatch)
    monkeypatch.setattr(temporary_bytes, "_IN_MEMORY", 250)  # the rest is on disk
    text = FILES[name]
    expected = read(write(f"file-{name}", text))
    os.mkfifo(name)

    def fill() -> None:
        with open(name, "wb") as pipe:
            pipe.write(text.encode())

    writer = threading.Thread(target=fill)
    writer.start()
    assert read(name) == expected
    writer.join()


@pytest.mark.parametrize("name", ["lines.ptb", "plain.txt", "sentences.conllu"])
@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_progress_by_bytes(name: str, suffix: str) -> None:
    """Brackets count twice, as they are read twice."""
    path = write(f"{name}{suffix}", FILES[name] * 1000)
    size = os.path.getsize(path) * (1 if name.endswith(".conllu") else 2)
    with ReadBytes() as progress:
        (source,) = open_sources(path, role="system")
        with closing(source):
            while len(source.take(500)):
                pass
            assert progress.so_far() == (size, size)
