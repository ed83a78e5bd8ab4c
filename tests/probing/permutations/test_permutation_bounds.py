"""Mismatch blocks and the number of their permutations, beside BLEU's own bigram counts."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from material.every_metric import corpora
from material.probed_texts import probed
from understudy import BLEU
from understudy.probing.permutations.bounds import SegmentBound, mismatch_blocks, permutation_bounds

TOKENS = st.lists(st.sampled_from("aabcd"), max_size=8)


def bound(hypothesis: str, *references: str, spec: str = "bleu") -> SegmentBound:
    return permutation_bounds(probed([hypothesis], [references], spec)).segments[0]


@given(corpora)
@settings(max_examples=50, deadline=None)
def test_blocks_are_length_minus_bigram_matches_of_bleu(corpus):
    hypotheses, references = zip(*corpus, strict=True)
    statistics = BLEU(tokenize="13a").statistics(hypotheses, references)
    bounds = permutation_bounds(probed(hypotheses, references, "bleu:tokenize=13a")).segments
    assert [found.length for found in bounds] == statistics["hyp_length"].tolist()
    assert [found.matches for found in bounds] == statistics["match_2"].tolist()
    assert [len(found.blocks) for found in bounds] == (
        statistics["hyp_length"] - statistics["match_2"]
    ).tolist()


@given(TOKENS, st.lists(TOKENS, min_size=1, max_size=3))
@settings(max_examples=50, deadline=None)
def test_no_order_of_the_blocks_has_fewer_bigram_matches(hypothesis, references):
    blocks = mismatch_blocks(hypothesis, references)[:5]
    orders = [" ".join(sum(order, ())) for order in itertools.permutations(blocks)]
    groups = [[" ".join(reference) for reference in references]] * len(orders)
    matches = BLEU(tokenize="none").statistics(orders, groups)["match_2"]
    assert matches.min() >= sum(len(block) - 1 for block in blocks)


def test_the_first_occurrences_match():
    found = bound("a b c a b", "x a b y")
    assert found.sites == "a b | c | a | b"


def test_a_bigram_matches_as_often_as_in_the_reference_that_has_it_most_often():
    assert bound("a b c a b", "x a b y", "a b z a b").sites == "a b | c | a b"


def test_letter_case_is_that_of_the_hypothesis_and_compared_like_the_metric_does():
    assert bound("The Cat sat", "the cat lay", spec="bleu:lowercase=true").sites == "The Cat | sat"
    assert bound("The Cat sat", "the cat lay").sites == "The | Cat | sat"


def test_different_sentences_are_counted_as_the_metric_compares_them():
    assert bound("a x A", "b", spec="bleu:lowercase=true").distinct == 3
    assert bound("a x A", "b").distinct == 6


def test_sentences_with_the_same_ending():
    """'sat .' is the final block: the other three can be permuted."""
    found = bound("a b c sat .", "he sat .")
    assert (found.distinct, found.same_ending) == (24, 6)


@pytest.mark.parametrize(
    ("hypothesis", "reference", "length", "permutations", "distinct"),
    [
        ("", "a b", 0, 1, 1),
        ("   ", "a b", 0, 1, 1),
        ("a", "a", 1, 1, 1),
        ("a", "b", 1, 1, 1),
        ("x y z", "a b c", 3, 6, 6),
        ("a b c d", "a b c d", 4, 1, 1),
        ("a b", "", 2, 2, 2),
        ("a a a", "b", 3, 6, 1),
    ],
)
def test_extremes(hypothesis, reference, length, permutations, distinct):
    found = bound(hypothesis, reference)
    assert (found.length, found.permutations, found.distinct) == (length, permutations, distinct)
    assert found.log10 == pytest.approx(math.log10(permutations), abs=1e-12)


def test_five_thousand_tokens():
    found = bound(" ".join(f"w{number}" for number in range(5000)), "other")
    assert found.distinct == found.permutations == math.factorial(5000)
    assert found.log10 == pytest.approx(16325.6, abs=0.1)


def test_five_thousand_ambiguous_tokens_are_not_counted():
    found = bound("a b a a b b a a a b " * 500, "a b a a b " * 40)
    assert found.distinct is None


def test_the_largest_is_the_first_of_those_tied():
    bounds = permutation_bounds(probed(["a", "x y", "y z"], [["b"]] * 3))
    assert bounds.largest.segment == 1


def test_the_tokenizer_and_letter_case_are_reported():
    bounds = permutation_bounds(probed(["a"], [["b"]], "chrf", "bleu:tokenize=intl,lowercase=true"))
    assert (bounds.tokenizer, bounds.letter_case) == ("intl", "lower")


def test_characters_without_a_word_metric():
    """chrF compares no words: the tokenizer of BLEU for the script is used."""
    bounds = permutation_bounds(probed(["猫坐在垫子上。"], [["猫在垫子上坐着。"]], "chrf"))
    assert bounds.segments[0].sites == "猫 | 坐 | 在 垫 子 上 | 。"
