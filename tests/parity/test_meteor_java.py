"""METEOR against the program itself, run beside it, with every stage: all numbers that its scores are made of, and
the scores.
"""

from __future__ import annotations

from material.meteor_program import ENGLISH, Pair, compare, hostile_pairs, needs_meteor
from material.wmt import needs_data, references_of, systems
from understudy import METEOR

pytestmark = needs_meteor


def test_hostile_text():
    compare(METEOR(), hostile_pairs(12_000, seed=1), "-l", "en", "-norm")


@needs_data
def test_a_real_system():
    folder = "wmt21.de-en"
    columns = references_of(folder)
    hypotheses = next(iter(systems(folder).values()))
    pairs = [(h, list(r)) for h, *r in zip(hypotheses, *columns, strict=True)]
    compare(METEOR(task="adq"), pairs, "-l", "en", "-norm", "-t", "adq")


def test_words_are_equal_if_their_hashes_are():
    """The program compares Java's 32 bits of a word: these two have the same."""
    pairs = [("Siblings", ["Teheran"])]
    metric = METEOR(stages="exact", tokenize="split", lowercase=False)
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
    compare(METEOR(stages="exact+stem+synonym"), pairs, "-l", "en", "-norm", "-m", "exact stem synonym")
