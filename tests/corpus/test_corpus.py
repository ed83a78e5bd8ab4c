"""Corpus: files that belong together, read whole or in parts, and refused where they do not fit."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path

import numpy as np
import pytest

from understudy import BLEU, Corpus, score
from understudy.corpus.corpus import read_ahead, references_in_parts
from understudy.corpus.corpus_input import corpus_input
from understudy.corpus.lines import LineSource
from understudy.errors import BadInput, BadParameter, LengthMismatch, NoSegments, UnderstudyError

EXAMPLES = Path(__file__).parents[2] / "examples"
STRONG, WEAK = EXAMPLES / "system-strong.en", EXAMPLES / "system-weak.en"
REFERENCES = [EXAMPLES / "reference-1.en", EXAMPLES / "reference-2.en"]


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def write(path: Path, *segments: str) -> Path:
    path.write_text("".join(segment + "\n" for segment in segments), encoding="utf-8")
    return path


def test_what_is_read_is_what_the_files_hold() -> None:
    corpus = Corpus.read([STRONG, WEAK], REFERENCES)
    assert list(corpus.systems) == ["system-strong.en", "system-weak.en"]
    assert [corpus["system-weak.en"][i] for i in range(len(corpus))] == lines(WEAK)
    assert corpus.references[7] == [lines(path)[7] for path in REFERENCES]
    assert repr(corpus) == (
        "<Corpus: 60 segments, 2 references, 2 systems (system-strong.en, system-weak.en)>"
    )


@pytest.mark.parametrize("chunk", [1, 7, 59, 60, 61])
def test_parts_add_up_to_the_whole(chunk: int) -> None:
    bleu = BLEU()
    whole = Corpus.read([STRONG], REFERENCES)
    parts = list(Corpus.stream([STRONG], REFERENCES, chunk=chunk))
    assert [len(part) for part in parts[:-1]] == [chunk] * (len(parts) - 1)
    sums = [bleu.statistics(part["system-strong.en"], part.references).sum().array for part in parts]
    expected = bleu.statistics(whole["system-strong.en"], whole.references).sum().array
    assert np.sum(sums, axis=0).tolist() == expected.tolist()


@pytest.mark.parametrize("level", ["corpus", "mean", "segment"])
def test_scores_from_files_are_those_from_lists(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("understudy.scoring.system_statistics.CHUNK_SEGMENTS", 7)
    references = list(zip(*map(lines, REFERENCES), strict=True))
    bleu = BLEU()
    result = score([STRONG, WEAK], REFERENCES, [bleu], level=level)
    assert (result.segments, result.references) == (60, (2, 2))
    for path in (STRONG, WEAK):
        got = result[path.name]
        if level == "segment":
            assert got.segments[0].tolist() == bleu.segments(lines(path), references).tolist()
        else:
            expected = bleu.corpus if level == "corpus" else bleu.mean
            assert got.scores[0] == expected(lines(path), references)


def test_a_dropped_line_is_named_with_both_lengths(tmp_path: Path) -> None:
    long, as_long = (write(tmp_path / name, *"abcde") for name in ("ref.txt", "ref2.txt"))
    short = write(tmp_path / "nmt.txt", *"abcd")
    message = r"'.*nmt.txt' has 4 segments, '.*ref.txt' has 5. Was the last line lost\?"
    for chunk in (None, 2, 4, 100):
        with pytest.raises(LengthMismatch, match=message):
            list(Corpus.stream([short], [long, as_long], chunk=chunk))


def test_line_ends_of_old_macs_are_named(tmp_path: Path) -> None:
    fine = write(tmp_path / "ref.txt", *"abc")
    (tmp_path / "mac.txt").write_bytes(b"a\rb\rc\r")
    message = (
        r"mac\.txt' has 1 segment, '.*ref\.txt' has 3\. Only LF ends a line, but '.*mac\.txt' has CR within"
    )
    for chunk in (None, 2):
        with pytest.raises(LengthMismatch, match=message):
            list(Corpus.stream([tmp_path / "mac.txt"], [fine], chunk=chunk))


def test_the_odd_one_out_is_named(tmp_path: Path) -> None:
    fine = [write(tmp_path / f"fine-{i}.txt", *"abcde") for i in range(3)]
    odd = write(tmp_path / "odd.txt", *"abcdefgh")
    with pytest.raises(LengthMismatch, match=r"'.*odd\.txt' has 8 segments, '.*fine-0\.txt' has 5\. Line i"):
        Corpus.read(fine, [odd])


def test_empty_files_and_missing_arguments_are_refused(tmp_path: Path) -> None:
    empty = write(tmp_path / "empty.txt")
    with pytest.raises(NoSegments, match="has no segments"):
        Corpus.read([empty], [empty])
    with pytest.raises(BadParameter, match="at least one system"):
        Corpus.read([], [empty])
    with pytest.raises(BadParameter, match="bleu needs references, but none are given"):
        score([STRONG])
    with pytest.raises(BadParameter, match="level='document': expected corpus, segment, mean"):
        score([STRONG], REFERENCES, level="document")


def test_systems_of_one_name_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    paths = []
    for run in ("run1", "run2"):
        (tmp_path / run).mkdir()
        paths.append(write(tmp_path / run / "out.txt", "a", "b"))
    reference = write(tmp_path / "ref.txt", "a", "c")
    assert list(Corpus.read(paths, [reference]).systems) == [str(path) for path in paths]
    with pytest.raises(BadInput, match="is given twice"):
        Corpus.read([paths[0], paths[0]], [reference])


def test_a_reference_that_is_given_twice_is_refused(tmp_path: Path) -> None:
    system = write(tmp_path / "out.txt", "a", "b")
    table = write(tmp_path / "all.tsv", "hyp\tref\tother", "a\tb\tc", "d\te\tf")
    lists = write(tmp_path / "lists.jsonl", '{"ref": ["a"]}', '{"ref": ["b"]}')
    assert Corpus.read([system], [table, f"{table}:other", lists]).references is not None
    cases: list[tuple[list[str | Path], str]] = [
        ([system, system], r"reference '.*out\.txt' is given twice\. Omit one of them\."),
        ([system, tmp_path / "." / ".." / tmp_path.name / "out.txt"], "is given twice"),
        ([table, f"{table}:ref"], r"reference '.*all.tsv:ref' is given twice, first as '.*all.tsv'."),
        ([f"{lists}:ref", lists], "is given twice"),
    ]
    for twice, words in cases:
        with pytest.raises(BadInput, match=words):
            Corpus.read([system], twice)
        with pytest.raises(BadInput, match=words):
            list(references_in_parts(corpus_input(system, twice)))


def test_an_unknown_system_is_answered_with_the_known_ones() -> None:
    with pytest.raises(BadParameter, match=r"unknown system 'system-week.en'. Did you mean 'system-weak.en'"):
        Corpus.read([WEAK], REFERENCES)["system-week.en"]


def test_documents_in_another_order_are_refused(tmp_path: Path) -> None:
    def sgml(kind: str, *documents: str) -> Path:
        body = "".join(
            f'<doc docid="{name}" sysid="x"><seg id="1">{name}</seg></doc>\n' for name in documents
        )
        path = tmp_path / f"{kind}-{'-'.join(documents)}.sgm"
        path.write_text(f'<{kind} setid="s" srclang="de" trglang="en">\n{body}</{kind}>\n', encoding="utf-8")
        return path

    assert len(Corpus.read([sgml("tstset", "a", "b")], [sgml("refset", "a", "b")])) == 2
    with pytest.raises(BadInput, match=r"segment 1 belongs to document 'a' in .*, but to 'b' in"):
        Corpus.read([sgml("tstset", "a", "b")], [sgml("refset", "b", "a")])


def test_segments_in_another_order_are_refused(tmp_path: Path) -> None:
    def sgml(kind: str, *identifiers: str) -> Path:
        body = "".join(f"<seg{name}>a</seg>" for name in identifiers)
        path = tmp_path / f"{kind}.sgm"
        path.write_text(f'<{kind}><doc docid="d" sysid="x">{body}</doc></{kind}>', encoding="utf-8")
        return path

    in_order = ' id="1"', ' id="2"', ' id="3"'
    assert len(Corpus.read([sgml("tstset", *in_order)], [sgml("refset", *in_order)])) == 3
    assert len(Corpus.read([sgml("tstset", "", "", "")], [sgml("refset", *in_order)])) == 3
    with pytest.raises(
        BadInput, match=r"segment 2 has the id '3' in .*tstset\.sgm', but '2' in .*refset\.sgm'\. Both"
    ):
        Corpus.read([sgml("tstset", ' id="1"', ' id="3"', ' id="2"')], [sgml("refset", *in_order)])
    with pytest.raises(BadInput, match="segment 2 has the id '3'"):  # not: one has 2 segments, the other 3
        Corpus.read([sgml("tstset", ' id="1"', ' id="3"')], [sgml("refset", *in_order)])


def test_documents_and_domains_come_with_their_segments(tmp_path: Path) -> None:
    """In parts as in the whole; a file that names none takes nothing away from one that does."""
    documents = "".join(
        f'<doc docid="{name}" {genre}><seg id="1">{name}</seg><seg id="2">{name}</seg></doc>'
        for name, genre in (("a", 'genre="news"'), ("b", ""), ("c", 'genre="talk"'))
    )
    (tmp_path / "ref.sgm").write_text(f'<refset sysid="x">{documents}</refset>', encoding="utf-8")
    system = write(tmp_path / "out.txt", *"123456")
    whole = Corpus.read([system], [tmp_path / "ref.sgm"])
    assert whole.documents == tuple("aabbcc")
    assert whole.domains == ("news", "news", "(none)", "(none)", "talk", "talk")
    parts = list(Corpus.stream([system], [tmp_path / "ref.sgm"], chunk=4))
    assert [part.documents for part in parts] == [tuple("aabb"), tuple("cc")]
    assert [part.domains for part in parts] == [whole.domains[:4], whole.domains[4:]]
    plain = Corpus.read([system], [system])
    assert (plain.documents, plain.domains) == (None, None)


def test_a_source_text_given_as_list_of_one_path_or_as_path_is_the_same() -> None:
    assert len(Corpus.read(STRONG, REFERENCES[0])) == 60


def test_parts_that_are_read_ahead_are_the_same_parts(tmp_path, monkeypatch):
    monkeypatch.setattr("understudy.corpus.corpus.CHUNK_SEGMENTS", 3)
    path = tmp_path / "system.txt"
    path.write_text("".join(f"line {i}\n" for i in range(10)), encoding="utf-8")
    parts = list(read_ahead(Corpus.stream([path], chunk=3)))
    assert [[part["system"][row] for row in range(len(part))] for part in parts] == [
        [f"line {i}" for i in range(start, min(start + 3, 10))] for start in range(0, 10, 3)
    ]


def test_what_fails_while_reading_ahead_fails_in_its_turn(tmp_path, monkeypatch):
    monkeypatch.setattr("understudy.corpus.corpus.CHUNK_SEGMENTS", 2)
    path = tmp_path / "system.txt"
    path.write_bytes(b"a\nb\nc\nd\n\xff\n")
    parts = read_ahead(Corpus.stream([path], chunk=2))
    assert len(next(parts)) == 2
    with pytest.raises(UnderstudyError, match="line 5"):
        list(parts)


def test_parts_that_nobody_wants_any_more_are_left(tmp_path, monkeypatch):
    monkeypatch.setattr("understudy.corpus.corpus.CHUNK_SEGMENTS", 2)
    path = tmp_path / "system.txt"
    path.write_text("a\n" * 9, encoding="utf-8")
    closed = []

    def close(source: LineSource) -> None:
        closed.append(source.where)
        source._bytes.close()

    monkeypatch.setattr(LineSource, "close", close)
    parts = read_ahead(Corpus.stream([path], chunk=2))
    assert isinstance(parts, Generator)
    next(parts)
    assert closed == []
    parts.close()
    assert closed == [str(path)]
