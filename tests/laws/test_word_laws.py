"""Laws of every metric that compares words: what it says the words of a text are is what it counts."""

from __future__ import annotations

from itertools import pairwise

import pytest

from material.every_metric import EVERY, where_it_can_count
from understudy import TER, Corpus
from understudy.breakdown.tokenized import TokenizedCorpus, word_reader
from understudy.corpus.columns import as_hypotheses, as_references
from understudy.metrics.base.words import WordMetric

# No preset of TER lets Tercom's tokenizer rewrite the text.
WORD_METRICS = [
    *(known for known in EVERY if isinstance(known, WordMetric)),
    TER(normalized=True),
    TER(no_punct=True),
    TER.preset("tercom", normalized=True, no_punct=True),
]
every_word_metric = pytest.mark.parametrize("law_of", where_it_can_count(WORD_METRICS))

# The same words to some metrics, other words to others.
VARIANTS = [
    "Jim's car, isn't it? Yes.",
    "  Jim's car, isn't it? Yes. ",
    "Jim's  car, isn't it?\tYes.",
    "jim's CAR, isn't it? yes.",
    "Jim 's car , isn't it ? Yes .",
    "Jim's car isn't it Yes",
    "Jim's car, isn't it — yes?",
    "",
]


def tokenized(outputs: list[str], references: list[str], reader: WordMetric) -> TokenizedCorpus:
    grouped = as_references(references)
    return TokenizedCorpus.of(Corpus({"a": as_hypotheses(outputs)}, grouped), grouped, reader)


@every_word_metric
def test_texts_of_the_same_words_count_alike(law_of):
    other = "Jim's bike, is it?"
    ready = law_of.fit([*VARIANTS, other])
    rows = {text: ready.statistics([text, other], [other, text]).array.tolist() for text in VARIANTS}
    by_words = sorted(VARIANTS, key=law_of.tokens)
    same = [(one, two) for one, two in pairwise(by_words) if law_of.tokens(one) == law_of.tokens(two)]
    assert same  # at least those with white space around them
    for one, two in same:
        assert rows[one] == rows[two]


@every_word_metric
def test_what_looks_at_words_sees_those_that_the_metric_counts(law_of):
    words = tokenized(VARIANTS, VARIANTS, law_of)
    assert words.outputs == {"a": [law_of.tokens(text) for text in VARIANTS]}
    assert words.references == [[law_of.tokens(text)] for text in VARIANTS]
    assert all(word and isinstance(word, str) for text in VARIANTS for word in law_of.tokens(text))
    assert law_of.tokens("") == []


@every_word_metric
def test_whoever_compares_no_words_makes_none_for_others(law_of):
    reads = law_of.cuts_text and law_of.reads_references
    assert (word_reader([law_of]) == law_of) == reads or law_of.spec == "bleu"


def test_tercoms_words_are_those_that_it_makes() -> None:
    words = tokenized(["Jim's car, it"], ["Jim's car"], TER(normalized=True))
    assert words.outputs["a"] == [["jim", "'s", "car", ",", "it"]]
    assert words.references == [[["jim", "'s", "car"]]]
