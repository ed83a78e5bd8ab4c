"""Multiple testing: corrected p-values and significance clusters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.choices import CORRECTIONS
from understudy.errors import BadParameter


def corrected(p_values: Floats, method: str) -> Floats:
    """Corrected p-values: `holm` controls the family-wise error rate, `bh` (Benjamini & Hochberg) the false discovery
    rate.

    >>> corrected(np.array([0.01, 0.04, 0.03]), "holm").round(2).tolist()
    [0.03, 0.06, 0.06]
    >>> corrected(np.array([0.01, 0.04, 0.03]), "bh").round(2).tolist()
    [0.03, 0.04, 0.04]
    """
    if method not in CORRECTIONS:
        raise BadParameter(f"correction '{method}': expected {', '.join(CORRECTIONS)}.")
    if method == "none" or len(p_values) == 0:
        return p_values
    count = len(p_values)
    order = np.argsort(p_values, kind="stable")
    rank = np.arange(1, count + 1)
    if method == "holm":
        adjusted = np.maximum.accumulate(p_values[order] * (count + 1 - rank))
    else:
        adjusted = np.minimum.accumulate((p_values[order] * count / rank)[::-1])[::-1]
    found = np.empty(count)
    found[order] = np.minimum(adjusted, 1.0)
    return found


def at_most(p_values: Floats, method: str, floor: float) -> NDArray[np.bool_]:
    """Which corrected p-values are only upper bounds: those that are based on the smallest p-value possible with this
    number of samples, and would be smaller with more.

    >>> at_most(np.array([0.001, 0.02, 0.3]), "holm", floor=0.001).tolist()
    [True, False, False]
    """
    below = np.where(p_values <= floor, 0.0, p_values)
    return np.asarray(corrected(below, method) < corrected(p_values, method))


def levels_for(p_values: Floats, method: str, significance: float) -> Floats:
    """The significance level of each pair, given the p-values of all other pairs.

    >>> levels_for(np.array([0.001, 0.2, 0.3]), "holm", 0.05).round(4).tolist()  # the first is; two are left
    [0.0167, 0.025, 0.025]
    >>> levels_for(np.array([0.001, 0.2, 0.3]), "bh", 0.05).round(4).tolist()
    [0.0167, 0.0333, 0.0333]
    """
    count = len(p_values)
    ranks = np.arange(1, count + 1)
    order = np.argsort(p_values, kind="stable")
    found = np.full(count, significance)
    if method == "none":
        return found
    steps = significance / (count + 1 - ranks) if method == "holm" else significance * ranks / count
    for index in range(count):
        others = p_values[order[order != index]]
        if method == "holm":  # after all that are rejected before it
            passed = others <= steps[:-1]
            rejected = count - 1 if passed.all() else int(np.argmin(passed))
            found[index] = steps[rejected]
        else:  # the largest rank that enough others help to reach
            enough = np.searchsorted(others, steps, side="right") >= ranks - 1
            found[index] = steps[np.flatnonzero(enough)[-1]]
    return found


def clusters(
    worths: Floats, pairs: Sequence[tuple[int, int]], significant: Sequence[bool]
) -> list[list[int]]:
    """The systems from best to worst in significance clusters: a cluster begins where every system before is
    significantly better than every system after, as in the WMT translation tasks.
    """
    different = {frozenset(pair) for pair, real in zip(pairs, significant, strict=True) if real}
    ranked = [int(system) for system in np.argsort(-worths, kind="stable")]
    found: list[list[int]] = []
    for place, system in enumerate(ranked):
        separated = all(
            frozenset((above, below)) in different for above in ranked[:place] for below in ranked[place:]
        )
        if place == 0 or separated:
            found.append([])
        found[-1].append(system)
    return found
