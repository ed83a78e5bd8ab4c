"""Callison-Burch, Osborne, Koehn 2006, 'Re-evaluating the Role of BLEU in Machine Translation Research':
the hypothesis of table 1 and its rearrangements in section 3. Case is folded and punctuation counted.
"""

from __future__ import annotations

import itertools
import math
import random

import pytest

from material.probed_texts import probed
from understudy import BLEU
from understudy.probing.permutations.bounds import SegmentBound, permutation_bounds
from understudy.probing.plan import ProbePlan
from understudy.probing.variants.verified import variants

METRIC = BLEU.preset("papineni2002")

REFERENCES = [
    "Orejuela appeared calm as he was led to the American plane which will take him to Miami, Florida.",
    "Orejuela appeared calm while being escorted to the plane that would take him to Miami, Florida.",
    "Orejuela appeared calm as he was being led to the American plane that was to carry him to Miami in "
    "Florida.",
    "Orejuela seemed quite calm as he was being led to the American plane that would take him to Miami in "
    "Florida.",
]
HYPOTHESIS = "Appeared calm when he was taken to the American plane, which will to Miami, Florida."
# "Here we denote bigram mismatches for the hypothesis translation given in Table 1 with vertical bars"
PHRASES = [
    "Appeared calm",
    "when",
    "he was",
    "taken",
    "to the American plane",
    ",",
    "which will",
    "to Miami , Florida .",
]


def test_table_1_counts():
    detail = METRIC.corpus([HYPOTHESIS], [REFERENCES]).detail
    assert detail["matches"] == [15, 10, 5, 3]
    assert detail["totals"] == [18, 17, 16, 15]


def test_table_1_precisions_as_printed():
    precisions = METRIC.corpus([HYPOTHESIS], [REFERENCES]).detail["precisions"]
    assert [round(p / 100, 2) for p in precisions] == [0.83, 0.59, 0.31, 0.2]


def test_table_1_score_follows_from_the_precisions():
    """The closest reference has 18 words as well, so there is no brevity penalty."""
    score = METRIC.corpus([HYPOTHESIS], [REFERENCES])
    assert score.detail["brevity_penalty"] == 1
    assert score.fraction == pytest.approx((15 / 18 * 10 / 17 * 5 / 16 * 3 / 15) ** 0.25, rel=1e-14)


def test_repeated_across_references_is_counted_once():
    """'the bigram "to Miami" is repeated across all four reference translations' but counts once."""
    statistics = METRIC.statistics(["to Miami to Miami"], [REFERENCES])
    assert (statistics["match_2"].item(), statistics["total_2"].item()) == (1, 3)


def test_bars_stand_where_bigrams_mismatch():
    assert " ".join(PHRASES) == HYPOTHESIS.replace(",", " ,").replace(".", " .")
    across = [f"{left.split()[-1]} {right.split()[0]}" for left, right in itertools.pairwise(PHRASES)]
    inside = [" ".join(pair) for phrase in PHRASES for pair in itertools.pairwise(phrase.split())]
    statistics = METRIC.statistics(across + inside, [REFERENCES] * (len(across) + len(inside)))
    assert statistics["match_2"].tolist() == [0] * 7 + [1] * 10


def test_the_permutation_printed_scores_the_same():
    permuted = "which will he was , when taken Appeared calm to the American plane to Miami , Florida ."
    assert sorted(permuted.split()) == sorted(" ".join(PHRASES).split())
    assert METRIC.corpus([permuted], [REFERENCES]).value == METRIC.corpus([HYPOTHESIS], [REFERENCES]).value


def test_number_of_permutations():
    """(k - b)! with k = 18 words and b = 10 bigram matches: 40,320."""
    detail = METRIC.corpus([HYPOTHESIS], [REFERENCES]).detail
    assert math.factorial(detail["totals"][0] - detail["matches"][1]) == 40_320
    assert math.factorial(len(PHRASES)) == 40_320


def test_no_permutation_of_the_phrases_scores_lower():
    """'reordering ... at these points will not reduce the number of matching n-grams'; some gain."""
    orders = random.Random(2006).sample(list(itertools.permutations(PHRASES)), 500)
    scores = METRIC.segments([" ".join(order) for order in orders], [REFERENCES] * len(orders))
    score = METRIC.corpus([HYPOTHESIS], [REFERENCES]).value
    assert scores.min() == score
    assert (scores == score).mean() > 0.5


def test_unmatched_words_can_be_anything():
    """'we could just as validly use the words black and helicopters as we could when and taken'"""
    other = HYPOTHESIS.replace("when", "black").replace("taken", "helicopters")
    assert other != HYPOTHESIS
    assert METRIC.corpus([other], [REFERENCES]).value == METRIC.corpus([HYPOTHESIS], [REFERENCES]).value


def test_words_drawn_from_several_references():
    """Section 3.2's 'far less plausible' hypothesis has the same matches: 15, 10, 5 and 3.

    As printed it has 17 words, one less than the hypothesis of table 1; with one more word that does not
    match, it 'would receive the same Bleu score' to the digit.
    """
    drawn = "was being led to the calm as he was would take carry him seemed quite when taken"
    detail = METRIC.corpus([drawn], [REFERENCES]).detail
    assert (detail["matches"], detail["totals"][0]) == ([15, 10, 5, 3], 17)
    padded = METRIC.corpus([drawn + " black"], [REFERENCES])
    assert padded.value == METRIC.corpus([HYPOTHESIS], [REFERENCES]).value


def bound(spec: str) -> SegmentBound:
    return permutation_bounds(probed([HYPOTHESIS], [REFERENCES], spec)).segments[0]


def test_probe_finds_the_sites_as_printed():
    """The paper's counts ignore case ('Appeared' matches 'appeared') and take punctuation for tokens, as the tokenizer
    13a does here; the sites are printed in the case of the hypothesis.
    """
    found = bound("bleu:papineni2002")
    assert found.sites == (
        "Appeared calm | when | he was | taken | to the American plane | , | which will | to Miami , Florida ."
    )
    assert (found.length, found.matches, found.permutations) == (18, 10, 40_320)
    assert 10**found.log10 == pytest.approx(40_320)


def test_all_permutations_differ_and_one_in_eight_ends_with_the_final_block():
    found = bound("bleu:papineni2002")
    assert (found.distinct, found.same_ending) == (40_320, 5_040)


def test_with_case_there_is_one_more_site():
    found = bound("bleu")
    assert found.sites.startswith("Appeared | calm | when")
    assert (found.matches, found.permutations) == (9, math.factorial(9))


def test_sentences_of_section_3_score_no_lower():
    permuted = "which will he was, when taken Appeared calm to the American plane to Miami, Florida."
    drawn = "was being led to the calm as he was would take carry him seemed quite when taken"
    scores = METRIC.segments([permuted, drawn], [REFERENCES] * 2)
    assert scores.min() >= METRIC.segment(HYPOTHESIS, REFERENCES).value


def test_probe_finds_variants_of_every_kind_with_the_same_score():
    found = variants(probed([HYPOTHESIS], [REFERENCES], METRIC), ProbePlan(variants=20))
    score = METRIC.segment(HYPOTHESIS, REFERENCES).value
    same = [variant for variant in found.segments[0].variants if variant.scores[0] == pytest.approx(score)]
    assert {variant.construction for variant in same} == {
        "permuted blocks",
        "replaced words",
        "reference n-grams",
    }
    assert found.count == 60
    assert min(variant.scores[0] for variant in found.segments[0].variants) >= score - 1e-9
