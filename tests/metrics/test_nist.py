"""NIST against the textbook version in tests/reference, the exactness of its sums, and what a fit means."""

from __future__ import annotations

import math
import pickle
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from reference.nist import TextbookNIST
from understudy import NIST, Statistics, _core
from understudy.errors import BadInput, BadParameter
from understudy.text.tokenizers import tokenizer

NATIVE = ("none", "13a", "intl", "zh", "zh-fixed", "char")
CASES = {False: "keep", True: "lower", "ascii": "lower-ascii"}
PIECES = [
    *"aB05.,-'&",
    *("0", "00", "0.5", "1,000", "longer-than-eight-bytes", "Longer-Than-Eight-Bytes", "same8byt", "&amp;"),
    *(
        "Straße",
        "İ",
        "ΑΣ",
        "e\u0301",
        "\u0301",
        "\u05b0",
        "שלום",
        "مرحبا",
        "中文",
        "国",
        "語。",
        "한국",
        "ไทย",
    ),
    *("\x00", "\u200d", "\ufeff", "\U0001f600", "\U00020000", "\U0010ffff", "\u00a0", "\u3000", "\u2028"),
]
pieces = st.sampled_from(PIECES) | st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
Corpus = tuple[list[str], list[list[str]]]


def arranged(vocabulary: list[str], seed: int, pairs: int) -> Corpus:
    """Hypotheses that are damaged references, so that n-grams of every order match now and then."""
    rng = random.Random(seed)

    def sentence() -> list[str]:
        return rng.choices(vocabulary, k=rng.choice((0, 1, 2, 3, 5, 8, 12)))

    def damaged(words: list[str]) -> list[str]:
        kept = [rng.choice(vocabulary) if rng.random() < 0.15 else word for word in words]
        at = rng.randrange(len(kept) + 1)
        return kept[at:] + kept[:at] if rng.random() < 0.2 else kept[rng.random() < 0.1 :]

    hypotheses, references = [], []
    for _ in range(pairs):
        original = sentence()
        hypotheses.append(rng.choice((" ", " ", "")).join(damaged(original)))
        count = rng.randrange(1, 5)
        references.append(
            [" ".join(rng.choice((original, damaged(original), sentence()))) for _ in range(count)]
        )
    return hypotheses, references


def cut(metric: NIST, corpus: Corpus) -> Any:
    letter_case = CASES[metric.lowercase]

    def tokens(text: str) -> list[str]:
        return tokenizer(metric.tokenize)(text, letter_case=letter_case)

    return [tokens(h) for h in corpus[0]], [[tokens(r) for r in group] for group in corpus[1]]


def close(expected: float) -> Any:
    return pytest.approx(expected, rel=1e-12, abs=1e-12)


# --- against the textbook -----------------------------------------------------------------------------------


def test_hostile_text() -> None:
    """At least 10,000 pairs, every native tokenizer and every parameter; corpora, and each segment."""
    pairs: set[Any] = set()

    @settings(max_examples=200, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(
        vocabulary=st.lists(pieces, min_size=2, max_size=14),
        seed=st.integers(0, 2**32),
        metric=st.builds(
            NIST,
            max_order=st.sampled_from((5, 5, 5, 1, 2, 3, 7)),
            lowercase=st.sampled_from(tuple(CASES)),
            tokenize=st.sampled_from(NATIVE),
            zero_is_no_word=st.booleans(),
        ),
    )
    def check(vocabulary: list[str], seed: int, metric: NIST) -> None:
        corpus = arranged(vocabulary, seed, pairs=100)
        hypotheses, references = cut(metric, corpus)
        textbook = TextbookNIST(references, metric.max_order, metric.zero_is_no_word)
        statistics = metric.statistics(*corpus, threads=2)
        assert metric.corpus_score(statistics).value == close(textbook.score(hypotheses, references))
        for ours, h, group in zip(metric.segment_scores(statistics), hypotheses, references, strict=True):
            assert ours == close(textbook.score([h], [group]))
        pairs.update((h, *group) for h, group in zip(*corpus, strict=True))

    check()
    assert len(pairs) >= 10_000


@settings(max_examples=100, deadline=None)
@given(corpus=st.lists(st.tuples(pieces, st.lists(pieces, min_size=1, max_size=3)), min_size=1, max_size=4))
@example(corpus=[("", [""])])
@example(corpus=[("", ["a"]), ("a", [""])])
@example(corpus=[("0 a", ["0 a"]), ("a", ["a a"])])
def test_tiny_text(corpus):
    hypotheses, references = [h for h, _ in corpus], [group for _, group in corpus]
    for metric in (NIST(), NIST.preset("mteval-v13a")):
        tokens = cut(metric, (hypotheses, references))
        textbook = TextbookNIST(tokens[1], 5, metric.zero_is_no_word)
        assert metric.corpus(hypotheses, references).value == close(textbook.score(*tokens))


def test_long_segments() -> None:
    rng = random.Random(5)
    vocabulary = [f"w{i}" for i in range(300)] + ["中", "longer-than-eight-bytes"]
    reference = rng.choices(vocabulary, k=5000)
    hypothesis = [word if rng.random() < 0.8 else "no" for word in reference]
    texts = [" ".join(hypothesis), "short"], [[" ".join(reference), " ".join(reference[:9])], ["short one"]]
    metric = NIST()
    tokens = cut(metric, texts)
    assert metric.corpus(*texts).value == close(TextbookNIST(tokens[1]).score(*tokens))


@pytest.mark.parametrize("size", [16, 24])
def test_words_of_one_key_are_kept_apart(size: int) -> None:
    """Tokens of more than 8 bytes are found by a hash, and compared."""
    from core.test_ngrams import colliding_tokens

    one, other = colliding_tokens(size)
    assert NIST(tokenize="none").corpus([one], [other]).value == 0
    score = NIST(tokenize="none").corpus([one, other], [one, f"{other} {other} {other}"])
    assert score.detail["information"][0] == close((math.log2(4) + math.log2(4 / 3)) / 2)


# --- exact sums ---------------------------------------------------------------------------------------------


def test_sums_do_not_depend_on_their_order() -> None:
    """Not by a bit: of permuted segments, and of any parts."""
    corpus = arranged(["a", "b", "c", "d", "e", "0", "rare"], seed=7, pairs=400)
    metric = NIST(tokenize="none").fit(corpus[1])
    statistics = metric.statistics(*corpus)
    assert statistics.array.dtype == np.int64
    whole = metric.corpus_score(statistics).value
    rng = np.random.default_rng(1)
    for _ in range(20):
        order = rng.permutation(400)
        cuts = np.sort(rng.choice(np.arange(1, 400), size=6, replace=False))
        first, *others = (statistics[part] for part in np.split(order, cuts))
        total = sum(others, start=first)
        assert metric.corpus_score(total).value == whole


def test_information_is_exact_to_its_last_digit() -> None:
    """The sum is that of the logarithms as doubles, each cut off at 2^-53, without any error of adding."""
    corpus = arranged(["a", "b", "c", "d"], seed=3, pairs=50)
    metric = NIST(tokenize="none").fit(corpus[1])
    totals = metric.statistics(*corpus).sum()
    hypotheses, references = cut(metric, corpus)
    textbook = TextbookNIST(references)
    for n in range(1, 6):
        exact = sum(
            Fraction(int(Fraction(bits) * 2**_core.REST_BITS), 2**_core.REST_BITS)
            for h, group in zip(hypotheses, references, strict=True)
            for bits in textbook.shared(h, group, n)
        )
        whole = Fraction(int(totals[f"info_{n}"]), 2**_core.INFORMATION_BITS)
        assert whole + Fraction(int(totals[f"rest_{n}"]), 2**_core.REST_BITS) == exact


# --- fitting ------------------------------------------------------------------------------------------------

HYPOTHESES = ["the cat sat on a mat", "the dog sat", "a dog"]
REFERENCES = [["the cat sat on the mat", "a cat lay there"], ["the dog slept"], ["a dog"]]


def test_a_fit_comes_from_all_references() -> None:
    fitted = NIST().fit(REFERENCES)
    alone = [fitted.segments([h], [r])[0] for h, r in zip(HYPOTHESES, REFERENCES, strict=True)]
    assert NIST().segments(HYPOTHESES, REFERENCES).tolist() == alone
    assert NIST().segments(HYPOTHESES[1:2], REFERENCES[1:2])[0] != alone[1]


def test_a_fit_does_not_depend_on_order_or_parts() -> None:
    from understudy.corpus.columns import as_references

    fitted = NIST().fit(REFERENCES)
    statistics = fitted.statistics(HYPOTHESES, REFERENCES)
    turned = NIST().fit(REFERENCES[::-1])
    in_parts = NIST().fit_parts(as_references(REFERENCES[i : i + 1]) for i in range(3))
    for other in (turned, in_parts, pickle.loads(pickle.dumps(fitted))):
        assert other.fitted_on == fitted.fitted_on
        assert np.array_equal(other.statistics(HYPOTHESES, REFERENCES).array, statistics.array)


def test_what_is_fitted_on_different_references_does_not_add_up() -> None:
    parts = [NIST().statistics(HYPOTHESES[i : i + 1], REFERENCES[i : i + 1]) for i in range(2)]
    for mixed in (lambda: parts[0] + parts[1], lambda: Statistics.concatenate(parts)):
        with pytest.raises(BadInput, match=r"nist fitted on different references\. Fit the metric once"):
            mixed()


def test_a_changed_metric_has_learned_nothing() -> None:
    fitted = NIST().fit(REFERENCES)
    changed = replace(fitted, lowercase=True)
    assert fitted.fitted_on
    assert not changed.fitted_on
    assert changed.corpus(HYPOTHESES, REFERENCES) == NIST(lowercase=True).corpus(HYPOTHESES, REFERENCES)


def test_references_it_was_not_fitted_on_are_refused() -> None:
    fitted = NIST().fit(REFERENCES)
    for text in ("the hamster", "the the"):
        with pytest.raises(BadInput, match=r"segment 2 .*Fit it on all references"):
            fitted.statistics(["a dog", text], ["a dog", text])
    with pytest.raises(BadInput, match="no references"):
        NIST().fit_parts([])


# --- details ------------------------------------------------------------------------------------------------


def test_detail_adds_up() -> None:
    score = NIST().corpus(HYPOTHESES, REFERENCES)
    detail = score.detail
    assert detail["cumulative"][-1] == score.value
    assert np.cumsum(detail["individual"]) == close(detail["cumulative"])
    assert score.fraction is None
    assert detail["ref_length"] == 5 + 3 + 2
    assert detail["hyp_length"] == 11


@pytest.mark.parametrize(("length", "expected"), [(6, 1.0), (9, 1.0), (4, 0.5), (0, 0.0)])
def test_two_thirds_of_the_length_halve_the_score(length, expected):
    metric = NIST(tokenize="none")
    statistics = metric.statistics([" ".join("abcdefghi"[:length])], ["a b c d e f"])
    assert metric.brevity_penalty(statistics.sum()) == close(expected)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"max_order": 0}, "max_order=0"),
        ({"tokenize": "13b"}, "13b"),
        ({"zero_is_no_word": 1}, "zero_is_no_word"),
    ],
)
def test_bad_parameters(settings, said):
    with pytest.raises(BadParameter, match=said):
        NIST(**settings)


def test_unfinished_counts_are_refused() -> None:
    column = _core.Column.from_strings(["a"])
    ngrams = _core.ReferenceNgrams(tokenizer="none", letter_case="keep", max_order=2)
    rows = np.empty((1, 8), np.int64)
    options: dict[str, Any] = {
        "tokenizer": "none",
        "letter_case": "keep",
        "zero_is_no_word": False,
        "threads": 1,
    }
    with pytest.raises(ValueError, match="not counted yet"):
        _core.count_nist(column, [column], ngrams, rows, **options)
    ngrams.add([column])
    ngrams.finish()
    for again in (lambda: ngrams.add([column]), ngrams.finish):
        with pytest.raises(ValueError, match="counted already"):
            again()
    with pytest.raises(ValueError, match="wrong shape"):
        _core.count_nist(column, [column], ngrams, rows[:, :5], **options)
    assert _core.count_nist(column, [column], ngrams, rows, **options) is None


def test_the_best_reference_of_every_order():
    """Of words the second reference tells more, of pairs the first; both lengths count, by their mean."""
    references = [["a b x", "a c b y y"]]
    assert NIST(multi_ref="best", max_order=1).corpus(["b c a"], references).detail["ref_length"] == 5
    score = NIST(multi_ref="best", max_order=2).corpus(["a b c"], references)
    pooled = NIST(max_order=2).corpus(["a b c"], references)
    assert score.detail["information"] == pytest.approx([(2 * math.log2(8 / 2) + 3) / 3, 1 / 2])
    assert (score.detail["ref_length"], pooled.detail["ref_length"]) == (4, 4)
    assert "refs:best" in str(NIST.preset("nltk").signature())
    assert "refs" not in NIST().signature().choices
    # A segment may lack one of them.
    lacking = NIST(multi_ref="best").statistics(["a b", "a b"], [["a b", "x"], ["a b"]])
    assert lacking["info_1"].tolist() == [lacking["info_1"][0]] * 2
