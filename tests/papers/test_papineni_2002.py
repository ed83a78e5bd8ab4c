"""The worked examples and formulas of the BLEU report (Papineni, Roukos, Ward, Zhu; IBM RC22176, 2001).

The report does not count the period its example sentences end with: 17/18 and 8/14 are words only. The
sentences stand here without it, otherwise every fraction would have one more n-gram.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction

import pytest

from understudy import BLEU

REPORTED = BLEU.preset("papineni2002")

REFERENCES = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of the "
    "Party",
    "It is the practical guide for the army always to heed the directions of the party",
]
CANDIDATE_1 = "It is a guide to action which ensures that the military always obeys the commands of the party"
CANDIDATE_2 = "It is to insure the troops forever hearing the activity guidebook that party direct"


def counted(candidate: str, references: list[str], order: int) -> tuple[int, int]:
    """Clipped matches and all n-grams: the fraction as the report prints it, not reduced."""
    statistics = REPORTED.statistics([candidate], [references]).sum()
    return int(statistics[f"match_{order}"]), int(statistics[f"total_{order}"])


@pytest.mark.parametrize(
    ("candidate", "order", "fraction"),
    [
        (CANDIDATE_1, 1, (17, 18)),
        (CANDIDATE_1, 2, (10, 17)),
        (CANDIDATE_2, 1, (8, 14)),
        (CANDIDATE_2, 2, (1, 13)),
    ],
)
def test_example_1(candidate, order, fraction):
    assert counted(candidate, REFERENCES, order) == fraction
    detail = REPORTED.corpus([candidate], [REFERENCES]).detail
    assert detail["precisions"][order - 1] == pytest.approx(100 * Fraction(*fraction), rel=1e-15)


def test_example_1_ranks_the_candidates():
    """'a program can rank Candidate 1 higher than Candidate 2 simply by comparing n-gram matches'"""
    first, second = (REPORTED.corpus([c], [REFERENCES]).value for c in (CANDIDATE_1, CANDIDATE_2))
    assert first > second
    assert second == 0  # it has no matching trigram, and the report does not smooth


def test_example_2_clips():
    candidate = "the the the the the the the"
    references = ["The cat is on the mat", "There is a cat on the mat"]
    assert counted(candidate, references, 1) == (2, 7)
    assert counted(candidate, references, 2) == (0, 6)
    # "even though its standard unigram precision is 7/7": each of the 7 by itself occurs in one.
    words = candidate.split()
    alone = REPORTED.statistics(words, [references] * len(words)).sum()
    assert (alone["match_1"], alone["total_1"]) == (7, 7)


def test_example_2_clips_at_the_largest_count_of_a_single_reference():
    """'the maximum number of times a word occurs in any single reference translation': not a sum."""
    one_the_each = ["The cat sat", "on the mat"]
    assert counted("the the the", one_the_each, 1) == (1, 3)


def test_example_3_inflated_precisions_of_a_short_candidate():
    assert counted("of the", REFERENCES, 1) == (2, 2)
    assert counted("of the", REFERENCES, 2) == (1, 1)
    detail = REPORTED.corpus(["of the"], [REFERENCES]).detail
    assert detail["precisions"][:2] == [100.0, 100.0]
    assert detail["brevity_penalty"] == pytest.approx(math.exp(1 - 16 / 2), rel=1e-14)  # what deflates them


def test_example_4_recall_misleads():
    references = ["I always do", "I invariably do", "I perpetually do"]
    many, one = "I always invariably perpetually do", "I always do"
    reference_words = set(" ".join(references).split())

    def recalled(candidate: str) -> int:
        return len(reference_words & set(candidate.split()))

    assert recalled(many) > recalled(one)
    # The better candidate has three words, so N is at most 3 here.
    for max_order in (2, 3):
        metric = BLEU.preset("papineni2002", max_order=max_order)
        poorer, better = (metric.corpus([c], [references]).value for c in (many, one))
        assert poorer < better
        assert better == pytest.approx(100)
    # Of its four bigrams 'I always' and 'perpetually do' are in a reference, from two different ones.
    assert counted(many, references, 1) == (5, 5)
    assert counted(many, references, 2) == (2, 4)


def test_terse_candidate_of_a_reference_s_length_is_not_penalized():
    """'references with lengths 12, 15, and 17 words and the candidate translation is a terse 12 words'"""
    references = [" ".join(f"w{i}" for i in range(length)) for length in (12, 15, 17)]
    detail = REPORTED.corpus([references[0]], [references]).detail
    assert (detail["hyp_length"], detail["ref_length"], detail["brevity_penalty"]) == (12, 12, 1.0)
    # The "best match length" is the closest, not the shortest: 14 words are measured against 15.
    fourteen = REPORTED.corpus([" ".join(f"w{i}" for i in range(14))], [references]).detail
    assert fourteen["ref_length"] == 15
    assert fourteen["brevity_penalty"] == pytest.approx(math.exp(1 - 15 / 14), rel=1e-15)


@pytest.mark.parametrize("words", [1, 2, 11, 12, 13, 40])
def test_brevity_penalty_formula(words):
    """BP = 1 if c > r, e^(1 - r/c) if c <= r; which is 1 as well at c == r."""
    reference = " ".join(["w"] * 12)
    candidate = " ".join(["w"] * words)
    expected = 1.0 if words > 12 else math.exp(1 - 12 / words)
    assert REPORTED.corpus([candidate], [reference]).detail["brevity_penalty"] == pytest.approx(
        expected, rel=1e-15
    )
    assert words != 12 or expected == 1.0


def test_brevity_penalty_is_of_the_corpus_not_of_sentences():
    """'we compute the brevity penalty over the entire corpus to allow some freedom at the sentence level'"""
    sixteen, twelve = (" ".join(f"w{i}" for i in range(n)) for n in (16, 12))
    # One sentence is 4 words short and one 4 words long: together they are as long as they should be.
    detail = REPORTED.corpus([twelve, sixteen], [sixteen, twelve]).detail
    assert (detail["hyp_length"], detail["ref_length"], detail["brevity_penalty"]) == (28, 28, 1.0)
    alone = REPORTED.corpus([twelve], [sixteen]).detail["brevity_penalty"]
    assert alone == pytest.approx(math.exp(1 - 16 / 12), rel=1e-15)
    # r sums the best match lengths; the penalty is one exponential in r/c, not a mean of penalties.
    detail = REPORTED.corpus([twelve, twelve], [sixteen, twelve]).detail
    assert detail["brevity_penalty"] == pytest.approx(math.exp(1 - 28 / 24), rel=1e-15)
    assert detail["brevity_penalty"] != pytest.approx((alone + 1) / 2, rel=1e-3)


def test_precisions_are_word_weighted_over_the_corpus():
    """'a word-weighted average of the sentence-level modified precisions'"""
    detail = REPORTED.corpus(
        [CANDIDATE_1, "the the the the the the the"], [REFERENCES, ["The cat is on the mat"]]
    ).detail
    assert detail["matches"][:2] == [17 + 2, 10]
    assert detail["totals"][:2] == [18 + 7, 17 + 6]
    assert detail["precisions"][0] == pytest.approx(100 * 19 / 25, rel=1e-15)


@pytest.mark.parametrize("max_order", [1, 2, 3, 4])
@pytest.mark.parametrize("candidate", [CANDIDATE_1, " ".join(CANDIDATE_1.split()[:13])])
def test_the_formulas_agree(candidate, max_order):
    """BLEU = BP exp(sum w log p); log BLEU = min(1 - r/c, 0) + sum w log p; both with w = 1/N."""
    score = BLEU.preset("papineni2002", max_order=max_order).corpus([candidate], [REFERENCES])
    precisions = [
        Fraction(m, t) for m, t in zip(score.detail["matches"], score.detail["totals"], strict=True)
    ]
    c, r = score.detail["hyp_length"], score.detail["ref_length"]
    mean_log = sum(math.log(p) for p in precisions) / max_order
    assert score.fraction == pytest.approx(
        (1 if c > r else math.exp(1 - r / c)) * math.exp(mean_log), rel=1e-14
    )
    assert math.log(score.fraction) == pytest.approx(min(1 - r / c, 0) + mean_log, rel=1e-13)
    # "equivalent to using the geometric mean of the modified n-gram precisions"
    product = math.prod(precisions)
    assert score.fraction == pytest.approx(
        math.exp(min(1 - r / c, 0)) * float(product) ** (1 / max_order), rel=1e-14
    )


def test_weights_are_positive_and_sum_to_one():
    weights = (0.1, 0.2, 0.3, 0.4)
    score = BLEU.preset("papineni2002", weights=weights).corpus([CANDIDATE_1], [REFERENCES])
    mean_log = sum(w * math.log(p / 100) for w, p in zip(weights, score.detail["precisions"], strict=True))
    assert score.fraction == pytest.approx(score.detail["brevity_penalty"] * math.exp(mean_log), rel=1e-14)


def test_baseline_is_four_orders_with_uniform_weights_and_folded_case():
    """'In our baseline, we use N = 4 and uniform weights'; 'case folding is the only text normalization'"""
    assert (REPORTED.max_order, REPORTED.weights, REPORTED.lowercase) == (4, None, True)
    assert REPORTED.corpus([CANDIDATE_1.upper()], [REFERENCES]).value == pytest.approx(
        REPORTED.corpus([CANDIDATE_1.lower()], [REFERENCES]).value, rel=1e-15
    )


def test_one_only_for_a_copy_and_more_references_score_higher():
    """'Few translations will attain a score of 1 unless they are identical to a reference translation'"""
    assert REPORTED.corpus([REFERENCES[1]], [REFERENCES]).fraction == pytest.approx(1, rel=1e-14)
    with_one, with_three = (REPORTED.corpus([CANDIDATE_1], [refs]) for refs in (REFERENCES[:1], REFERENCES))
    assert with_three.value > with_one.value
    assert with_three.fraction < 1


def test_shared_phrases_of_example_1():
    """The phrases the report points out in section 2 are those that the references have."""
    for phrase in (
        "It is a guide to action",
        "which",
        "ensures that the military",
        "always",
        "commands",
        "of the party",
    ):
        words = len(phrase.split())
        whole = BLEU.preset("papineni2002", max_order=words).statistics([phrase], [REFERENCES])
        assert whole[f"match_{words}"].tolist() == [1], phrase
    # Every word of candidate 1 but "obeys" is in a reference: 17 of 18.
    missing = Counter(CANDIDATE_1.lower().split()) - Counter(" ".join(REFERENCES).lower().split())
    assert missing == Counter(["obeys"])
