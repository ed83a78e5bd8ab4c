"""Which words of an output match: as many as BLEU counts, and where they stand in the text."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy import BLEU
from understudy.breakdown.marked_text import Marker, Piece
from understudy.breakdown.matched_spans import ReferenceNgrams, matched_spans

EXAMPLES = Path(__file__).parents[2] / "examples"


def lines(name: str) -> list[str]:
    return (EXAMPLES / name).read_text(encoding="utf-8").splitlines()


def test_the_papers_example() -> None:
    """Papineni et al. 2001, example 2: of seven times "the" two are matched, and no pair of words."""
    references = [["the", "cat", "is", "on", "the", "mat"], ["there", "is", "a", "cat", "on", "the", "mat"]]
    spans = matched_spans(["the", "the", "the", "the", "the", "the", "the"], ReferenceNgrams.of(references))
    assert spans == {1: [(0, 1), (1, 2)], 2: [], 3: [], 4: []}


@pytest.mark.parametrize(
    "metric", [BLEU(), BLEU(lowercase=True, tokenize="intl"), BLEU(tokenize="char")], ids=str
)
def test_there_are_as_many_as_bleu_counts(metric: BLEU) -> None:
    outputs = lines("system-medium.en")
    references = list(zip(lines("reference-1.en"), lines("reference-2.en"), strict=True))
    counted = metric.statistics(outputs, references)
    for row, (output, of_segment) in enumerate(zip(outputs, references, strict=True)):
        spans = matched_spans(
            metric.tokens(output), ReferenceNgrams.of([metric.tokens(text) for text in of_segment])
        )
        assert [len(spans[n]) for n in range(1, 5)] == [counted[f"match_{n}"][row] for n in range(1, 5)]


@pytest.mark.parametrize(
    ("text", "references", "metric", "expected"),
    [
        ("a b c d e", ["a b c d e"], BLEU(), [("a b c d e", 4)]),
        ("a b", ["b a"], BLEU(), [("a", 1), (" ", 0), ("b", 1)]),
        ("The  cat!", ["cat"], BLEU(), [("The  ", 0), ("cat", 1), ("!", 0)]),
        ("THE İstanbul", ["the i̇stanbul"], BLEU(lowercase=True), [("THE İstanbul", 2)]),
        ("he said &quot;yes&quot; now", ['"yes" now'], BLEU(), [("he said ", 0), ("&quot;yes&quot; now", 4)]),
        ("<skipped>yes", ["yes"], BLEU(), [("<skipped>", 0), ("yes", 1)]),
        ("猫坐了", ["猫坐"], BLEU(tokenize="zh"), [("猫坐", 2), ("了", 0)]),
        ("猫坐了 ok", ["黑猫坐 ok"], BLEU(), [("猫坐", 2), ("了 ", 0), ("ok", 1)]),
        ("ネコが走る", ["ネコは走る"], BLEU(tokenize="zh"), [("ネコ", 2), ("が", 0), ("走る", 2)]),
        ("กินข้าว", ["กินน้ำ"], BLEU(), [("กิน", 2), ("ข้าว", 0)]),
        ("고양이가 앉다", ["고양이는 앉다"], BLEU(), [("고양이가 ", 0), ("앉다", 1)]),  # Korean has spaces
        ("猫坐了", ["猫坐"], BLEU(tokenize="none"), [("猫坐了", 0)]),  # as somebody cut it
        ("", ["a"], BLEU(), [("", 0)]),
        ("a", [""], BLEU(), [("a", 0)]),
    ],
)
def test_pieces_by_hand(
    text: str, references: list[str], metric: BLEU, expected: list[tuple[str, int]]
) -> None:
    assert Marker.of(references, metric).pieces(text) == [Piece(*piece) for piece in expected]


TEXT = st.text(
    alphabet=st.sampled_from(list("aB é&;,.<>-1\u0130\u00a0猫\n")) | st.characters(codec="utf-8"), max_size=30
)


@given(
    TEXT,
    st.lists(TEXT, min_size=1, max_size=3),
    st.sampled_from(["13a", "intl", "char", "none"]),
    st.booleans(),
)
def test_all_pieces_together_are_the_text(
    text: str, references: list[str], tokenize: str, lowercase: bool
) -> None:
    pieces = Marker.of(references, BLEU(tokenize=tokenize, lowercase=lowercase)).pieces(text)
    assert "".join(piece.text for piece in pieces) == text
    assert all(piece.text or len(pieces) == 1 for piece in pieces)
