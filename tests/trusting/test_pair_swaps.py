"""Swaps of decisions about pairs of translations, as mt-metrics-eval makes them for accuracy with calibrated ties."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from understudy import UnderstudyError
from understudy.resampling.samples import swaps
from understudy.trusting.coefficients.by_name import CoefficientSpec, estimate
from understudy.trusting.coefficients.pairwise_preferences import HeldOutTies, TunedTies
from understudy.trusting.metric_tests.metric_ranking import null_differences
from understudy.trusting.paired_scores import PairedScores
from understudy.trusting.plan import TrustPlan

ACC_EQ = CoefficientSpec("acc-eq", "segment", "segment")


def two_metrics(*, gaps: bool = False):
    generator = np.random.default_rng(5)
    human = generator.integers(-3, 1, (4, 12)).astype(float)
    metrics = [human + generator.normal(0, noise, human.shape) for noise in (1, 2)]
    if gaps:
        human[1, 3:5] = np.nan
        human[:3, 7] = np.nan  # one translation: no pair
    return {
        name: PairedScores(tuple("abcd"), human, metric) for name, metric in zip("xy", metrics, strict=True)
    }


def right_or_wrong(pairing, threshold):
    """By segment, of every two translations that people judged."""
    human, metric = pairing.segment_scores
    found = []
    for segment in range(human.shape[1]):
        decisions = {}
        for pair in combinations(range(len(human)), 2):
            h, m = (scores[pair[0], segment] - scores[pair[1], segment] for scores in (human, metric))
            if not np.isnan(h):
                order = 0 if abs(m) <= threshold else np.sign(m)
                decisions[pair] = bool(np.sign(h) == order)
        found.append(decisions)
    return found


def accuracy(by_segment):
    return np.mean([np.mean(list(decisions.values())) for decisions in by_segment if decisions])


@pytest.mark.parametrize("gaps", [False, True])
def test_the_same_swaps_give_the_same_differences(gaps):
    """Beside hybrids that are put together decision by decision."""
    metrics = two_metrics(gaps=gaps)
    _, (found,) = null_differences(metrics, ACC_EQ, test="perm-pairs", samples=8, seed=3)
    one, other = (
        right_or_wrong(
            pairing, TunedTies(pairing.human, pairing.metric, ACC_EQ.grouping).calibrated().threshold
        )
        for pairing in metrics.values()
    )
    pairs = list(combinations(range(4), 2))
    for swapped, difference in zip(np.concatenate(list(swaps(12 * 6, 8, 3))), found, strict=True):
        hybrids: tuple[list[dict], list[dict]] = ([], [])
        for segment, flags in enumerate(swapped.reshape(12, 6)):
            sides = (one, other), (other, one)
            for hybrid, (mine, its) in zip(hybrids, sides, strict=True):
                hybrid.append(
                    {
                        pair: (its if flag else mine)[segment][pair]
                        for pair, flag in zip(pairs, flags, strict=True)
                        if pair in mine[segment]
                    }
                )
        assert difference == pytest.approx(accuracy(hybrids[0]) - accuracy(hybrids[1]), abs=1e-12)


@pytest.mark.parametrize(
    ("name", "grouping"),
    [("acc-eq", "none"), ("acc-eq", "segment"), ("acc-eq", "system"), ("acc-eq-held-out", "segment")],
)
def test_what_pairs_add_is_the_coefficient(name, grouping):
    estimator = estimate(two_metrics(gaps=True)["y"], CoefficientSpec(name, "segment", grouping))
    assert isinstance(estimator, TunedTies | HeldOutTies)
    assert estimator.pair_shares().sum() == pytest.approx(estimator.value, abs=1e-12)


def test_only_pairs_of_judged_translations_are_held_in_memory():
    human = np.full((4, 500), np.nan)
    human[:, :3] = np.arange(12).reshape(4, 3)
    estimator = estimate(
        PairedScores(tuple("abcd"), human, np.ones((4, 500))), CoefficientSpec("acc-eq", "segment", "none")
    )
    assert isinstance(estimator, TunedTies)
    assert len(estimator.pair_shares()) == 12 * 11 / 2


def test_it_is_the_test_of_accuracy_with_calibrated_ties_unless_another_is_chosen():
    assert TrustPlan(rank_by="acc-eq").test_of("segment") == "perm-pairs"
    assert TrustPlan(rank_by="acc-eq").ranked_by("segment") == ACC_EQ  # by segment, as in the tasks
    assert TrustPlan(rank_by="acc-eq", test="perm-inputs").test_of("segment") == "perm-inputs"
    assert TrustPlan(test="perm-pairs").ranked_by("segment") == ACC_EQ
    assert TrustPlan(test="perm-pairs").ranked_by("system") is None
    assert TrustPlan(rank_by="spa").test_of("system") == "perm-both"
    assert TrustPlan().test_of("segment") == "perm-inputs"


def test_one_system_has_no_pairs_of_translations():
    alone = {
        name: PairedScores(("a",), each.human[:1], each.metric[:1]) for name, each in two_metrics().items()
    }
    values, differences = null_differences(alone, ACC_EQ, test="perm-pairs", samples=3)
    assert np.isnan(values).all()
    assert not differences.any()


def test_other_coefficients_have_no_decisions_to_swap():
    with pytest.raises(UnderstudyError, match="perm-pairs' tests only segment-level acc-eq"):
        TrustPlan(rank_by="kendall-b", test="perm-pairs")
    with pytest.raises(UnderstudyError, match="perm-pairs' of kendall-b"):
        null_differences(two_metrics(), CoefficientSpec("kendall-b", "segment", "segment"), test="perm-pairs")
