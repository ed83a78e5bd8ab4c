"""Power: how large a difference must be before this test set can show it."""

from __future__ import annotations

import numpy as np

from understudy.comparison.evidence import Floats
from understudy.comparison.significance import SIGNIFICANCE

POWER = 0.8  # the share of tests that are to find a difference that is there


def smallest_detectable(
    differences: Floats, significance: float = SIGNIFICANCE, power: float = POWER
) -> float:
    """The smallest true difference that a test at this level finds in a share `power` of test sets like this one.

    By simulation from the data: what samples of the segments differ by, moved to where there is no difference, is
    the noise. A difference is found where it and the noise together exceed what noise alone exceeds in a share
    `significance` of samples.
    """
    noise = differences - differences.mean()
    threshold = np.quantile(np.abs(noise), 1 - significance)
    # The noise is not exceeded by -(threshold - noise) often enough to matter: the other tail is left out.
    return float(threshold - np.quantile(noise, 1 - power))
