"""Metrics in significance clusters, by one of two rules.

`strict`: a cluster begins where every metric before is significantly better than every metric after. p-values are
two-sided and Holm-corrected, so that the chance of a single false alarm among all pairs is at most the level.

`wmt`, as in the WMT metrics tasks (mt-metrics-eval): a cluster begins at the first metric that any member of the
current cluster beats significantly. p-values are one-sided and not corrected for the number of pairs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from understudy.arrays import ROUNDING, Floats
from understudy.choices import CLUSTER_RULES, SIGNIFICANCE
from understudy.errors import BadParameter
from understudy.resampling.multiple_testing import clusters, corrected
from understudy.resampling.significance_tests import Pairs, extreme, is_real

# What a table must say of its p-values and of its clusters.
P_VALUES = {
    "strict": "Holm-corrected p-values",
    "wmt": "one-sided, uncorrected p-values",
}
CLUSTERS = {
    "strict": "Clusters (strict): every metric is significantly better than every metric in the clusters below it.",
    "wmt": "Clusters (wmt), as in the WMT metrics tasks: a cluster begins at the first metric that is significantly "
    "worse than any metric in the cluster above it.",
}


def p_values_by(rule: str, seen: Floats, null: Floats, *, exact: bool = False) -> Floats:
    """Of every pair of metrics: seen differences [pairs] against those under the null hypothesis [pairs, samples],
    (c + 1) / (n + 1), or c / n if these are all that there are (`exact`). Two-sided by `strict`; by `wmt` of the null
    hypothesis that the metric with the higher value is not better. NaN: there is no difference.

    >>> p_values_by("wmt", np.array([-0.5]), np.array([[-0.6, 0.5, 0.1]])).tolist()
    [0.5]
    >>> p_values_by("strict", np.array([-0.5]), np.array([[-0.6, 0.5, 0.1]])).tolist()
    [0.75]
    """
    _check(rule)
    count = extreme if rule == "strict" else _as_far_ahead
    found = np.full(len(seen), np.nan)
    for number, (difference, drawn) in enumerate(zip(seen, null, strict=True)):
        known = drawn[~np.isnan(drawn)]
        if not math.isnan(difference) and len(known):
            more = 0 if exact else 1
            found[number] = (count(known, float(difference)) + more) / (len(known) + more)
    return found


def one_sided(rule: str, two_sided: Floats) -> Floats:
    """The p-values of a test that has but two-sided ones of a symmetric distribution, as the rule takes them."""
    _check(rule)
    return two_sided / 2 if rule == "wmt" else two_sided


def adjusted_by(rule: str, p_values: Floats) -> Floats:
    """Holm-corrected for the number of pairs that have a p-value, or as they are."""
    _check(rule)
    if rule == "wmt":
        return p_values
    known = ~np.isnan(p_values)
    found = np.full(len(p_values), np.nan)
    found[known] = corrected(p_values[known], "holm")
    return found


def clusters_by(
    rule: str,
    names: Sequence[str],
    values: Floats,
    pairs: Pairs,
    p_values: Floats,
    *,
    significance: float = SIGNIFICANCE,
) -> list[list[str]]:
    """The metrics from best to worst, in clusters, by p-values as `adjusted_by` gives them. Metrics without a value are
    left out.

    >>> p_values = np.array([0.5, 0.01, 0.5])
    >>> for rule in CLUSTER_RULES:
    ...     print(clusters_by(rule, "abc", np.array([0.9, 0.8, 0.7]), [(0, 1), (0, 2), (1, 2)], p_values))
    [['a', 'b', 'c']]
    [['a', 'b'], ['c']]
    """
    _check(rule)
    place = {int(number): i for i, number in enumerate(np.flatnonzero(~np.isnan(values)))}
    among = [
        ((place[a], place[b]), is_real(p, significance))
        for (a, b), p in zip(pairs, p_values, strict=True)
        if a in place and b in place
    ]
    kept = list(place)
    by_rule = _FOUND_BY[rule](values[kept], [pair for pair, _ in among], [real for _, real in among])
    return [[names[kept[i]] for i in cluster] for cluster in by_rule]


def _of_the_metrics_tasks(
    values: Floats, pairs: Sequence[tuple[int, int]], significant: Sequence[bool]
) -> list[list[int]]:
    beats = {frozenset(pair) for pair, real in zip(pairs, significant, strict=True) if real}
    found: list[list[int]] = []
    for metric in np.argsort(-values, kind="stable").tolist():
        if not found or any(frozenset((member, metric)) in beats for member in found[-1]):
            found.append([])
        found[-1].append(metric)
    return found


_FOUND_BY: dict[str, Callable[[Floats, Sequence[tuple[int, int]], Sequence[bool]], list[list[int]]]] = {
    "strict": clusters,
    "wmt": _of_the_metrics_tasks,
}


def _as_far_ahead(drawn: Floats, seen: float) -> int:
    """How many are at least as large, the metric with the higher value first."""
    return int(np.count_nonzero(math.copysign(1.0, seen) * drawn >= abs(seen) - ROUNDING))


def _check(rule: str) -> None:
    if rule not in CLUSTER_RULES:
        raise BadParameter(f"clusters '{rule}': expected {' or '.join(CLUSTER_RULES)}.")
