"""GLEU against the NLTK installed beside it: the same digits, segment by segment and for corpora."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("nltk")
from nltk.translate.gleu_score import corpus_gleu, sentence_gleu

from material.wmt import Sample, System, every_system
from reference.hostile_words import pairs
from understudy import GLEU

EXAMPLES, PAIRS = 260, 48


def test_hostile_text_scores_alike() -> None:
    """Up to four references a segment, empty texts and single characters among them, all lengths of n-grams."""
    compared = 0

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(made=pairs(PAIRS, most_references=4), shortest=st.integers(1, 3), more=st.integers(0, 3))
    def check(made: list[tuple[list[str], list[list[str]]]], shortest: int, more: int) -> None:
        nonlocal compared
        gleu = GLEU.preset("nltk", min_len=shortest, max_len=shortest + more)
        statistics = gleu.statistics(
            [" ".join(h) for h, _ in made], [[" ".join(r) for r in references] for _, references in made]
        )
        lengths = {"min_len": shortest, "max_len": shortest + more}
        expected = [100 * sentence_gleu(references, h, **lengths) for h, references in made]
        assert gleu.segment_scores(statistics).tolist() == expected
        whole = 100 * corpus_gleu([references for _, references in made], [h for h, _ in made], **lengths)
        assert gleu.corpus_score(statistics).value == whole
        compared += len(made)

    check()
    assert compared >= 10_000


def test_long_segments() -> None:
    rng = random.Random(4)
    for vocabulary in (1, 3, 4000):
        reference = [f"w{rng.randrange(vocabulary)}" for _ in range(5000)]
        hypothesis = [word for word in reference if rng.random() > 0.1]
        expected = 100 * sentence_gleu([reference, reference[:7]], hypothesis)
        assert GLEU.preset("nltk").segments(
            [" ".join(hypothesis)], [[" ".join(reference), " ".join(reference[:7])]]
        ).tolist() == [expected]


@every_system
def test_real_systems(system: System, sample: Sample) -> None:
    """A sample of the segments by themselves, with all references of the set, and together."""
    texts, references = system.segments(sample(5, first=system.number))
    tokens = [text.split() for text in texts]
    reference_tokens = [[text.split() for text in group] for group in references]
    gleu = GLEU.preset("nltk")
    expected = [
        100 * sentence_gleu(group, words) for group, words in zip(reference_tokens, tokens, strict=True)
    ]
    assert gleu.segments(texts, references).tolist() == expected
    assert gleu.corpus(texts, references).value == 100 * corpus_gleu(reference_tokens, tokens)
