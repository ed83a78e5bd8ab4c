"""What `trust` promises, on simulated scores in which the truth is known: tools/trust_simulations.py with few rounds.

A rate of 0.05 over 150 rounds has a standard error of 0.018.
"""

from __future__ import annotations

import pytest
from annotation_simulations import one_judge_covered, spans_covered
from trust_simulations import (
    BIASED,
    INTERVALS_OF,
    PEARSON,
    UNBIASED,
    UNEQUAL,
    columns,
    coverage,
    difference_covered,
    every_coefficient,
    intervals_covered,
    permuted,
    rejected,
)

from understudy.choices import RESAMPLED
from understudy.trusting.coefficients.by_name import CoefficientSpec, coefficient_named
from understudy.trusting.metric_tests.pair_swaps import PAIR_SWAPS

TAU = CoefficientSpec("kendall-b", "segment", "segment")

# All but the one that is for acc-eq alone.
EVERY_TEST = [pytest.param(test, over, id=name) for name, test, over in columns() if test != PAIR_SWAPS]

# Tests of other segments with the same systems: two metrics whose biases differ are not equally good on these.
OF_THESE_SYSTEMS = ["perm-both", "perm-inputs", "bootstrap over segments"]


@pytest.mark.parametrize(("test", "over"), EVERY_TEST)
def test_unbiased_metrics_that_are_equally_good_are_seldom_told_apart(test, over):
    assert rejected(UNBIASED, PEARSON, test, 150, over=over) <= 0.11


@pytest.mark.parametrize(("test", "over"), [one for one in EVERY_TEST if one.id not in OF_THESE_SYSTEMS])
def test_nor_are_biased_ones_by_tests_of_other_systems(test, over):
    assert rejected(BIASED, PEARSON, test, 150, over=over) <= 0.11


@pytest.mark.parametrize("test", ["perm-both", "perm-inputs"])
def test_biased_metrics_are_told_apart_too_often_by_tests_of_these_systems(test):
    """Which the guide and a note say."""
    assert rejected(BIASED, PEARSON, test, 150) >= 0.1


@pytest.mark.parametrize(
    ("test", "over"), [("perm-inputs", "segments"), *[("bootstrap", over) for over in RESAMPLED]]
)
def test_equally_good_metrics_are_seldom_told_apart_at_the_segment_level(test, over):
    assert rejected(UNBIASED, TAU, test, 150, over=over) <= 0.11


def test_the_better_metric_is_found():
    assert rejected(UNEQUAL, PEARSON, "perm-both", 60) >= 0.5
    assert rejected(UNEQUAL, TAU, "perm-inputs", 60) >= 0.5


@pytest.mark.parametrize(("over", "lowest"), [("segments", 0.89), ("systems", 0.81), ("both", 0.93)])
def test_intervals_cover_the_truth(over, lowest):
    """Over systems Pearson's r is covered in 0.88 to 0.93 of cases, over both every coefficient in more than 0.95."""
    assert min(coverage(BIASED, INTERVALS_OF, over, 150).values()) >= lowest


def test_bias_corrected_intervals_over_segments_are_too_narrow():
    """Which is why `trust` moves them instead."""
    found = intervals_covered(BIASED, CoefficientSpec("spearman", "system"), "segments", 60)
    assert found["bias-corrected (BC)"] < 0.89 <= found["shifted"]


@pytest.mark.parametrize(
    ("sets", "over"),
    [(UNBIASED, "segments"), (BIASED, "systems"), (BIASED, "both")],
    ids=["segments", "systems", "both"],
)
def test_intervals_of_a_difference_cover_0(sets, over):
    assert difference_covered(sets, PEARSON, over, 150) >= 0.9


def test_permuted_judgments_give_nothing_but_chance():
    """No coefficient is further than four standard errors from its chance, and correlations not from 0."""
    for asked, found in permuted(every_coefficient(), 80).items():
        assert abs(found.beside_chance) <= 4 * found.beside_error, asked
        if coefficient_named(asked.coefficient, asked.level).lowest < 0:
            assert abs(found.mean) <= 4 * found.error, asked
        assert found.marked <= 0.16, asked


def test_intervals_of_one_judge_cover():
    for share in one_judge_covered(8, 60, 3, 60):
        assert share >= 0.87


def test_intervals_of_spans_cover():
    for share in spans_covered(4, 60, 60):
        assert share >= 0.87
