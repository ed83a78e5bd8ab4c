"""The choices that the command line offers are what the library implements."""

from __future__ import annotations

from understudy.choices import (
    COMPARE_TESTS,
    LABEL_METHODS,
    LEARNING_METHODS,
    METRIC_TESTS,
    RESAMPLING_TESTS,
)
from understudy.comparing.plan import SAMPLES
from understudy.trusting.combinations.linear_methods import METHODS
from understudy.trusting.metric_tests.metric_ranking import DRAWING


def test_tests_of_systems() -> None:
    assert set(RESAMPLING_TESTS) == set(SAMPLES)
    assert set(RESAMPLING_TESTS) < set(COMPARE_TESTS)


def test_tests_of_metrics() -> None:
    assert (*DRAWING, "williams") == METRIC_TESTS


def test_methods_of_learning() -> None:
    assert tuple(method.name for method in METHODS) == LEARNING_METHODS
    assert tuple(method.name for method in METHODS if method.of_labels) == LABEL_METHODS
