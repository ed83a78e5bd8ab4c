"""The length ratio and exact matches: cheap rows beside the others, right on strange text too."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference.bleu import reference_length
from reference.hostile_words import WORDS, pairs
from understudy import BLEU, ExactMatch, LengthRatio, metric
from understudy.corpus.columns import as_references
from understudy.metrics.base.best_reference import best_of, of_best_reference

EXAMPLES, PAIRS = 220, 60
hostile = settings(
    max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)

SPACES = ["", " ", "\t", "\u00a0", "\u2003", "\u3000", "\x1f", " \u2028 ", "\r\n"]
padded = st.builds("".join, st.tuples(*map(st.sampled_from, (SPACES, ["a", "a b", "", *WORDS], SPACES))))


@pytest.mark.parametrize("brevity", ["closest", "shortest", "average"])
def test_length_ratio_of_hostile_text(brevity):
    chosen, compared = LengthRatio(tokenize="none", brevity=brevity), itertools.count()

    @hostile
    @given(pairs(PAIRS // 3, most_references=3))
    def compare(made):
        hypotheses = [" ".join(h) for h, _ in made]
        references = [[" ".join(r) for r in group] for _, group in made]
        lengths = [reference_length(h, group, brevity) for h, group in made]
        for score, (h, _), length in zip(chosen.segments(hypotheses, references), made, lengths, strict=True):
            expected = len(h) / length if length else 1 + len(h)
            assert score == pytest.approx(100 * float(expected), rel=1e-12)
            next(compared)
        total = sum(lengths, Fraction())
        if total:
            ratio = sum(len(h) for h, _ in made) / total
            assert chosen.corpus(hypotheses, references).value == pytest.approx(100 * float(ratio), rel=1e-12)

    compare()
    assert next(compared) >= 3_400  # and as many with each of the other two: 10,000 and more


@pytest.mark.parametrize("brevity", ["closest", "shortest", "average"])
def test_length_ratio_is_the_one_beside_bleu(brevity):
    texts = ["It's 3.5%, isn't it?", "no"], [["It is 3.5%.", "It's 3.5% or so, isn't it?"], ["No, never."]]
    beside = BLEU(brevity=brevity).corpus(*texts).detail
    score = LengthRatio(brevity=brevity).corpus(*texts)
    assert score.fraction == pytest.approx(beside["length_ratio"], rel=1e-15)
    assert score.detail["ref_length"] == beside["ref_length"]
    assert f"|brevity:{brevity}|" in str(score.signature)


def test_closest_to_the_target_is_best():
    ratio = LengthRatio()
    assert ratio.worth(90) < ratio.worth(105) < ratio.worth(99) < ratio.worth(100)
    assert ratio.worth(95) == ratio.worth(105)
    assert (ratio.better(), BLEU.better(), type(metric("wer")).better()) == (
        "closer to 100",
        "higher",
        "lower",
    )


@pytest.mark.parametrize("letter_case", [False, "ascii"])
def test_exact_matches_of_hostile_text(letter_case):
    compared = itertools.count()

    @hostile
    @given(st.lists(st.tuples(padded, st.lists(padded, min_size=1, max_size=3)), min_size=30, max_size=30))
    def compare(made):
        def plain(text: str) -> str:
            folded = "".join(c.lower() if c.isascii() else c for c in text) if letter_case else text
            return folded.strip()

        found = ExactMatch(lowercase=letter_case).statistics(
            [h for h, _ in made], [group for _, group in made]
        )
        for got, (hypothesis, group) in zip(found["matches"].tolist(), made, strict=True):
            assert got == (plain(hypothesis) in map(plain, group)), (hypothesis, group)
            next(compared)

    compare()
    assert next(compared) >= 5_000


def test_exact_matches_of_tokens():
    """White space inside a text counts, unless words are compared; so does how punctuation is set."""
    texts = ["a  b.", "c d", "É"], [["a b ."], ["c e", "c d"], ["é"]]
    scores = {
        spec: metric(spec).segments(*texts).tolist()
        for spec in (
            "exact-match",
            "exact-match:lowercase=true",
            "exact-match:tokenize=none",
            "exact-match:tokenize=13a",
            "exact-match:tokenize=char,lowercase=true",
        )
    }
    assert list(scores.values()) == [[0, 100, 0], [0, 100, 100], [0, 100, 0], [100, 100, 0], [100, 100, 100]]
    assert str(ExactMatch().corpus(*texts)).startswith("exact match = 33.33 (1 / 3 segments) [nrefs:1-2|")


def test_the_best_reference_is_closest_to_the_target():
    """Where neither more nor less is better."""
    metric = LengthRatio()
    references = as_references([["a b c d", "a b c", "a"], ["a", None, "a b"]])
    rows = np.array([[[2, 4], [2, 1]], [[2, 3], [2, 2]], [[2, 1], [2, 2]]])  # [references, segments, K]
    assert metric.columns == ("hyp_length", "ref_length")
    found = of_best_reference(metric, rows, references)
    assert found.tolist() == [[2, 3], [2, 2]]
    assert best_of(np.array([[1.0, 0.0], [1.0, 5.0], [0.5, 0.0]]), references).tolist() == [0, 0]
