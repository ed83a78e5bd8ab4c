"""chrF against the textbook version in tests/reference, for all parameters; and what is particular to it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.chrf import Counts, TextbookCHRF, words
from understudy import BLEU, CHRF, metric
from understudy.errors import BadParameter

PIECES = [
    "a",
    "b",
    "ab",
    "Ab",
    " ",
    " ",
    "\u3000",
    "(",
    ").",
    "!",
    "é",
    "e\u0301",
    "中文",
    "שלום",
    "😀",
    "ẞ",
    "İ",
]

texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
segments = st.tuples(texts, st.lists(texts, min_size=1, max_size=4))
corpora = st.lists(segments, min_size=1, max_size=4)
parameters = st.fixed_dictionaries(
    {
        "char_order": st.integers(1, 8),
        "word_order": st.integers(0, 3),
        "beta": st.sampled_from([2.0, 1.0, 3.0, 0.5, 0.0]),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "average": st.sampled_from(["effective", "eps"]),
    }
)


def split(corpus: list[Any]) -> tuple[list[str], list[list[str]]]:
    return [hypothesis for hypothesis, _ in corpus], [references for _, references in corpus]


def counts_of(row: list[int]) -> Counts:
    """The package's row as the textbook writes it."""
    orders = len(row) // 3
    return Counts(tuple(row[:orders]), tuple(row[orders : 2 * orders]), tuple(row[2 * orders :]))


@settings(max_examples=400, deadline=None)
@given(corpus=corpora, chosen=parameters)
def test_counts_and_scores(corpus, chosen):
    """With one reference the counts; with several the best score, since equal fractions may differ as floats."""
    ours, textbook = CHRF(**chosen), TextbookCHRF(**chosen)
    pairs = [(hypothesis, reference) for hypothesis, references in corpus for reference in references]
    rows = ours.statistics(*zip(*pairs, strict=True)).array.tolist()
    assert [counts_of(row) for row in rows] == [textbook.count(*pair) for pair in pairs]
    best = [textbook.score(textbook.segment(*segment)) for segment in corpus]
    assert ours.segments(*split(corpus)) == pytest.approx(best, rel=1e-11, abs=1e-12)


@settings(max_examples=100, deadline=None)
@given(corpus=corpora, chosen=parameters)
def test_corpora(corpus, chosen):
    ours, textbook = CHRF(**chosen), TextbookCHRF(**chosen)
    first = [(hypothesis, references[0]) for hypothesis, references in corpus]
    total = textbook.count(*first[0])
    for pair in first[1:]:
        total += textbook.count(*pair)
    score = ours.corpus(*zip(*first, strict=True))
    assert score.value == pytest.approx(textbook.score(total), rel=1e-11, abs=1e-12)
    assert score.detail["matches"] == list(total.matches)
    assert score.detail["hyp_ngrams"] == list(total.hypothesis)
    assert score.detail["ref_ngrams"] == list(total.reference)


@pytest.mark.parametrize("word_order", [0, 2])
def test_long_segments(word_order):
    """5,000 words, in many scripts, so that every table grows; short ones before and after."""
    rng = random.Random(5)
    letters = "abcdefgh" + "अआइईउ" + "абвгд" + "日本語中文" + "😀😁"
    vocabulary = ["".join(rng.choices(letters, k=rng.randrange(1, 12))) for _ in range(400)]
    long = [" ".join(rng.choices(vocabulary, k=5000)) for _ in range(2)]
    hypotheses, references = ["ab", long[0], "", long[1], "ab"], ["ab c", long[1], long[0], "", "b"]
    ours, textbook = CHRF(word_order=word_order), TextbookCHRF(word_order=word_order)
    rows = ours.statistics(hypotheses, references, threads=1).array.tolist()
    expected = [textbook.count(*pair) for pair in zip(hypotheses, references, strict=True)]
    assert [counts_of(row) for row in rows] == expected


# --- words and characters ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("(hi)", ["(hi", ")"]),  # one mark only, and the last goes first
        ("(hi", ["(", "hi"]),
        ("!?", ["!", "?"]),
        ("!", ["!"]),
        ("é!", ["é", "!"]),
        ("!é", ["!", "é"]),
        ("hi。", ["hi。"]),  # ASCII punctuation only
        ("a-b", ["a-b"]),
        ("\u00a0a\u2003,b\x1c", ["a", ",", "b"]),
    ],
)
def test_words(text, cut):
    assert words(text) == cut
    for word in cut:
        counted = CHRF(char_order=0, word_order=1).statistics([text], [word])
        assert counted["hyp_word_1"].tolist() == [len(cut)]
        assert counted["match_word_1"].tolist() == [len(set(words(word)) & set(cut))]


def test_characters_are_code_points():
    """Not bytes, and not what a reader takes for one."""
    counted = CHRF().statistics(["é", "e\u0301", "👩‍🚀", "שלום"], ["é", "é", "👩", "שלום"])
    assert counted["hyp_char_1"].tolist() == [1, 2, 3, 4]
    assert counted["match_char_1"].tolist() == [1, 0, 1, 4]


@pytest.mark.parametrize(("whitespace", "characters"), [(False, 2), (True, 6)])
def test_white_space(whitespace, characters):
    counted = CHRF(whitespace=whitespace).statistics([" a\u3000 b\n"], [" a\u3000 b\n"])
    assert counted["match_char_1"].tolist() == [characters]


# --- which reference counts -------------------------------------------------------------------------------


def test_the_best_reference_counts():
    counted = CHRF().statistics(["abcdefg"], [["xyz", "abcdefg", "abcd"]])
    assert counted["ref_char_1"].tolist() == [7]


def test_among_equals_the_first_counts():
    for references in (["xyz", "vw"], ["vw", "xyz"]):
        assert CHRF().statistics(["ab"], [references])["ref_char_1"].tolist() == [len(references[0])]


def test_an_absent_reference_never_counts():
    counted = CHRF().statistics(["ab", "ab", ""], [[None, "xyz"], ["xyz", None, "ab"], [None, "", "x"]])
    assert counted["ref_char_1"].tolist() == [3, 2, 0]
    assert counted.references == (1, 2)


# --- short texts ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hypothesis", "reference", "effective", "eps"),
    [
        ("", "", 0, 0),
        ("", "a", 0, 0),
        ("a", "", 0, 0),
        ("a", "b", 0, 0),
        ("a", "a", 100, 100 / 6),  # of six orders there is but one
        ("abc", "abc", 100, 50),
        ("abcdef", "abcdef", 100, 100),
    ],
)
def test_short_texts(hypothesis, reference, effective, eps):
    for average, expected in (("effective", effective), ("eps", eps)):
        score = CHRF(average=average).corpus([hypothesis], [reference])
        assert score.value == pytest.approx(expected, abs=1e-12)


def test_orders_that_the_reference_lacks_are_not_held_against_the_hypothesis():
    counted = CHRF().statistics(["abcdefgh"], ["abc"]).array.tolist()
    assert counted == [[*(8, 7, 6, 0, 0, 0), *(3, 2, 1, 0, 0, 0), *(3, 2, 1, 0, 0, 0)]]


# --- names ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "meant", "label"),
    [
        ("chrf", CHRF(), "chrF"),
        ("chrf:sacrebleu", CHRF(), "chrF"),
        ("chrF+", CHRF(word_order=1), "chrF+"),
        ("chrf++", CHRF(word_order=2), "chrF++"),
        ("chrf:chrf++", CHRF(word_order=2), "chrF++"),
        ("chrf++:beta=3", CHRF(word_order=2, beta=3), "chrF3++"),
        ("chrf++:word_order=1", CHRF(word_order=1), "chrF+"),
        ("chrf:beta=0.5", CHRF(beta=0.5), "chrF0.5"),
        ("chrf:chrf++.py", CHRF(word_order=2, average="eps"), "chrF++"),
        ("chrf:char_order=0,word_order=2", CHRF(char_order=0, word_order=2), "wordF"),
    ],
)
def test_names(spec, meant, label):
    assert metric(spec) == meant
    assert meant.label == label
    assert metric(meant.spec) == meant


def test_a_spec_is_the_alias_where_there_is_one():
    assert CHRF(word_order=2).spec == "chrf++"
    assert CHRF(word_order=2, average="eps").spec == "chrf:chrf++.py"
    assert CHRF(beta=3).spec == CHRF(beta=3.0).spec == "chrf:beta=3.0"


def test_the_signature_has_every_digit_of_beta():
    assert CHRF(beta=2.000000001).signature().choices["beta"] == "2.000000001"
    assert CHRF().signature().choices["beta"] == "2"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("chrf:char_order=-1", "chrf: char_order=-1: expected an integer from 0 to 100."),
        ("chrf:word_order=-1", "chrf: word_order=-1: expected an integer from 0 to 100."),
        ("chrf:char_order=0", "chrf: char_order=0, word_order=0: no n-grams are counted"),
        ("chrf:beta=-1", "chrf: beta=-1: expected a number from 0 to 1e+154."),
        ("chrf:beta=nan", "chrf: beta=nan: expected a number from 0 to 1e+154."),
        ("chrf:beta=1e200", "chrf: beta=1e+200: expected a number from 0 to 1e+154."),
        ("chrf:average=mean", "chrf: average='mean': expected effective, eps."),
        (
            "chrf++:chrf+",
            "chrf++: 'chrf++' is already a preset of chrf; it cannot be combined with the preset 'chrf+'. Use "
            "one of them.",
        ),
        ("chrf+++", "unknown metric 'chrf+++'. Did you mean 'chrf++'"),
        ("chrff:beta=1", "unknown metric 'chrff'. Did you mean 'chrf'"),
    ],
)
def test_refusals(spec, said):
    with pytest.raises(BadParameter) as caught:
        metric(spec)
    assert said in str(caught.value)


def test_scores_of_other_metrics_are_not_confused():
    assert BLEU().label == BLEU.title == "BLEU"
    assert CHRF(word_order=2).corpus(["a b"], ["a b"]).metric == "chrF++"
