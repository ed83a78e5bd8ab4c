"""Intervals: by simulation where the truth is known, and around their estimates."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from understudy import UnderstudyError
from understudy.trusting.coefficients.by_name import (
    COEFFICIENTS,
    CoefficientSpec,
    coefficient_named,
    estimate,
)
from understudy.trusting.intervals import estimates, interval_around, sampled
from understudy.trusting.noticeable_difference import noticeable_difference
from understudy.trusting.paired_scores import PairedScores


def names(count: int) -> tuple[str, ...]:
    return tuple(f"s{number}" for number in range(count))


def judged(generator: np.random.Generator, segments: int, systems: int = 4) -> PairedScores:
    """Systems of different quality, segments of different difficulty, and a metric that sees both through noise."""
    quality = np.linspace(-1, 1, systems)[:, np.newaxis]
    human = quality + generator.normal(0, 1, segments) + generator.normal(0, 1, (systems, segments))
    return PairedScores(names(systems), human, human + generator.normal(0, 1.2, (systems, segments)))


def test_intervals_over_segments_cover_the_truth():
    asked = [
        CoefficientSpec("pearson", "segment", "none"),
        CoefficientSpec("kendall-b", "segment", "segment"),
    ]
    large = judged(np.random.default_rng(0), 100_000)
    truth = [estimate(large, one).value for one in asked]
    # The correlation of h and h + e: sd(h) / sd(h + e), with the variance of the four systems' quality.
    variance = np.linspace(-1, 1, 4).var() + 2
    assert abs(truth[0] - math.sqrt(variance / (variance + 1.2**2))) < 0.005
    covered = np.zeros(2)
    trials = 1500
    for trial in range(trials):
        pairing = judged(np.random.default_rng([1, trial]), 300)
        found = estimates({"m": pairing}, asked, samples=400, seed=trial)["m"]
        covered += [one.interval.low <= t <= one.interval.high for one, t in zip(found, truth, strict=True)]
    assert (covered / trials >= 0.93).all()
    assert (covered / trials <= 0.97).all()


def test_intervals_over_systems_cover_the_truth():
    """Of system scores that come from a normal distribution with a known correlation."""
    truth, trials, covered = 0.8, 500, 0
    for trial in range(trials):
        generator = np.random.default_rng([2, trial])
        human = generator.normal(size=24)
        metric = truth * human + math.sqrt(1 - truth**2) * generator.normal(size=24)
        pairing = PairedScores(names(24), human_systems=human, metric_systems=metric)
        (found,) = estimates(
            {"m": pairing}, [CoefficientSpec("pearson", "system")], over="systems", samples=300, seed=trial
        )["m"]
        covered += found.interval.low <= truth <= found.interval.high
    assert 0.93 <= covered / trials <= 0.97


def test_the_same_seed_gives_the_same_digits_and_metrics_share_their_samples():
    one, other = (judged(np.random.default_rng(seed), 60) for seed in (1, 2))
    asked = [CoefficientSpec("spearman", "segment", "system"), CoefficientSpec("accuracy", "system")]
    both = sampled({"a": one, "b": other, "c": one}, asked, samples=300, seed=5, over="both")
    alone = sampled({"b": other}, asked, samples=300, seed=5, over="both")
    assert np.array_equal(both["b"], alone["b"], equal_nan=True)
    assert np.array_equal(both["a"], both["c"], equal_nan=True)
    assert not np.array_equal(both["b"], sampled({"b": other}, asked, samples=300, seed=6, over="both")["b"])


@pytest.mark.parametrize("over", ["segments", "systems", "both"])
def test_every_coefficient_has_an_interval_around_it(over):
    asked = [
        CoefficientSpec(coefficient.name, coefficient.level, grouping)
        for coefficient in COEFFICIENTS
        for grouping in coefficient.groupings
        if coefficient.name != "acc-eq" or grouping == "segment"
    ]
    told: list[int] = []
    pairing = judged(np.random.default_rng(3), 50, systems=9)
    pairing = replace(pairing, human=15 * pairing.human)  # so that some differ by 25 points
    found = estimates({"m": pairing}, asked, over=over, samples=100, progress=told.append)["m"]
    assert sum(told) == len(asked)
    for one in found:
        assert one.interval.low <= one.agreement.value <= one.interval.high, one
        coefficient = coefficient_named(one.agreement.coefficient, one.agreement.level)
        assert coefficient.lowest <= one.interval.low, one
        assert one.interval.high <= 1, one


def test_an_interval_contains_its_estimate_where_every_sample_agrees_less():
    """Noise that is drawn again is noise added: of .992, the middle 95% of the samples is .917 to .982."""
    generator = np.random.default_rng(1)
    quality = np.linspace(-1, 1, 20)[:, np.newaxis]
    human, metric = (quality + generator.normal(0, 5, (20, 2000)) for _ in range(2))
    pairing = PairedScores(names(20), human, metric)
    asked = [CoefficientSpec("spearman", "system")]
    (found,) = estimates({"m": pairing}, asked, samples=300)["m"]
    drawn = sampled({"m": pairing}, asked, samples=300)["m"][0]
    assert np.quantile(drawn, 0.975) < found.agreement.value
    assert found.interval.low < found.agreement.value <= found.interval.high <= 1


def test_intervals_are_the_middle_of_the_samples_moved_to_the_estimate():
    drawn = np.random.default_rng(1).normal(0.4, 0.1, 999)
    for over in ("segments", "both"):
        found = interval_around(0.5, drawn, 0.9, over=over)
        expected = np.quantile(drawn - np.median(drawn) + 0.5, [0.05, 0.95])
        assert (found.low, found.high) == pytest.approx(tuple(expected), abs=1e-12)


def test_over_systems_they_are_bias_corrected_as_scipy_does():
    """Of a mean of scores that are symmetric, so that Efron's acceleration is 0 and scipy's BCa is BC."""
    scores = np.array([-4.0, -2.0, -1.0, 0.0, 1.0, 2.0, 4.0])
    expected = stats.bootstrap(
        (scores,), np.mean, n_resamples=999, method="BCa", rng=np.random.default_rng(2)
    )
    found = interval_around(0.0, expected.bootstrap_distribution, over="systems")
    assert (found.low, found.high) == pytest.approx(tuple(expected.confidence_interval), abs=1e-12)


def test_over_systems_they_contain_their_estimate_too():
    found = interval_around(
        0.9, np.random.default_rng(1).normal(0.4, 0.1, 999), over="systems", bounds=(0, 1)
    )
    assert found.low < 0.9
    assert found.high == 1


def test_rounding_leaves_no_estimate_outside_its_interval():
    assert 0.2 + (0.9 - 0.2) < 0.9
    assert interval_around(0.9, np.full(20, 0.2), over="segments").high == 0.9


def test_samples_without_a_value_are_counted():
    human = np.zeros((3, 10))
    human[0, 0] = 1.0  # in a third of all samples, nobody says anything else than 0
    metric = np.random.default_rng(1).normal(size=human.shape)
    (found,) = estimates(
        {"m": PairedScores(names(3), human, metric)},
        [CoefficientSpec("pearson", "segment", "none")],
        samples=200,
    )["m"]
    assert 40 < found.undefined < 100
    assert found.interval is None
    assert not math.isnan(found.agreement.value)


def test_corpus_scores_are_those_of_the_sample():
    human = np.random.default_rng(1).normal(size=(3, 20))
    asked = [CoefficientSpec("pearson", "system")]
    by_means, by_function = (
        PairedScores(names(3), human, human**3, metric_of_samples=of_samples)
        for of_samples in (None, lambda weights: weights @ (human**3).T / weights.sum(axis=1, keepdims=True))
    )
    assert np.allclose(sampled({"m": by_means}, asked)["m"], sampled({"m": by_function}, asked)["m"])


def test_given_scores_of_systems_move_as_their_segments_do():
    human = np.random.default_rng(2).normal(size=(4, 30))
    given = human.mean(axis=1) * 2 + 7
    pairing = PairedScores(names(4), human, human, None, given)
    assert np.array_equal(pairing.system_scores[1], given)
    drawn = sampled({"m": pairing}, [CoefficientSpec("pearson", "system")], samples=50)["m"][0]
    assert len(set(drawn.tolist())) > 40


def test_what_cannot_be_drawn_is_refused():
    systems_only = PairedScores(names(2), human_systems=np.ones(2), metric_systems=np.ones(2))
    segments = judged(np.random.default_rng(1), 5)
    for wrong in (
        lambda: sampled({"m": systems_only}, [CoefficientSpec("pearson", "system")]),
        lambda: sampled({"m": segments}, [CoefficientSpec("pearson", "system")], samples=0),
        lambda: sampled(
            {"m": segments, "n": judged(np.random.default_rng(1), 6)}, [CoefficientSpec("pearson", "system")]
        ),
        lambda: estimates({"m": segments}, [CoefficientSpec("pearson", "system")], confidence=95),
    ):
        with pytest.raises(UnderstudyError) as error:
            wrong()
        assert "\n" not in str(error.value)


def test_the_difference_that_people_notice_is_in_its_interval():
    for seed in range(30):
        generator = np.random.default_rng(seed)
        human = generator.normal(size=(5, 6))
        metric = human + generator.normal(0, 2, human.shape)
        for found in noticeable_difference(
            PairedScores(tuple("abcde"), human, metric), samples=20, seed=seed
        ).thresholds:
            if found.difference is not None and found.interval is not None:
                assert found.interval.low <= found.difference <= found.interval.high
