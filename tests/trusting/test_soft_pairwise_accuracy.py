"""Soft pairwise accuracy: its p-values beside all signs there are, its laws, and the numbers of mt-metrics-eval."""

from __future__ import annotations

import csv
import gzip
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from material.shared import SHARED, needs
from material.wmt import DATA, needs_data
from reference import agreement as reference
from understudy import trust
from understudy.corpus.judgments import read_judgments, read_metric_scores
from understudy.resampling.two_way_samples import Draws
from understudy.trusting.alignment import align
from understudy.trusting.coefficients.by_name import CoefficientSpec, agreement, estimate
from understudy.trusting.coefficients.sign_flips import ALL_SIGNS, FlipSums, sign_flip_p_values
from understudy.trusting.coefficients.soft_pairwise_accuracy import SoftPairwiseAccuracy
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.permutation_baseline import chances

SPA = CoefficientSpec("spa", "system")
GOLDEN = SHARED / "golden" / "numbers" / "mt-metrics-eval_wmt23.zh-en.tsv.gz"


def pairing_of(human, metric):
    return PairedScores(tuple(f"s{i}" for i in range(len(human))), np.asarray(human), np.asarray(metric))


# --- p-values -----------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([0.0, 1.0, -1.0, 2.5, -0.1, 0.3, 7.0]), max_size=10))
def test_p_values_of_few_segments_beside_all_signs(differences):
    assert sign_flip_p_values(np.array([differences]))[0] == reference.sign_flip_p_value(differences)


def all_sums(differences):
    """All 2ⁿ sums of signed differences."""
    sums = np.zeros(1)
    for difference in differences:
        sums = np.concatenate([sums + difference, sums - difference])
    return sums


@pytest.mark.parametrize("shape", ["normal", "heavy", "skewed"])
def test_p_values_of_one_segment_more_than_are_tried_out(shape):
    generator = np.random.default_rng(4)
    for _ in range(5):
        differences = {
            "normal": lambda: generator.normal(0.3, 1, ALL_SIGNS + 1),
            "heavy": lambda: generator.standard_t(2, ALL_SIGNS + 1),
            "skewed": lambda: generator.exponential(1, ALL_SIGNS + 1) - 0.7,
        }[shape]()
        expected = (all_sums(differences) >= differences.sum() - 1e-9).mean()
        assert abs(sign_flip_p_values(differences[np.newaxis])[0] - expected) < 2e-4


@pytest.mark.parametrize("unit", [1.0, 0.1, 25.0])
@pytest.mark.parametrize("segments", [30, 200])
def test_p_values_of_scores_on_a_grid_are_exact(unit, segments):
    """Beside the distribution of the sum, segment by segment."""
    generator = np.random.default_rng(segments)
    differences = generator.integers(-6, 8, segments)
    distribution = np.ones(1)  # of the sum, from the lowest to the highest, in steps of 1
    for size in np.abs(differences):
        step = np.zeros(2 * size + 1)
        step[0] += 0.5
        step[-1] += 0.5
        distribution = np.convolve(distribution, step)
    place = np.abs(differences).sum() + differences.sum()
    expected = distribution[place + 1 :].sum() + distribution[place] / 2
    assert abs(sign_flip_p_values(unit * differences[np.newaxis])[0] - expected) < 1e-9


def test_a_difference_beyond_all_others_is_certain():
    rows = np.array([np.full(200, 1.0), np.full(200, -1.0)])
    assert sign_flip_p_values(rows).tolist() == [0.0, 1.0]


@pytest.mark.parametrize(("segments", "off"), [(1000, 1e-5), (100, 5e-4)])
def test_p_values_in_samples_are_close_to_exact_ones(segments, off):
    generator = np.random.default_rng(6)
    differences = generator.standard_t(3, (40, segments)) + generator.normal(0, 0.1, (40, 1))
    flips = FlipSums((differences**2).sum(axis=1), np.abs(differences).max(axis=1))
    sums = flips.terms(differences.astype(np.float32)).sum(axis=2, keepdims=True)
    assert np.abs(flips.p_values(sums)[:, 0] - sign_flip_p_values(differences)).max() < off


def test_p_values_in_samples_of_systems_that_are_far_apart():
    """20 standard deviations, where the frequencies would tell of sums that are as far on the other side."""
    generator = np.random.default_rng(7)
    differences = np.stack([side + generator.normal(0, 0.1, 400) for side in (1, -1)])
    flips = FlipSums((differences**2).sum(axis=1), np.abs(differences).max(axis=1))
    sums = flips.terms(differences.astype(np.float32)).sum(axis=2, keepdims=True)
    assert flips.p_values(sums)[:, 0].tolist() == [0.0, 1.0]


# --- laws ---------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(st.randoms(use_true_random=False), st.integers(2, 6), st.integers(1, 30))
def test_the_order_of_systems_makes_no_difference(random, systems, segments):
    human, metric = (
        np.array(
            [[random.choice([0.0, -1.0, -5.0, math.nan]) for _ in range(segments)] for _ in range(systems)]
        )
        for _ in range(2)
    )
    order = random.sample(range(systems), systems)
    one = SoftPairwiseAccuracy(human, metric).value
    other = SoftPairwiseAccuracy(human[order], metric[order]).value
    assert one == pytest.approx(other, abs=1e-9, nan_ok=True)


@pytest.mark.parametrize("segments", [3, 50])
def test_a_metric_that_gives_all_systems_the_same_scores_has_no_value(segments):
    generator = np.random.default_rng(1)
    human = generator.normal(size=(4, segments))
    same = np.tile(generator.normal(size=segments), (4, 1))  # hard and easy segments, but no better systems
    for scores in (np.full((4, segments), 0.1), same):
        found = agreement(pairing_of(human, scores), SPA)
        assert math.isnan(found.value)
        assert found.reason == "the metric scores of all systems are equal"
        found = agreement(pairing_of(scores, human), SPA)
        assert found.reason == "the human scores of all systems are equal"


def test_two_systems_with_the_same_scores_are_as_likely_better_as_worse():
    human = np.array([[1.0, 2.0, 3.0], [1.0, 1.0, 1.0], [0.0, 0.0, 0.0]])
    metric = np.array([[5.0, 5.0, 5.0], [5.0, 5.0, 5.0], [0.0, 0.0, 0.0]])
    assert SoftPairwiseAccuracy(human, metric).metric_p_values.tolist() == [0.5, 0.0625, 0.0625]


@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_the_scale_of_scores_makes_no_difference(scale):
    human, metric = np.random.default_rng(2).uniform(-1, 1, (2, 4, 40))
    assert SoftPairwiseAccuracy(human, metric * scale).value == pytest.approx(
        SoftPairwiseAccuracy(human, metric).value, abs=1e-12
    )


def test_segments_that_nobody_judged_make_no_difference():
    human, metric = np.random.default_rng(2).normal(size=(2, 4, 60))
    human[:, 40:] = np.nan
    whole, judged = (SoftPairwiseAccuracy(human[:, :n], metric[:, :n]) for n in (60, 40))
    assert whole.value == judged.value
    weights = np.random.default_rng(3).integers(0, 4, (5, 60)).astype(float)
    drawn = [each.values(Draws(None, weights[:, :n])) for each, n in ((whole, 60), (judged, 40))]
    assert np.array_equal(drawn[0], drawn[1])


@pytest.mark.parametrize("gaps", [False, True])
def test_permuted_scores_are_those_of_other_systems(gaps):
    generator = np.random.default_rng(8)
    human, metric = generator.normal(np.arange(5)[:, np.newaxis] / 3, 1, (2, 5, 80))
    if gaps:
        human[1, :7] = np.nan
        metric[3, 40:50] = np.nan
    orders = np.array([generator.permutation(5) for _ in range(6)])
    found = SoftPairwiseAccuracy(human, metric).permuted(orders)
    expected = [SoftPairwiseAccuracy(human, metric[order]).value for order in orders]
    assert np.abs(found - expected).max() < (1e-4 if gaps else 1e-12)


def test_chance_knows_the_deal_that_changes_nothing():
    """Two systems have two orders: scores that agree are reached by one of them."""
    human, metric = np.random.default_rng(3).normal(np.array([[0.0], [1.0]]), 1, (2, 2, 30))
    (found,) = chances(pairing_of(human, metric), [SPA], deals=400)
    assert abs(found.p_value - 0.5) < 0.1


# --- mt-metrics-eval -----------------------------------------------------------------------------------------


def zh_en(metric):
    human = read_judgments(DATA / "wmt23.zh-en" / "human.mqm.seg.tsv.gz")
    return align(human, read_metric_scores(DATA / "wmt23.zh-en" / "auto.seg.tsv.gz")).pairings[metric]


@needs_data
@needs(GOLDEN)
def test_as_mt_metrics_eval():
    """Its mean over 30,000 permutations, which is some 1e-4 off the value of all there are."""
    with gzip.open(GOLDEN, "rt", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if "system spa" in row["quantity"]]
    assert len(rows) == 4
    for row in rows:
        assert abs(estimate(zh_en(row["metric"]), SPA).value - float(row["value"])) < 2e-4


@needs_data
def test_the_seed_changes_no_digit():
    home = DATA / "wmt23.zh-en"
    asked: dict[str, Any] = {"coefficients": ("spa",), "level": "system", "samples": 20}
    one, other = (
        trust(home / "human.mqm.seg.tsv.gz", scores=home / "auto.seg.tsv.gz", seed=seed, **asked)
        for seed in (1, 2)
    )
    for first, second in zip(one.metrics, other.metrics, strict=True):
        assert first.agreed[0].value == second.agreed[0].value
        assert first.agreed[0].estimate.interval != second.agreed[0].estimate.interval


@needs_data
def test_samples_of_real_judgments_are_about_the_estimate():
    estimator = estimate(zh_en("chrF-refA"), SPA)
    everything = estimator.values(Draws(None, np.ones((1, 1976))))[0]
    assert abs(everything - estimator.value) < 1e-6
