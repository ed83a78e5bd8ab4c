"""Outliers, regression, and how large a difference people notice: beside scipy, the papers, and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from understudy import UnderstudyError
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.noticeable_difference import isotonic, noticeable_difference
from understudy.trusting.outliers import WithoutSystems, leave_one_out, outliers, without
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.regression import normalized, regress


def of_systems(human, metric) -> PairedScores:
    names = tuple("ABCDEFGHIJ"[: len(human)])
    return PairedScores(
        names, human_systems=np.array(human, dtype=float), metric_systems=np.array(metric, dtype=float)
    )


# --- outliers -----------------------------------------------------------------------------------------------


def test_an_outlier_is_beyond_two_and_a_half_deviations():
    scores = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 100.0])
    # Median 3.5, median deviation 1.5: an outlier is further than 2.5 * 1.483 * 1.5 = 5.56 away.
    assert outliers(scores).tolist() == [False] * 5 + [True]
    limit = 3.5 + 2.5 * 1.483 * 1.5
    # The place of the last of six scores above the median changes neither of the two.
    for score, found in ((limit - 0.01, False), (limit + 0.01, True)):
        assert outliers(np.array([1.0, 2.0, 3.0, 4.0, 5.0, score])).tolist()[-1] is found


def test_equal_scores_make_no_outliers_of_the_rest():
    assert not outliers(np.array([1.0, 1.0, 1.0, 1.0, 1.1, 0.9])).any()
    assert outliers(np.array([1.0] * 9 + [5.0])).tolist() == [False] * 9 + [True]
    assert not outliers(np.ones(4)).any()
    assert not outliers(np.full(3, np.nan)).any()
    assert not outliers(np.zeros(0)).any()
    assert outliers(np.array([0.1, np.nan, 0.2, 0.3, 9.0])).tolist() == [False, False, False, False, True]


def test_one_system_makes_or_breaks_a_correlation():
    """As in Callison-Burch et al. 2006: systems nearly on a line, and one that people like and the metric does not."""
    human, metric = [1.0, 2.1, 2.9, 4.2, 5.0, 5.5], [10.0, 20.0, 30.0, 40.0, 50.0, 8.0]
    pairing = of_systems(human, metric)
    asked = CoefficientSpec("r2", "system")
    found = leave_one_out(pairing, asked)
    assert [one.systems for one in found] == [(name,) for name in "ABCDEF"]
    r2 = [stats.pearsonr(human[:count], metric[:count]).statistic ** 2 for count in (5, 6)]
    assert abs(found[-1].without_them - r2[0]) < 1e-9
    assert abs(found[-1].with_them - r2[1]) < 1e-9
    assert found[-1].sentence == f"R² = {r2[0]:.2f} without F, {r2[1]:.2f} with it."
    assert without(pairing, asked, ["A", "F"]).sentence.startswith("R² = 0.99 without A and F, ")
    assert "undefined" in WithoutSystems(asked, ("A", "B", "C"), math.nan, 0.5).sentence


def test_leaving_out_systems_keeps_segments_and_corpus_scores():
    generator = np.random.default_rng(1)
    human = generator.normal(size=(4, 6))
    metric = human + generator.normal(size=(4, 6))
    kept = [0, 2, 3]
    pairing = PairedScores(tuple("ABCD"), human, metric, metric_of_samples=lambda w: w @ (metric**3).T)
    for asked in (CoefficientSpec("kendall-b", "segment", "segment"), CoefficientSpec("pearson", "system")):
        found = without(pairing, asked, ["B"])
        rest = PairedScores(
            tuple("ACD"), human[kept], metric[kept], metric_of_samples=lambda w: w @ (metric[kept] ** 3).T
        )
        assert found.without_them == without(rest, asked, []).with_them


# --- lines --------------------------------------------------------------------------------------------------


def test_the_line_is_that_of_scipy():
    generator = np.random.default_rng(2)
    metric = generator.normal(30, 5, 12)
    human = 0.1 * metric + generator.normal(0, 0.3, 12)
    peer = stats.linregress(metric, human)
    found = regress(human, metric)
    for mine, its in (
        (found.slope, peer.slope),
        (found.intercept, peer.intercept),
        (found.r, peer.rvalue),
        (found.slope_error, peer.stderr),
    ):
        assert abs(mine - its) < 1e-9
    # At 0 the band of the line is that of the intercept.
    low, high = found.band(np.array([0.0]))
    half = stats.t.ppf(0.975, 10) * peer.intercept_stderr
    assert abs(low[0] - (peer.intercept - half)) < 1e-9
    assert abs(high[0] - (peer.intercept + half)) < 1e-9


def test_a_band_covers_the_line():
    """The true line at one point lies in 95 % of bands."""
    covered = 0
    for trial in range(2000):
        generator = np.random.default_rng([3, trial])
        metric = np.linspace(0, 1, 8)
        low, high = regress(2 * metric + generator.normal(size=8), metric).band(np.array([0.8]))
        covered += low[0] <= 1.6 <= high[0]
    assert 0.93 <= covered / 2000 <= 0.97


def test_lines_through_little():
    two = regress(np.array([1.0, 3.0, np.nan]), np.array([1.0, 2.0, 3.0]))
    assert (two.slope, two.points) == (2.0, 2)
    assert np.isnan(two.band(np.array([1.0]))).all()
    assert math.isnan(regress(np.ones(3), np.arange(3.0)).r)
    with pytest.raises(UnderstudyError, match="all 3 metric scores are equal"):
        regress(np.arange(3.0), np.ones(3))
    with pytest.raises(UnderstudyError, match="confidence"):
        two.band(np.array([1.0]), confidence=95)


def test_measures_on_one_scale():
    found = normalized({"h": np.array([1.0, np.nan, 3.0]), "flat": np.ones(2), "none": np.array([np.nan])})
    assert found["h"][[0, 2]].tolist() == [0.0, 1.0]
    assert np.isnan(found["flat"]).all()
    assert np.isnan(found["none"]).all()


# --- what people notice -----------------------------------------------------------------------------------------


def test_the_isotonic_fit_is_the_textbooks():
    """At i, the largest over all beginnings up to i of the smallest over all ends from i on of the mean between."""
    generator = np.random.default_rng(4)
    for size in (1, 2, 17, 60):
        values = generator.integers(0, 3, size) / 2
        expected = [
            max(min(values[j:k].mean() for k in range(i + 1, size + 1)) for j in range(i + 1))
            for i in range(size)
        ]
        assert np.allclose(isotonic(values), expected, atol=1e-12)


def test_thresholds_by_hand():
    # Pairs by difference of the metric: 1 (A, B: people disagree), 2 (B, C: agree), 3 (A, C: agree).
    found = noticeable_difference(of_systems([2.0, 1.0, 3.0], [0.0, 1.0, 3.0]), over="systems", samples=20)
    assert found.differences.tolist() == [1.0, 2.0, 3.0]
    assert found.agree.tolist() == [0.0, 1.0, 1.0]
    assert [threshold.difference for threshold in found.thresholds] == [2.0, 2.0]
    never = noticeable_difference(of_systems([3.0, 1.0, 0.0], [0.0, 1.0, 3.0]), over="systems", samples=20)
    assert [threshold.difference for threshold in never.thresholds] == [None, None]


def test_a_known_threshold_is_found():
    """Systems whose metric and human scores differ by noise of known size: at a difference of x they agree in
    Phi(x / noise) of pairs, which is 80 % at 0.84 times the noise.
    """
    generator = np.random.default_rng(5)
    human = generator.normal(0, 3, 120)
    metric = human + generator.normal(0, 1, 120)
    pairing = PairedScores(tuple(map(str, range(120))), human_systems=human, metric_systems=metric)
    found = noticeable_difference(pairing, over="systems", samples=50)
    # Two systems differ by two noises. The spread of the systems is wide, so that little is known before.
    expected = stats.norm.ppf(0.8) * math.sqrt(2)
    threshold = found.thresholds[0]
    assert abs(threshold.difference - expected) < 0.5
    assert threshold.interval.low <= expected <= threshold.interval.high
    assert threshold.reached == 1.0
    assert (np.diff(found.fitted) >= 0).all()


def test_samples_of_segments_move_thresholds():
    generator = np.random.default_rng(6)
    human = np.linspace(0, 1, 6)[:, np.newaxis] + generator.normal(size=(6, 80))
    found = noticeable_difference(
        PairedScores(tuple("ABCDEF"), human, human + generator.normal(size=human.shape)), samples=60
    )
    assert found.thresholds[0].interval.low < found.thresholds[0].interval.high


def test_nothing_to_notice_is_refused():
    with pytest.raises(UnderstudyError, match="no two systems differ"):
        noticeable_difference(of_systems([1.0, 2.0], [1.0, 1.0]), over="systems")
    with pytest.raises(UnderstudyError, match="Resample over systems"):
        noticeable_difference(of_systems([1.0, 2.0], [1.0, 2.0]))
