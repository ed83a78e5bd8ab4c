"""NIST against the NLTK installed beside it.

With several references NLTK takes for each order the one that tells most, and its length. Where two tell the same, the
rounding of their sums decides, here as there. Where an order has no n-gram at all, or the references no word, NLTK
divides by zero: such corpora are left to tests/metrics.
"""

from __future__ import annotations

import random
from typing import Any

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


def theirs(hypotheses: list[str], references: list[list[str]], order: int) -> float:
    split = [[reference.split() for reference in group] for group in references]
    return float(corpus_nist(split, [h.split() for h in hypotheses], order))


def test_hostile_text_scores_alike() -> None:
    pairs: set[Any] = set()

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
        references = [[" ".join(words)] for words in originals]
        if any(len(h.split()) >= order for h in hypotheses):  # else NLTK divides by zero
            ours = NIST.preset("nltk", max_order=order).corpus(hypotheses, references).value
            assert ours == pytest.approx(theirs(hypotheses, references, order), rel=1e-12, abs=1e-12)
            pairs.update((text, group[0]) for text, group in zip(hypotheses, references, strict=True))

    check()
    assert len(pairs) >= 10_000


def test_several_references_score_alike() -> None:
    """One to four of them; the information is that of all."""
    rng = random.Random(7)
    compared = 0
    for _ in range(250):
        vocabulary = [f"w{number}" for number in range(rng.choice((5, 30, 200)))]
        hypotheses, references = [], []
        for _ in range(20):
            words = rng.choices(vocabulary, k=rng.choice((1, 4, 9, 14)))

            def damaged(words: list[str] = words, vocabulary: list[str] = vocabulary) -> str:
                kept = [
                    rng.choice(vocabulary) if rng.random() < 0.3 else w for w in words[rng.randrange(2) :]
                ]
                return " ".join(kept) or "nothing"

            hypotheses.append(damaged())
            references.append([damaged() for _ in range(rng.choice((1, 2, 3, 4)))])
        order = rng.choice((1, 2, 5))
        if all(len(text.split()) < order for text in hypotheses):
            continue
        ours = NIST.preset("nltk", max_order=order).corpus(hypotheses, references).value
        assert ours == pytest.approx(theirs(hypotheses, references, order), rel=1e-12)
        compared += 1
    assert compared > 200


@every_system
def test_real_systems(system: System, sample: Sample) -> None:
    """A sample of the segments together, with up to two references."""
    hypotheses, references = system.segments(sample(3, first=system.number), references=2)
    for groups in (references, [group[:1] for group in references]):
        ours = NIST.preset("nltk").corpus(hypotheses, groups).value
        assert ours == pytest.approx(theirs(hypotheses, groups, 5), rel=1e-12)
