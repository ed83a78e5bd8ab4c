"""chrF of all pairs and against aggregated references, as fastchrf (Vamvas & Sennrich 2024) computes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("fastchrf", reason="needs fastchrf: pip install '.[test]'")
import fastchrf

from material.wmt import Sample, needs_data, systems
from understudy import CHRF

CANDIDATES = [
    ["the cat sat on the mat.", "a cat sat on the mat", "cats sit", "the the the", "Zürich 中文 naïve"],
    ["it rained", "it rained all day long"],
    ["x"] * 3,
]
REFERENCES = [
    ["the cat lay on a mat.", "a cat"],
    ["it rained", "it was raining"],
    ["x", "a much longer text"],
]


@pytest.mark.parametrize(
    "options", [{}, {"char_order": 3}, {"beta": 1.0}, {"remove_whitespace": False}], ids=str
)
def test_short_texts(options: dict[str, Any]) -> None:
    ours = CHRF(
        char_order=int(options.get("char_order", 6)),
        beta=options.get("beta", 2.0),
        whitespace=not options.get("remove_whitespace", True),
    )
    for candidates, references in zip(CANDIDATES, REFERENCES, strict=True):
        theirs = fastchrf.pairwise_chrf([candidates], [references], **options)[0]
        assert ours.pairwise(candidates, references) == pytest.approx(np.array(theirs), abs=1e-9)
        aggregated = fastchrf.aggregate_chrf([candidates], [references], **options)[0]
        found = ours.expected_utility(candidates, references, aggregated=True)
        assert found == pytest.approx(np.array(aggregated), abs=1e-9)


@needs_data
def test_outputs_of_systems(sample: Sample) -> None:
    """All systems' outputs of a segment, as candidates and as references."""
    outputs = list(zip(*systems("wmt23.zh-en").values(), strict=True))[sample(50)]
    candidates = [list(of_one) for of_one in outputs]
    for found, theirs in zip(
        CHRF().pairwise(candidates), fastchrf.pairwise_chrf(candidates, candidates), strict=True
    ):
        assert found == pytest.approx(np.array(theirs), abs=1e-9)
    for found, aggregated in zip(
        CHRF().expected_utility(candidates, aggregated=True),
        fastchrf.aggregate_chrf(candidates, candidates),
        strict=True,
    ):
        assert found == pytest.approx(np.array(aggregated), abs=1e-9)
