"""Intervals and the chance baseline, by simulation where the truth is known."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from understudy import UnderstudyError
from understudy.agreement.chance import chances
from understudy.agreement.coefficients import COEFFICIENTS, Asked, estimate
from understudy.agreement.intervals import estimates, sampled
from understudy.agreement.pairing import Pairing


def names(count: int) -> tuple[str, ...]:
    return tuple(f"s{number}" for number in range(count))


def judged(generator: np.random.Generator, segments: int, systems: int = 4) -> Pairing:
    """Systems of different quality, segments of different difficulty, and a metric that sees both through noise."""
    quality = np.linspace(-1, 1, systems)[:, np.newaxis]
    human = quality + generator.normal(0, 1, segments) + generator.normal(0, 1, (systems, segments))
    return Pairing(names(systems), human, human + generator.normal(0, 1.2, (systems, segments)))


def test_intervals_over_segments_cover_the_truth():
    asked = [Asked("pearson", "segment", "none"), Asked("kendall-b", "segment", "segment")]
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
        pairing = Pairing(names(24), human_systems=human, metric_systems=metric)
        (found,) = estimates(
            {"m": pairing}, [Asked("pearson", "system")], over="systems", samples=300, seed=trial
        )["m"]
        covered += found.interval.low <= truth <= found.interval.high
    assert 0.93 <= covered / trials <= 0.97


def test_the_same_seed_gives_the_same_digits_and_metrics_share_their_samples():
    one, other = (judged(np.random.default_rng(seed), 60) for seed in (1, 2))
    asked = [Asked("spearman", "segment", "system"), Asked("accuracy", "system")]
    both = sampled({"a": one, "b": other, "c": one}, asked, samples=300, seed=5, over="both")
    alone = sampled({"b": other}, asked, samples=300, seed=5, over="both")
    assert np.array_equal(both["b"], alone["b"], equal_nan=True)
    assert np.array_equal(both["a"], both["c"], equal_nan=True)
    assert not np.array_equal(both["b"], sampled({"b": other}, asked, samples=300, seed=6, over="both")["b"])


@pytest.mark.parametrize("over", ["segments", "systems", "both"])
def test_every_coefficient_has_an_interval_around_it(over):
    asked = [
        Asked(coefficient.name, coefficient.level, grouping)
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
        assert one.interval.low <= one.interval.high
        # In samples some things come twice: tuned ties are flattered by that, soft accuracy and tau-c suffer.
        if one.agreement.coefficient not in ("acc-eq", "spa", "kendall-c"):
            assert one.interval.low <= one.agreement.value <= one.interval.high, one


def test_samples_without_a_value_are_counted():
    human = np.zeros((3, 10))
    human[0, 0] = 1.0  # in a third of all samples, nobody says anything else than 0
    metric = np.random.default_rng(1).normal(size=human.shape)
    (found,) = estimates(
        {"m": Pairing(names(3), human, metric)}, [Asked("pearson", "segment", "none")], samples=200
    )["m"]
    assert 40 < found.undefined < 100
    assert found.interval is None
    assert not math.isnan(found.agreement.value)


def test_corpus_scores_are_those_of_the_sample():
    human = np.random.default_rng(1).normal(size=(3, 20))
    asked = [Asked("pearson", "system")]
    by_means, by_function = (
        Pairing(names(3), human, human**3, metric_of_samples=of_samples)
        for of_samples in (None, lambda weights: weights @ (human**3).T / weights.sum(axis=1, keepdims=True))
    )
    assert np.allclose(sampled({"m": by_means}, asked)["m"], sampled({"m": by_function}, asked)["m"])


def test_given_scores_of_systems_move_as_their_segments_do():
    human = np.random.default_rng(2).normal(size=(4, 30))
    given = human.mean(axis=1) * 2 + 7
    pairing = Pairing(names(4), human, human, None, given)
    assert np.array_equal(pairing.system_scores[1], given)
    drawn = sampled({"m": pairing}, [Asked("pearson", "system")], samples=50)["m"][0]
    assert len(set(drawn.tolist())) > 40


def test_chance_of_pairwise_accuracy_is_a_half_and_of_a_real_metric_beyond_it():
    pairing = judged(np.random.default_rng(4), 80, systems=8)
    found = chances(pairing, [Asked("accuracy", "system")], deals=400)[0]
    assert abs(found.mean - 0.5) < 0.03
    assert found.p_value < 0.01
    by_segment = chances(pairing, [Asked("kendall-b", "segment", "segment")], deals=100)[0]
    assert abs(by_segment.mean) < 0.02
    assert by_segment.upper < 0.1
    assert by_segment.p_value == 1 / 101


def test_chance_keeps_to_the_groups():
    """A metric that only knows which segments are hard agrees by chance, if one looks within segments."""
    generator = np.random.default_rng(6)
    hard = generator.normal(0, 5, 200)
    human = hard + generator.normal(size=(5, 200))
    metric = hard + generator.normal(size=(5, 200))
    human[0, :50] = np.nan
    pairing = Pairing(names(5), human, metric)
    assert estimate(pairing, Asked("pearson", "segment", "none")).value > 0.9
    assert chances(pairing, [Asked("pearson", "segment", "segment")], deals=20)[0].p_value > 0.04
    assert chances(pairing, [Asked("pearson", "segment", "none")], deals=20)[0].upper < 0.2
    assert chances(pairing, [Asked("pearson", "segment", "system")], deals=20)[0].upper < 0.2


def test_chance_of_what_is_not_defined_is_not_defined():
    pairing = Pairing(names(2), np.ones((2, 3)), np.ones((2, 3)))
    assert math.isnan(chances(pairing, [Asked("pearson", "segment")], deals=3)[0].mean)


def test_what_cannot_be_drawn_is_refused():
    systems_only = Pairing(names(2), human_systems=np.ones(2), metric_systems=np.ones(2))
    segments = judged(np.random.default_rng(1), 5)
    for wrong in (
        lambda: sampled({"m": systems_only}, [Asked("pearson", "system")]),
        lambda: sampled({"m": segments}, [Asked("pearson", "system")], samples=0),
        lambda: sampled(
            {"m": segments, "n": judged(np.random.default_rng(1), 6)}, [Asked("pearson", "system")]
        ),
        lambda: estimates({"m": segments}, [Asked("pearson", "system")], confidence=95),
        lambda: chances(segments, [Asked("pearson", "system")], deals=0)[0],
    ):
        with pytest.raises(UnderstudyError) as error:
            wrong()
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("missing", [False, True])
def test_all_deals_at_once_are_the_deals_one_by_one(monkeypatch, missing):
    generator = np.random.default_rng(0)
    human = generator.normal(size=(6, 40))
    metric = human + generator.normal(size=human.shape)
    if missing:
        human[generator.random(human.shape) < 0.2] = np.nan
    pairing = Pairing(tuple("abcdef"), human, metric)
    asked = [Asked(one.name, "system") for one in COEFFICIENTS if one.level == "system"]
    at_once = chances(pairing, asked, deals=30)
    monkeypatch.setattr("understudy.agreement.chance._all_deals", lambda *_: None)
    for one, other in zip(at_once, chances(pairing, asked, deals=30), strict=True):
        assert (one.mean, one.upper) == pytest.approx((other.mean, other.upper), abs=1e-12)
        assert one.p_value == pytest.approx(other.p_value, abs=1e-12)
