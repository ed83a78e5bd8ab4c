"""METEOR against the program itself, run beside it, with every stage: all numbers that its scores are made of, and
the scores.
"""

from __future__ import annotations

from material.meteor_program import ENGLISH, Pair, compare, hostile_pairs, needs_meteor
from material.wmt import SYSTEMS, Sample, needs_data
from understudy import METEOR

pytestmark = needs_meteor


def test_hostile_text():
    compare(METEOR(language="en"), hostile_pairs(12_000, seed=1), "-l", "en", "-norm")


@needs_data
def test_real_systems(sample: Sample):
    """A sample of every system of every test set in English, with all references; at once, for Java starts slowly."""
    pairs: list[Pair] = []
    for system in SYSTEMS:
        if system.into_english:
            pairs += zip(*system.segments(sample(40, first=system.number)), strict=True)
    assert len(pairs) > 1_000
    compare(METEOR(language="en", task="adq"), pairs, "-l", "en", "-norm", "-t", "adq")


def test_words_are_equal_if_their_hashes_are():
    """The program compares Java's 32 bits of a word: these two have the same."""
    pairs = [("Siblings", ["Teheran"])]
    metric = METEOR(language="en", stages="exact", tokenize="split", lowercase=False)
    compare(metric, pairs, "-l", "en", "-m", "exact")
    assert metric.segments(["Siblings"], ["Teheran"]).item() == 100


def test_long_segments():
    """Hundreds of words, many of them repeated."""
    words = ENGLISH[:150]
    pairs: list[Pair] = [
        (" ".join(words * 2), [" ".join(words[75:] + words)]),
        (" ".join(["the"] * 60 + words), [" ".join(words + ["the"] * 60)]),
        (" ".join(words[::-1] * 2), [" ".join(words * 2), " ".join(words)]),
    ]
    compare(
        METEOR(language="en", stages="exact+stem+synonym"),
        pairs,
        "-l",
        "en",
        "-norm",
        "-m",
        "exact stem synonym",
    )
