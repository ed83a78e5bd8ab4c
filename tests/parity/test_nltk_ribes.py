"""RIBES with NLTK's choices against the NLTK installed beside it, segment by segment and for corpora.

NLTK refuses texts of more than 2,000 words, and is slow on long ones: those here are shorter. Nothing else is left out.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings

pytest.importorskip("nltk")
from nltk.translate.ribes_score import corpus_ribes, sentence_ribes

from material.wmt import Sample, System, every_system
from reference.hostile_words import pairs
from understudy import RIBES

EXAMPLES, PAIRS = 260, 48

NLTK = RIBES.preset("nltk")


def same(ours: float, theirs: float) -> bool:
    """To the last digits: NLTK maps the share of ordered pairs to -1 ... 1 and back, and loses some."""
    return ours == pytest.approx(100 * theirs, rel=1e-14, abs=1e-13)


def test_hostile_text_scores_alike() -> None:
    """Up to four references a segment; empty texts and single characters among them."""
    compared = 0

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(made=pairs(PAIRS, most_references=4))
    def check(made: list[tuple[list[str], list[list[str]]]]) -> None:
        nonlocal compared
        made = [pair for pair in made if len(pair[0]) <= 20]
        statistics = NLTK.statistics(
            [" ".join(h) for h, _ in made], [[" ".join(r) for r in references] for _, references in made]
        )
        for score, (hypothesis, references) in zip(NLTK.segment_scores(statistics), made, strict=True):
            assert same(score, sentence_ribes(references, hypothesis)), (hypothesis, references)
        whole = corpus_ribes([references for _, references in made], [h for h, _ in made])
        assert same(NLTK.corpus_score(statistics).value, whole)
        compared += len(made)

    check()
    assert compared >= 10_000


@pytest.mark.parametrize(("alpha", "beta"), [(0.0, 0.0), (1.0, 1.0), (0.2, 0.5)])
def test_powers(alpha: float, beta: float) -> None:
    hypothesis, reference = ["a", "b", "x", "c", "a", "d"], ["a", "c", "b", "e", "a", "d", "f", "g"]
    ours = RIBES.preset("nltk", alpha=alpha, beta=beta).segments(
        [" ".join(hypothesis)], [" ".join(reference)]
    )
    assert same(ours[0], sentence_ribes([reference], hypothesis, alpha, beta))


@pytest.mark.parametrize(("kinds", "length"), [(2, 250), (30, 1000), (3000, 1500)])
def test_long_segments(kinds: int, length: int) -> None:
    """Few kinds of words make long contexts, on which NLTK takes minutes where there are more words."""
    rng = random.Random(kinds)
    reference = [f"w{rng.randrange(kinds)}" for _ in range(length)]
    hypothesis = [word for word in reference[length // 3 :] + reference[: length // 3] if rng.random() > 0.1]
    ours = NLTK.segments([" ".join(hypothesis)], [" ".join(reference)])
    assert same(ours[0], sentence_ribes([reference], hypothesis))


@every_system
def test_real_systems(system: System, sample: Sample) -> None:
    """A sample of the segments, with up to two references."""
    texts, references = system.segments(sample(29, first=system.number), references=2)
    for score, text, group in zip(NLTK.segments(texts, references), texts, references, strict=True):
        assert same(score, sentence_ribes([reference.split() for reference in group], text.split()))
