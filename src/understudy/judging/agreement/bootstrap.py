"""Bootstrap intervals of coefficients of agreement, over segments.

A coefficient is a function of weights [samples, clusters]: how often each segment is in a sample. It is computed from
sums over segments, of all samples at once.

An interval is the value plus and minus t times the standard deviation of the bootstrap samples, with one degree of
freedom less than segments. Percentiles of the samples are too narrow for the numbers of segments that people judge:
with 30 segments they cover 91 to 93 % (tools/judging_simulations.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from understudy.arrays import ROUNDING, Floats
from understudy.choices import CONFIDENCE, SEED
from understudy.errors import BadParameter
from understudy.judging.estimates import Estimate
from understudy.metrics.base.score import Interval
from understudy.resampling.samples import bootstrap_weights
from understudy.resampling.student import bound
from understudy.settings import check_between

SAMPLES = 1000
FEWEST_DEFINED = 0.9  # with fewer samples that have a value, their spread is that of a selection
ONE_CLUSTER = "all judgments are of one segment, so there is nothing to resample"
_NO_SPREAD = "the value is the same in all bootstrap samples"

Coefficient = Callable[[Floats], Floats]  # of weights [samples, clusters]; NaN: not defined in a sample
Bounds = tuple[float, float]  # of a coefficient
_UNBOUNDED = (-math.inf, math.inf)


def bootstrapped(
    coefficient: Coefficient,
    clusters: int,
    undefined: str,
    *,
    bounds: Bounds = _UNBOUNDED,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """The coefficient and its interval; `undefined` says why, if it has no value."""
    check_sampling(samples, confidence)
    seen = float(coefficient(np.ones((1, clusters)))[0])
    if np.isnan(seen):
        return Estimate.absent(undefined)
    if clusters < 2:
        return Estimate(seen, no_interval=ONE_CLUSTER)
    drawn = np.concatenate([coefficient(part) for part in bootstrap_weights(clusters, samples, seed)])
    return around(seen, drawn, clusters, confidence, bounds)


def around(
    seen: float, drawn: Floats, clusters: int, confidence: float, bounds: Bounds = _UNBOUNDED
) -> Estimate:
    """A value and its interval, from what bootstrap samples of clusters gave; NaN: not defined in a sample."""
    if clusters < 2:
        return Estimate(seen, no_interval=ONE_CLUSTER)
    known = drawn[~np.isnan(drawn)]
    if len(known) < FEWEST_DEFINED * len(drawn):
        return Estimate(seen, no_interval=seldom_defined(len(known), len(drawn)))
    error = standard_error(known, clusters)
    if error <= ROUNDING * abs(seen):
        return Estimate(seen, no_interval=_NO_SPREAD)
    reach = bound((1 - confidence) / 2, clusters - 1.0) * error
    low, high = np.clip((seen - reach, seen + reach), *bounds)
    return Estimate(seen, Interval(float(low), float(high), confidence))


def standard_error(drawn: Floats, clusters: int) -> float:
    """Of what was drawn: samples vary by (G - 1) / G of the variance that the clusters have."""
    return float(drawn.std(ddof=1)) * math.sqrt(clusters / (clusters - 1))


def check_sampling(samples: int, confidence: float) -> None:
    check_between("confidence", confidence)
    if samples < 2:
        raise BadParameter(f"samples={samples}: expected at least 2.")


def seldom_defined(known: int, samples: int) -> str:
    return f"undefined in {samples - known:,} of {samples:,} bootstrap samples"


def share(part: Floats, whole: Floats) -> Floats:
    """part / whole; NaN where there is no whole."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(whole > 0, part / np.where(whole > 0, whole, 1.0), np.nan))
