"""Krippendorff's alpha, against the definition, against a package, and where it has no value."""

from __future__ import annotations

import numpy as np
import pytest

from material.reliability_tables import JUDGED, data_of, random_table
from reference.inter_annotator import alpha
from understudy.errors import BadParameter
from understudy.judging.agreement.krippendorff import ALL_EQUAL, LEVELS, krippendorff_alpha
from understudy.judging.agreement.reliability_data import NO_OVERLAP
from understudy.resampling.samples import bootstrap_weights


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", range(5))
def test_it_is_as_defined(level, seed):
    table = random_table(seed)
    assert krippendorff_alpha(data_of(table), level).value == pytest.approx(alpha(table, level), abs=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_it_is_that_of_the_package(level):
    package = pytest.importorskip("krippendorff")
    table = np.array(random_table(7, units=60), dtype=float)
    expected = package.alpha(table.T, level_of_measurement=level)
    given = [[None if np.isnan(value) else value for value in row] for row in table.tolist()]
    assert krippendorff_alpha(data_of(given), level).value == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("level", "expected"), [("nominal", 0.302915082383), ("interval", 0.797649463464)])
def test_it_is_that_of_irrcac(level, expected):
    """irrCAC 0.4.4: CAC(table, weights=..., digits=12).krippendorff(), weights "identity" and "quadratic"."""
    assert krippendorff_alpha(data_of(JUDGED), level).value == pytest.approx(expected, abs=1e-11)


@pytest.mark.parametrize("level", LEVELS)
def test_samples_are_as_if_units_were_copied(level, monkeypatch):
    table = random_table(3, units=8, missing=0.1)
    (weights,) = bootstrap_weights(8, 20, seed=5)
    drawn = []
    monkeypatch.setattr(
        "understudy.judging.agreement.krippendorff.bootstrapped",
        lambda coefficient, *_, **__: drawn.extend(coefficient(weights)),
    )
    krippendorff_alpha(data_of(table), level)
    copied = [
        [row for row, often in zip(table, each, strict=True) for _ in range(int(often))] for each in weights
    ]
    assert drawn == pytest.approx([alpha(each, level) for each in copied], abs=1e-12)


def test_units_of_a_segment_are_resampled_together():
    table = [row for row in random_table(1, units=20, missing=0.0) for _ in range(4)]
    alone = krippendorff_alpha(data_of(table), "interval").interval
    together = krippendorff_alpha(
        data_of(table, cluster=np.repeat(np.arange(20), 4).tolist()), "interval"
    ).interval
    assert together.high - together.low > 1.5 * (alone.high - alone.low)


def test_the_same_seed_gives_the_same_interval():
    one, other = (krippendorff_alpha(data_of(JUDGED), "ordinal", samples=50, seed=4) for _ in range(2))
    assert one == other


def test_large_values_keep_their_digits():
    table = [[value and value + 1e9 for value in row] for row in JUDGED]
    expected = krippendorff_alpha(data_of(JUDGED), "interval").value
    assert krippendorff_alpha(data_of(table), "interval").value == pytest.approx(expected, abs=1e-6)


def test_perfect_agreement_is_1_without_an_interval():
    found = krippendorff_alpha(data_of([[1, 1], [2, 2], [3, 3]] * 20), "ordinal")
    assert (found.value, found.interval) == (1.0, None)


@pytest.mark.parametrize("level", LEVELS)
def test_equal_values_have_no_alpha(level):
    found = krippendorff_alpha(data_of([[0.1, 0.1, 0.1]] * 7), level)
    assert (found.value, found.reason) == (None, ALL_EQUAL)


@pytest.mark.parametrize("table", [[], [[3]], [[1, None], [None, 2]]])
def test_no_overlap_has_no_alpha(table):
    found = krippendorff_alpha(data_of(table), "nominal")
    assert (found.value, found.reason) == (None, NO_OVERLAP)


def test_one_segment_has_no_interval():
    found = krippendorff_alpha(data_of([[1, 2], [3, 3]], cluster=[0, 0]), "interval")
    assert (found.interval, "one segment" in found.no_interval) == (None, True)


def test_an_unknown_level_is_refused():
    with pytest.raises(BadParameter, match="'ratio': expected nominal, ordinal, interval"):
        krippendorff_alpha(data_of(JUDGED), "ratio")
