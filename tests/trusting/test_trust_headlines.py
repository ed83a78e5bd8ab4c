"""What is said first of metrics: none is called the best that the data do not show to be."""

from __future__ import annotations

import itertools
from collections.abc import Collection
from dataclasses import replace

import pytest

from material.trusts import made_up
from understudy.report.trust_headlines import verdicts
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.metric_tests.metric_ranking import MetricPair
from understudy.trusting.results import Trust

R = CoefficientSpec("pearson", "system")


def of(metrics: int, significant: set[tuple[int, int]], by_chance: Collection[int] = ()) -> Trust:
    """Metrics of rising numbers and falling r: which pairs differ, and which of them could be chance."""
    found = made_up(metrics=metrics, level="system")
    names = [metric.name for metric in found.metrics]
    pairs = [
        replace(_any_pair(found), first=names[one], second=names[two], significant=(one, two) in significant)
        for one in range(metrics)
        for two in range(one + 1, metrics)
    ]
    apart = [
        number for number in range(1, metrics) if all((one, number) in significant for one in range(number))
    ]
    bounds = [0, *apart, metrics]
    ranking = replace(
        found.rankings[0],
        values={name: 0.9 - 0.1 * number for number, name in enumerate(names)},
        pairs=pairs,
        clusters=[names[begin:end] for begin, end in itertools.pairwise(bounds)],
    )
    changed = []
    for number, metric in enumerate(found.metrics):
        p = 0.5 if number in by_chance else 0.001
        agreed = [replace(each, chance=replace(each.chance, p_value=p)) for each in metric.agreed]
        changed.append(replace(metric, agreed=agreed))
    return replace(found, metrics=changed, rankings=[ranking])


def _any_pair(found: Trust) -> MetricPair:
    return found.rankings[0].pairs[0]


def test_the_best_is_named_if_it_is_better_than_all_others() -> None:
    ((sound, said),) = verdicts(of(3, {(0, 1), (0, 2)}), R, 3)
    assert sound
    assert said == (
        "At system level, metric 1 agrees significantly better with human scores than metric 2 and metric 3: "
        "Pearson's r is 0.900, the next highest 0.800."
    )


def test_two_that_do_not_differ_are_named_together() -> None:
    ((sound, said),) = verdicts(of(2, set()), R, 3)
    assert not sound
    assert said == (
        "At system level, metric 1 and metric 2 do not differ significantly in agreement with human scores: "
        "Pearson's r is 0.900 for metric 1 and 0.800 for metric 2."
    )


def test_no_best_is_named_that_is_not_better_than_the_next() -> None:
    ((sound, said),) = verdicts(of(3, {(0, 2), (1, 2)}), R, 3)
    assert not sound
    assert said == (
        "At system level, no metric agrees significantly better with human scores than all others: Pearson's r is "
        "highest for metric 1, 0.900, but not significantly higher than for metric 2. First cluster: metric 1 and "
        "metric 2."
    )


@pytest.mark.parametrize(
    ("by_chance", "expected"),
    [
        (
            {0, 1},
            "At system level, no metric's Pearson's r with human scores is significantly above the permutation "
            "baseline; the highest is 0.900 (metric 1)",
        ),
        (
            {0},
            "At system level, the highest Pearson's r with human scores, 0.900 (metric 1), is not significantly above "
            "the permutation baseline",
        ),
    ],
)
def test_no_best_is_named_that_could_be_chance(by_chance: set[int], expected: str) -> None:
    for significant, end in ((set(), "."), ({(0, 1)}, ", significantly higher than that of metric 2.")):
        assert verdicts(of(2, significant, by_chance), R, 3) == [(False, f"{expected}{end}")]


def test_one_metric_has_a_value_and_perhaps_no_more() -> None:
    for by_chance, end in ((set(), ")."), ({0}, "), not significantly above the permutation baseline.")):
        found = replace(of(2, set(), by_chance), rankings=[])
        ((sound, said),) = verdicts(replace(found, metrics=found.metrics[:1]), R, 3)
        assert sound is (not by_chance)
        assert said.startswith("At system level, Pearson's r of metric 1 with human scores is 0.9")
        assert said.endswith(end)


def test_untested_metrics_are_not_ranked_in_words() -> None:
    ((sound, said),) = verdicts(replace(of(2, set()), rankings=[]), R, 3)
    assert not sound
    assert "is highest for metric 1, 0.9" in said
    assert said.endswith("Differences were not tested.")
