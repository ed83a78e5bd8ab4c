"""Bootstrap intervals of coefficients of agreement, over segments.

A coefficient is a function of weights [samples, clusters]: how often each segment is in a sample. It is computed from
sums over segments, of all samples at once.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from understudy.arrays import Floats
from understudy.choices import CONFIDENCE, SEED
from understudy.judging.estimates import Estimate
from understudy.resampling.intervals import interval_of
from understudy.resampling.samples import bootstrap_weights

SAMPLES = 1000
FEWEST_DEFINED = 0.9  # with fewer samples that have a value there is no saying where the middle of them is
ONE_CLUSTER = "all judgments are of one segment, so there is nothing to resample"

Coefficient = Callable[[Floats], Floats]  # of weights [samples, clusters]; NaN: not defined in a sample


def bootstrapped(
    coefficient: Coefficient,
    clusters: int,
    undefined: str,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """The coefficient and its percentile interval; `undefined` says why, if it has no value."""
    seen = float(coefficient(np.ones((1, clusters)))[0])
    if np.isnan(seen):
        return Estimate.absent(undefined)
    if clusters < 2:
        return Estimate(seen, no_interval=ONE_CLUSTER)
    drawn = np.concatenate([coefficient(part) for part in bootstrap_weights(clusters, samples, seed)])
    known = drawn[~np.isnan(drawn)]
    if len(known) < FEWEST_DEFINED * samples:
        return Estimate(
            seen, no_interval=f"undefined in {samples - len(known):,} of {samples:,} bootstrap samples"
        )
    return Estimate(seen, interval_of(known, confidence))


def share(part: Floats, whole: Floats) -> Floats:
    """part / whole; NaN where there is no whole."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), np.nan))
