"""How often a metric notices variants, and whether scores are lower."""

from __future__ import annotations

import numpy as np
import pytest

from material.probed_texts import probed
from understudy import metric
from understudy.probing.plan import ProbePlan
from understudy.probing.variants.notices import notices
from understudy.probing.variants.results import SegmentVariants, Variant
from understudy.probing.variants.verification import scores_lower


def segment(number: int, original: tuple[float, ...], *scores: tuple[float, ...]) -> SegmentVariants:
    made = tuple(Variant(number, "permuted blocks", "text", ("text",), each) for each in scores)
    return SegmentVariants(number, "text", original, made, {}, {})


def test_shares_and_differences_are_means_over_segments():
    """TER rises in one of three variants of the first segment and in the only one of the second; the third has none."""
    system = probed(["a"] * 3, [["a"]] * 3, "bleu", "ter")
    first = segment(0, (10.0, 50.0), (10.0, 50.0), (12.0, 80.0), (10.0, 20.0))
    found = notices(system, [first, segment(1, (5.0, 0.0), (5.0, 40.0)), segment(2, (1.0, 1.0))], ProbePlan())
    bleu, ter = found
    assert (ter.construction, ter.metric, ter.variants, ter.segments) == ("permuted blocks", 1, 4, 2)
    assert ter.scored_lower == pytest.approx((1 / 3 + 1) / 2)
    assert ter.mean_difference == pytest.approx((0 + 40) / 2)
    assert bleu.scored_lower == 0
    assert bleu.mean_difference == pytest.approx((2 / 3 + 0) / 2)


def test_the_interval_contains_the_share_and_is_of_that_confidence():
    system = probed(["a"] * 8, [["a"]] * 8, "bleu", "ter")
    segments = [segment(number, (1.0, 50.0), (1.0, 50.0 + 10 * (number % 2))) for number in range(8)]
    _, ter = notices(system, segments, ProbePlan(confidence=0.9))
    assert ter.interval is not None
    assert ter.interval.confidence == 0.9
    assert 0 < ter.interval.low < ter.scored_lower == 0.5 < ter.interval.high < 1


def test_no_interval_of_one_segment_nor_of_what_was_verified():
    system = probed(["a"] * 2, [["a"]] * 2, "bleu", "ter")
    one = notices(system, [segment(0, (1.0, 1.0), (1.0, 2.0)), segment(1, (1.0, 1.0))], ProbePlan())
    assert [each.interval for each in one] == [None, None]
    two = [segment(number, (1.0, 1.0), (1.0, 2.0)) for number in range(2)]
    assert [each.interval is None for each in notices(system, two, ProbePlan())] == [True, False]
    by_corpus = notices(system, two, ProbePlan(level="corpus"))
    assert all(each.interval is not None for each in by_corpus)


@pytest.mark.parametrize(
    ("spec", "score", "original", "lower"),
    [
        ("bleu", 30.0, 30.0, False),
        ("bleu", 30.0 - 1e-11, 30.0, False),
        ("bleu", 30.0 - 1e-8, 30.0, True),
        ("bleu", 31.0, 30.0, False),
        ("ter", 31.0, 30.0, True),
        ("ter", 29.0, 30.0, False),
        ("length-ratio", 101.0, 99.0, False),
        ("length-ratio", 102.0, 99.0, True),
        ("bleu", float("nan"), 30.0, True),
        ("bleu", 30.0, float("nan"), True),
        ("bleu", 0.0, 0.0, False),
    ],
)
def test_lower_is_worse_by_more_than_rounding(spec, score, original, lower):
    assert scores_lower(metric(spec), np.array([score]), np.array([original])).tolist() == [lower]
