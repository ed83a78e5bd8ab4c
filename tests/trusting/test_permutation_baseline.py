"""The permutation baseline: beside all permutations written out, beside theory, and by its type-I error."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from understudy import UnderstudyError
from understudy.trusting.coefficients.by_name import COEFFICIENTS, CoefficientSpec, estimate
from understudy.trusting.metric_coefficients import _chances
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.permutation_baseline import chances
from understudy.trusting.plan import USUAL, TrustPlan

OF_SYSTEMS = [CoefficientSpec(one.name, "system") for one in COEFFICIENTS if one.level == "system"]


def judged(seed: int, systems: int, segments: int, *, missing: float = 0.0) -> PairedScores:
    generator = np.random.default_rng(seed)
    human = generator.normal(0, 0.2, (systems, 1)) + generator.normal(size=(systems, segments))
    metric = human + generator.normal(0, 2, human.shape)
    for scores in (human, metric):
        scores[generator.random(scores.shape) < missing] = np.nan
    return PairedScores(tuple(f"s{number}" for number in range(systems)), human, metric)


def value(pairing: PairedScores, asked: CoefficientSpec) -> float:
    return estimate(pairing, asked).value


# --- systems ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_up_to_eight_systems_p_is_the_share_of_all_permutations(missing):
    pairing = judged(3, 5, 30, missing=missing)
    for asked, found in zip(OF_SYSTEMS, chances(pairing, OF_SYSTEMS), strict=True):
        every = [
            value(PairedScores(pairing.systems, pairing.human, pairing.metric[list(order)]), asked)
            for order in permutations(range(5))
        ]
        at_least = sum(one >= value(pairing, asked) - 1e-11 for one in every)
        assert (found.deals, found.exact) == (120, True), asked
        # With gaps, soft pairwise accuracy takes its p-values as in samples: close, but not the same.
        off = 0.03 if missing and asked.coefficient == "spa" else 1e-9
        assert (found.p_value, found.mean) == pytest.approx((at_least / 120, np.mean(every)), abs=off), asked


def test_means_over_all_permutations_are_those_of_theory():
    r, r2, accuracy = chances(
        judged(1, 8, 20), [CoefficientSpec(name, "system") for name in ("pearson", "r2", "accuracy")]
    )
    assert (r.mean, r2.mean, accuracy.mean) == pytest.approx((0, 1 / 7, 0.5), abs=1e-12)
    assert r.deals == math.factorial(8)
    assert f"{r.mean:.3f}" == "0.000"


def test_kendall_of_seven_systems_has_the_exact_p_of_scipy():
    pairing = judged(6, 7, 40)
    (found,) = chances(pairing, [CoefficientSpec("kendall-b", "system")])
    expected = stats.kendalltau(*pairing.system_scores, method="exact", alternative="greater").pvalue
    assert 0.01 < expected < 0.99
    assert found.p_value == pytest.approx(expected, abs=1e-12)


def test_up_to_eight_systems_no_seed_changes_the_mark():
    """Among 199 random permutations, seven systems with an exact p of .065 were marked by some seeds only."""
    pairing = judged(6, 7, 40)
    found = [_chances(pairing, OF_SYSTEMS, TrustPlan(seed=seed, samples=100)) for seed in (1, 2)]
    assert found[0] == found[1]


def test_more_systems_follow_the_samples():
    pairing = judged(2, 12, 40)
    for samples, deals in ((400, 400), (5, 19)):  # with fewer than 19, no p is as small as .05
        found = _chances(pairing, OF_SYSTEMS, TrustPlan(samples=samples))
        assert {(one.deals, one.exact) for one in found.values()} == {(deals, False)}


def test_random_permutations_are_near_the_exact_p():
    pairing = judged(2, 12, 40)
    (found,) = chances(pairing, [CoefficientSpec("kendall-b", "system")], deals=20_000)
    expected = stats.kendalltau(*pairing.system_scores, method="exact", alternative="greater").pvalue
    assert found.p_value == pytest.approx(expected, abs=0.01)  # three standard errors


def test_chance_of_pairwise_accuracy_is_a_half_and_of_a_real_metric_beyond_it():
    generator = np.random.default_rng(4)
    human = np.linspace(-1, 1, 9)[:, np.newaxis] + generator.normal(size=(9, 80))
    found = chances(
        PairedScores(tuple("abcdefghi"), human, human + 1), [CoefficientSpec("accuracy", "system")], deals=400
    )[0]
    assert abs(found.mean - 0.5) < 0.03
    assert found.p_value == 1 / 401


# --- segments -----------------------------------------------------------------------------------------------


def test_chance_keeps_to_the_groups():
    """A metric that only knows which segments are hard agrees by chance, if one looks within segments."""
    generator = np.random.default_rng(6)
    hard = generator.normal(0, 5, 200)
    human = hard + generator.normal(size=(5, 200))
    metric = hard + generator.normal(size=(5, 200))
    human[0, :50] = np.nan
    pairing = PairedScores(tuple("abcde"), human, metric)
    assert estimate(pairing, CoefficientSpec("pearson", "segment", "none")).value > 0.9
    assert chances(pairing, [CoefficientSpec("pearson", "segment", "segment")], deals=20)[0].p_value > 0.04
    assert chances(pairing, [CoefficientSpec("pearson", "segment", "none")], deals=20)[0].upper < 0.2
    assert chances(pairing, [CoefficientSpec("pearson", "segment", "system")], deals=20)[0].upper < 0.2


def test_a_hundred_deals_are_counted():
    pairing = judged(4, 8, 80)
    (found,) = chances(pairing, [CoefficientSpec("kendall-b", "segment", "segment")], deals=100)
    assert abs(found.mean) < 0.02
    assert found.upper < 0.1
    assert found.p_value == 1 / 101


def test_eight_deals_of_segments_reject_a_true_null_hypothesis_one_time_in_twenty():
    """By Student's t, for every usual coefficient and for R², of skewed scores, on as few as ten segments of three
    systems. A rate of 0.05 over 300 trials has a standard error of 0.013; R² itself, not its root, was 0.1.
    """
    asked = [one for one in USUAL if one.level == "segment"] + [CoefficientSpec("r2", "segment", "none")]
    rejected = np.zeros(len(asked))
    for trial in range(300):
        generator = np.random.default_rng([3, trial])
        human = np.round(2 * (generator.normal(size=10) + generator.normal(size=(3, 10)))) / 2
        pairing = PairedScores(tuple("abc"), human, np.exp(generator.normal(size=(3, 10))))
        rejected += [found.p_value <= 0.05 for found in chances(pairing, asked, seed=trial)]
    assert (rejected / 300 <= 0.095).all()
    assert (rejected / 300 >= 0.015).all()


def test_chance_of_what_is_not_defined_is_not_defined():
    pairing = PairedScores(tuple("ab"), np.ones((2, 3)), np.ones((2, 3)))
    for asked in (CoefficientSpec("pearson", "segment"), CoefficientSpec("pearson", "system")):
        assert math.isnan(chances(pairing, [asked], deals=3)[0].mean)


def test_no_deals_are_refused():
    with pytest.raises(UnderstudyError, match="deals=0: expected at least 1"):
        chances(judged(1, 3, 5), [CoefficientSpec("pearson", "system")], deals=0)
