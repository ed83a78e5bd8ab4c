"""Minimum error rate training against Moses' mert, on statistics and integer features that are made up.

Moses at commit 34452895f350bf097b21ee514a529a1dc542243c. The candidates of `candidates_of_bleu(seed, 60, 12, 3)` were
written as score and feature files; mert -d 3 -n 20 -r 1 --sctype BLEU --scfile SCORES --ffile FEATURES --ifile INIT,
where INIT has the weights 1 -2 0.5. Its BLEU is without smoothing; a fraction, printed with six digits.
"""

from __future__ import annotations

import numpy as np
import pytest

from material.candidate_lists import candidates_of_bleu
from understudy.deciding.tuning.error_rate_training import trained
from understudy.deciding.tuning.restrictions import restrictions

START = np.array([1.0, -2.0, 0.5])
# By seed: the best point of 20 random restarts, and its BLEU.
MOSES = {
    1: ((0.293837, 0.320971, 0.385192), 0.639581),
    2: ((0.667506, 0.0643853, -0.268108), 0.63705),
    3: ((0.613719, 0.261037, 0.125244), 0.61426),
}


@pytest.mark.parametrize("seed", MOSES)
def test_moses_weights_select_candidates_of_the_same_bleu(seed: int) -> None:
    candidates = candidates_of_bleu(seed, 60, 12, 3)
    point, score = MOSES[seed]
    assert candidates.value(np.array(point) * candidates.scales) / 100 == pytest.approx(score, abs=6e-7)


@pytest.mark.parametrize("seed", MOSES)
def test_with_as_many_restarts_it_finds_at_least_what_moses_finds(seed: int) -> None:
    candidates = candidates_of_bleu(seed, 60, 12, 3)
    allowed = restrictions({}, [], ["a", "b", "c"], START).scaled(candidates.scales)
    found = [
        trained(candidates, START * candidates.scales, allowed, number=number, directions=8, seed=1)
        for number in range(21)
    ]
    assert max(map(candidates.value, found)) / 100 >= MOSES[seed][1] - 6e-7
