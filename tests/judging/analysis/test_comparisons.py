"""Pairs of systems in rankings, and how often one is ranked above others."""

from __future__ import annotations

import numpy as np
import pytest

from material.ranked import comparisons_of
from understudy.judging.analysis.comparisons import Comparisons
from understudy.judging.analysis.win_rates import NOT_COMPARED, ONLY_TIES, win_rates
from understudy.judging.judgments import Rankings


def test_a_ranking_makes_every_pair_once():
    rankings = Rankings.of([0] * 3, [0] * 3, [0] * 3, [2, 0, 1], [1, 3, 1])
    found = Comparisons.of(rankings)
    assert np.stack([found.first, found.second, found.outcome]).T.tolist() == [
        [0, 1, -1],
        [0, 2, -1],
        [1, 2, 0],
    ]


def test_rows_of_a_screen_need_not_be_together():
    rankings = Rankings.of([0] * 4, [0, 1, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1], [1, 2, 2, 1])
    assert Comparisons.of(rankings).outcome.tolist() == [1, -1]


def test_rankings_of_any_size():
    sizes = [1, 2, 5, 3]
    screen = np.repeat(np.arange(4), sizes)
    system = np.concatenate([np.arange(size) for size in sizes])
    assert len(Comparisons.of(Rankings.of(screen * 0, screen, screen, system, system + 1))) == 0 + 1 + 10 + 3


def test_no_rankings():
    assert len(Comparisons.of(Rankings.of([], [], [], [], []))) == 0


def test_win_rates_leave_ties_out_or_count_them():
    first = win_rates(comparisons_of([(0, 1, 6), (1, 0, 2), (0, 1, -2)]), "AB")[0]
    assert (first.better.value, first.better_or_tied.value) == (0.75, 0.8)


@pytest.mark.parametrize(("outcomes", "reason"), [([], NOT_COMPARED), ([(0, 1, -2)], ONLY_TIES)])
def test_without_wins_and_losses_there_is_no_rate(outcomes, reason):
    assert win_rates(comparisons_of(outcomes), "AB")[0].better.reason == reason


def test_a_system_that_always_wins_has_no_interval():
    assert win_rates(comparisons_of([(0, 1, 6)]), "AB")[0].better.interval is None
