"""Bradley-Terry strengths, against choix and a general optimizer, and where they are not determined."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from material.ranked import comparisons_of, random_outcomes
from understudy.judging.agreement.bootstrap import ONE_CLUSTER
from understudy.judging.analysis.bradley_terry import bradley_terry
from understudy.judging.analysis.comparisons import Comparisons
from understudy.judging.analysis.davidson_likelihood import ALL_TIES, fitted, has_maximum
from understudy.judging.analysis.means import NO_JUDGMENTS
from understudy.judging.estimates import Absent
from understudy.judging.judgments import Rankings


def minus_log_likelihood(parameters, outcomes):
    """Of log strengths and the logarithm of the tie parameter."""
    *strengths, tied = parameters
    total = 0.0
    for one, other, times in outcomes:
        tie = tied + (strengths[one] + strengths[other]) / 2
        of_all = np.logaddexp.reduce([strengths[one], strengths[other], tie])
        total -= abs(times) * ((tie if times < 0 else strengths[one]) - of_all)
    return total


def strengths_of(outcomes):
    return bradley_terry(comparisons_of(outcomes), "ABCDE", samples=20)


def of_rankings(rankings):
    return bradley_terry(Comparisons.of(rankings), "AB", samples=20)


@pytest.mark.parametrize("seed", range(3))
def test_without_ties_it_is_that_of_choix(seed):
    choix = pytest.importorskip("choix")
    outcomes = random_outcomes(seed, 5, ties=False)
    pairs = [pair[:2] for pair in outcomes for _ in range(pair[2])]
    expected = choix.ilsr_pairwise(5, pairs, tol=1e-13)
    assert strengths_of(outcomes).values == pytest.approx(expected - expected.mean(), abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_with_ties_no_other_strengths_are_likelier(seed):
    outcomes = random_outcomes(seed, 4, ties=True)
    expected = minimize(minus_log_likelihood, np.zeros(5), args=(outcomes,), options={"gtol": 1e-8}).x
    found = strengths_of(outcomes)
    assert [*found.values, np.log(found.tie_parameter)] == pytest.approx(
        [*expected[:4] - expected[:4].mean(), expected[4]], abs=1e-5
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_likelihood_is_flat_at_its_maximum(seed):
    outcomes = random_outcomes(seed, 4, ties=True)
    found = strengths_of(outcomes)
    at = np.array([*found.values, np.log(found.tie_parameter)])
    step = 1e-5 * np.eye(5)
    slopes = [
        (minus_log_likelihood(at + each, outcomes) - minus_log_likelihood(at - each, outcomes)) / 2e-5
        for each in step
    ]
    assert slopes == pytest.approx([0] * 5, abs=1e-5)


def test_two_systems_differ_by_the_logarithm_of_their_odds():
    found = strengths_of([(0, 1, 6), (1, 0, 2)])
    assert found.values == pytest.approx([np.log(3) / 2, -np.log(3) / 2], abs=1e-12)


def test_the_tie_parameter_is_of_equal_systems():
    """v / (2 + v) of the comparisons are ties."""
    found = strengths_of([(0, 1, 3), (1, 0, 3), (0, 1, -4)])
    assert found.tie_parameter / (2 + found.tie_parameter) == pytest.approx(0.4, abs=1e-12)


def test_many_samples_are_fitted_as_if_alone():
    tables = [random_outcomes(seed, 4, ties=seed % 2 == 0) for seed in range(6)]
    wins, ties = np.zeros((6, 4, 4)), np.zeros((6, 4, 4))
    for place, outcomes in enumerate(tables):
        for one, other, times in outcomes:
            if times > 0:
                wins[place, one, other] += times
            else:
                ties[place, [one, other], [other, one]] -= times
    assert fitted(wins, ties)[0] == pytest.approx(
        np.array([strengths_of(outcomes).values for outcomes in tables]), abs=1e-9
    )


def test_wins_losses_and_ties_are_counted():
    first = strengths_of([(0, 1, 3), (1, 0, 2), (0, 1, -4)]).systems[0]
    assert (first.system, first.wins, first.losses, first.ties) == ("A", 3, 2, 4)


def test_repeats_do_not_count():
    rankings = Rankings.of([0] * 6, [0, 0, 1, 1, 1, 1], [0, 0, 1, 1, 2, 2], [0, 1] * 3, [1, 2, 2, 1, 1, 2])
    repeated = Rankings(**{**vars(rankings), "repeat": rankings.screen == 2})
    assert of_rankings(repeated).comparisons == 2


@pytest.mark.parametrize(
    ("outcomes", "reason"),
    [
        ([], NO_JUDGMENTS),
        ([(0, 1, -3)], ALL_TIES),
        ([(0, 1, 3)], "'A' never lost to or tied with 'B'"),
        ([(0, 1, 3), (1, 2, 1), (2, 1, 1)], "'A' never lost to or tied with 'B', 'C'"),
        (
            [(0, 1, 1), (1, 0, 1), (2, 3, 1), (3, 2, 1)],
            "'A', 'B' and 'C', 'D' were not compared, even through others",
        ),
        (
            [(0, 1, 1), (0, 1, -1)],
            "no system lost to one that was at least its equal, so strengths and ties grow without bound",
        ),
    ],
)
def test_what_is_not_determined_has_a_reason(outcomes, reason):
    assert strengths_of(outcomes) == Absent(reason)


@pytest.mark.parametrize("seed", range(30))
def test_a_maximum_is_expected_where_the_likelihood_has_one(seed):
    """Elsewhere an optimizer runs away."""
    generator = np.random.default_rng(seed)
    wins = ties = np.zeros((1, 3, 3))
    while not (wins.any() and ties.any()):
        wins = generator.integers(0, 2, (1, 3, 3)) * (1 - np.eye(3))
        ties = np.triu(generator.integers(0, 2, (1, 3, 3)), 1)
        ties = ties + ties.swapaxes(1, 2)
    outcomes = [(a, b, int(wins[0, a, b])) for a in range(3) for b in range(3) if wins[0, a, b]]
    outcomes += [(a, b, -int(ties[0, a, b])) for a in range(3) for b in range(a) if ties[0, a, b]]
    found = minimize(
        minus_log_likelihood, np.zeros(4), args=(outcomes,), options={"gtol": 1e-10, "maxiter": 10_000}
    ).x
    assert has_maximum(wins, ties)[0] == (np.abs(found - found[:3].mean()).max() < 6)


def test_one_segment_has_no_interval():
    rankings = Rankings.of([0] * 4, [0] * 4, [0, 0, 1, 1], [0, 1] * 2, [1, 2, 2, 1])
    found = of_rankings(rankings)
    assert found.systems[0].strength.no_interval == ONE_CLUSTER


def test_strengths_that_samples_often_leave_undefined_have_no_interval():
    found = strengths_of([(0, 1, 2), (1, 0, 1)])
    assert "bootstrap samples" in found.systems[0].strength.no_interval


def test_then_there_are_no_clusters():
    assert isinstance(strengths_of([(0, 1, 2), (1, 0, 1)]).rank_clusters(), Absent)


def test_clusters_are_of_strengths():
    outcomes = [(0, 1, 90), (1, 0, 10), (0, 2, 90), (2, 0, 10), (1, 2, 50), (2, 1, 50)]
    ranked = strengths_of(outcomes).rank_clusters()
    assert [(each.system, each.cluster) for each in ranked.systems] == [("A", 1), ("B", 2), ("C", 2)]


def test_a_pair_is_significant_where_its_interval_excludes_0():
    pairs = strengths_of(random_outcomes(0, 5, ties=True)).rank_clusters(correction="none").pairs
    assert [pair.significant for pair in pairs] == [pair.interval.low > 0 for pair in pairs]
