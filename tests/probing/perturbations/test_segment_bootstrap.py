"""Intervals over segments: their coverage, where the true value is known."""

from __future__ import annotations

import numpy as np
import pytest

from understudy.arrays import Floats
from understudy.probing.perturbations.results import Estimate
from understudy.probing.perturbations.segment_bootstrap import SegmentBootstrap

DATA_SETS = 1000
EVERYWHERE = np.ones((20, 1), dtype=bool)


def coverage(estimates: list[list[Estimate]], truth: float) -> float:
    intervals = [estimate.interval for (estimate,) in estimates]
    return float(np.mean([each is not None and each.low <= truth <= each.high for each in intervals]))


@pytest.mark.parametrize("segments", [10, 30, 100])
@pytest.mark.parametrize("share", [0.5, 0.8, 0.97])
def test_coverage_of_shares(segments: int, share: float) -> None:
    drawn = np.random.default_rng(1).random((segments, DATA_SETS, 1)) < share
    everywhere = np.ones((segments, DATA_SETS), dtype=bool)
    found = SegmentBootstrap(segments, 500, 1, 0.95).shares(drawn.astype(np.float64), everywhere)
    assert coverage(found, share) > 0.92


def test_coverage_of_shares_with_ties() -> None:
    drawn = np.random.default_rng(1).choice([0, 0.5, 1], p=[0.1, 0.6, 0.3], size=(30, DATA_SETS, 1))
    found = SegmentBootstrap(30, 500, 1, 0.95).shares(drawn, np.ones((30, DATA_SETS), dtype=bool))
    assert 0.92 < coverage(found, 0.6) < 0.98


@pytest.mark.parametrize("segments", [10, 30, 100])
def test_coverage_of_means(segments: int) -> None:
    drawn = np.random.default_rng(1).normal(3, 2, (segments, DATA_SETS, 1))
    everywhere = np.ones((segments, DATA_SETS), dtype=bool)
    found = SegmentBootstrap(segments, 500, 1, 0.95).means(drawn, everywhere)
    assert 0.92 < coverage(found, 3) < 0.98


def test_coverage_of_means_over_some_segments() -> None:
    random = np.random.default_rng(1)
    drawn = random.normal(3, 2, (200, DATA_SETS, 1))
    found = SegmentBootstrap(200, 500, 1, 0.95).means(drawn, random.random((200, DATA_SETS)) < 0.15)
    assert 0.92 < coverage(found, 3) < 0.98


def test_a_share_of_all_segments_is_not_certain() -> None:
    ((few,),) = SegmentBootstrap(5, 500, 1, 0.95).shares(np.ones((5, 1, 1)), EVERYWHERE[:5])
    assert few.value == 1
    assert few.interval is not None
    assert few.interval.low < 0.7


@pytest.mark.parametrize("kind", ["means", "shares"])
def test_values_outside_a_group_have_no_effect(kind: str) -> None:
    values = np.random.default_rng(1).random((20, 1, 1))
    applies = np.arange(20)[:, np.newaxis] % 2 == 0
    others = np.where(applies[..., np.newaxis], values, np.nan)

    def estimated(given: Floats) -> list[list[Estimate]]:
        return getattr(SegmentBootstrap(20, 100, 1, 0.95), kind)(given, applies)

    assert estimated(values) == estimated(others)
    assert estimated(values)[0][0].value == pytest.approx(values[::2].mean())


def test_one_segment_has_no_interval() -> None:
    ((found,),) = SegmentBootstrap(20, 100, 1, 0.95).means(np.ones((20, 1, 1)), np.arange(20)[:, None] == 3)
    assert found == Estimate(1.0, None)


def test_the_interval_contains_the_estimate() -> None:
    values = (np.random.default_rng(1).random((20, 300, 1)) < 0.9).astype(np.float64)
    for (found,) in SegmentBootstrap(20, 10, 1, 0.5).shares(values, np.ones((20, 300), dtype=bool)):
        assert found.interval is not None
        assert found.interval.low <= found.value <= found.interval.high
