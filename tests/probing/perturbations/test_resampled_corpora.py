"""Intervals at level `corpus`: the same as scoring resampled texts, one sample after the other."""

from __future__ import annotations

import numpy as np
import pytest

from material import stand_in_perturbations as stand_ins
from understudy import TER, Corpus
from understudy.metrics.base.score import Interval
from understudy.probing.perturbations.results import Perturbations
from understudy.probing.run import probe
from understudy.resampling.samples import bootstrap_weights

SAMPLES, SEED = 7, 3
TEXTS = [
    "The cat sat on the mat.",
    "It rained for three days",
    "We left early because of the rain.",
    "Nobody knew why the train was late.",
    "There is no answer",
]
ANSWERS = [
    "A cat was sitting on the mat.",
    "It was raining for three days.",
    "We departed early because of the rain.",
    "Nobody knows why the train is late.",
    "There was no answer.",
]
REVERSED = [" ".join(text.split()[::-1]) for text in TEXTS]
WITHOUT_PERIOD = [text.removesuffix(".") for text in TEXTS]


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Perturbations:
    stand_ins.use(monkeypatch, [stand_ins.REVERSE, stand_ins.PERIOD])
    corpus = Corpus.of_texts({"a": TEXTS}, ANSWERS)
    settings = {"what": "perturbations", "level": "corpus", "samples": SAMPLES, "seed": SEED}
    perturbations = probe(corpus, metrics=["ter"], **settings).perturbations  # type: ignore[arg-type]
    assert perturbations is not None
    return perturbations


def samples() -> list[list[int]]:
    """The segments of each sample."""
    (weights,) = bootstrap_weights(len(TEXTS), SAMPLES, SEED)
    return [np.repeat(np.arange(len(TEXTS)), each.astype(int)).tolist() for each in weights]


def score(texts: list[str], segments: list[int]) -> float:
    if not segments:
        return 0.0
    return TER().corpus([texts[each] for each in segments], [ANSWERS[each] for each in segments]).value


def middle(drawn: list[float]) -> list[float]:
    return np.quantile(drawn, [0.025, 0.975]).tolist()


def bounds(interval: Interval | None) -> list[float]:
    assert interval is not None
    return [interval.low, interval.high]


def test_the_interval_of_a_response(found: Perturbations) -> None:
    drawn = [score(REVERSED, sample) - score(TEXTS, sample) for sample in samples()]
    (response,) = found.curve("reverse", 0)
    assert bounds(response.difference.interval) == pytest.approx(middle(drawn))


def test_the_interval_of_the_excess(found: Perturbations) -> None:
    """Of the segments of a sample, only those with both changes; lower is better."""
    with_both = [[each for each in sample if TEXTS[each].endswith(".")] for sample in samples()]
    drawn = [score(REVERSED, sample) - score(WITHOUT_PERIOD, sample) for sample in with_both]
    (spot,) = found.blind_spots
    low, high = middle(drawn)
    assert bounds(spot.excess.interval) == pytest.approx(
        [min(low, spot.excess.value), max(high, spot.excess.value)]
    )
