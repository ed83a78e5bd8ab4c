"""BLEU against the textbook version in tests/reference, for all parameters and Hypothesis-made texts."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reference.bleu import SMOOTHINGS as TEXTBOOK_SMOOTHINGS
from reference.bleu import Counts, TextbookBLEU
from understudy import BLEU, _core
from understudy import metric as metric_of
from understudy.errors import BadParameter
from understudy.metrics.base.smoothing import SMOOTHINGS

WORDS = ["a", "b", "c", "longer-than-eight-bytes", "längere", "É"]

words = st.sampled_from(WORDS)
any_words = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1)
texts = st.lists(words, max_size=12)
segments = st.tuples(texts, st.lists(texts, min_size=1, max_size=4))
corpora = st.lists(segments, min_size=1, max_size=4)


@st.composite
def parameters(draw: Any) -> dict[str, Any]:
    """Any combination that BLEU takes."""
    max_order = draw(st.integers(1, 5) | st.integers(6, 9))
    weights = None
    if draw(st.booleans()):
        shares = draw(st.lists(st.integers(0, 4), min_size=max_order, max_size=max_order).filter(any))
        weights = tuple(share / sum(shares) for share in shares)
    smooth = draw(st.sampled_from(sorted(SMOOTHINGS)))
    value = None
    if SMOOTHINGS[smooth].default is not None:
        least = [] if SMOOTHINGS[smooth].divides else [0.0]
        value = draw(st.none() | st.sampled_from([*least, 0.01, 0.5, 1.0, 3.0, 5.0]))
    return {
        "max_order": max_order,
        "weights": weights,
        "smooth": smooth,
        "smooth_value": value,
        "effective_order": draw(st.booleans()),
        "average": draw(st.sampled_from(["geometric", "arithmetic"])),
        "brevity": draw(st.sampled_from(["closest", "shortest", "average"])),
        "brevity_steepness": draw(st.sampled_from([0.0, 0.25, 1.0, 2.5])),
        "empty_order": draw(st.sampled_from(["zero", "one", "count-one"])),
        "no_match": draw(st.sampled_from(["zero", "smooth"])),
    }


def joined(corpus: list[Any]) -> tuple[list[str], list[list[str]]]:
    hypotheses = [" ".join(hypothesis) for hypothesis, _ in corpus]
    return hypotheses, [[" ".join(reference) for reference in references] for _, references in corpus]


def close(expected: float | list[float]) -> Any:
    return pytest.approx(expected, rel=1e-11, abs=0)


def test_the_textbook_has_every_smoothing():
    assert set(TEXTBOOK_SMOOTHINGS) == set(SMOOTHINGS)


# --- counting -----------------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(
    corpus=corpora, max_order=st.integers(1, 9), brevity=st.sampled_from(["closest", "shortest", "average"])
)
def test_counts(corpus, max_order, brevity):
    metric = BLEU(tokenize="none", max_order=max_order, brevity=brevity)
    textbook = TextbookBLEU(max_order=max_order, brevity=brevity)
    statistics = metric.statistics(*joined(corpus))
    for row, (hypothesis, references) in enumerate(corpus):
        assert counts_of(statistics[row : row + 1], metric) == textbook.count(hypothesis, references)


def counts_of(row: Any, metric: BLEU) -> Counts:
    """The package's row as the textbook writes it."""
    return Counts(
        int(row["hyp_length"][0]),
        Fraction(int(row["ref_length"][0]), _core.LENGTH_UNITS if metric.brevity == "average" else 1),
        tuple(int(row[f"match_{n}"][0]) for n in range(1, metric.max_order + 1)),
        tuple(int(row[f"total_{n}"][0]) for n in range(1, metric.max_order + 1)),
    )


@pytest.mark.parametrize("vocabulary", [2, 50, 100_000])
def test_counts_of_segments_of_5000_words(vocabulary):
    """Few distinct words: long n-grams repeat. Many: most occur once. Both kinds grow the core's tables."""
    generator = random.Random(vocabulary)
    hypothesis = [f"w{generator.randrange(vocabulary)}" for _ in range(5_000)]
    references = [
        [word if generator.random() < 0.8 else "other" for word in hypothesis],
        list(reversed(hypothesis)),
        hypothesis[2_000:],
    ]
    short = (["w0", "w1"], [["w0", "w1", "w0"]])
    corpus = [short, (hypothesis, references), short]  # what follows a long segment is counted afresh
    metric = BLEU(tokenize="none", max_order=4)
    statistics = metric.statistics(*joined(corpus))
    for row, segment in enumerate(corpus):
        assert counts_of(statistics[row : row + 1], metric) == TextbookBLEU().count(*segment)


def test_many_segments_share_one_table():
    generator = random.Random(7)
    corpus = [
        (
            generator.choices(WORDS, k=generator.randrange(40)),
            [generator.choices(WORDS, k=generator.randrange(40)) for _ in range(generator.randrange(1, 4))],
        )
        for _ in range(300)
    ]
    metric = BLEU(tokenize="none", max_order=5)
    statistics = metric.statistics(*joined(corpus), threads=3)
    for row, segment in enumerate(corpus):
        assert counts_of(statistics[row : row + 1], metric) == TextbookBLEU(max_order=5).count(*segment)


@given(words=st.lists(any_words, min_size=1, max_size=9))
@settings(max_examples=60, deadline=None)
def test_tokens_are_compared_byte_for_byte(words):
    """Words of any script and length: equal is what Python calls equal. The last one is changed a little."""
    other = [*words[:-1], words[-1] + "x"]
    statistics = BLEU(tokenize="none", max_order=2).statistics([" ".join(words)], [" ".join(other)])
    expected = TextbookBLEU(max_order=2).count(words, [other])
    assert (statistics["match_1"][0], statistics["match_2"][0]) == expected.matches


def test_words_that_differ_in_one_byte_are_different():
    """The core packs short words into a number and hashes long ones; neither may confuse two words."""
    base = "abcdefghijklmnopq"
    for length in range(1, len(base) + 1):
        word = base[:length]
        for changed in {word[:i] + "Z" + word[i + 1 :] for i in range(length)} | {word + word[-1], word[:-1]}:
            statistics = BLEU(tokenize="none").statistics([word], [changed])
            assert statistics["match_1"].tolist() == [0], (word, changed)
        assert BLEU(tokenize="none").statistics([word], [word])["match_1"].tolist() == [1]


# --- scoring ------------------------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(corpus=corpora, chosen=parameters())
@example(corpus=[(["a"], [["a"]])], chosen={"max_order": 2, "weights": (0.0, 1.0), "effective_order": True})
@example(corpus=[(["a"], [["a"]])], chosen={"smooth": "chen-cherry-4", "empty_order": "count-one"})
@example(
    corpus=[(["a", "b", "c"], [["a", "b", "c"]])],
    chosen={"smooth": "chen-cherry-6", "empty_order": "count-one"},
)
@example(corpus=[([], [[]])], chosen={"smooth": "exp", "empty_order": "one", "no_match": "smooth"})
@example(corpus=[(["a"], [["b"]])], chosen={"smooth": "chen-cherry-4", "no_match": "smooth"})
@example(
    corpus=[([], [["a"]])],
    chosen={"smooth": "add-k-all", "no_match": "smooth", "average": "arithmetic", "brevity_steepness": 0.0},
)
def test_scores(corpus, chosen):
    """Corpus, segments, and everything the score is made of."""
    chosen = {"smooth": "none", "effective_order": False, **chosen}
    metric, textbook = BLEU(tokenize="none", **chosen), TextbookBLEU(**chosen)
    score = metric.corpus(*joined(corpus))
    rows = [textbook.count(*segment) for segment in corpus]
    totals = sum(rows[1:], start=rows[0])

    assert score.fraction == close(textbook.score(totals))
    assert score.value == close(100 * textbook.score(totals))
    assert score.detail["precisions"] == close([100 * float(p) for p in textbook.precisions(totals)])
    assert score.detail["individual"] == close(
        [100 * textbook.brevity_penalty(totals) * float(p) for p in textbook.precisions(totals)]
    )
    assert score.detail["brevity_penalty"] == close(textbook.brevity_penalty(totals))
    assert score.detail["cumulative"] == close(
        [100 * textbook.score(totals, up_to=n) for n in range(1, textbook.max_order + 1)]
    )
    assert metric.segments(*joined(corpus)).tolist() == close([100 * textbook.score(row) for row in rows])


@pytest.mark.parametrize("brevity", ["closest", "shortest", "average"])
@pytest.mark.parametrize("smooth", SMOOTHINGS)
def test_every_combination(smooth, brevity):
    """A corpus that has it all: an empty hypothesis, a word, short ones, no match, a copy, two references."""
    corpus = [
        ([], [["a"]]),
        (["a"], [["a"]]),
        (["a", "b"], [["b", "a"], ["a", "c", "b"]]),
        (["x", "y", "z"], [["a", "b"]]),
        (["a", "b", "c", "d", "e"], [["a", "b", "c", "d", "e"], ["a"]]),
        (["a", "b", "c", "a", "b", "c"], [["a", "b", "c"], ["c", "a", "b", "c", "d", "d", "d", "d"]]),
    ]
    for empty_order, no_match, effective_order in itertools.product(
        ["zero", "one", "count-one"], ["zero", "smooth"], [False, True]
    ):
        chosen = {
            "smooth": smooth,
            "brevity": brevity,
            "empty_order": empty_order,
            "no_match": no_match,
            "effective_order": effective_order,
        }
        metric, textbook = BLEU(tokenize="none", **chosen), TextbookBLEU(**chosen)
        statistics = metric.statistics(*joined(corpus))
        assert metric.segment_scores(statistics).tolist() == close(
            [100 * textbook.corpus([hypothesis], [references]) for hypothesis, references in corpus]
        )
        expected = textbook.corpus(*zip(*corpus, strict=True))
        assert metric.corpus_score(statistics).fraction == close(expected)


@pytest.mark.parametrize("max_order", range(1, 10))
def test_orders_one_to_nine(max_order):
    hypothesis = "the cat sat on the mat and the dog sat on the mat too"
    reference = "the cat sat on the mat while the dog sat on the mat as well"
    score = BLEU(max_order=max_order).corpus([hypothesis], [reference])
    assert score.fraction == close(
        TextbookBLEU(max_order=max_order, smooth="exp").corpus([hypothesis.split()], [[reference.split()]])
    )
    assert [len(score.detail[name]) for name in ("precisions", "matches", "totals", "cumulative")] == [
        max_order
    ] * 4


def test_cumulative_scores_are_the_scores_of_fewer_orders():
    """BLEU-1 ... BLEU-4 in one go are what four metrics give."""
    hypothesis, reference = "a b c d x a b c", "a b c d e a b x c"
    cumulative = BLEU(tokenize="none").corpus([hypothesis], [reference]).detail["cumulative"]
    alone = [BLEU(tokenize="none", max_order=n).corpus([hypothesis], [reference]).value for n in range(1, 5)]
    assert cumulative == close(alone)
    assert cumulative == sorted(cumulative, reverse=True)


def test_individual_scores_are_the_scores_of_one_order_alone():
    """BLEU with all its weight on order n: the precision times the brevity penalty."""
    hypothesis, reference = "a b c d x", "a b c d e f g h"
    detail = BLEU(tokenize="none").corpus([hypothesis], [reference]).detail
    assert detail["precisions"] == close([100 * 4 / 5, 100 * 3 / 4, 100 * 2 / 3, 100 * 1 / 2])
    assert detail["individual"] == close([math.exp(1 - 8 / 5) * p for p in detail["precisions"]])
    for n in range(4):
        weights = tuple(float(order == n) for order in range(4))
        alone = BLEU(tokenize="none", weights=weights).corpus([hypothesis], [reference])
        assert alone.value == close(detail["individual"][n])


def test_the_arithmetic_average_is_the_mean_of_the_precisions():
    """An order without a match costs its share, not everything."""
    metric = BLEU(tokenize="none", smooth="none", average="arithmetic")
    score = metric.corpus(["a b c d y a b c"], ["a b c d e a b x c"])  # BP: e^(1 - 9/8)
    assert score.detail["precisions"] == close([100 * 7 / 8, 100 * 4 / 7, 100 * 2 / 6, 100 * 1 / 5])
    expected = math.exp(1 - 9 / 8) * (7 / 8 + 4 / 7 + 2 / 6 + 1 / 5) / 4
    assert score.fraction == close(expected)
    assert metric.corpus(["a c b d"], ["a b c d"]).value == close(25)
    assert BLEU(tokenize="none", smooth="none").corpus(["a c b d"], ["a b c d"]).value == 0
    weighted = replace(metric, weights=(0.1, 0.3, 0.3, 0.3)).corpus(["a c b d"], ["a b c d"])
    assert weighted.value == close(10)


def test_the_arithmetic_average_is_at_least_the_geometric_one():
    for hypothesis, reference in [("a b c d x a b c", "a b c d e a b x c"), ("a b c", "a b c"), ("x", "a")]:
        arithmetic, geometric = (
            BLEU(tokenize="none", average=average).corpus([hypothesis], [reference]).value
            for average in ("arithmetic", "geometric")
        )
        assert arithmetic >= geometric


def test_the_brevity_penalty_is_raised_to_its_steepness():
    pair = (["a b c d"], ["a b c d e f"])
    plain = BLEU().corpus(*pair).detail["brevity_penalty"]
    for steepness in (0.0, 0.5, 2.0, 1e9):
        detail = BLEU(brevity_steepness=steepness).corpus(*pair).detail
        assert detail["brevity_penalty"] == close(plain**steepness)
    assert BLEU(brevity_steepness=0).corpus(*pair).value == close(100)
    assert BLEU(brevity_steepness=5).corpus(["a b c d e f g"], ["a b c d e f"]).detail["brevity_penalty"] == 1


@pytest.mark.parametrize("steepness", [0, 0.5, 1, 2])
def test_an_empty_hypothesis_scores_zero_however_flat_the_penalty(steepness):
    metric = BLEU(smooth="add-k-all", no_match="smooth", average="arithmetic", brevity_steepness=steepness)
    assert metric.segments([""], ["a b"]).tolist() == [0]


@pytest.mark.parametrize("steepness", [-1, math.inf, math.nan])
def test_a_steepness_that_is_none(steepness):
    with pytest.raises(BadParameter, match="expected a number of at least 0"):
        BLEU(brevity_steepness=steepness)


def test_the_signature_says_only_what_was_changed():
    """Of the defaults, it is the signature of versions without the two parameters."""
    signature = str(BLEU().signature())
    assert signature.startswith(
        "case:mixed|eff:no|tok:13a|smooth:exp|order:4|weights:uniform|brevity:closest|empty:zero|nomatch:zero|"
    )
    changed = str(BLEU(average="arithmetic", brevity_steepness=0.5).signature())
    assert "|weights:uniform|average:arithmetic|brevity:closest|steepness:0.5|empty:zero|" in changed
    assert metric_of("bleu:brevity-steepness=0.5,average=arithmetic") == BLEU(
        average="arithmetic", brevity_steepness=0.5
    )


def test_a_weight_of_zero_leaves_an_order_out():
    """An order without a match costs nothing if it weighs nothing, and everything if it weighs a little."""
    pair = (["a c b d"], ["a b c d"])  # no bigram matches
    assert BLEU(smooth="none", max_order=2, weights=(1.0, 0.0)).corpus(*pair).value == close(100)
    assert BLEU(smooth="none", max_order=2, weights=(1 - 1e-9, 1e-9)).corpus(*pair).value == 0


def test_default_for_segments_leaves_out_orders_longer_than_the_text():
    assert BLEU().segments(["a b"], ["a b"]).tolist() == close([100])
    assert BLEU(effective_order=False).segments(["a b"], ["a b"]).tolist() == [0]
    assert BLEU().corpus(["a b"], ["a b"]).value == 0


# --- nothing there ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("smooth", SMOOTHINGS)
def test_nothing_scores_nothing(smooth):
    """An empty translation of something, in a corpus and by itself; white space is empty too."""
    metric = BLEU(tokenize="none", smooth=smooth)
    assert metric.corpus(["", " \t "], ["a b", "c d e"]).value == 0
    assert metric.corpus([""], ["a"]).detail["brevity_penalty"] == 0
    assert metric.segments([""], ["a b c d e"]).tolist() == [0]
    assert metric.segments(["a b c d e"], [""]).tolist() == [0]
    assert metric.segments([""], [["", "a"]]).tolist() == [0]


def test_an_empty_reference_is_a_length_of_zero():
    detail = BLEU().corpus(["a b"], [["", "a b c d e"]]).detail
    assert (detail["ref_length"], detail["brevity_penalty"]) == (0, 1)  # 2 is closer to 0 than to 5
    assert detail["matches"][:2] == [2, 1]
    assert BLEU().corpus([""], [[""]]).detail["length_ratio"] == 0


def test_empty_segments_add_nothing_but_their_reference_s_length():
    with_empty = BLEU().statistics(["a b c d", ""], ["a b c d", "e f"]).sum()
    without = BLEU().statistics(["a b c d"], ["a b c d"]).sum()
    difference = dict(zip(with_empty.columns, with_empty.array - without.array, strict=True))
    assert {name: n for name, n in difference.items() if n} == {"ref_length": 2}


def test_closest_reference_length():
    """Equally far: the shorter one, whichever comes first."""
    hypothesis = "a b c d e"
    short, long = "a b c", "a b c d e f g"
    for references in ([short, long], [long, short]):
        assert BLEU().statistics([hypothesis], [references])["ref_length"].tolist() == [3]


def test_average_reference_length_is_exact():
    """A third of a word is kept, segment by segment, and adds up to whole words."""
    references = ["a", "a", "a b"]
    metric = BLEU(brevity="average")
    assert metric.corpus(["a"], [references]).detail["ref_length"] == close(4 / 3)
    assert metric.corpus(["a"] * 3, [references] * 3).detail["ref_length"] == 4


def test_scores_of_stacked_sums():
    """`score` takes arrays of any shape: what resampling and blocks rely on."""
    metric = BLEU(tokenize="none", smooth="exp", effective_order=False)
    statistics = metric.statistics(["a b c d", "a b x y", "c d"], ["a b c d", "a b c d", "c d e"])
    stacked = np.stack([statistics.array, statistics.array[::-1]])  # [2, 3, K]
    scores = metric.score(type(statistics)(stacked, statistics.columns, metric.spec, 3, (1, 1)))
    assert scores.shape == (2, 3)
    assert (
        scores[0].tolist()
        == metric.segments(["a b c d", "a b x y", "c d"], ["a b c d"] * 2 + ["c d e"]).tolist()
    )
    assert scores[1].tolist() == scores[0][::-1].tolist()


def test_explanation_and_str():
    score = BLEU().corpus(["a b c d e"], ["a b c d f g"])
    assert score.explanation == ("80.0/75.0/66.7/50.0 (BP = 0.819 ratio = 0.833 hyp_len = 5 ref_len = 6)")
    assert str(score).startswith(
        f"BLEU = {100 * math.exp(-0.2) * (0.8 * 0.75 * 2 / 3 * 0.5) ** 0.25:.2f} 80.0/"
    )


@pytest.mark.parametrize(
    ("hypothesis", "references", "program"),
    [
        ("the the the the the the the", ["the cat is on the mat", "there is a cat on the mat"], 0.205566809),
        ("", ["a", "a b c d e"], 0),
        ("completely different words", ["foo bar baz qux quux", "alpha beta gamma delta"], 0.323729545),
        ("b c d e f g a", ["a b c d e f g", "g f e d c b a"], 0.869441748),
        ("x 0 y 0 z", ["0 x 0 y 0 z", "x 0 y"], 0.818730712),
        ("Größe über Straße naïve café", ["Größe über Straße naïve café"], 1),
    ],
)
def test_sentence_bleu_of_moses(hypothesis, references, program):
    """Figures that `sentence-bleu ref1 ref2 < hypotheses` of Moses (commit 34452895f350) printed."""
    score = BLEU.preset("sentence-bleu").segments([hypothesis], [references])[0]
    assert score == pytest.approx(100 * program, rel=1e-6)


def test_sentence_bleu_counts_one_more_of_every_order():
    """Of a text too short for an order, that is 1 of 1; of one without a match 1 of c + 1."""
    metric = BLEU.preset("sentence-bleu")
    assert metric.corpus(["a b"], ["a c"]).detail["precisions"] == pytest.approx([200 / 3, 50, 100, 100])
    assert metric.corpus(["a b"], ["x y"]).detail["precisions"][0] == pytest.approx(100 / 3)
    assert "smooth:add-k-all[1]" in str(metric.signature())
