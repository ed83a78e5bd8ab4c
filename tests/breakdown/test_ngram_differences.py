"""N-grams that one system gets and another misses: by hand, and against the obvious way to count them."""

from __future__ import annotations

import numpy as np
import pytest

from reference.ngram_differences import largest_ratio, matches
from understudy.breakdown.ngram_differences import gets_more, ngram_differences
from understudy.breakdown.tokenized import TokenizedCorpus


def corpus_of(references: list[list[str]], **outputs: list[str]) -> TokenizedCorpus:
    return TokenizedCorpus(
        {run: [text.split() for text in texts] for run, texts in outputs.items()},
        [[text.split() for text in of_segment] for of_segment in references],
    )


def runs_of(corpus: TokenizedCorpus) -> dict[str, list[str]]:
    return {run: [run] for run in corpus.outputs}


def test_by_hand() -> None:
    corpus = corpus_of(
        [["the cat sat"], ["the cat ran", "a cat ran off"]], a=["the cat", "cat"], b=["sat", "a ran off"]
    )
    found = {
        one.ngram: (one.order, one.in_references, one.matches)
        for one in ngram_differences(corpus, runs_of(corpus))
    }
    assert found == {
        "cat": (1, 2, {"a": 2, "b": 0}),
        "the": (1, 2, {"a": 1, "b": 0}),
        "the cat": (2, 2, {"a": 1, "b": 0}),
        "sat": (1, 1, {"a": 0, "b": 1}),
        "a": (1, 1, {"a": 0, "b": 1}),
        "ran": (1, 1, {"a": 0, "b": 1}),
        "off": (1, 1, {"a": 0, "b": 1}),
        "ran off": (2, 1, {"a": 0, "b": 1}),
    }
    ranked = [one.ngram for one in ngram_differences(corpus, runs_of(corpus))]
    # 2 to 0 first; then 1 to 0, longer ones first, then by the alphabet.
    assert ranked == ["cat", "ran off", "the cat", "a", "off", "ran", "sat", "the"]


def test_a_word_said_too_often_counts_no_more_often_than_in_one_reference() -> None:
    corpus = corpus_of([["the cat", "the dog the"]], a=["the the the the"], b=["x"])
    (found,) = ngram_differences(corpus, runs_of(corpus))
    assert (found.ngram, found.in_references, found.matches) == ("the", 2, {"a": 2, "b": 0})


def random_corpus(seed: int) -> TokenizedCorpus:
    generator = np.random.default_rng(seed)

    def text() -> str:
        return " ".join(generator.choice(list("abcd"), generator.integers(0, 9)))

    references = [[text() for _ in range(generator.integers(1, 4))] for _ in range(12)]
    return corpus_of(references, **{name: [text() for _ in references] for name in ("x", "y", "z")})


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("baseline", [None, "y"])
def test_as_counted_the_obvious_way(seed: int, baseline: str | None) -> None:
    corpus = random_corpus(seed)
    expected = {}
    for order in range(1, 5):
        counted = {run: matches(texts, corpus.references, order) for run, texts in corpus.outputs.items()}
        for ngram, count in counted["x"][0].items():
            by_system = {run: found[ngram] for run, (_, found) in counted.items()}
            if largest_ratio(by_system, baseline) > 1:
                expected[ngram] = (order, count, by_system)
    found = ngram_differences(corpus, runs_of(corpus), baseline=baseline)
    assert {one.ngram: (one.order, one.in_references, one.matches) for one in found} == expected
    ratios = [largest_ratio(one.matches, baseline) for one in found]
    assert ratios == sorted(ratios, reverse=True)

    few = ngram_differences(corpus, runs_of(corpus), baseline=baseline, limit=5)
    if baseline is None:
        assert few == found[:5]
    else:
        for side in (True, False):
            expected_side = [one for one in found if gets_more(one, baseline) is side][:5]
            assert [one for one in few if gets_more(one, baseline) is side] == expected_side


def test_runs_of_a_system_are_averaged() -> None:
    corpus = corpus_of([["a b c"]] * 2, new1=["a", "a"], new2=["a", "x"], new3=["a", "a"], old=["x", "x"])
    (found,) = ngram_differences(corpus, {"new": ["new1", "new2", "new3"], "old": ["old"]})
    assert found.matches == {"new": 2, "old": 0}  # 2, 1 and 2 matches
    (turned,) = ngram_differences(corpus, {"old": ["old"], "new": ["new2"]})
    assert turned.matches == {"old": 0, "new": 1}


def test_equal_systems_and_empty_references_differ_in_nothing() -> None:
    same = corpus_of([["a b"]], a=["a b"], b=["a b"])
    assert ngram_differences(same, runs_of(same)) == []
    empty = corpus_of([[""]], a=["a"], b=[""])
    assert ngram_differences(empty, runs_of(empty)) == []
