"""Tests of two metrics: beside published numbers, by simulation of metrics that are equally good, and by hand."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import stats

from understudy import UnderstudyError
from understudy.choices import METRIC_TESTS
from understudy.trusting.coefficients.by_name import CoefficientSpec, estimate
from understudy.trusting.metric_tests.metric_ranking import null_differences, rank_metrics
from understudy.trusting.metric_tests.williams import williams, williams_test
from understudy.trusting.paired_scores import PairedScores

SYSTEM_R, SEGMENT_TAU = (
    CoefficientSpec("pearson", "system"),
    CoefficientSpec("kendall-b", "segment", "segment"),
)
ACC_EQ = CoefficientSpec("acc-eq", "segment", "segment")


def equally_good(
    generator: np.random.Generator,
    systems: int = 8,
    segments: int = 40,
    *,
    gap: float = 0.0,
    bias: float = 0.0,
):
    """Two metrics that see the same through noise of their own, the first through less of it by `gap`; each may have a
    bias of its own for or against every system.
    """
    human = generator.normal(0, 0.5, (systems, 1)) + generator.normal(size=(systems, segments))
    return [
        PairedScores(
            tuple(f"s{i}" for i in range(systems)),
            human,
            human + generator.normal(0, bias * noise, (systems, 1)) + generator.normal(0, noise, human.shape),
        )
        for noise in (1 - gap, 1.0)
    ]


def of_corpus(pairing: PairedScores, lengths: np.ndarray) -> PairedScores:
    """The metric with a corpus score: segments weigh as much as they are long."""

    def score(weights: np.ndarray) -> np.ndarray:
        return ((weights * lengths) @ pairing.metric.T) / (weights @ lengths)[:, np.newaxis]

    return replace(pairing, metric_of_samples=score)


# --- Williams -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("correlations", "count", "t", "p"),
    [
        (
            (0.80, 0.72, 0.89),
            26,
            "1.361",
            "0.187",
        ),  # Howell, Statistical Methods for Psychology, 6th ed., p. 262
        ((0.40, 0.50, 0.10), 103, "-0.89", "0.37"),  # r.test of R's psych, its example of Steiger's case A
        ((0.20, 0.45, 0.80), 100, "-4.56", "0.00001"),  # cor_diff of R's bruceR, its example
    ],
)
def test_williams_as_published(correlations: tuple[float, float, float], count: int, t: str, p: str) -> None:
    found_t, found_p = williams_test(*correlations, count)
    assert f"{found_t:.{len(t.partition('.')[2])}f}" == t
    assert f"{found_p:.{len(p.partition('.')[2])}f}" == p


def test_williams_of_scores_and_of_what_is_not_defined():
    one, other = equally_good(np.random.default_rng(1))
    r = [stats.pearsonr(*pairing.system_scores).statistic for pairing in (one, other)]
    between = stats.pearsonr(one.system_scores[1], other.system_scores[1]).statistic
    assert abs(williams(one, other, SYSTEM_R) - williams_test(r[0], r[1], between, 8)[1]) < 1e-9
    assert williams(one, one, SYSTEM_R) == 1.0
    assert math.isnan(williams_test(0.5, 0.6, 0.7, 3)[1])
    assert math.isnan(williams_test(math.nan, 0.6, 0.7, 30)[1])
    assert williams_test(1.0, -1.0, -1.0, 10) == (math.inf, 0.0)
    with pytest.raises(UnderstudyError, match="Williams' test of kendall-b"):
        williams(one, other, SEGMENT_TAU)


# --- a true null, and a false one ---------------------------------------------------------------------------


def share_rejected(
    test: str,
    asked: CoefficientSpec,
    *,
    bias: float,
    systems: int = 8,
    segments: int = 40,
    trials: int = 600,
    corpus: bool = False,
) -> float:
    rejected = 0
    for trial in range(trials):
        generator = np.random.default_rng([7, trial])
        one, other = equally_good(generator, systems, segments, bias=bias)
        if corpus:
            lengths = generator.lognormal(0, 0.8, segments)
            one, other = (of_corpus(pairing, lengths) for pairing in (one, other))
        found = rank_metrics({"a": one, "b": other}, asked, test=test, samples=199, seed=trial)
        rejected += found.pairs[0].p_value <= 0.05
    return rejected / trials


@pytest.mark.parametrize(
    ("test", "asked", "bias"),
    [
        ("perm-both", SYSTEM_R, 0.0),
        ("perm-inputs", SEGMENT_TAU, 0.0),
        ("perm-inputs", SYSTEM_R, 0.0),
        ("perm-systems", SYSTEM_R, 0.5),
        ("bootstrap", SEGMENT_TAU, 0.0),
        ("williams", SYSTEM_R, 0.5),
    ],
    ids=str,
)
def test_a_true_null_is_rejected_one_time_in_twenty(test, asked, bias):
    assert 0.03 <= share_rejected(test, asked, bias=bias, systems=24 if test == "williams" else 8) <= 0.07


@pytest.mark.parametrize("test", ["perm-both", "perm-inputs"])
def test_corpus_scores_are_told_apart_as_often_as_means(test):
    """Segment scores moved to the corpus score would give 0.14: they vary less than it does where lengths differ."""
    assert 0.03 <= share_rejected(test, SYSTEM_R, bias=0.0, segments=150, corpus=True) <= 0.07


def test_a_true_null_of_soft_pairwise_accuracy_is_rejected_one_time_in_twenty():
    assert (
        0.02
        <= share_rejected("perm-both", CoefficientSpec("spa", "system"), bias=0.0, systems=5, trials=300)
        <= 0.08
    )


def test_accuracy_takes_few_values_so_that_its_test_rejects_less():
    assert share_rejected("perm-both", CoefficientSpec("accuracy", "system"), bias=0.0) <= 0.07


def test_exchanging_single_scores_is_no_test_of_metrics_with_a_bias_for_systems():
    """Which is what the docstring warns of: such metrics are equally good, and yet are told apart."""
    assert share_rejected("perm-both", SYSTEM_R, bias=0.5, trials=200) > 0.15


def test_swapping_decisions_is_no_test_of_pairs_that_share_translations():
    """Which is what its caution says."""
    assert share_rejected("perm-pairs", ACC_EQ, bias=0.0, trials=200) > 0.09


@pytest.mark.parametrize("test", METRIC_TESTS)
def test_a_better_metric_is_found(test):
    of_systems = ("williams", "perm-systems", "perm-both")
    asked = SYSTEM_R if test in of_systems else ACC_EQ if test == "perm-pairs" else SEGMENT_TAU
    better, worse = equally_good(np.random.default_rng(3), systems=16, segments=100, gap=0.8, bias=1.0)
    found = rank_metrics({"worse": worse, "better": better}, asked, test=test, samples=299)
    assert found.values["better"] > found.values["worse"]
    assert found.pairs[0].p_value < 0.05
    assert found.pairs[0].difference < 0
    assert found.clusters == [["better"], ["worse"]]
    assert (found.pairs[0].interval is not None) == (test == "bootstrap")


def test_the_interval_of_a_difference_contains_it_and_0_unless_it_is_significant():
    significant = set()
    for seed in range(40):
        one, other = equally_good(np.random.default_rng([8, seed]), gap=0.5, bias=1.0)
        for over in ("segments", "systems", "both"):
            found = rank_metrics({"a": one, "b": other}, SYSTEM_R, test="bootstrap", over=over, samples=99)
            (pair,) = found.pairs
            assert pair.interval.low <= pair.difference <= pair.interval.high
            assert (pair.interval.low <= 0 <= pair.interval.high) == (pair.p_value > 0.05)
            significant.add(pair.p_value <= 0.05)
    assert significant == {False, True}


# --- by hand ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["perm-both", "perm-inputs", "perm-systems"])
@pytest.mark.parametrize(
    "asked", [SYSTEM_R, SEGMENT_TAU, CoefficientSpec("pearson", "segment", "none")], ids=str
)
def test_exchanges_are_near_the_share_of_all_exchanges(kind, asked):
    """Three systems and three segments have few enough exchanges to try them all, with nothing but the definition."""
    one, other = equally_good(np.random.default_rng(12), systems=3, segments=3)
    exchanged = [pairing.metric for pairing in (one, other)]
    if asked.level == "system" and kind == "perm-systems":  # system scores, as one column
        exchanged = [scores.mean(axis=1, keepdims=True) for scores in exchanged]
    scores = [stats.zscore(each, axis=None) for each in exchanged]

    def difference(first, second):
        values = [
            estimate(PairedScores(one.systems, one.human, np.broadcast_to(metric, (3, 3))), asked).value
            for metric in (first, second)
        ]
        return values[0] - values[1]

    seen = abs(difference(*scores))
    shape = {"perm-both": (3, 3), "perm-inputs": (1, 3), "perm-systems": (3, 1)}[kind]
    every = [np.reshape(row, shape).astype(bool) for row in product((0, 1), repeat=shape[0] * shape[1])]
    drawn = [
        abs(difference(np.where(row, scores[1], scores[0]), np.where(row, scores[0], scores[1])))
        for row in every
    ]
    expected = np.mean(np.array(drawn) >= seen - 1e-9)
    found = rank_metrics({"one": one, "other": other}, asked, test=kind, samples=600, seed=1)
    assert abs(found.pairs[0].p_value - expected) < 0.06


def test_gaps_of_one_metric_do_not_break_the_exchange():
    one, other = equally_good(np.random.default_rng(5), systems=5, segments=8)
    gap = other.metric.copy()
    gap[0, 0] = np.nan
    with_gap = PairedScores(other.systems, other.human, gap)
    found = rank_metrics({"whole": one, "gap": with_gap}, SYSTEM_R, samples=50)
    assert 0 < found.pairs[0].p_value <= 1


def test_a_metric_without_a_value_is_in_no_cluster():
    one, other = equally_good(np.random.default_rng(5))
    constant = PairedScores(one.systems, one.human, np.ones_like(one.human))
    found = rank_metrics({"a": one, "flat": constant, "b": other}, SYSTEM_R, samples=99)
    assert sorted(name for cluster in found.clusters for name in cluster) == ["a", "b"]
    by_names = {(pair.first, pair.second): pair for pair in found.pairs}
    assert math.isnan(by_names["a", "flat"].p_value)
    assert by_names["a", "b"].corrected == by_names["a", "b"].p_value  # one test that counts


def test_what_cannot_be_tested_is_refused():
    one, other = equally_good(np.random.default_rng(5))
    systems_only = PairedScores(one.systems, human_systems=np.arange(8.0), metric_systems=np.arange(8.0))
    for wrong in (
        lambda: rank_metrics({"a": one, "b": other}, SYSTEM_R, test="t-test"),
        lambda: rank_metrics({"a": systems_only, "b": systems_only}, SYSTEM_R),
        lambda: rank_metrics({"a": one, "b": other}, SYSTEM_R, rule="loose"),
        lambda: null_differences({"a": one, "b": other}, SYSTEM_R, test="williams"),
    ):
        with pytest.raises(UnderstudyError) as error:
            wrong()
        assert "\n" not in str(error.value)
