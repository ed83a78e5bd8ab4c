"""Cohen's and Fleiss' kappa, against the definitions, against other packages, and where they have no value."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from material.optional import needs_packages
from material.reliability_tables import JUDGED, data_of, random_table
from reference.inter_annotator import cohen, fleiss
from understudy.judging.agreement.cohen import CHANCE_IS_CERTAIN, cohen_kappa
from understudy.judging.agreement.fleiss import ONE_CATEGORY, fleiss_kappa
from understudy.judging.agreement.reliability_data import NO_OVERLAP, ReliabilityData


def both_judged(table, first, second):
    rows = [row for row in table if row[first] is not None and row[second] is not None]
    return [row[first] for row in rows], [row[second] for row in rows]


@pytest.mark.parametrize("seed", range(5))
def test_fleiss_is_as_defined(seed):
    table = random_table(seed)
    assert fleiss_kappa(data_of(table)).value == pytest.approx(fleiss(table), abs=1e-12)


def test_fleiss_is_that_of_irrcac():
    """irrCAC 0.4.4: CAC(table, digits=12).fleiss()."""
    assert fleiss_kappa(data_of(JUDGED)).value == pytest.approx(0.271377972677, abs=1e-11)


@needs_packages("statsmodels")
def test_fleiss_is_that_of_statsmodels():
    from statsmodels.stats.inter_rater import aggregate_raters
    from statsmodels.stats.inter_rater import fleiss_kappa as expected

    table = np.array(random_table(2, missing=0.0))
    counts, _ = aggregate_raters(table)
    assert fleiss_kappa(data_of(table.tolist())).value == pytest.approx(expected(counts), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_cohen_is_as_defined_for_every_pair(seed):
    table = random_table(seed, units=30)
    found = {(each.first, each.second): each.kappa.value for each in cohen_kappa(data_of(table)).pairs}
    expected = {pair: cohen(*both_judged(table, *pair)) for pair in itertools.combinations(range(4), 2)}
    assert found == pytest.approx(expected, abs=1e-12)


def test_cohen_is_that_of_irrcac():
    """irrCAC 0.4.4: CAC(table of the two judges, digits=12).conger()."""
    assert cohen_kappa(data_of(JUDGED)).pairs[0].kappa.value == pytest.approx(0.210526315789, abs=1e-11)


@needs_packages("sklearn")
def test_cohen_is_that_of_scikit_learn():
    from sklearn.metrics import cohen_kappa_score

    table = random_table(4, units=50, judges=2, missing=0.0)
    expected = cohen_kappa_score(*zip(*table, strict=True))
    assert cohen_kappa(data_of(table)).mean.value == pytest.approx(expected, abs=1e-12)


def test_the_mean_is_over_pairs_of_judges():
    found = cohen_kappa(data_of(random_table(1, units=40)))
    assert found.mean.value == pytest.approx(np.mean([each.kappa.value for each in found.pairs]), abs=1e-12)


def test_a_pair_knows_how_many_units_both_judged():
    assert [each.units for each in cohen_kappa(data_of([[1, 2, None], [2, 2, 1], [1, None, 1]])).pairs] == [
        2,
        2,
        1,
    ]


def test_judges_keep_their_numbers():
    data = ReliabilityData.of([2, 5, 2, 5], [0, 0, 1, 1], [1, 1, 2, 1])
    assert [(each.first, each.second) for each in cohen_kappa(data).pairs] == [(2, 5)]


def test_pairs_without_a_kappa_are_not_in_the_mean():
    table = [[1, 1, 2], [1, 1, 1], [1, 1, 2], [1, 1, 1]]
    found = cohen_kappa(data_of(table))
    assert (found.mean.value, [each.kappa.reason for each in found.pairs]) == (
        0.0,
        [CHANCE_IS_CERTAIN, None, None],
    )


def test_many_pairs_are_counted_in_parts(monkeypatch):
    table = random_table(6, units=30, judges=6)
    whole = cohen_kappa(data_of(table), samples=20).mean
    monkeypatch.setattr("understudy.judging.agreement.cohen.CELLS_AT_ONCE", 1)
    assert cohen_kappa(data_of(table), samples=20).mean == whole


@pytest.mark.parametrize(
    "found", [fleiss_kappa, lambda data: cohen_kappa(data).mean], ids=["fleiss", "cohen"]
)
class TestDegenerate:
    @pytest.mark.parametrize("table", [[], [[3]], [[1, None], [None, 2]]])
    def test_no_overlap(self, found, table):
        assert found(data_of(table)).reason == NO_OVERLAP

    def test_one_value(self, found):
        assert found(data_of([[2, 2]] * 9)).reason in {ONE_CATEGORY, CHANCE_IS_CERTAIN}

    def test_one_segment(self, found):
        estimate = found(data_of([[1, 2], [2, 2]], cluster=[0, 0]))
        assert (estimate.interval, "one segment" in estimate.no_interval) == (None, True)

    def test_the_interval_is_within_the_range(self, found):
        interval = found(data_of([[1, 2], [2, 2], [1, 1]])).interval
        assert interval is None or -1 <= interval.low <= interval.high <= 1
