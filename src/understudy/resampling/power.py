"""Power: the minimum detectable difference on a test set."""

from __future__ import annotations

import numpy as np

from understudy.arrays import Floats
from understudy.resampling.significance_tests import TestResults
from understudy.resampling.student import bound

POWER = 0.8  # the share of test sets that are to show a difference that is there


def minimum_detectable(
    tested: TestResults, levels: Floats, smallest_p: float = 0.0, power: float = POWER
) -> list[float | None]:
    """The minimum detectable difference of every pair: the smallest true difference that the test finds in a share
    `power` of such test sets, if p-values of up to `levels` [pairs] are significant. None if a test has no standard
    error, such as rank tests, or if no p-value on so few segments is small enough (`smallest_p`). The test detects
    differences of a certain number of standard errors, and differences vary between test sets by their standard error.
    """
    from scipy.special import nctdtrinc, ndtri

    found: list[float | None] = []
    bounds = bound(levels / 2, tested.degrees)
    of_pairs = zip(tested.standard_errors, tested.degrees, bounds, levels, strict=True)
    for error, degrees, passed, level in of_pairs:
        if np.isnan(error) or level < smallest_p:
            found.append(None)
            continue
        # How far the noncentral t distribution must move for a share `power` of it to pass the bound.
        moved = passed + ndtri(power) if np.isinf(degrees) else nctdtrinc(degrees, 1 - power, passed)
        found.append(float(moved * error))
    return found
