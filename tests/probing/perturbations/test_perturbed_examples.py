"""Examples of perturbations."""

from __future__ import annotations

import pytest

from material import stand_in_perturbations as stand_ins
from understudy import BLEU, Corpus
from understudy.probing.perturbations.results import PerturbedExample
from understudy.probing.run import probe

LONG = "The cat sat on the mat and looked at the dog that lay on the other mat in the other room " * 3


def example(corpus: Corpus, **settings: float) -> PerturbedExample:
    found = probe(corpus, metrics=["bleu"], what="perturbations", **settings).perturbations  # type: ignore[arg-type]
    assert found is not None
    (only,) = found.examples
    return only


def test_of_an_error_the_segment_that_shows_least(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second text scores 0 with its words in any order."""
    stand_ins.use(monkeypatch, [stand_ins.REVERSE])
    texts = ["The cat sat on the mat.", "a b c d e"]
    found = example(Corpus.of_texts({"a": texts}, ["The cat sat on the mat.", "The dog slept."]))
    assert (found.segment, found.before, found.after) == (1, "a b c d e", "e d c b a")
    assert found.scores_before == found.scores_after == (0.0,)


def test_of_a_harmless_change_the_segment_that_costs_most(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch, [stand_ins.UPPER])
    texts = ["The cat sat on the mat.", "a b c d e"]
    found = example(Corpus.of_texts({"a": texts}, ["The cat sat on the mat.", "The dog slept."]))
    assert (found.segment, found.strength, found.after) == (0, 1.0, "THE CAT SAT ON THE MAT.")
    assert found.scores_before[0] == pytest.approx(100)
    assert found.scores_after[0] == BLEU().segment(found.after, "The cat sat on the mat.").value


def test_readable_segments_are_preferred(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch, [stand_ins.UPPER])
    texts = [LONG, "The dog slept all day."]
    found = example(Corpus.of_texts({"a": texts}, [LONG, "The dog was asleep."]))
    assert found.segment == 1


def test_a_long_segment_is_better_than_none(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch, [stand_ins.REVERSE])
    assert example(Corpus.of_texts({"a": [LONG]}, [LONG])).segment == 0


def test_a_paraphrase_has_its_scores_against_the_other_references(monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch, [stand_ins.PARAPHRASE])
    references = ["The cat sat on the mat.", "A cat was on the mat."]
    found = example(Corpus.of_texts({"a": ["The cat sat on a mat."]}, [references]))
    assert found.after == references[0]
    assert found.scores_before[0] == BLEU().segment(found.before, references[1]).value
    assert found.scores_after[0] == BLEU().segment(found.after, references[1]).value
