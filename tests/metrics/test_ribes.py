"""RIBES by hand, against its textbook version, on long texts, and what it refuses."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from reference import ribes as textbook
from reference.hostile_words import pairs
from understudy import RIBES
from understudy.errors import BadParameter
from understudy.metrics.base.averages import average_columns, averaged, mean_of
from understudy.metrics.base.statistics import Statistics


def test_textbook():
    """With up to three references; the stretches that tell words apart are long and many in a small vocabulary."""
    compared = 0

    @settings(max_examples=220, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(pairs(48, most_references=3))
    def compare(made):
        nonlocal compared
        short = [(h, references) for h, references in made if len(h) <= 20]  # the textbook is slow
        scores = RIBES(tokenize="none").segments(
            [" ".join(h) for h, _ in short], [[" ".join(r) for r in references] for _, references in short]
        )
        for score, (hypothesis, references) in zip(scores, short, strict=True):
            expected = max(textbook.ribes(hypothesis, reference) for reference in references)
            assert score == pytest.approx(100 * expected, rel=1e-13, abs=1e-15), (hypothesis, references)
        compared += len(short)

    compare()
    assert compared >= 8_000


def test_by_hand():
    # All 3 words of the hypothesis are aligned in order; it is shorter than the reference by a third of its length.
    score = RIBES(alpha=1, beta=1).corpus(["a b d"], ["a b c d"])
    assert score.value == pytest.approx(100 * math.exp(1 - 4 / 3))
    assert score.detail["tau"] == score.detail["precision"] == 100
    # x has no counterpart.
    assert RIBES(alpha=1).corpus(["a b x d"], ["a b c d"]).value == pytest.approx(75)


def test_which_neighbors_are_asked_first():
    """The example of Isozaki et al. 2010: is the second "he" that of "because he" or that of "he was"?

    To the right its place is 0, all places are 7 8 9 10 6 0 1 2 3 4 5, and 6 + 15 of 55 pairs ascend, as in the
    paper. To the left it is 7, as that of the first "he": 3 + 2 + 1 pairs within the first four words, 6 before 7,
    and 10 within 1 2 3 4 5.
    """
    hypothesis = ["he read the book because he was interested in world history"]
    reference = ["he was interested in world history because he read the book"]
    assert RIBES(context="right-first").segments(hypothesis, reference) == pytest.approx([100 * 21 / 55])
    assert RIBES(context="left-first").segments(hypothesis, reference) == pytest.approx([100 * 17 / 55])


def test_a_lone_word():
    assert RIBES().segments(["a", "a b", "b"], ["a", "a", "a"]) == pytest.approx([100, 100 * 0.5**0.25, 0])
    assert RIBES(lone_word="zero").segments(["a", "a b"], ["a", "a"]).tolist() == [0, 0]


def test_nothing():
    assert RIBES().segments(["", "", "a b"], ["", "a b", ""]).tolist() == [0, 0, 0]


@pytest.mark.parametrize("kinds", [1, 2, 4000])
def test_long_segments_are_no_trouble(kinds):
    """5,000 words, however often they repeat: where they are all different but for a part, by hand."""
    rng = random.Random(kinds)
    words = [f"w{rng.randrange(kinds)}" for _ in range(5000)]
    unique = [f"u{i}" for i in range(0, 5000)]
    text = " ".join(words)
    assert 0 <= RIBES().segments([text], [" ".join(reversed(words))])[0] <= 100
    mixed = " ".join(words[i] if i % 2 else unique[i] for i in range(5000))
    assert RIBES().segments([mixed], [mixed]) == pytest.approx([100])
    backwards = " ".join(reversed(unique))
    assert RIBES().segments([backwards], [" ".join(unique)]).tolist() == [0]


def test_means_of_whole_numbers_lose_nothing():
    values = np.random.default_rng(1).random(1000)
    statistics = Statistics(averaged([values]), average_columns("x"), "x", 1000, (1, 1))
    large = values >= 2.0**-9
    assert mean_of(statistics, "x")[large].tolist() == values[large].tolist()
    assert mean_of(statistics, "x") == pytest.approx(values, abs=2.0**-62)
    assert mean_of(statistics.sum(), "x").item() == pytest.approx(math.fsum(values) / 1000, rel=1e-15)
    parts = statistics[np.arange(1000) % 3 == 0] + statistics[np.arange(1000) % 3 != 0]
    assert parts.array.tolist() == statistics.sum().array.tolist()


@pytest.mark.parametrize(
    "settings", [{"alpha": -1.0}, {"beta": math.nan}, {"beta": math.inf}, {"context": "both"}]
)
def test_bad_parameters(settings):
    with pytest.raises(BadParameter, match=next(iter(settings))):
        RIBES(**settings)


def test_the_preset_says_which_nltk_it_follows():
    """NLTK 3.9 gives 33.59 for what 3.10 gives 85.77."""
    assert "context:right-nltk3.10|" in str(RIBES.preset("nltk").signature())
    assert "NLTK 3.9 and earlier give different scores" in RIBES.preset_notes["nltk"]
