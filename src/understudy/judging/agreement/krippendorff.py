"""Krippendorff's alpha: 1 - observed disagreement / expected disagreement (Krippendorff 2004, chapter 11).

A unit that m judges judged counts m times in the disagreement observed; a unit with one judge counts nowhere.
"""

from __future__ import annotations

import math

import numpy as np

from understudy.arrays import ROUNDING, Floats
from understudy.choices import CONFIDENCE, SEED
from understudy.errors import BadParameter
from understudy.judging.agreement.bootstrap import SAMPLES, Coefficient, bootstrapped, share
from understudy.judging.agreement.reliability_data import NO_OVERLAP, ReliabilityData
from understudy.judging.estimates import Estimate

LEVELS = ("nominal", "ordinal", "interval")
_ROWS_AT_ONCE = 2**20  # that are ranked anew in samples
ALL_EQUAL = "all judgments are equal, so no disagreement is expected by chance"


def krippendorff_alpha(
    data: ReliabilityData,
    level: str,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> Estimate:
    """Alpha of nominal, ordinal or interval data, with a bootstrap interval over segments.

    >>> data = ReliabilityData.of(judge=[0, 1, 0, 1, 0, 1], unit=[0, 0, 1, 1, 2, 2], value=[1, 1, 2, 2, 3, 2])
    >>> round(krippendorff_alpha(data, "interval").value, 4)
    0.7059
    """
    if level not in LEVELS:
        raise BadParameter(f"level of measurement '{level}': expected {', '.join(LEVELS)}.")
    compared = data.pairable
    if not compared.units:
        return Estimate.absent(NO_OVERLAP)
    if compared.categories == 1:
        return Estimate.absent(ALL_EQUAL)
    alpha = {"nominal": _nominal, "ordinal": _ordinal, "interval": _interval}[level](compared)
    return bootstrapped(
        alpha,
        compared.clusters,
        ALL_EQUAL,
        bounds=(-math.inf, 1.0),
        samples=samples,
        seed=seed,
        confidence=confidence,
    )


# With n values in all, alpha = 1 - (n - 1) * sum_u d_u / d, where d_u is the sum of squared differences between values
# of unit u by different judges, divided by m_u - 1, and d that of all values with each other.


def _nominal(data: ReliabilityData) -> Coefficient:
    marginals_of = data.by_category(np.ones(len(data.value)))
    observed = data.cluster_sums((data.sizes**2 - data.equal_pairs) / (data.sizes - 1))

    def alpha(weights: Floats) -> Floats:
        marginals = data.marginals(marginals_of(weights))
        number = marginals.sum(axis=0)
        return _alpha(number, weights @ observed, number**2 - (marginals**2).sum(axis=0))

    return alpha


def _interval(data: ReliabilityData) -> Coefficient:
    value = data.value - data.value.mean()  # squares of large values that are all but equal lose their digits
    size, sums = data.sizes, data.unit_sums(value)
    from_mean = data.unit_sums((value - (sums / size)[data.unit]) ** 2)
    observed = data.cluster_sums(from_mean * (2 * size / (size - 1)))
    number, totals = data.cluster_sums(size.astype(np.float64)), data.cluster_sums(sums)
    squares = data.cluster_sums(data.unit_sums(value**2))

    def alpha(weights: Floats) -> Floats:
        count = weights @ number
        all_squares = count * (weights @ squares)
        between = all_squares - (weights @ totals) ** 2
        # In a sample whose values are all equal, what is left is rounding.
        return _alpha(count, weights @ observed, 2 * np.where(between > ROUNDING * all_squares, between, 0.0))

    return alpha


def _ordinal(data: ReliabilityData) -> Coefficient:
    """Ordinal differences are differences of mean ranks, and every sample has ranks of its own."""
    marginals_of = data.by_category(np.ones(len(data.value)))

    def alpha(weights: Floats) -> Floats:
        at_once = max(1, _ROWS_AT_ONCE // len(data.value))
        return np.concatenate(
            [of_some(weights[start : start + at_once]) for start in range(0, len(weights), at_once)]
        )

    def of_some(weights: Floats) -> Floats:
        marginals = marginals_of(weights)
        number = marginals.sum(axis=0)
        ranks = np.cumsum(marginals, axis=0) - marginals / 2 - number / 2  # around 0
        weighted = marginals * ranks
        squares, totals = (weighted * ranks).sum(axis=0), weighted.sum(axis=0)
        # Between the judges of a unit: 2 (m sum r² - (sum r)²) / (m - 1).
        of_rows = ranks.T[:, data.category]
        unit_squares, unit_totals = data.unit_sums(of_rows**2), data.unit_sums(of_rows)  # [samples, units]
        between = (data.sizes * unit_squares - unit_totals**2) * (2 / (data.sizes - 1))
        observed = np.einsum("su,su->s", weights[:, data.cluster_of_unit], between)
        return _alpha(number, observed, 2 * (number * squares - totals**2))

    return alpha


def _alpha(number: Floats, observed: Floats, expected: Floats) -> Floats:
    return 1 - (number - 1) * share(observed, expected)
