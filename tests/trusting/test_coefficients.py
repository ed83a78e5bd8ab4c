"""Coefficients: beside scipy where scipy has them, beside plain implementations of the definitions elsewhere."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from reference import agreement as reference
from understudy import UnderstudyError
from understudy.resampling.two_way_samples import GROUPINGS, Draws, bootstrap_draws
from understudy.trusting.coefficients.by_name import COEFFICIENTS, CoefficientSpec, agreement, estimate
from understudy.trusting.coefficients.pairwise_preferences import (
    HeldOutTies,
    KendallLike,
    SegmentPairs,
    TunedTies,
)
from understudy.trusting.coefficients.soft_pairwise_accuracy import SoftPairwiseAccuracy
from understudy.trusting.paired_scores import PairedScores

SIMPLE = {
    "pearson": reference.pearson,
    "r2": lambda pairs: reference.pearson(pairs) ** 2,
    "spearman": reference.spearman,
    "kendall-b": reference.tau_b,
    "kendall-c": reference.tau_c,
}


@st.composite
def matrices(draw, most_systems=5, fewest_segments=1):
    """Human and metric scores, full of ties, with gaps on both sides; scores may be large beside their differences."""
    shape = (draw(st.integers(1, most_systems)), draw(st.integers(fewest_segments, 6)))
    few = st.sampled_from([0.0, -1.0, -5.0, -5.1, 0.3, np.nan])
    many = st.one_of(few, st.floats(-1e3, 1e3, width=32))
    offset = draw(st.sampled_from([0.0, 0.0, 1e6]))
    human, metric = (
        np.array(draw(st.lists(values, min_size=shape[0] * shape[1], max_size=shape[0] * shape[1])))
        for values in (few, many)
    )
    return human.reshape(shape), metric.reshape(shape) + offset


def as_lists(scores):
    return [[None if math.isnan(score) else score for score in row] for row in scores.tolist()]


def same(found: float, expected: float, tolerance: float = 1e-9) -> bool:
    return (math.isnan(found) and math.isnan(expected)) or abs(found - expected) <= tolerance


def pairing_of(human, metric) -> PairedScores:
    return PairedScores(tuple(f"s{i}" for i in range(len(human))), human, metric)


# --- beside the definitions ----------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(matrices(), st.sampled_from(sorted(SIMPLE)), st.sampled_from(GROUPINGS))
def test_correlations_within_groups(scores, name, grouping):
    human, metric = scores
    groups = reference.groups(as_lists(human), as_lists(metric), grouping)
    found = agreement(pairing_of(human, metric), CoefficientSpec(name, "segment", grouping))
    values = [SIMPLE[name](pairs) for pairs in groups]
    assert same(found.value, reference.mean_over_groups(groups, SIMPLE[name]))
    assert (found.groups, found.skipped) == (len(groups), sum(math.isnan(value) for value in values))
    assert found.points == sum(map(len, groups))
    assert (found.reason is None) == (not math.isnan(found.value))


@settings(max_examples=80, deadline=None)
@given(matrices(), st.sampled_from(["wmt12", "wmt13", "wmt14"]), st.sampled_from([0.0, 4.9, 5.0]))
def test_kendall_like(scores, variant, at_least):
    found = KendallLike(SegmentPairs(*scores), variant=variant, at_least=at_least).value
    human, metric = map(as_lists, scores)
    assert same(found, reference.kendall_like(human, metric, variant, at_least))


@settings(max_examples=80, deadline=None)
@given(matrices(), st.sampled_from(GROUPINGS))
def test_ties_are_calibrated(scores, grouping):
    human, metric = scores
    groups = reference.groups(as_lists(human), as_lists(metric), grouping)
    accuracy, threshold = reference.best_ties(groups)
    found = TunedTies(human, metric, grouping).calibrated()
    assert same(found.accuracy, accuracy)
    assert same(found.threshold, threshold)


@settings(max_examples=40, deadline=None)
@given(matrices(fewest_segments=2))
def test_ties_calibrated_on_other_segments(scores):
    human, metric = scores
    held_out = HeldOutTies(SegmentPairs(human, metric), TunedTies(human, metric), folds=3, seed=1)
    groups = reference.groups(as_lists(human), as_lists(metric), "segment")
    order = np.random.default_rng(1).permutation(len(groups))
    accuracies = []
    for fold in np.array_split(order, min(3, len(groups))):
        _, threshold = reference.best_ties([groups[s] for s in range(len(groups)) if s not in fold])
        if not math.isnan(threshold):
            accuracies += [reference.acc_eq([groups[s]], threshold) for s in fold]
    known = [accuracy for accuracy in accuracies if not math.isnan(accuracy)]
    assert same(held_out.value, sum(known) / len(known) if known else math.nan)


@settings(max_examples=80, deadline=None)
@given(matrices())
def test_pearson_of_differences(scores):
    found = agreement(pairing_of(*scores), CoefficientSpec("pdp", "segment", "segment")).value
    assert same(found, reference.difference_pearson(*map(as_lists, scores)))


@settings(max_examples=60, deadline=None)
@given(matrices())
def test_soft_pairwise_accuracy(scores):
    found = SoftPairwiseAccuracy(*scores).value
    assert same(found, reference.soft_pairwise_accuracy(*map(as_lists, scores)))


@settings(max_examples=100, deadline=None)
@given(matrices(most_systems=7), st.sampled_from([*sorted(SIMPLE), "accuracy"]))
def test_coefficients_of_systems(scores, name):
    pairs = []
    for human, metric in zip(*map(as_lists, scores), strict=True):
        columns = [[score for score in row if score is not None] for row in (human, metric)]
        if all(columns):
            pairs.append(tuple(float(np.mean(column)) for column in columns))
    pairing = pairing_of(*scores)
    # Means that differ in the last bit by the order of adding up are ties here or there: so the same means for both.
    human, metric = pairing.system_scores
    exact = [(h, m) for h, m in zip(human.tolist(), metric.tolist(), strict=True) if not math.isnan(h + m)]
    assert np.allclose(np.array(exact).ravel(), np.array(pairs).ravel(), rtol=1e-12)
    expected = {**SIMPLE, "accuracy": reference.pairwise_accuracy}[name](exact)
    found = agreement(pairing, CoefficientSpec(name, "system"))
    assert same(found.value, expected)
    assert (found.reason is None) == (not math.isnan(found.value))


# --- beside scipy --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "peer"),
    [
        ("pearson", lambda h, m: stats.pearsonr(h, m).statistic),
        ("spearman", lambda h, m: stats.spearmanr(h, m).statistic),
        ("kendall-b", lambda h, m: stats.kendalltau(h, m, variant="b").statistic),
        ("kendall-c", lambda h, m: stats.kendalltau(h, m, variant="c").statistic),
    ],
)
@pytest.mark.parametrize("grouping", GROUPINGS)
def test_as_scipy(name, peer, grouping):
    generator = np.random.default_rng(3)
    human = generator.integers(-4, 1, (6, 80)).astype(float)
    metric = 1e5 + human + generator.normal(0, 3, human.shape).round(1)
    found = agreement(pairing_of(human, metric), CoefficientSpec(name, "segment", grouping), threads=2).value
    rows = {"none": [(human.ravel(), metric.ravel())], "segment": zip(human.T, metric.T, strict=True)}
    values = [peer(h, m) for h, m in rows.get(grouping, zip(human, metric, strict=True))]
    assert abs(found - np.mean(values)) < 1e-9


# --- samples -------------------------------------------------------------------------------------------------


def all_estimators(pairing):
    for coefficient in COEFFICIENTS:
        for grouping in coefficient.groupings:
            yield (
                coefficient,
                grouping,
                estimate(pairing, CoefficientSpec(coefficient.name, coefficient.level, grouping)),
            )


NOT_COPIED = {"acc-eq", "acc-eq-held-out", "spa", "accuracy"}  # to which two copies of a system are no pair


@pytest.mark.parametrize("over", ["segments", "systems", "both"])
def test_a_sample_is_worth_what_its_copies_are(over):
    """The value of every sample is that of the matrix in which rows and columns are repeated."""
    generator = np.random.default_rng(11)
    human = generator.integers(-3, 1, (5, 7)).astype(float)
    metric = human + generator.normal(0, 2, human.shape).round(0)
    human[generator.random(human.shape) < 0.15] = np.nan
    metric[1, 2] = np.nan
    pairing = pairing_of(human, metric)
    (draws,) = bootstrap_draws(human.shape, over, 20, seed=4)
    compared = 0
    for coefficient, grouping, estimator in all_estimators(pairing):
        if coefficient.name in ("spa", "acc-eq-held-out"):
            continue  # approximate in samples; and with thresholds of the whole
        if coefficient.name in NOT_COPIED and (over != "segments" or grouping != "segment"):
            continue
        for sample, found in enumerate(estimator.values(draws)):
            rows = (
                np.arange(5)
                if draws.systems is None
                else np.repeat(range(5), draws.systems[sample].astype(int))
            )
            columns = (
                np.arange(7)
                if draws.segments is None
                else np.repeat(range(7), draws.segments[sample].astype(int))
            )
            copies = pairing_of(human[np.ix_(rows, columns)], metric[np.ix_(rows, columns)])
            expected = estimate(copies, CoefficientSpec(coefficient.name, coefficient.level, grouping)).value
            assert same(float(found), expected), (coefficient.name, coefficient.level, grouping, sample)
            compared += not math.isnan(expected)
    assert compared > 300


def test_ties_of_copied_systems_are_no_ties():
    """Of samples of systems, pairs of one system with itself are left out: by hand, with pairs of different ones."""
    human = np.array([[0.0, -1.0], [-1.0, -1.0], [-2.0, 0.0]])
    metric = np.array([[3.0, 1.0], [2.0, 1.5], [2.5, 3.0]])
    draws = Draws(np.array([[2.0, 1.0, 0.0]]), None)
    # Only systems 1 and 2 are left: the segment they differ in, and the one in which people call them equal.
    assert TunedTies(human, metric).values(draws).tolist() == [1.0]
    pairing = pairing_of(human, metric)
    assert estimate(pairing, CoefficientSpec("accuracy", "system")).values(draws).tolist() == [1.0]


def test_soft_accuracy_of_the_sample_that_has_everything_once_is_the_estimate():
    generator = np.random.default_rng(5)
    quality = np.linspace(0, 1, 6)[:, np.newaxis]
    human = quality + generator.normal(0, 2, (6, 300))
    metric = human + generator.normal(0, 2, (6, 300))
    soft = SoftPairwiseAccuracy(human, metric)
    everything_once = Draws(None, np.ones((1, 300)))
    assert abs(soft.value - soft.values(everything_once)[0]) < 1e-5


def test_threads_make_no_difference():
    generator = np.random.default_rng(2)
    human = generator.integers(-5, 1, (8, 60)).astype(float)
    metric = human + generator.normal(0, 2, human.shape)
    pairing = pairing_of(human, metric)
    (draws,) = bootstrap_draws(human.shape, "both", 50, seed=1)
    for name, grouping in (("kendall-b", "none"), ("spearman", "system"), ("acc-eq", "segment")):
        one, two = (
            estimate(pairing, CoefficientSpec(name, "segment", grouping), threads=threads).values(draws)
            for threads in (1, 2)
        )
        assert np.array_equal(one, two)


# --- what is not defined ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("human", "metric", "reason"),
    [
        ([[1.0, 1.0], [1.0, 1.0]], [[1.0, 2.0], [3.0, 4.0]], "all 4 human scores are equal"),
        ([[1.0, 2.0], [3.0, 4.0]], [[0.1, 0.1], [0.1, 0.1]], "all 4 metric scores are equal"),
        (
            [[1.0, np.nan], [np.nan, np.nan]],
            [[1.0, 2.0], [3.0, 4.0]],
            "only 1 with both scores, expected at least 2",
        ),
        ([[np.nan, np.nan]], [[1.0, 2.0]], "none with both scores"),
    ],
)
@pytest.mark.parametrize("name", sorted(SIMPLE))
def test_degenerate_scores_have_no_value_and_a_reason(human, metric, reason, name):
    found = agreement(pairing_of(np.array(human), np.array(metric)), CoefficientSpec(name, "segment"))
    assert math.isnan(found.value)
    assert found.reason == reason
    assert found.skipped == 1


@pytest.mark.parametrize("coefficient", COEFFICIENTS, ids=lambda c: f"{c.level}-{c.name}")
def test_no_coefficient_fails_on_one_system_or_one_segment(coefficient):
    for shape in ((1, 1), (1, 3), (3, 1)):
        scores = np.arange(shape[0] * shape[1], dtype=float).reshape(shape)
        for grouping in coefficient.groupings:
            found = agreement(
                pairing_of(scores, scores), CoefficientSpec(coefficient.name, coefficient.level, grouping)
            )
            assert math.isnan(found.value) == (found.reason is not None)


def test_the_folds_of_the_default_seed():
    """They have been these since there are any."""
    generator = np.random.default_rng(3)
    human, metric = generator.normal(size=(2, 4, 11))
    tuned = TunedTies(human, metric)
    estimator = estimate(pairing_of(human, metric), CoefficientSpec("acc-eq-held-out", "segment", "segment"))
    assert isinstance(estimator, HeldOutTies)
    found = estimator.thresholds
    for part in np.array_split(np.random.default_rng(0).permutation(11), 5):
        others = np.ones((1, 11))
        others[0, part] = 0.0
        assert set(found[part]) == {tuned.thresholds(Draws(None, others))[0]}


def test_what_cannot_be_asked_is_refused():
    pairing = pairing_of(np.ones((2, 2)), np.ones((2, 2)))
    for wrong in (
        lambda: agreement(pairing, CoefficientSpec("pearsn", "segment")),
        lambda: agreement(pairing, CoefficientSpec("pearson", "document")),
        lambda: agreement(pairing, CoefficientSpec("kendall-wmt14", "segment", "none")),
        lambda: agreement(pairing, CoefficientSpec("pearson", "segment", "judge")),
        lambda: agreement(
            PairedScores(("a", "b"), None, np.ones((2, 2)), np.ones(2)),
            CoefficientSpec("pdp", "segment", "segment"),
        ),
        lambda: PairedScores(("a",), np.ones((2, 2)), np.ones((2, 2))),
        lambda: PairedScores(("a", "b"), np.ones((2, 3)), np.ones((2, 2))),
        lambda: PairedScores(("a", "b"), np.full((2, 3), np.inf), np.ones((2, 3))),
        lambda: PairedScores(("a", "b"), np.ones((2, 3))),
        lambda: PairedScores(("a", "b"), np.ones((2, 0)), np.ones((2, 0))),
        lambda: PairedScores(("a", "b"), np.ones((2, 3)), np.ones((2, 3)), np.ones(3)),
        lambda: TunedTies(np.zeros((7, 1000)), np.zeros((7, 1000)), "none"),
        lambda: KendallLike(pairing.segment_pairs, variant="wmt15"),
        lambda: list(bootstrap_draws((2, 2), "judges", 1, 1)),
    ):
        with pytest.raises(UnderstudyError) as error:
            wrong()
        assert "\n" not in str(error.value)


def test_relative_ranking_from_direct_assessments():
    human = [[10.0, 80.0, 50.0], [30.0, 40.0, 50.0], [90.0, 66.0, 20.0]]
    metric = [[1.0, 2.0, 3.0], [2.0, 2.0, 1.0], [3.0, 1.0, 3.0]]
    found = agreement(
        PairedScores(("a", "b", "c"), np.array(human), np.array(metric)),
        CoefficientSpec("kendall-darr", "segment", "segment"),
    )
    assert found.value == reference.kendall_like(human, metric, "wmt12", 25.0)
    # Two pairs of the first segment agree. Of the second, one is a tie of the metric and one the wrong way round; so it
    # is in the third. All other pairs are less than 25 apart.
    assert found.value == pytest.approx((2 - 4) / 6)
