"""Counting n-grams: what is particular to the core. That the counts are right: tests/metrics, tests/parity."""

from __future__ import annotations

import random
import string

import pytest

from understudy import BLEU
from understudy.errors import BadInput

MASK = 2**64 - 1


def scramble(x: int) -> int:
    x = x * 0x9E3779B97F4A7C15 & MASK
    return x ^ x >> 32


def key_of_16_bytes(token: bytes) -> int:
    """The key that the core gives a token of 16 bytes (core/text/tokens.h, Token::hash)."""
    state = scramble(16 ^ int.from_bytes(token[:8], "little"))
    return scramble(state ^ int.from_bytes(token[8:], "little"))


def colliding_tokens() -> tuple[str, str]:
    """Two different tokens of one key: the second half makes up for what the first half changed."""
    draw = random.Random(1)
    printable = set(range(0x21, 0x7F))
    while True:
        first, other = ("".join(draw.choices(string.ascii_letters, k=size)).encode() for size in (16, 8))
        difference = scramble(16 ^ int.from_bytes(first[:8], "little")) ^ scramble(
            16 ^ int.from_bytes(other, "little")
        )
        tail = (int.from_bytes(first[8:], "little") ^ difference).to_bytes(8, "little")
        if printable.issuperset(tail):
            return first.decode(), (other + tail).decode()


def test_equal_keys_are_confirmed_by_the_bytes() -> None:
    first, second = colliding_tokens()
    assert first != second
    assert key_of_16_bytes(first.encode()) == key_of_16_bytes(second.encode())
    bleu = BLEU(tokenize="none")
    assert bleu.statistics([first], [second])["match_1"].tolist() == [0]
    assert bleu.statistics([f"{first} {second}"], [f"{second} {first}"])["match_1"].tolist() == [2]
    assert bleu.statistics([f"{first} {first}"], [f"{second} {first}"])["match_1"].tolist() == [1]


def test_tokens_that_differ_only_in_length_or_in_zero_bytes_differ() -> None:
    bleu = BLEU(tokenize="none")
    for one, other in [("a", "a\0"), ("abcdefgh", "abcdefgh\0"), ("\0", "\0\0"), ("abcdefgh", "abcdefghi")]:
        assert bleu.statistics([one], [other])["match_1"].tolist() == [0], (one, other)
        assert bleu.statistics([other], [other])["match_1"].tolist() == [1], other


def test_what_an_earlier_segment_left_in_the_tables_is_not_seen() -> None:
    words = [f"word-number-{i}" for i in range(3000)]
    hypotheses = [" ".join(words), "word-number-1 other", " ".join(words[::-1])] * 3
    references = [" ".join(words[1:]), "another", " ".join(words)] * 3
    counted = BLEU(tokenize="none").statistics(hypotheses, references, threads=1)
    assert counted["match_1"].tolist() == [2999, 0, 3000] * 3
    assert counted["match_4"].tolist() == [2996, 0, 0] * 3


@pytest.mark.parametrize("references", [16, 17, 40])
def test_many_references(references: int) -> None:
    group = [" ".join("abcdefg"[: n % 7 + 1]) for n in range(references)]
    bleu = BLEU(tokenize="none", brevity="average")
    mean = sum(n % 7 + 1 for n in range(references)) / references
    assert bleu.corpus(["a b"], [group]).detail["ref_length"] == pytest.approx(mean, rel=1e-6)


def test_a_segment_without_any_reference_is_refused() -> None:
    with pytest.raises(BadInput, match="segment 2 has none"):
        BLEU().statistics(["a", "b"], [["a"], []])
