"""Real systems as candidates, with made-up features: tuned weights beat equal ones on segments they have not seen."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from material.shared import needs
from material.wmt import DATA, references_of, systems
from understudy import CHRF, NBest, metric, tune

SET = "wmt21.de-en"
SEGMENTS = 300


@functools.cache
def lists() -> tuple[NBest, list[str]]:
    """A cost, of which less is better, a score like that of a language model, length, and noise on a larger scale: with
    equal weights, the cost counts the wrong way.
    """
    references = references_of(SET)[0][:SEGMENTS]
    outputs = [texts[:SEGMENTS] for name, texts in systems(SET).items() if not name.startswith("ref")]
    texts = [list(group) for group in zip(*outputs, strict=True)]
    each, random = len(outputs), np.random.default_rng(3)
    quality = np.stack([CHRF().segments(output, references) for output in outputs], axis=1)
    length = np.array([[len(text.split()) for text in group] for group in texts], dtype=float)
    noise = random.normal(size=(3, SEGMENTS, each))
    return (
        NBest.of_texts(
            texts,
            features={
                "cost": 2 * noise[0] - quality / 10,
                "lm": quality / 20 - 1.3 * length + 2 * noise[1],
                "length": length,
                "noise": 3 * noise[2],
            },
        ),
        references,
    )


@needs(DATA / SET)
@pytest.mark.parametrize("method", ["mert", "pro"])
@pytest.mark.parametrize("spec", ["bleu", "ter", "chrf"])
def test_tuned_weights_beat_equal_ones_on_held_out_segments(method: str, spec: str) -> None:
    found = tune(*lists(), spec, method=method, restarts=2, held_out=0.4)
    assert found.held_out is not None
    assert found.held_out.better
    assert found.held_out.significant
    assert (found.held_out.difference > 0) == bool(metric(spec).higher_is_better)
