"""Choices with weights, temperatures and features of any size: no sum overflows, and no difference gets lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from understudy import NBest, decide
from understudy.errors import BadInput

EXAMPLES = Path(__file__).parents[2] / "examples"


def examples() -> NBest:
    return NBest.of_systems(
        [EXAMPLES / f"system-{name}.en" for name in ("weak", "medium", "rulebased", "strong")]
    )


def references() -> list[Path]:
    return [EXAMPLES / "reference-1.en", EXAMPLES / "reference-2.en"]


@pytest.mark.parametrize("method", ["mbr", "aggregated", "pruned", "centroid"])
@pytest.mark.parametrize("scale", [2.0**1015, 2.0**-1060])
def test_weights_of_any_size(method: str, scale: float) -> None:
    """Their sums would overflow, or lose digits."""
    lists = [examples().segment(number) for number in range(5)]
    weights = [[float(1 + (row + segment) % 4) for row in range(4)] for segment in range(5)]
    found, same = (
        decide(
            NBest.of_texts(lists, weights=[[w * by for w in of] for of in weights]), method=method, clusters=2
        )
        for by in (scale, 1.0)
    )
    assert found.texts == same.texts
    np.testing.assert_array_equal(found.utilities, same.utilities)


def test_temperatures_of_any_size() -> None:
    lists = NBest.of_texts([["a cat", "the dog", "the dog sat"]], scores=[[-30.0, -20.0, -25.0]])
    assert decide(lists, posterior="score", temperature=1e-307).texts == ["the dog"]
    everything = decide(lists, posterior="score", temperature=1e299)
    np.testing.assert_allclose(everything.utilities, decide(lists).utilities)


@pytest.mark.parametrize("values", [[[3.0, 1e200, 0.0]], [[3.0, -1e200, 0.0]]])
def test_sums_that_are_no_number_are_refused(values: list[list[float]]) -> None:
    """Also sums of which only the sizes are too large: rounding could not be told from a difference."""
    lists = NBest.of_texts([["a", "b", "c"]], features={"x": values, "y": values})
    with pytest.raises(BadInput, match="segment 1: the weighted sum of features is too large a number"):
        decide(lists, method="rerank", weights={"x": 1e200, "y": 1.0})
    half = NBest.of_texts([["a", "b"]], features={"x": [[0.0, 1e8]], "y": [[0.0, -1e8]]})
    with pytest.raises(BadInput, match="too large a number"):
        decide(half, method="rerank", weights={"x": 9.5e299, "y": 9.5e299})


@pytest.mark.parametrize("how", [{}, {"method": "oracle"}, {"method": "oracle", "level": "corpus"}])
def test_small_weights_of_metrics_make_no_ties(how: dict[str, Any]) -> None:
    texts = [references(), examples()]
    found, same = (
        decide(texts[1], texts[0], ["bleu", "ter"], metric_weights=(w, w), **how) for w in (2.0**-50, 1.0)
    )
    assert found.texts == same.texts
    np.testing.assert_allclose(found.utilities, same.utilities * 2.0**-50)


def test_the_weight_of_a_single_metric_has_no_effect() -> None:
    for how in ({}, {"method": "oracle"}):
        found, same = (
            decide(examples(), references(), "ter", metric_weights=weights, **how)  # type: ignore[arg-type]
            for weights in ((1e-12,), None)
        )
        assert found.texts == same.texts
        np.testing.assert_array_equal(found.utilities, same.utilities)
