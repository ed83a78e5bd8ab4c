"""NIST with one reference per segment against the NLTK installed beside it.

With several references NLTK scores each by itself and keeps the best, order by order: another metric. Where an order
has no n-gram at all, or the references no word, NLTK divides by zero: such corpora are left to tests/unit.
"""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytest.importorskip("nltk")
from nltk.translate.nist_score import corpus_nist

from material.wmt import Sample, System, every_system
from understudy import NIST

PAIRS = 150

words = st.text(st.characters(exclude_categories=["Cs", "Z"]), min_size=1, max_size=9) | st.sampled_from(
    [
        "0",
        "the",
        "The",
        "Straße",
        "e\u0301",
        "中文",
        "שלום",
        "longer-than-eight-bytes",
        "\U0001f600",
        "3.5",
        "\x00",
    ]
)


def theirs(hypotheses: list[str], references: list[str], order: int) -> float:
    return float(corpus_nist([[r.split()] for r in references], [h.split() for h in hypotheses], order))


def test_hostile_text_scores_alike() -> None:
    pairs = set()

    @settings(max_examples=220, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
    @given(
        vocabulary=st.lists(words, min_size=2, max_size=20),
        seed=st.integers(0, 2**32),
        order=st.sampled_from((5, 5, 5, 1, 2, 3, 4, 6)),
    )
    def check(vocabulary: list[str], seed: int, order: int) -> None:
        rng = random.Random(seed)
        originals = [rng.choices(vocabulary, k=rng.choice((0, 1, 2, 5, 8, 12))) for _ in range(PAIRS)]
        hypotheses = [
            " ".join(
                rng.choice(vocabulary) if rng.random() < 0.2 else word for word in words[rng.randrange(2) :]
            )
            for words in originals
        ]
        references = [" ".join(words) for words in originals]
        if any(len(h.split()) >= order for h in hypotheses):  # else NLTK divides by zero
            ours = NIST.preset("nltk", max_order=order).corpus(hypotheses, references).value
            assert ours == pytest.approx(theirs(hypotheses, references, order), rel=1e-12, abs=1e-12)
            pairs.update(zip(hypotheses, references, strict=True))

    check()
    assert len(pairs) >= 10_000


@every_system
def test_real_systems(system: System, sample: Sample) -> None:
    """A sample of the segments together, with the first reference."""
    hypotheses, references = system.segments(sample(3, first=system.number), references=1)
    first = [reference for (reference,) in references]
    ours = NIST.preset("nltk").corpus(hypotheses, first).value
    assert ours == pytest.approx(theirs(hypotheses, first, 5), rel=1e-12)
