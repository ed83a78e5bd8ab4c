"""Williams' test of the difference between two Pearson correlations with the same human scores."""

from __future__ import annotations

import math

import numpy as np

from understudy.errors import BadParameter
from understudy.trusting.coefficients.by_name import CoefficientSpec
from understudy.trusting.coefficients.correlations import Pearson
from understudy.trusting.paired_scores import PairedScores


def williams(first: PairedScores, second: PairedScores, asked: CoefficientSpec) -> float:
    """The p-value for two metrics. NaN if one has scores of other points than the other: their coefficients, each of
    its own points, are then not the two that the test is about.
    """
    if asked.coefficient != "pearson" or asked.grouping != "none":
        raise BadParameter(
            f"Williams' test of {asked.coefficient} with grouping '{asked.grouping}': it tests only Pearson's r "
            "without grouping. Use another test."
        )
    if asked.level == "system":
        (human, one), (_, other) = first.system_scores, second.system_scores
    else:
        human, one = (scores.ravel() for scores in first.segment_scores)
        other = second.segment_scores[1].ravel()
    known = ~np.isnan(human) & ~np.isnan(one)
    if not np.array_equal(known, ~np.isnan(human) & ~np.isnan(other)):
        return math.nan
    columns = [scores[known][np.newaxis] for scores in (human, one, other)]
    r12, r13, r23 = (Pearson(columns[a], columns[b], "none").value for a, b in ((0, 1), (0, 2), (1, 2)))
    return williams_test(r12, r13, r23, int(known.sum()))[1]


def williams_test(r12: float, r13: float, r23: float, count: int) -> tuple[float, float]:
    """t with n - 3 degrees of freedom, and its two-sided p, for r12 = r13 where 2 and 3 correlate by r23.

        t = (r12 - r13) sqrt((n - 1) (1 + r23)) / sqrt(2 K (n - 1) / (n - 3) + (r12 + r13)² (1 - r23)³ / 4)
        K = 1 - r12² - r13² - r23² + 2 r12 r13 r23

    Williams 1959; formula (7) of Steiger 1980; brought to metrics by Graham & Baldwin 2014. The example is that of
    Howell, Statistical Methods for Psychology, 6th edition, page 262.

    >>> t, p = williams_test(0.80, 0.72, 0.89, 26)
    >>> f"{t:.3f} {p:.3f}"
    '1.361 0.187'
    """
    from scipy.stats import t as student

    if count < 4 or any(math.isnan(r) for r in (r12, r13, r23)):
        return math.nan, math.nan
    if r12 == r13:
        return 0.0, 1.0
    # Rounding must not make negative what cannot be.
    determinant = max(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    below = 2 * determinant * (count - 1) / (count - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if below <= 0:
        return math.copysign(math.inf, r12 - r13), 0.0
    statistic = (r12 - r13) * math.sqrt((count - 1) * (1 + r23) / below)
    return statistic, float(2 * student.sf(abs(statistic), count - 3))
