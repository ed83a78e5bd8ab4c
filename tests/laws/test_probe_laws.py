"""Laws of `probe` for every metric that reads references: perturbations have finite results."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator
from typing import Any

import pytest

from material import stand_in_perturbations as stand_ins
from material.every_metric import every_metric_with_references
from understudy import Corpus, Metric
from understudy.probing.run import probe

# Short, long, empty, one word, equal to a reference, more references than others.
TEXTS = [
    "The cat sat on the mat.",
    "It rained for three days , and then it rained again because nobody had asked it to stop.",
    "",
    "Yes",
    "We left early.",
    "...",
]
ANSWERS = [
    ["A cat sat on the mat.", "The cat was on a mat.", "On the mat there sat a cat."],
    ["It was raining for three days.", "For three days there was rain."],
    ["Nothing was said.", "Silence."],
    ["No"],
    ["We left early.", "We departed early."],
    [",", "Well."],
]


def numbers(value: Any) -> Iterator[float]:
    """All numbers in a result."""
    if isinstance(value, float):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from numbers(each)
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        yield from numbers([getattr(value, field.name) for field in dataclasses.fields(value)])


@every_metric_with_references
@pytest.mark.parametrize("level", ["segment", "corpus"])
def test_every_number_is_finite(law_of: Metric, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch)
    corpus = Corpus.of_texts({"a": TEXTS}, ANSWERS)
    found = probe(corpus, metrics=law_of, what="perturbations", level=level, samples=50).perturbations
    assert found is not None
    assert found.responses
    assert found.blind_spots
    assert all(math.isfinite(number) for number in numbers(found))


@every_metric_with_references
def test_results_are_equal_for_the_same_seed(law_of: Metric, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_ins.use(monkeypatch)
    corpus = Corpus.of_texts({"a": TEXTS}, ANSWERS)
    found = [probe(corpus, metrics=law_of, what="perturbations", samples=50) for _ in range(2)]
    assert found[0] == found[1]
