"""Exchanges between metrics that are ranked by soft pairwise accuracy: all at once as one by one."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from understudy.resampling.samples import swaps
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.coefficients.soft_pairwise_accuracy import SoftPairwiseAccuracy
from understudy.trusting.metric_tests.metric_ranking import null_differences, rank_metrics
from understudy.trusting.metric_tests.permutation_tests import PERMUTATION_TESTS
from understudy.trusting.paired_scores import PairedScores

SPA = CoefficientSpec("spa", "system")


def three_metrics(*, segments: int = 60, gaps: bool = False):
    generator = np.random.default_rng(2)
    human = np.round(generator.normal(np.arange(4)[:, np.newaxis] / 2, 2, (4, segments)))
    metrics = [human + generator.standard_t(3, human.shape) * noise for noise in (1, 2, 3)]
    if gaps:
        human[0, :5] = np.nan
        human[2, 3:9] = np.nan
    return {f"m{i}": PairedScores(tuple("abcd"), human, metric) for i, metric in enumerate(metrics)}


def changes(kind, shape, samples, seed):
    systems, segments = shape
    sizes = {"perm-both": (systems, segments), "perm-inputs": (1, segments), "perm-systems": (systems, 1)}
    size = sizes[kind]
    for row in np.concatenate(list(swaps(size[0] * size[1], samples, seed))):
        yield np.broadcast_to(row.reshape(size) > 0, shape)


@pytest.mark.parametrize("kind", PERMUTATION_TESTS)
@pytest.mark.parametrize("options", [{}, {"gaps": True}, {"segments": 8}], ids=str)
def test_all_exchanges_at_once_are_those_one_by_one(kind, options):
    metrics = three_metrics(**options)
    values, found = null_differences(metrics, SPA, test=kind, samples=12, seed=4)
    human = metrics["m0"].human
    judged = ~np.isnan(human)
    scores = [
        (each.metric - each.metric[judged].mean()) / each.metric[judged].std() for each in metrics.values()
    ]
    for value, pairing in zip(values, metrics.values(), strict=True):
        assert value == pytest.approx(SoftPairwiseAccuracy(*pairing.segment_scores).value, abs=1e-9)
    for (a, b), differences in zip(combinations(range(3), 2), found, strict=True):
        for change, difference in zip(changes(kind, human.shape, 12, 4), differences, strict=True):
            one, other = (
                SoftPairwiseAccuracy(human, np.where(change, scores[its], scores[mine])).value
                for mine, its in ((a, b), (b, a))
            )
            # Scores that change hands by segment leave p-values 1e-4 off; of few segments, or of systems, nothing.
            exact = kind == "perm-systems" or "segments" in options
            assert difference == pytest.approx(one - other, abs=1e-9 if exact else 5e-4)


@pytest.mark.parametrize("kind", PERMUTATION_TESTS)
def test_gaps_of_a_metric_change_hands_with_its_scores(kind):
    one, other, _ = three_metrics(segments=20).values()
    scores = [each.metric.copy() for each in (one, other)]
    scores[1][0, :4] = np.nan
    gap = PairedScores(other.systems, other.human, scores[1])
    _, (found,) = null_differences({"one": one, "gap": gap}, SPA, test=kind, samples=5, seed=4)
    scores = [(each - np.nanmean(each)) / np.nanstd(each) for each in scores]
    for change, difference in zip(changes(kind, one.human.shape, 5, 4), found, strict=True):
        expected = [
            SoftPairwiseAccuracy(one.human, np.where(change, scores[1 - mine], scores[mine])).value
            for mine in (0, 1)
        ]
        assert difference == pytest.approx(expected[0] - expected[1], abs=1e-9)


def test_a_metric_and_its_copy_cannot_be_told_apart():
    metrics = three_metrics()
    found = rank_metrics({"one": metrics["m0"], "copy": metrics["m0"]}, SPA, samples=50)
    assert found.pairs[0].p_value == 1.0


def test_a_metric_that_is_the_same_for_all_systems_is_in_no_cluster():
    metrics = three_metrics()
    flat = PairedScores(metrics["m0"].systems, metrics["m0"].human, np.ones((4, 60)))
    found = rank_metrics({**metrics, "flat": flat}, SPA, samples=50)
    assert sorted(name for cluster in found.clusters for name in cluster) == ["m0", "m1", "m2"]
    assert all(np.isnan(pair.p_value) == (pair.second == "flat") for pair in found.pairs)
