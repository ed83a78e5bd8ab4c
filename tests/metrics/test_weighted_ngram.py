"""The weighted n-gram model by hand, against its textbook version, and what it refuses."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reference import weighted_ngram as textbook
from reference.hostile_words import pairs
from understudy import UnderstudyError, WeightedNgram
from understudy.corpus.columns import as_references
from understudy.errors import BadInput, BadParameter, LengthMismatch, WrongType


def test_by_hand():
    """Four documents of two words.

    Of b in the first: half of its words, none of the others', and 1/8 of all; three of four documents lack it. So
    S = ln((1/2 - 0) * 3/4 / (1/8)) = ln 3 = 1.10, more than 1, and it weighs that. x is in every document: it has no
    score, and weighs 1.
    The n-grams of "b x" up to two words are b, x and b x, those of "x b" are x, b and x b; each weighs what its last
    word does, and b and x match.
    """
    references = ["x b", "x c", "x d", "x e"]
    metric = WeightedNgram(max_order=2).fit(references)
    score = metric.corpus(["b x"], ["x b"])
    b = math.log(3)
    assert score.detail["matching"] == pytest.approx(1 + b, abs=1e-9)
    assert score.detail["hyp_weight"] == pytest.approx(2 + b, abs=1e-9)
    assert score.detail["ref_weight"] == pytest.approx(1 + 2 * b, abs=1e-9)
    precision, recall = (1 + b) / (2 + b), (1 + b) / (1 + 2 * b)
    assert score.value == pytest.approx(100 * 2 * precision * recall / (precision + recall), rel=1e-9)
    # A word of the hypothesis that the document lacks weighs 1 as well: b, q, b q.
    assert metric.corpus(["b q"], ["x b"]).detail["hyp_weight"] == pytest.approx(b + 1 + 1, abs=1e-9)
    # tf.idf of b is (1 + ln 1) * ln(4 / 1), of x it is 0.
    weights = WeightedNgram(max_order=1, salience="tf.idf").fit(references).corpus(["b"], ["x b"]).detail
    assert (weights["matching"], weights["ref_weight"]) == pytest.approx(
        (math.log(4), math.log(4) + 1), abs=1e-9
    )


def test_a_salient_word_weighs_more():
    """Leaving out "hall" costs more than leaving out "the", which is all the same to BLEU.

    Of "hall" in the last of ten documents: 1 of its 6 words, 1 of all 33; nine documents lack it. So
    S = ln(1/6 * 9/10 * 33) = 1.6, while "the" is everywhere and weighs 1.
    """
    references = [
        *["the minister spoke", "the king slept", "the queen spoke"] * 3,
        "the queen slept in the hall",
    ]
    metric = WeightedNgram(max_order=1).fit(references)
    without_article, without_hall = metric.segments(
        ["the queen slept in hall", "the queen slept in the"], [references[-1]] * 2
    )
    assert without_article > without_hall
    weights = metric.corpus(["hall"], [references[-1]]).detail
    assert weights["matching"] == pytest.approx(math.log(33 * 9 / 60), abs=1e-9)


def test_documents_by_hand():
    """Two documents, of two segments and of one.

    Of b in the first: 2 of its 4 words, none of the other's 2, and 2 of all 6; one of two documents lacks it. So
    S = ln((1/2 - 0) * 1/2 / (1/3)) < 0, and with a threshold of 0 it weighs what is below. tf.idf of b is
    (1 + ln 2) * ln(2 / 1), though either segment has it once. In the second segment c weighs ln 2, and so does a in a
    hypothesis for it: another part of the document has a.
    """
    hypotheses, references, names = ["b", "a", "b"], ["a b", "b c", "x d"], ["one", "one", "two"]
    metric = WeightedNgram(max_order=1, salience="tf.idf", threshold=0, below=0)
    rows = metric.statistics(hypotheses, references, documents=names).array * 2.0**-30
    b, once = (1 + math.log(2)) * math.log(2), math.log(2)
    expected = [(b, b, once + b), (0, once, b + once), (0, 0, 2 * once)]
    assert rows.tolist() == [pytest.approx(row, abs=1e-8) for row in expected]
    assert metric.statistics(hypotheses, references).array[1, 1] == 0  # in segment 2 nothing has a
    s_score = WeightedNgram(max_order=1, threshold=0, below=0)
    assert s_score.statistics(hypotheses, references, documents=names).array[:2].sum() == 0


@pytest.mark.parametrize("aggregate", ["corpus", "mean"])
def test_the_signature_says_whether_documents_were_given(aggregate):
    texts, names = (["b", "c", "d e"], ["a b", "b c", "d e"]), ["one", "one", "two"]

    def told(given, **choices):
        score = getattr(WeightedNgram(salience="tf.idf", threshold=0, **choices), aggregate)(
            *texts, documents=given
        )
        return score.signature.choices["docs"], score.value

    without = told(None)
    assert without[0] == "segment"
    assert told(names)[0] == "given"
    assert told(names)[1] != without[1]
    assert told(names, documents="segment") == without


def test_documents_that_were_not_fitted():
    metric = WeightedNgram().fit(["a b", "c d"], documents=["one", "two"])
    with pytest.raises(BadInput, match=r"segment 1 has words that do not occur in document 'two'"):
        metric.corpus(["a"], ["a b"], documents=["two"])
    with pytest.raises(BadInput, match=r"segment 2 .* do not occur in document 'three'"):
        metric.corpus(["a", "c"], ["a b", "c d"], documents=["one", "three"])
    with pytest.raises(
        BadInput, match="was fitted with documents, but these segments have no document labels"
    ):
        metric.corpus(["a"], ["a b"])
    with pytest.raises(BadInput, match="was fitted on references without documents"):
        WeightedNgram().fit(["a b"]).corpus(["a"], ["a b"], documents=["one"])
    parts = [as_references(["a b"], documents=["one"]), as_references(["c d"])]
    with pytest.raises(BadInput, match="some parts of the references have document labels"):
        WeightedNgram().fit_parts(parts)


def test_documents_that_begin_with_nothing_but_u0000_are_the_same_in_any_order():
    metric = WeightedNgram(tokenize="none")
    texts, names = ["\0", "a b", "\0", "c"], ["x", "x", "y", "y"]
    fits = {
        metric.fit([texts[i] for i in order], documents=[names[i] for i in order]).fitted_on
        for order in itertools.permutations(range(4))
    }
    assert len(fits) == 1
    assert metric.fit(texts[1::2], documents=names[1::2]).fitted_on not in fits


def test_documents_of_other_lengths_are_refused():
    with pytest.raises(LengthMismatch, match="documents has 1 entries, expected 2"):
        WeightedNgram().corpus(["a", "b"], ["a", "b"], documents=["one"])
    with pytest.raises(WrongType, match="documents: segment 2 is None"):
        WeightedNgram().corpus(["a", "b"], ["a", "b"], documents=["one", None])


def test_textbook():
    compared = 0

    @settings(max_examples=260, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(
        made=pairs(48, most_references=3),
        salience=st.sampled_from(["s-score", "s-score", "tf.idf"]),
        bounds=st.sampled_from([(1.0, 1.0), (0.0, 0.0), (0.5, 2.0)]),
        order=st.integers(1, 5),
        documents=st.sampled_from([None, 1, 3, 10]),
        random=st.randoms(use_true_random=False),
    )
    def compare(*, made, salience, bounds, order, documents, random):
        nonlocal compared
        made = [(h, rs) for h, rs in made if len(h) < 30]
        names = None if documents is None else [f"document {random.randrange(documents)}" for _ in made]
        threshold, below = bounds
        choices = {"salience": salience, "threshold": threshold, "below": below, "max_order": order}
        metric = WeightedNgram(tokenize="none", **choices)
        scores = metric.segments(
            [" ".join(h) for h, _ in made],
            [[" ".join(r) for r in references] for _, references in made],
            documents=names,
        )
        oracle = textbook.TextbookWeights([references for _, references in made], names, **choices)
        for row in range(len(made)):
            expected = max(map(textbook.f1, oracle.sums(row, made[row][0])))
            # Weights are rounded to 2^-30.
            assert scores[row] == pytest.approx(100 * expected, rel=1e-7, abs=1e-7), made[row]
        compared += len(made)

    compare()
    assert compared >= 10_000


def test_long_segments():
    rng = random.Random(3)
    for kinds in (1, 30, 4000):
        words = [f"w{rng.randrange(kinds)}" for _ in range(5000)]
        group = [[words], [words[:40]], [["w0", "x"]]]
        metric = WeightedNgram(tokenize="none").fit([" ".join(texts[0]) for texts in group])
        hypothesis = words[100:] + words[:50]
        ours = metric.segments([" ".join(hypothesis)], [" ".join(words)])[0]
        expected = (
            textbook.f1(textbook.TextbookWeights(group).sums(0, hypothesis)[0]) if kinds < 100 else None
        )
        assert 0 < ours < 100
        if expected is not None:
            assert ours == pytest.approx(100 * expected, rel=1e-8)


def test_nothing():
    assert WeightedNgram().segments(["", "a", ""], ["a b", "", ""]).tolist() == [0, 0, 0]
    assert WeightedNgram.preset("wnm").segments(["a"], ["a"]).tolist() == [
        0
    ]  # one document: nothing is salient
    assert WeightedNgram().segments(["a"], ["a"]).tolist() == [100]


def test_references_that_were_not_fitted():
    metric = WeightedNgram().fit(["a b", "c d"])
    for references in (["a x"], ["a a"], ["a b c d a"]):
        with pytest.raises(
            BadInput,
            match="segment 1 has words that do not occur in the references weighted-ngram was fitted on",
        ):
            metric.corpus(["a"], references)
    with pytest.raises(UnderstudyError, match="no references to fit"):
        WeightedNgram().fit_parts([])


@pytest.mark.parametrize(
    "settings",
    [
        {"max_order": 0},
        {"threshold": -1.0},
        {"below": math.inf},
        {"salience": "idf"},
        {"measure": "f2"},
        {"documents": "file"},
    ],
)
def test_bad_parameters(settings):
    with pytest.raises(BadParameter, match=next(iter(settings))):
        WeightedNgram(**settings)


def test_weights_too_large_to_be_added_up_are_refused():
    with pytest.raises(
        UnderstudyError, match=r"below=1e\+10: expected a number from 0 to 1000\. Larger weights"
    ):
        WeightedNgram(below=1e10)
    largest = WeightedNgram(below=1000, threshold=1e10)
    texts = [" ".join(f"w{i}" for i in range(500))] * 50
    assert largest.corpus(texts, texts).value == 100
    assert largest.corpus(texts, texts).detail["hyp_weight"] == 50 * 1000 * (4 * 500 - 6)
