"""The test of the WMT metrics tasks for accuracy with calibrated ties: two metrics that are equally good could swap
what they decide about any pair of translations (`perm_test='pairs'` of mt-metrics-eval).

Each metric keeps the threshold for ties that was tuned for it. What a metric decides is right or wrong, so its accuracy
is a sum over pairs, and a swap changes the sign of what a pair adds to the difference.

Pairs are taken to be independent. Those of the same segment share translations, and are not: of two metrics that are
equally good, the test finds one better more often than one time in twenty.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from understudy.arrays import Floats
from understudy.choices import SEED
from understudy.errors import BadParameter
from understudy.resampling.samples import swaps
from understudy.resampling.significance_tests import Pairs
from understudy.trusting.coefficients.by_name import CoefficientSpec, estimate
from understudy.trusting.coefficients.pairwise_preferences import HeldOutTies, TunedTies
from understudy.trusting.intervals import SAMPLES
from understudy.trusting.paired_scores import PairedScores

PAIR_SWAPS = "perm-pairs"

SWAPPED = ("acc-eq", "acc-eq-held-out")  # coefficients that are made of such decisions


def swap_differences(
    pairings: Sequence[PairedScores],
    pairs: Pairs,
    asked: CoefficientSpec,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    threads: int = 1,
) -> tuple[Floats, Floats]:
    """As `exchange_differences`: the coefficients [metrics], and the differences after swaps [pairs, samples]."""
    estimators = [estimate(pairing, asked, seed=seed, threads=threads) for pairing in pairings]
    deciding = [each for each in estimators if isinstance(each, TunedTies | HeldOutTies)]
    if len(deciding) < len(estimators):
        raise BadParameter(
            f"test '{PAIR_SWAPS}' of {asked.coefficient}: it swaps decisions on translation pairs, which only "
            f"{' and '.join(SWAPPED)} count. Rank by one of them, or use another test."
        )
    shares = np.stack([each.pair_shares() for each in deciding], axis=1)  # [pairs of translations, metrics]
    if not len(shares):  # of one system
        shares = np.zeros((1, len(deciding)))
    kept = np.concatenate([(1 - 2 * part) @ shares for part in swaps(len(shares), samples, seed)])
    differences = [kept[:, a] - kept[:, b] for a, b in pairs]
    return np.array([each.value for each in estimators]), np.array(differences).reshape(len(pairs), samples)
