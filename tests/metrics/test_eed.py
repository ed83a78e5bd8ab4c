"""EED against the textbook on hostile text, and what its numbers mean."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from material.hostile import corpora
from reference import eed as textbook
from understudy import EED, UnderstudyError, metric

EXAMPLES = 320
CELLS = 700  # of the largest table of characters that the textbook is asked to fill
NONE: dict[str, Any] = {}
AS_THE_PROGRAM: dict[str, Any] = {"real": np.float32, "whole_minimum": True}
COSTS: tuple[dict[str, Any], ...] = (
    {},
    {"alpha": 0.5, "rho": 1.0},
    {"deletion": 1.0, "insertion": 0.7, "substitution": 1.5},
    {"alpha": 0.0, "rho": 0.0, "deletion": 0.0},
)
PREPARE = {"en": textbook.english, "ja": textbook.japanese, "none": lambda text: f" {text} "}


def test_hostile_text():
    compared = 0

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(corpora(), st.sampled_from(COSTS), st.sampled_from(sorted(PREPARE)), st.booleans())
    def compare(corpus, costs, language, as_program):
        nonlocal compared
        hypotheses, columns = corpus
        pairs = [
            (h, [r for r in group if r is not None]) for h, *group in zip(hypotheses, *columns, strict=True)
        ]
        pairs = [(h, rs) for h, rs in pairs if (len(h) + 2) * max(len(r) + 2 for r in rs) <= CELLS]
        if not pairs:
            return
        eed = EED(language=language, arithmetic="program" if as_program else "exact", **costs)
        scores = eed.segments([h for h, _ in pairs], [rs for _, rs in pairs])
        prepare = PREPARE[language]
        arithmetic = AS_THE_PROGRAM if as_program else NONE
        for score, (hypothesis, references) in zip(scores, pairs, strict=True):
            expected = min(
                textbook.eed(prepare(hypothesis), prepare(r), **costs, **arithmetic) for r in references
            )
            assert score == pytest.approx(100 * expected, rel=1e-13, abs=1e-13), (hypothesis, references)
        compared += sum(len(references) for _, references in pairs)

    compare()
    assert compared >= 10_000


@pytest.mark.parametrize("size", [300, 700])
def test_longer_segments(size):
    generator = random.Random(size)
    texts = ["".join(generator.choices("abcde fgh", k=size)) for _ in range(2)]
    for arithmetic, settings_of in (("program", AS_THE_PROGRAM), ("exact", NONE)):
        ours = EED(arithmetic=arithmetic, language="none").segments([texts[0]], [texts[1]])[0]
        assert ours == pytest.approx(
            100 * textbook.eed(f" {texts[0]} ", f" {texts[1]} ", **settings_of), rel=1e-13
        )


def test_very_long_segments():
    """5,000 words: a copy is a copy, and one that is moved costs its jumps and little else."""
    generator = random.Random(5)
    words = ["".join(generator.choices("abcdefgh", k=4)) for _ in range(5_000)]
    assert EED().segments([" ".join(words)], [" ".join(words)])[0] == 0
    moved = words[2_000:] + words[:2_000]
    score = EED(rho=0.0).segments([" ".join(moved)], [" ".join(words)])[0]
    # From the start to the first word, at the end of that part to the other, and from its end to the end.
    assert score == pytest.approx(100 * 3 * 2 / (5 * 5_000 + 1), rel=0.5)


def test_a_corpus_is_the_mean_of_its_segments():
    texts = [["the cat sat", "a", ""], ["the cat sat", "entirely different", "gone"]]
    assert EED().corpus(*texts).value == pytest.approx(EED().mean(*texts).value, rel=1e-15)


def test_nothing_is_a_copy_of_nothing():
    assert EED().segments([""], [""])[0] == 0
    assert 0 < EED().segments(["a"], [""])[0] <= EED().segments([""], ["a long sentence"])[0] <= 100


def test_the_best_reference_counts():
    references = [["something else", "the cat sat", "the cat sat"]]
    assert EED().corpus(["the cat sat"], references).value == 0


@pytest.mark.parametrize(
    ("text", "prepared"),
    [
        ("Hello, world!  \n", "Hello , world !"),
        ("It cost 3.50.", "It cost 3 .50 ."),  # what EED.py does, if not what it means to
        ("3. 4", "3.4"),
        ("Mr. Smith", "Mr. Smith"),
        ("Mr Smith", "Mr.mith"),
        ("i. e. this", "i.e. this"),
        ("a\u00a0b\tc\u3000d", "a b c d"),
        ("٣. ٤", "٣.٤"),
        ("", ""),
    ],
)
def test_english(text, prepared):
    assert textbook.english(text) == f" {prepared} "
    assert EED().segments([text], [text])[0] == 0
    row = EED().statistics([text], [text])
    assert row["hyp_characters"][0] == len(prepared) + 2


def test_japanese_forms_are_one():
    assert EED(language="ja").segments(["ＡＢＣ ｶﾞ"], ["ABC ガ"])[0] == 0
    assert EED(language="none").segments(["ＡＢＣ ｶﾞ"], ["ABC ガ"])[0] > 0
    assert "|nfkc:" in str(EED(language="ja").signature())


def test_lowercase():
    assert EED(lowercase=True).segments(["THE CAT"], ["the cat"])[0] == 0


@pytest.mark.parametrize("cost", ["alpha", "rho", "deletion", "insertion", "substitution"])
def test_costs_are_numbers_from_0(cost):
    def with_cost(value: float) -> EED:
        chosen: dict[str, Any] = {cost: value}
        return EED(**chosen)

    assert metric(f"eed:{cost}=3") == with_cost(3) == with_cost(3.0)
    for value in (-1, float("inf"), float("nan")):
        with pytest.raises(UnderstudyError, match=f"{cost}=.*expected a number of at least 0"):
            with_cost(value)
