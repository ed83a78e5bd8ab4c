"""The number of different sequences of blocks, beside a list of all orders."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.probing.permutations import distinct_orders as module
from understudy.probing.permutations.distinct_orders import ambiguous_blocks, distinct_orders

# Few words, so that blocks are repeated and begin with others.
BLOCKS = st.lists(st.lists(st.sampled_from("aabc"), min_size=1, max_size=3).map(tuple), max_size=6)


@given(BLOCKS)
@settings(max_examples=150, deadline=None)
def test_all_orders_spelled_out(blocks):
    spelled = {sum(order, ()) for order in itertools.permutations(blocks)}
    assert distinct_orders(blocks) == len(spelled)


@given(st.lists(st.sampled_from("abcdef"), max_size=40))
def test_single_tokens_are_counted_by_the_multinomial(tokens):
    repeated = math.prod(math.factorial(tokens.count(token)) for token in set(tokens))
    assert distinct_orders([(token,) for token in tokens]) == math.factorial(len(tokens)) // repeated


def test_unambiguous_blocks_beside_ambiguous_ones():
    """'of' and 'the' in sequence read as the block 'of the': such sequences are counted once."""
    blocks = [("of",), ("the",), ("of", "the"), ("cat",), ("sat", "down"), ("cat",)]
    spelled = {sum(order, ()) for order in itertools.permutations(blocks)}
    assert distinct_orders(blocks) == len(spelled) < math.factorial(6) // 2


@pytest.mark.parametrize(
    ("code", "ambiguous"),
    [
        (["0", "01", "11"], ""),  # not a prefix code, but uniquely decodable
        (["0", "01", "10"], "0 01 10"),  # 010
        (["a", "ab", "b", "c", "cd"], "a ab b"),
        (["a", "aa"], "a aa"),
        (["car", "ca", "rat", "t", "cart"], "car cart t"),
    ],
)
def test_uniquely_decodable_codes(code, ambiguous):
    assert ambiguous_blocks([tuple(word) for word in code]) == {tuple(word) for word in ambiguous.split()}


def test_what_is_too_expensive_is_not_counted(monkeypatch):
    blocks = [("a",), ("a", "a"), ("a", "b"), ("b",)] * 2
    assert distinct_orders(blocks) is not None
    monkeypatch.setattr(module, "_MOST_BEGINNINGS", 80)  # the numbers left of each block
    assert distinct_orders(blocks) is None
    monkeypatch.setattr(module, "_MOST_BEGINNINGS", 100)  # the readings that are followed
    assert distinct_orders(blocks) is None
