"""Lengths of n-grams that have given numbers of matches."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.probing.variants.draws import Draws
from understudy.probing.variants.reference_ngrams import fragment_lengths

LENGTHS = st.lists(st.integers(1, 9), min_size=1, max_size=8)


def matches(lengths: list[int], max_order: int) -> list[int]:
    return [sum(max(0, length - below) for length in lengths) for below in range(max_order)]


@given(LENGTHS, st.integers(1, 6), st.integers(0, 99))
@settings(deadline=None)
def test_lengths_have_the_matches_of_other_lengths(lengths: list[int], max_order: int, seed: int) -> None:
    wanted = matches(lengths, max_order)
    found = fragment_lengths(wanted, Draws(np.random.default_rng(seed)))
    assert matches(found, max_order) == wanted


@given(st.lists(st.integers(0, 9), min_size=4, max_size=4), st.integers(0, 99))
@settings(deadline=None)
def test_no_fewer_matches_where_no_lengths_have_exactly_these(numbers: list[int], seed: int) -> None:
    """As of 'a b c', of which both bigrams match but not the trigram."""
    wanted = sorted((min(number, 9 - below) for below, number in enumerate(numbers)), reverse=True)
    wanted[0] = max(1, wanted[0])
    found = fragment_lengths(wanted, Draws(np.random.default_rng(seed)))
    assert all(some >= least for some, least in zip(matches(found, 4), wanted, strict=True))
    assert sum(found) <= 9 + 3
