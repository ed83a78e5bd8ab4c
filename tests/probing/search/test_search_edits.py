"""The edits of a text: each kind, complete, in words."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.probing.search.edits import Exchange, Neighborhood, Repetition, Replacement

TOKENS = ("a", "b", "c", "d")
NEIGHBORHOOD = Neighborhood(["x"], [("p", "q", "r")])


def neighbors(tokens, seed=0):
    edits = NEIGHBORHOOD.edits(tokens, np.random.default_rng(seed))
    return {"".join(edit.applied(tokens)) for edit in edits}


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("acd", id="deletion"),
        pytest.param("d", id="deletion of a block"),
        pytest.param("abxcd", id="insertion"),
        pytest.param("abcdx", id="insertion at the end"),
        pytest.param("xbcd", id="replacement"),
        pytest.param("adcb", id="swap"),
        pytest.param("cdab", id="move of a block"),
        pytest.param("bacd", id="move of a token"),
        pytest.param("abbcd", id="repetition"),
        pytest.param("abxx", id="one word in place of a block"),
        pytest.param("aqrcd", id="n-gram of a reference inserted or in place of a token"),
        pytest.param("pqrbcd", id="n-gram of three"),
        pytest.param("abr", id="rest of a reference"),
    ],
)
def test_a_neighbor_is_reached(text):
    assert text in neighbors(TOKENS)


def test_every_text_of_two_tokens_next_to_one_token():
    own = {"x", "xa", "ax", "aa", "pq", "qr", "pqr", "r", ""}
    spliced = {"apq", "pqa", "aqr", "qra", "apqr", "pqra", "ar"}
    assert neighbors(("a",)) == own | spliced


def test_the_order_of_edits_does_not_change_their_set():
    assert neighbors(TOKENS, seed=1) == neighbors(TOKENS, seed=2)


def test_an_empty_text_can_only_grow():
    assert neighbors(()) == {"x", "pq", "qr", "pqr", "r"}


@pytest.mark.parametrize(
    ("edit", "described"),
    [
        (Replacement(1, 3, ()), "delete 'b c'"),
        (Replacement(1, 1, ("x",)), "insert 'x' before 'b'"),
        (Replacement(3, 4, ("x", "y")), "replace 'd' by 'x y'"),
        (Exchange((0, 1), (3, 4)), "swap 'a' and 'd'"),
        (Exchange((0, 2), (2, 3)), "move 'c' before 'a b'"),
        (Repetition(0, 2), "repeat 'a b'"),
    ],
)
def test_edits_in_words(edit, described):
    assert edit.described(TOKENS) == described
