"""Agreement on pairs of outputs: which output of a pair comes first is arbitrary."""

from __future__ import annotations

import numpy as np
import pytest

from reference.inter_annotator import cohen, fleiss
from understudy.judging.agreement.cohen import cohen_kappa
from understudy.judging.agreement.fleiss import fleiss_kappa
from understudy.judging.agreement.krippendorff import krippendorff_alpha
from understudy.judging.agreement.reliability_data import ReliabilityData
from understudy.judging.agreement.self_agreement import self_agreement_of_comparisons
from understudy.judging.analysis.comparisons import Comparisons
from understudy.judging.judgments import Rankings

JUDGES, SEGMENTS, SYSTEMS = 3, 12, 4


def ranked_by_three(seed=1):
    """The ranks that each judge gave in each segment [judges, segments, systems]; system 0 is mostly best."""
    chance = np.random.default_rng(seed)
    worth = np.arange(SYSTEMS) + chance.normal(0, 1.5, (JUDGES, SEGMENTS, SYSTEMS))
    return np.clip(worth.round(), 0, SYSTEMS).astype(int) + 1


def comparisons_of(ranks, order):
    """With the systems in this order. The segments after the first SEGMENTS are the same again."""
    rows = [
        (judge, segment % SEGMENTS, judge * ranks.shape[1] + segment, place, ranks[judge, segment, system])
        for judge, segment in np.ndindex(ranks.shape[:2])
        for place, system in enumerate(order)
    ]
    return Comparisons.of(Rankings.of(*zip(*rows, strict=True)))


def outcomes(ranks, judges):
    """In both directions: a row per ordered pair of systems of a segment."""
    return [
        [int(np.sign(ranks[judge, segment, b] - ranks[judge, segment, a])) for judge in judges]
        for segment in range(SEGMENTS)
        for a in range(SYSTEMS)
        for b in range(SYSTEMS)
        if a != b
    ]


@pytest.mark.parametrize(
    "coefficient",
    [fleiss_kappa, lambda data: cohen_kappa(data).mean, lambda data: krippendorff_alpha(data, "nominal")],
)
def test_the_order_of_systems_does_not_matter(coefficient):
    ranks = ranked_by_three()
    values = {
        round(coefficient(ReliabilityData.of_comparisons(comparisons_of(ranks, order))).value, 12)
        for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1])
    }
    assert len(values) == 1


def test_the_order_of_systems_does_not_matter_for_self_agreement():
    twice = np.concatenate([ranked_by_three(1), ranked_by_three(2)], axis=1)
    values = set()
    for order in ([0, 1, 2, 3], [2, 0, 3, 1]):
        found = self_agreement_of_comparisons(comparisons_of(twice, order), "xyz")[0]
        values.add((found.repeats, round(found.identical.value, 12), round(found.alpha.value, 12)))
    assert len(values) == 1


def test_kappas_are_those_of_pairs_in_both_directions():
    ranks = ranked_by_three()
    data = ReliabilityData.of_comparisons(comparisons_of(ranks, range(SYSTEMS)))
    assert fleiss_kappa(data).value == pytest.approx(fleiss(outcomes(ranks, range(JUDGES))), abs=1e-12)
    for pair in cohen_kappa(data).pairs:
        ones, others = zip(*outcomes(ranks, (pair.first, pair.second)), strict=True)
        assert pair.kappa.value == pytest.approx(cohen(ones, others), abs=1e-12)


def test_judges_who_agree_on_the_winner_of_every_pair_agree():
    """Numbered by rank, all outcomes are equal: not because chance is certain."""
    ranks = np.broadcast_to(np.arange(1, SYSTEMS + 1), (JUDGES, SEGMENTS, SYSTEMS))
    data = ReliabilityData.of_comparisons(comparisons_of(ranks, range(SYSTEMS)))
    assert krippendorff_alpha(data, "nominal").value == 1
    assert fleiss_kappa(data).value == 1
    assert cohen_kappa(data).mean.value == 1
