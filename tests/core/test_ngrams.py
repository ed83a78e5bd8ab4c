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


def key(token: bytes) -> int:
    """The key that the core gives a token of 9 to 16 bytes, or of 24 (core/text/token.h)."""
    words = [int.from_bytes(token[start : start + 8], "little") for start in range(0, len(token), 8)]
    if len(token) <= 16:
        return words[0] ^ scramble(words[1])
    state = len(token)
    for word in words:
        state = scramble(state ^ word)
    return state


def colliding_tokens(size: int) -> tuple[str, str]:
    """Two different tokens of one key: eight bytes make up for what the others changed."""
    draw = random.Random(1)
    first = "".join(draw.choices(string.ascii_letters, k=size)).encode()
    printable = set(range(0x21, 0x7F))
    while True:
        other = "".join(draw.choices(string.ascii_letters, k=size - 8)).encode()
        if size <= 16:  # the head is added to a hash of the rest
            made_up = key(first) ^ scramble(int.from_bytes(other, "little"))
            second = made_up.to_bytes(8, "little") + other
        else:  # the last word is added to a hash of those before
            made_up = state_before_the_last(first) ^ state_before_the_last(other + first[-8:])
            second = other + (made_up ^ int.from_bytes(first[-8:], "little")).to_bytes(8, "little")
        if printable.issuperset(second):
            return first.decode(), second.decode()


def state_before_the_last(token: bytes) -> int:
    state = len(token)
    for start in range(0, len(token) - 8, 8):
        state = scramble(state ^ int.from_bytes(token[start : start + 8], "little"))
    return state


@pytest.mark.parametrize("size", [16, 24])
def test_equal_keys_are_confirmed_by_the_bytes(size: int) -> None:
    first, second = colliding_tokens(size)
    assert first != second
    assert key(first.encode()) == key(second.encode())
    bleu = BLEU(tokenize="none")
    # With text after them and without: the core may read 16 bytes only where there are so many.
    for end in ("", " and this is what comes after it"):
        extra = len(end.split())
        match = bleu.statistics([first + end], [second + end])["match_1"].tolist()
        assert match == [extra], end
    assert bleu.statistics([f"{first} {second}"], [f"{second} {first}"])["match_1"].tolist() == [2]
    assert bleu.statistics([f"{first} {first}"], [f"{second} {first}"])["match_1"].tolist() == [1]


@pytest.mark.parametrize("size", range(1, 20))
def test_every_byte_of_a_token_counts_wherever_it_stands(size: int) -> None:
    bleu = BLEU(tokenize="none")
    token = "abcdefghijklmnopqrst"[:size]
    for before, after in [
        ("", ""),
        ("", " Z"),
        ("BEFORE THE TOKEN ", ""),
        ("", " AND A LONG END OF THE TEXT"),
    ]:
        others = len((before + after).split())
        for position in range(size):
            other = token[:position] + "x" + token[position + 1 :]
            matches = bleu.statistics([before + token + after], [before + other + after])["match_1"]
            assert matches.tolist() == [others], (before, other, after)


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
