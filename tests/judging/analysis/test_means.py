"""Means of systems and their t intervals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from material.rated import SYSTEMS, random_table, ratings_of
from understudy.errors import BadParameter
from understudy.judging.analysis.clustered import clustered_error
from understudy.judging.analysis.means import ALL_EQUAL, NO_JUDGMENTS, ONE_SEGMENT, system_means
from understudy.judging.judgments import Ratings


def test_a_segment_counts_once_however_many_judges_it_has():
    ratings = Ratings.of([0, 1, 2, 0], [0] * 4, [0, 0, 0, 1], [1, 1, 1, 5])
    assert system_means(ratings, ["A"])[0].mean.value == 3


def test_a_judge_counts_once_per_segment():
    ratings = Ratings.of([0, 0, 1], [0] * 3, [0] * 3, [1, 3, 6])
    assert system_means(ratings, ["A"])[0].mean.value == 4


def test_hidden_repeats_do_not_count():
    ratings = Ratings.of([0, 0], [0, 0], [0, 0], [1, 5], repeat=[False, True])
    assert system_means(ratings, ["A"])[0].mean.value == 1


def test_the_interval_is_that_of_scipy_over_segments():
    table = random_table(1)
    expected = stats.ttest_1samp(table[:, 2].mean(axis=0), 0).confidence_interval(0.9)
    interval = system_means(ratings_of(table), SYSTEMS, confidence=0.9)[2].mean.interval
    assert (interval.low, interval.high) == pytest.approx(tuple(expected), abs=1e-12)


def test_documents_are_independent_and_their_segments_are_not():
    values = np.random.default_rng(0).normal(size=10)
    ratings = Ratings.of([0] * 30, [0] * 30, np.arange(30), np.repeat(values, 3))
    names = [f"d{number}" for number in np.repeat(np.arange(10), 3)]
    (found,) = system_means(ratings, ["A"], documents=names)
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found.mean.interval.low, found.mean.interval.high) == pytest.approx(tuple(expected), abs=1e-12)


def test_the_clustered_error_is_that_of_statsmodels():
    api = pytest.importorskip("statsmodels.api")
    generator = np.random.default_rng(3)
    values, cluster = generator.normal(size=40), generator.integers(0, 9, 40)
    fitted = api.OLS(values, np.ones(40)).fit(
        cov_type="cluster", cov_kwds={"groups": cluster, "use_correction": True}
    )
    # Its factor is G / (G - 1) * (n - 1) / (n - 1).
    assert clustered_error(values, cluster)[0] == pytest.approx(fitted.bse[0], abs=1e-12)


@pytest.mark.parametrize(
    ("segment", "value", "reason"), [([0], [3], ONE_SEGMENT), ([0, 1, 2], [0.5, 0.5, 0.5], ALL_EQUAL)]
)
def test_without_variance_there_is_no_interval(segment, value, reason):
    ratings = Ratings.of([0] * len(value), [0] * len(value), segment, value)
    found = system_means(ratings, ["A"])[0].mean
    assert (found.value, found.interval, found.no_interval) == (value[0], None, reason)


def test_rounding_is_no_variance():
    """The mean of three times 0.1 is not 0.1."""
    ratings = Ratings.of([0, 1, 2, 0], [0] * 4, [0, 0, 0, 1], [0.1] * 4)
    assert system_means(ratings, ["A"])[0].mean.no_interval == ALL_EQUAL


def test_a_system_without_judgments_has_no_mean():
    found = system_means(Ratings.of([0], [0], [0], [1]), ["A", "B"])[1]
    assert (found.judgments, found.mean.value, found.mean.reason) == (0, None, NO_JUDGMENTS)


def test_no_judgments_at_all():
    assert system_means(Ratings.of([], [], [], []), ["A"])[0].mean.reason == NO_JUDGMENTS


def test_confidence_is_between_0_and_1():
    with pytest.raises(BadParameter, match="confidence=95"):
        system_means(Ratings.of([0], [0], [0], [1]), ["A"], confidence=95)
