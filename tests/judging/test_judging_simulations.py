"""What intervals of judgments promise, where the truth is known: tools/judging_simulations.py with few rounds.

A rate of 0.95 over 200 rounds of one interval has a standard error of 0.015; those of several are averages.
"""

from __future__ import annotations

import numpy as np
import pytest
from judging_simulations import (
    QUALITY,
    Design,
    agreement_of,
    coverage_of_ratings,
    covered,
    effects_of,
    neighbors_of,
    rankings_of,
    self_agreement_of,
    spans_of,
)

from understudy.judging.analysis.judge_and_item_effects import JudgeAndItemEffects, judge_and_item_effects

ROUNDS = 200
LEAST, MOST = 0.91, 0.99  # 2.7 standard errors from 0.95


def test_qualities_and_severities_are_recovered():
    design = Design(segments=2000, judges=6, interaction=0.5, share=0.4)
    found = judge_and_item_effects(design.ratings([5, 0]), "ABCD", "uvwxyz")
    assert isinstance(found, JudgeAndItemEffects)
    severities = [each.effect.value for each in found.judges]
    assert [*found.values, *severities] == pytest.approx(
        [*(QUALITY - QUALITY.mean()), *design.severities()], abs=0.06
    )


def test_intervals_of_ratings_cover_the_truth():
    shares = coverage_of_ratings(Design(interaction=0.5), ROUNDS)
    del shares[1]  # the report's interval, which takes judgments of one sentence to be independent
    assert [share for share in shares if not LEAST <= share <= MOST] == []


def test_the_reports_interval_covers_the_truth_if_its_judgments_are_independent():
    assert LEAST <= np.mean([neighbors_of(Design(), [7, number])[0] for number in range(ROUNDS)]) <= MOST


def test_it_covers_it_too_seldom_if_they_are_not():
    """Which the module says."""
    design = Design(interaction=0.5)
    assert np.mean([neighbors_of(design, [7, number])[0] for number in range(50)]) < 0.9


def test_effects_of_unequal_shares_cover_the_truth():
    found = [
        effects_of(Design(segments=60, interaction=0.5, share=0.4), [6, number]) for number in range(100)
    ]
    assert LEAST <= np.mean([holds for both in found for one in both for holds in one]) <= MOST


@pytest.mark.parametrize(
    "made",
    [agreement_of(30, 3, 1.0), self_agreement_of(30, 3), spans_of(30, 2), rankings_of(40, 2, 0.5, 1.0)],
    ids=["agreement", "self-agreement", "spans", "rankings"],
)
def test_bootstrap_intervals_cover_the_truth(made):
    found = covered(made, ROUNDS)
    assert {name: share for name, share in found.items() if not LEAST <= share <= MOST} == {}
