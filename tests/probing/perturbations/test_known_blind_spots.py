"""Metrics whose blindness follows from their definition, probed with all perturbations on the example data."""

from __future__ import annotations

import pytest

from material.optional import needs_wordnet
from understudy import Corpus
from understudy.probing.perturbations.catalog import catalog
from understudy.probing.perturbations.results import Perturbations
from understudy.probing.run import probe

METRICS = ["bleu:lowercase=true", "per:tokenize=13a", "length-ratio"]
BLEU, PER, LENGTH = range(3)


@pytest.fixture(scope="module")
def found() -> Perturbations:
    corpus = Corpus(
        ["examples/system-medium.en"],
        ["examples/reference-1.en", "examples/reference-2.en"],
        sources="examples/source.de",
    )
    perturbations = probe(corpus, metrics=METRICS, what="perturbations", samples=200).perturbations
    assert perturbations is not None
    return perturbations


@pytest.mark.parametrize(
    ("metric", "name"),
    [
        (LENGTH, "shuffle-words"),
        (LENGTH, "change-numbers"),
        (BLEU, "uppercase"),
        (BLEU, "double-spaces"),
    ],
)
def test_what_a_metric_does_not_read_changes_no_score(found: Perturbations, metric: int, name: str) -> None:
    curve = found.curve(name, metric)
    assert curve
    assert all((each.tied, each.corpus_difference) == (1.0, 0.0) for each in curve)


@pytest.mark.parametrize(
    ("metric", "name", "verdict"),
    [
        (PER, "shuffle-words", "blind"),
        # Without WordNet there are no synonyms beside which it could be seen.
        pytest.param(LENGTH, "shuffle-words", "blind", marks=needs_wordnet),
        (LENGTH, "other-segment", "sensitive"),
        (BLEU, "uppercase", "blind"),
        (BLEU, "other-segment", "sensitive"),
        (BLEU, "copy-source", "sensitive"),
        (PER, "empty", "sensitive"),
    ],
)
def test_verdicts(found: Perturbations, metric: int, name: str, verdict: str) -> None:
    spots = [
        each
        for each in found.blind_spots
        if (each.metric, each.perturbation) == (metric, name) and each.strength in (None, 1.0)
    ]
    assert [each.verdict for each in spots] == [verdict]


def test_every_perturbation_is_applied_or_left_out(found: Perturbations) -> None:
    available, left_out = catalog("en")
    names = {each.facts.name for each in available if not each.for_language_models} | set(left_out)
    assert {facts.name for facts in found.facts} | set(found.left_out) == names


def test_every_perturbation_that_is_applied_has_an_example(found: Perturbations) -> None:
    assert [each.perturbation for each in found.examples] == [facts.name for facts in found.facts]


def test_harmless_changes_are_not_blind_spots(found: Perturbations) -> None:
    harmless = {facts.name for facts in found.facts if facts.harmless}
    assert harmless
    assert not harmless & {each.perturbation for each in found.blind_spots}
