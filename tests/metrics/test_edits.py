"""WER, PER and CDER against their textbook versions, with several references; and by hand."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from reference import edits as textbook
from reference.hostile_words import pairs
from understudy import CDER, PER, WER, _core

DISTANCES = {
    WER: lambda h, r: textbook.word_edits(h, r).sum,
    PER: lambda h, r: textbook.bag_edits(h, r).sum,
    CDER: textbook.jump_distance,
}
PARTS: dict[type, Any] = {WER: textbook.word_edits, PER: textbook.bag_edits}
EXAMPLES, PAIRS = {WER: 60, PER: 250, CDER: 250}, 48

every_rate = pytest.mark.parametrize("rate", DISTANCES)


@every_rate
def test_textbook(rate):
    """Hostile words, up to three references a segment, either denominator."""
    distance, compared = DISTANCES[rate], 0

    @settings(
        max_examples=EXAMPLES[rate], deadline=None, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(pairs(PAIRS, most_references=3))
    def compare(made):
        nonlocal compared
        average = compared // PAIRS % 2 == 1
        metric = rate(tokenize="none", ref_length="average" if average else "chosen")
        rows = metric.statistics(
            [" ".join(h) for h, _ in made], [[" ".join(r) for r in references] for _, references in made]
        )
        scores = metric.segment_scores(rows)
        for i, (hypothesis, references) in enumerate(made):
            edits, which = textbook.best_reference(partial(distance, hypothesis), references, average=average)
            mean = Fraction(sum(map(len, references)), len(references))
            length = mean if average else Fraction(len(references[which]))
            units = _core.LENGTH_UNITS if average else 1
            assert rows["edits"][i] == edits, (hypothesis, references)
            assert rows["ref_length"][i] == length * units
            assert scores[i] == pytest.approx(100 * (edits / length if length else min(edits, 1)), rel=1e-15)
            if rate in PARTS:
                parts = PARTS[rate](hypothesis, references[which])
                assert tuple(rows.array[i, 2:]) == parts
        compared += len(made)

    compare()
    assert compared >= EXAMPLES[rate] * PAIRS * 4 // 5


@every_rate
def test_long_segments(rate):
    generator = random.Random(5)
    reference = [f"w{generator.randrange(300)}" for _ in range(700)]
    hypothesis = [word for word in reference[350:] + reference[:350] if generator.random() > 0.1]
    row = rate().statistics([" ".join(hypothesis)], [" ".join(reference)])
    assert row["edits"][0] == DISTANCES[rate](hypothesis, reference)


@pytest.mark.parametrize(
    ("hypothesis", "references", "wer", "per", "cder"),
    [
        ("", [""], 0, 0, 0),
        ("", ["a b"], 100, 100, 100),
        ("a", [""], 100, 100, 100),  # by decision: x / 0
        ("a b c", ["a b"], 50, 50, 50),
        ("a b c d e f", ["a"], 500, 500, 100),  # one jump over all the rest
        ("d e f a b c", ["a b c d e f"], 100, 0, 50),  # three jumps: in, back, and to the end
        ("f e d c b a", ["a b c d e f"], 100, 0, 100),
        ("a b", ["x y", "a c"], 50, 50, 50),
        ("a a a", ["a b c"], 200 / 3, 200 / 3, 200 / 3),
        ("翻 訳", ["翻 译"], 50, 50, 50),
        ("e\u0301", ["é"], 100, 100, 100),  # different code points are different words
    ],
)
def test_by_hand(hypothesis, references, wer, per, cder):
    found = [rate().segments([hypothesis], [references])[0] for rate in (WER, PER, CDER)]
    assert found == pytest.approx([wer, per, cder], rel=1e-15)


@every_rate
def test_the_choice_among_references(rate):
    """The lowest rate; of equal rates the fewest edits; an empty reference is a rate of 1."""

    def chosen(hypothesis, *references):
        for order in (references, references[::-1]):
            row = rate().statistics([hypothesis], [list(order)])
            yield int(row["edits"][0]), int(row["ref_length"][0])

    assert set(chosen("a b c d", "a b c x", "a b")) == {(1, 4)}
    assert set(chosen("a b", "a b c d", "a c")) == {(1, 2)}  # 2/4 and 1/2
    assert set(chosen("", "", "r s")) == {(0, 0)}
    against_nothing = int(rate().statistics(["p q"], [""])["edits"][0])
    assert set(chosen("p q", "", "p r s t")) == {(3, 4)}
    # Rates of 1 all three: of equal edits the longer reference, so that the sums have words to divide by.
    assert set(chosen("p q", "", "r s", "r s t")) == {(2, 2) if against_nothing == 2 else (1, 0)}


@every_rate
def test_average_length_counts_the_fewest_edits(rate):
    """As TER does: edits against the nearest reference, divided by the mean length."""
    hypothesis, references = "a b c d", ["a b c d e f g h", "a b c x"]
    metric = rate(ref_length="average")
    score = metric.corpus([hypothesis], [references])
    assert score.value == pytest.approx(100 * 1 / 6)
    assert score.detail["ref_length"] == 6.0
    assert "reflen:average" in str(score.signature)


def test_letter_case():
    texts = ["ÉCOLE Abc"], ["école aBC"]
    assert [WER(lowercase=choice).corpus(*texts).value for choice in (False, "ascii", True)] == [100, 50, 0]


def test_rates_of_any_sums():
    """`score` takes any number of leading axes."""
    rows = WER().statistics(["a b", "c d", "e f"], ["a x", "c d", ""]).array
    stacked = np.stack([rows, rows[::-1]])
    made = WER().statistics(["a"], ["a"])
    scores = WER().score(type(made)(stacked, made.columns, made.spec, 6, (1, 1)))
    assert scores.tolist() == [[50, 0, 100], [100, 0, 50]]


def test_the_corpus_is_the_sum_of_edits_over_the_sum_of_lengths():
    score = WER().corpus(["a", "b c d e f", "g"], ["x", "b c d e f", ""])
    assert score.value == pytest.approx(100 * 2 / 6)
    assert score.detail["insertions"] == score.detail["substitutions"] == 1
    assert str(score).startswith("WER = 33.33 (2 edits / 6 words: hits 5,")


def test_lengths_compared_as_a_whole():
    """PER with surplus=corpus: a segment that is too long makes up for one that is too short."""
    hypotheses, references = ["a b x", "c"], ["a b", "c d"]
    assert PER().corpus(hypotheses, references).value == pytest.approx(100 * 2 / 4)
    whole = PER(surplus="corpus").corpus(hypotheses, references)
    assert whole.value == pytest.approx(100 * (1 - (3 - 0) / 4))
    assert str(whole).startswith("PER = 25.00 (1 edits / 4 words: ")
    assert PER(surplus="corpus").segments(hypotheses, references).tolist() == [50, 50]
    assert PER(surplus="corpus").corpus(["a b x y z", "c"], references).value == pytest.approx(
        100 * (1 - (3 - 2) / 4)
    )


def test_mean_lengths_of_many_references():
    """Exact for up to 16; the pages say how far off the mean of more can be."""
    metric = WER(ref_length="average")
    for count in range(1, 20):
        references = ["a"] * (count - 1) + ["a b"]
        (units,) = metric.statistics(["x y z"], [references])["ref_length"].tolist()
        off = abs(Fraction(units, _core.LENGTH_UNITS) - Fraction(count + 1, count))
        assert off == 0 if count <= 16 else off < Fraction(1, 1_000_000)
