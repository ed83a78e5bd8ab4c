"""BLEU's `nltk` preset against the NLTK installed beside it, method by method.

Four of NLTK's own faults are stepped around, not reproduced:

- method 0 takes the smallest float for a precision of 0, and gives about 1e-77 where BLEU is 0;
- method 6 asserts that a trigram matches: other sentences are left out, explicitly;
- corpus_bleu smooths with methods 5 to 7 by the last segment's text only: they are compared for sentences;
- methods 5 and 7 look at 5-grams beyond the last order, whatever that is, where Chen & Cherry have n-grams one longer.
"""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

pytest.importorskip("nltk")
from nltk.translate import bleu_score
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu

from understudy import BLEU

SMOOTHINGS = {0: "none", **{method: f"chen-cherry-{method}" for method in range(1, 8)}}

words = st.sampled_from(["a", "b", "c", "d", "Straße", "他", "."])
sentences = st.lists(words, max_size=10)
segments = st.tuples(sentences, st.lists(sentences, min_size=1, max_size=3))


@st.composite
def similar(draw: Any) -> tuple[list[str], list[list[str]]]:
    """A sentence and references that share its beginning, so that longer n-grams match as well."""
    hypothesis = draw(st.lists(words, min_size=3, max_size=10))
    kept = draw(st.integers(3, len(hypothesis)))
    return hypothesis, [hypothesis[:kept] + draw(sentences), *draw(st.lists(sentences, max_size=2))]


any_segment = similar() | segments


def theirs(function: Any, references: Any, hypotheses: Any, method: int, **options: Any) -> float:
    """NLTK's score in percent; what it calls 1e-77 is 0. Its advice on short sentences is not for a test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        smoothing = getattr(SmoothingFunction(), f"method{method}")
        score = float(function(references, hypotheses, smoothing_function=smoothing, **options))
    return 0.0 if score < 1e-70 else 100 * score


def ours(method: int, **options: Any) -> BLEU:
    return BLEU.preset("nltk", smooth=SMOOTHINGS[method], **options)


def joined(corpus: list[Any]) -> tuple[list[str], list[list[str]]]:
    hypotheses = [" ".join(hypothesis) for hypothesis, _ in corpus]
    return hypotheses, [[" ".join(reference) for reference in references] for _, references in corpus]


def a_trigram_matches(hypothesis: list[str], references: list[list[str]]) -> bool:
    def trigrams(tokens: list[str]) -> set[tuple[str, ...]]:
        return {tuple(tokens[i : i + 3]) for i in range(len(tokens) - 2)}

    return any(trigrams(hypothesis) & trigrams(reference) for reference in references)


@pytest.mark.parametrize("method", SMOOTHINGS)
@settings(max_examples=100, deadline=None)
@given(segment=any_segment)
@example(segment=(["a"], [["a"]]))  # one word: method 4 takes the logarithm of its length
@example(segment=(["a", "b", "c"], [["a", "b", "c"]]))  # too short for a 4-gram: method 6 counts 0 of them
@example(segment=(["a"], [["b"]]))
@example(segment=([], [["a"]]))
@example(segment=(["a", "b", "c", "d"], [["a", "b", "c", "d"]]))
def test_sentences(method, segment):
    hypothesis, references = segment
    if method == 6:  # NLTK asserts it
        assume(a_trigram_matches(hypothesis, references))
    expected = theirs(sentence_bleu, references, hypothesis, method)
    assert ours(method).segments(*joined([segment])).tolist() == pytest.approx([expected], rel=1e-12, abs=0)


@pytest.mark.parametrize("method", range(5))
@settings(max_examples=60, deadline=None)
@given(corpus=st.lists(any_segment, min_size=1, max_size=5))
def test_corpora(method, corpus):
    """Short segments and all: NLTK counts at least one n-gram of each order in each of them."""
    hypotheses, references = zip(*corpus, strict=True)
    expected = theirs(corpus_bleu, references, hypotheses, method)
    assert ours(method).corpus(*joined(corpus)).value == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize(
    "weights", [(1.0,), (0.5, 0.5), (0.1, 0.3, 0.6), (0.4, 0.3, 0.2, 0.1), (0.2,) * 5, (0.0, 0.0, 0.0, 1.0)]
)
@pytest.mark.parametrize("method", [1, 2, 3])
@settings(max_examples=25, deadline=None)
@given(corpus=st.lists(any_segment, min_size=1, max_size=3))
def test_weights(method, weights, corpus):
    """NLTK takes the number of orders from the weights; ours is told both.

    Without method 0: where an order weighs little, its power of the smallest float is nothing like 0.
    """
    hypotheses, references = zip(*corpus, strict=True)
    expected = theirs(corpus_bleu, references, hypotheses, method, weights=weights)
    metric = ours(method, max_order=len(weights), weights=weights)
    assert metric.corpus(*joined(corpus)).value == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize("method", [5, 7])
@pytest.mark.parametrize("order", [1, 2, 3])
def test_the_order_beyond_the_last_is_one_longer(method, order, monkeypatch):
    """NLTK scores alike once its 5-grams, of which it asks for nothing else here, are that long."""
    segment = (
        ["the", "cat", "sat", "on", "a", "mat", "today"],
        [["the", "cat", "sat", "on", "the", "mat", "today"]],
    )
    weights = [1 / order] * order
    score = ours(method, max_order=order).segments(*joined([segment]))[0]
    assert theirs(sentence_bleu, segment[1], segment[0], method, weights=weights) < score - 4
    precision = bleu_score.modified_precision
    monkeypatch.setattr(
        bleu_score,
        "modified_precision",
        lambda references, hypothesis, n: precision(references, hypothesis, order + 1 if n == 5 else n),
    )
    expected = theirs(sentence_bleu, segment[1], segment[0], method, weights=weights)
    assert score == pytest.approx(expected, rel=1e-12, abs=0)


@settings(max_examples=60, deadline=None)
@given(segment=any_segment)
def test_auto_reweigh_is_the_effective_order(segment):
    """Sentences of fewer than 4 words get the weights 1/length, the orders that they have n-grams of."""
    hypothesis, references = segment
    expected = theirs(sentence_bleu, references, hypothesis, 3, auto_reweigh=True)
    metric = ours(3, empty_order="zero", effective_order=True)
    assert metric.segments(*joined([segment])).tolist() == pytest.approx([expected], rel=1e-12, abs=0)


@pytest.mark.parametrize("method", [5, 6, 7])
def test_nltk_smooths_a_corpus_by_its_last_segment(method):
    """Why the corpus scores of these methods are not compared: NLTK's depend on which segment comes last."""
    corpus = [
        (["a", "b", "c", "d", "e"], [["a", "b", "c", "d", "x"]]),
        (["c", "d", "e", "f", "g", "h", "i"], [["c", "d", "e", "f", "g", "h", "i"]]),
    ]
    forward, backward = (
        theirs(corpus_bleu, references, hypotheses, method)
        for order in (corpus, corpus[::-1])
        for hypotheses, references in [zip(*order, strict=True)]
    )
    assert forward != pytest.approx(backward, rel=1e-3)
    assert ours(method).corpus(*joined(corpus)).value == pytest.approx(
        ours(method).corpus(*joined(corpus[::-1])).value, rel=1e-12
    )
