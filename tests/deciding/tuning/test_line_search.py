"""The exact line search against brute force: at every step, the same choices, the same sums, the same objective."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from material.candidate_lists import METRICS, counted_candidates, made_up_texts
from reference.line_search import chosen_at, is_tied
from understudy import NBest
from understudy.deciding.tuning.candidates import Candidates
from understudy.deciding.tuning.line_search import Intervals, intervals_along

STEPS = np.concatenate([np.linspace(-4, 4, 25), [-1e6, -1e3, 1e3, 1e6]])


def lists_of(seed: int, kind: str) -> tuple[NBest, list[str], list[list[list[float]]]]:
    """N-best lists with integer or real features, with duplicates and with features that do not vary."""
    random = np.random.default_rng(seed)
    texts, references, _ = made_up_texts(random, segments=int(random.integers(1, 8)), most=7)
    names = int(random.integers(1, 4))
    values: list[list[list[float]]] = []
    for group in texts:
        if kind == "real":
            of_group = random.normal(size=(len(group), names))
        else:
            of_group = random.integers(-2, 3, size=(len(group), names)).astype(float)
        if random.random() < 0.3:
            of_group[:, 0] = 1.0
        if len(group) > 1 and random.random() < 0.5:  # the same line twice
            of_group[-1] = of_group[0]
        values.append(of_group.tolist())
    features = {f"f{name}": [[row[name] for row in of_group] for of_group in values] for name in range(names)}
    return NBest.of_texts(texts, features=features), references, values


def value_by_hand(candidates: Candidates, chosen: list[int]) -> float:
    """The objective of candidates given by their number in each segment."""
    rows = candidates.offsets[:-1] + np.array(chosen)
    return float(candidates.objective.value([rows_of[rows].sum(axis=0) for rows_of in candidates.counts]))


def found_at(intervals: Intervals, step: float) -> int:
    return int(np.flatnonzero((intervals.low <= step) & (step <= intervals.high))[0])


@pytest.mark.parametrize("metric", METRICS)
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), kind=st.sampled_from(["real", "integer"]))
def test_the_search_is_brute_force_at_every_step(metric: str, seed: int, kind: str) -> None:
    lists, references, values = lists_of(seed, kind)
    candidates = counted_candidates(lists, references, *METRICS[metric])
    random = np.random.default_rng(seed)
    size = len(lists.feature_names)
    if kind == "integer":
        weights, direction = (
            random.integers(-2, 3, size).astype(float),
            random.integers(-1, 2, size).astype(float),
        )
    else:
        weights, direction = random.normal(size=size), random.normal(size=size)
    found = intervals_along(candidates, weights * candidates.scales, direction * candidates.scales)
    assert found.low[0] == -np.inf
    assert found.high[-1] == np.inf
    assert (found.low[1:] >= found.high[:-1]).all()
    scanned = []
    for step in STEPS:
        if is_tied(values, weights, direction, step, close=1e-7):
            continue
        by_hand = value_by_hand(candidates, chosen_at(values, weights, direction, step))
        scanned.append(float(candidates.objective.worth(by_hand)))
        assert found.values[found_at(found, step)] == by_hand  # integer statistics: to the last digit
    step, best = found.best_step()
    assert not scanned or best >= max(scanned)
    at_best = value_by_hand(candidates, chosen_at(values, weights, direction, step))
    assert candidates.objective.worth(at_best) == pytest.approx(best, abs=1e-9)
    moved = weights + step * direction
    assert candidates.value(moved * candidates.scales) == at_best


def test_statistics_of_every_interval_are_those_of_its_middle() -> None:
    lists, references, values = lists_of(7, "real")
    candidates = counted_candidates(lists, references, *METRICS["bleu"])
    weights = np.ones(len(lists.feature_names))
    for direction in np.eye(len(weights)):
        found = intervals_along(candidates, weights * candidates.scales, direction * candidates.scales)
        middles = (np.maximum(found.low, -1e9) + np.minimum(found.high, 1e9)) / 2
        for middle, value in zip(middles, found.values, strict=True):
            assert value_by_hand(candidates, chosen_at(values, weights, direction, middle)) == value


def simple(*groups: list[tuple[str, float, float]]) -> Candidates:
    """Candidates of the reference `a b c d e`, given by text, intercept and slope."""
    lists = NBest.of_texts(
        [[text for text, _, _ in group] for group in groups],
        features={
            "intercept": [[value for _, value, _ in group] for group in groups],
            "slope": [[value for _, _, value in group] for group in groups],
        },
    )
    return counted_candidates(lists, ["a b c d e"] * len(groups), *METRICS["chrf"])


def along_the_slope(candidates: Candidates, **limits: Any) -> Intervals:
    """Intervals in the step of the second feature."""
    weights, direction = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    return intervals_along(candidates, weights * candidates.scales, direction * candidates.scales, **limits)


GOOD, BAD = "a b c d e", "x y z"


def test_of_equal_lines_the_first_is_chosen() -> None:
    for first, second in ((GOOD, BAD), (BAD, GOOD)):
        found = along_the_slope(simple([(first, 0, 1), (second, 0, 1), ("a b", -5, 1)]))
        assert len(found.values) == 1
        assert (found.values[0] == 100) == (first == GOOD)


def test_lines_through_one_point_leave_no_empty_interval() -> None:
    for order in itertools.permutations([(BAD, 0.0, -1.0), (GOOD, 0.0, 0.0), ("a b", 0.0, 1.0)]):
        found = along_the_slope(simple(list(order)))
        assert found.low.tolist() == [-np.inf, 0.0]
        assert found.values.max() < 100  # the flat line is highest nowhere but in the point


def test_equal_steps_of_several_segments_are_one_corner() -> None:
    lines = [(BAD, 0.0, 0.0), (GOOD, -1.0, 1.0)]
    found = along_the_slope(simple(lines, lines, lines))
    assert found.low.tolist() == [-np.inf, 1.0]
    assert found.values.tolist() == [pytest.approx(0), 100]


def test_the_middle_of_the_best_interval() -> None:
    bounded = along_the_slope(simple([(BAD, 0.0, -1.0), (GOOD, 1.0, 0.0), ("x", 0.0, 1.0)]))
    assert bounded.best_step()[0] == 0.0
    to_the_right = along_the_slope(simple([(BAD, 0.0, 0.0), (GOOD, -2.0, 1.0)]))
    assert to_the_right.best_step()[0] == 3.0
    to_the_left = along_the_slope(simple([(BAD, 0.0, 1.0), (GOOD, 2.0, 0.0)]))
    assert to_the_left.best_step()[0] == 1.0
    everywhere = along_the_slope(simple([(GOOD, 0.0, 1.0), (BAD, -1.0, 1.0)]))
    assert everywhere.best_step() == (0.0, 100.0)


def test_a_plateau_is_one_interval_and_the_widest_wins() -> None:
    # Best from -3 to -1, in two intervals with different candidates, and from 4 to 5.
    found = Intervals(
        low=np.array([-np.inf, -3.0, -2.0, -1.0, 4.0, 5.0]),
        high=np.array([-3.0, -2.0, -1.0, 4.0, 5.0, np.inf]),
        values=np.array([1.0, 2.0, 2.0, 1.0, 2.0, 0.0]),
        worth=np.array([1.0, 2.0, 2.0, 1.0, 2.0, 0.0]),
    )
    assert found.best_step() == (-2.0, 2.0)


def test_limits_cut_intervals() -> None:
    candidates = simple([(BAD, 0.0, 0.0), (GOOD, -2.0, 1.0)])
    assert along_the_slope(candidates, most=1.0).values.max() < 100
    assert along_the_slope(candidates, most=4.0).best_step() == (3.0, 100.0)
    single = along_the_slope(candidates, least=3.0, most=3.0)
    assert (single.low.tolist(), single.values.tolist()) == ([3.0], [100.0])


def test_what_is_not_a_number_is_worst() -> None:
    found = Intervals(np.array([-1.0]), np.array([1.0]), np.array([np.nan]), np.array([-np.inf]))
    assert found.best_step() == (0.0, -np.inf)
