"""Scores of other texts in the place of hypotheses."""

from __future__ import annotations

import pytest

from understudy import BLEU, CHRF, Corpus
from understudy.corpus.corpus import CHUNK_SEGMENTS
from understudy.probing.probed_system import ProbedSystem

TEXTS = ["The cat sat on the mat.", "It rained for three days."]
ANSWERS = [["A cat sat on the mat.", "The cat was on a mat."], ["It was raining for three days."]]


@pytest.fixture
def system() -> ProbedSystem:
    corpus = Corpus.of_texts({"a": TEXTS}, ANSWERS)
    return ProbedSystem.of(corpus, [BLEU(), CHRF()], language=None, threads=1)


def test_texts_are_scored_against_the_references_of_their_segments(system: ProbedSystem) -> None:
    found = system.scores([1, 0, 0], ["It rained.", "A cat sat.", "It rained."])
    assert found[:, 0].tolist() == [
        BLEU().segment(text, ANSWERS[segment]).value
        for segment, text in [(1, "It rained."), (0, "A cat sat."), (0, "It rained.")]
    ]


def test_a_reference_can_be_left_out(system: ProbedSystem) -> None:
    counted = system.statistics([0], ["A cat sat."], [ANSWERS[0][0]])
    assert system.scores_of(counted)[0, 1] == CHRF().segment("A cat sat.", ANSWERS[0][1]).value


def test_no_texts_have_no_scores(system: ProbedSystem) -> None:
    assert system.scores([], []).shape == (0, 2)


def test_many_texts_are_scored_in_parts(system: ProbedSystem) -> None:
    count = CHUNK_SEGMENTS + 3
    found = system.scores([0] * (count - 1) + [1], ["The cat."] * (count - 1) + ["It rained."])
    assert found.shape == (count, 2)
    assert found[-1, 0] == BLEU().segment("It rained.", ANSWERS[1]).value


def test_the_system_has_the_scores_of_its_texts(system: ProbedSystem) -> None:
    assert (system.segment_scores == system.scores([0, 1], TEXTS)).all()


@pytest.mark.parametrize(
    ("metrics", "language", "expected"), [([CHRF()], "zh", "zh"), ([CHRF()], None, "13a")]
)
def test_the_tokenizer_without_a_metric_of_words(
    metrics: list[CHRF], language: str | None, expected: str
) -> None:
    corpus = Corpus.of_texts({"a": TEXTS}, ANSWERS)
    system = ProbedSystem.of(corpus, metrics, language=language, threads=1)
    assert system.tokenizer().name == expected
