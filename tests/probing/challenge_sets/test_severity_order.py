"""Whether more severe errors cost more: shares counted by hand, beside brute force, and coverage in a simulation."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.probing.challenge_sets.results import ChallengeResults
from understudy.probing.challenge_sets.run import probe_pairs

RANKS = ("minor", "major", "critical")


def probed(errors: list[tuple[str, int, float]], **plan: Any) -> ChallengeResults:
    """Errors of a severity in a segment that cost so much."""
    pairs = [
        {"good": "a", "bad": "b", "severity": severity, "seg": segment} for severity, segment, _ in errors
    ]
    return probe_pairs(pairs, scores={"m": ([cost for *_, cost in errors], [0] * len(errors))}, **plan)


def test_errors_of_the_same_segment_are_compared() -> None:
    (found,) = probed(
        [("minor", 1, 2), ("major", 1, 3), ("critical", 1, 1), ("minor", 2, 5), ("major", 2, 5)]
    ).severity_orders
    assert (found.within_segments, found.compared, found.ordered, found.tied) == (True, 4, 0.25, 0.25)


def test_all_errors_are_compared_if_few_share_a_segment() -> None:
    (found,) = probed([("minor", 1, 2), ("minor", 2, 4), ("major", 3, 3), ("major", 4, 4)]).severity_orders
    assert (found.within_segments, found.compared, found.ordered, found.tied) == (False, 4, 0.5, 0.25)


def test_severities_are_ranked_as_requested() -> None:
    errors = [("mild", 1, 1.0), ("grave", 1, 2.0), ("mild", 2, 1.0), ("grave", 2, 2.0)]
    assert probed(errors).severity_orders == ()
    (found,) = probed(errors, severities=("mild", "grave")).severity_orders
    assert found.ordered == 1.0


def test_baselines_are_not_ranked() -> None:
    found = probed([("base", 1, 9), ("minor", 1, 1), ("major", 1, 2)])
    assert (found.unranked, found.severity_orders[0].compared) == (("base",), 1)
    assert [result.severity for result in found.severities] == ["minor", "major", "base"]


def test_accuracy_and_cost_of_each_severity() -> None:
    found = probed([("minor", 1, 1), ("minor", 2, -2), ("major", 1, 4)]).severities
    assert [(result.pairs, result.accuracy, result.difference) for result in found] == [
        (2, 0.5, -0.5),
        (1, 1.0, 4.0),
    ]


def test_without_severities_there_is_nothing() -> None:
    found = probe_pairs([{"good": "a", "bad": "b", "ref": "a"}], "chrf")
    assert (found.severities, found.severity_orders, found.unranked) == ((), (), ())


def test_one_segment_has_no_interval() -> None:
    assert probed([("minor", 1, 1), ("major", 1, 2)]).severity_orders[0].interval is None


ERRORS = st.lists(
    st.tuples(st.sampled_from(RANKS), st.integers(1, 4), st.integers(-2, 2).map(float)),
    min_size=2,
    max_size=14,
)


@settings(deadline=None)
@given(ERRORS)
def test_beside_brute_force(errors: list[tuple[str, int, float]]) -> None:
    orders = probed(errors).severity_orders
    within = [pair for pair in combinations(errors, 2) if pair[0][1] == pair[1][1]]
    every = [
        sorted(pair, key=lambda error: RANKS.index(error[0]))
        for pair in (within if orders and orders[0].within_segments else combinations(errors, 2))
        if pair[0][0] != pair[1][0]
    ]
    if not orders:
        assert len({severity for severity, *_ in errors}) < 2
        return
    ordered = sum(more[2] > less[2] for less, more in every)
    tied = sum(more[2] == less[2] for less, more in every)
    assert orders[0].compared == len(every)
    assert (orders[0].ordered, orders[0].tied) == pytest.approx((ordered / len(every), tied / len(every)))


@pytest.mark.parametrize("segments", [10, 40])
def test_intervals_cover_the_true_share(segments: int) -> None:
    """Three errors per segment, costs of known distribution: between 91.5% and 99% of 300 intervals at 95%."""
    generator = np.random.default_rng(2)
    apart = 0.5 * np.random.default_rng(1).normal(size=(2, 200_000))
    true = np.mean([(apart[1] + shift > apart[0]).mean() for shift in (0.4, 0.8, 0.4)])
    covered = 0
    for _ in range(300):
        costs = generator.normal(size=segments)[:, np.newaxis] + 0.5 * generator.normal(size=(segments, 3))
        costs += [0.0, 0.4, 0.8]
        errors = [(RANKS[rank], place, costs[place, rank]) for place in range(segments) for rank in range(3)]
        interval = probed(errors).severity_orders[0].interval
        assert interval is not None
        covered += interval.low <= true <= interval.high
    assert 0.915 <= covered / 300 <= 0.99
