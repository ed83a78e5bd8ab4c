"""Averages of coefficients over several tasks, such as test sets: the ranking of metrics, and its significance.

If two metrics are equally good in every task, their scores are exchangeable in every task. The null distribution of the
difference between two averages is the average over tasks, with the same weights, of the differences after such
exchanges.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from understudy.arrays import Floats
from understudy.choices import SIGNIFICANCE
from understudy.errors import BadParameter
from understudy.trusting.coefficients.by_name import CoefficientSpec, coefficient_named
from understudy.trusting.metric_tests.clusters import adjusted_by, clusters_by, p_values_by

# Of every two metrics, first minus second, under the null hypothesis [samples].
Null = Mapping[tuple[str, str], Floats]


@dataclass(frozen=True, eq=False)
class RankedMetrics:
    """Metrics in order, with the null distribution of the difference between every two."""

    values: dict[str, float]  # from best to worst
    ranks: dict[str, int]  # the number of a metric's significance cluster, from 1
    p_values: dict[
        tuple[str, str], float
    ]  # of every two metrics, the better one first; as the rule takes them
    null: Null = field(repr=False)  # empty where it is not kept

    @classmethod
    def by(
        cls, rule: str, values: Mapping[str, float], null: Null, significance: float = SIGNIFICANCE
    ) -> RankedMetrics:
        """The metrics that have a value. `rule` is one of `metric_clusters`."""
        names = [name for name, value in values.items() if not math.isnan(value)]
        pairs = list(combinations(range(len(names)), 2))
        numbers = np.array([values[name] for name in names])
        drawn = [null_of(null, names[a], names[b]) for a, b in pairs]
        seen = np.array([numbers[a] - numbers[b] for a, b in pairs])
        p_values = adjusted_by(rule, p_values_by(rule, seen, np.array(drawn)))
        clusters = clusters_by(rule, names, numbers, pairs, p_values, significance=significance)
        order = {name: place for place, name in enumerate(name for cluster in clusters for name in cluster)}
        by_pair = {
            tuple(sorted((names[a], names[b]), key=order.__getitem__)): float(p)
            for (a, b), p in zip(pairs, p_values, strict=True)
        }
        return cls(
            {name: float(values[name]) for name in order},
            {name: number for number, cluster in enumerate(clusters, 1) for name in cluster},
            by_pair,  # type: ignore[arg-type]
            null,
        )


def null_of(null: Null, first: str, second: str) -> Floats:
    """First minus second, whichever of the two comes first in the table."""
    return null[first, second] if (first, second) in null else -null[second, first]


def is_share(asked: CoefficientSpec) -> bool:
    """Whether a coefficient lies between 0 and 1."""
    return coefficient_named(asked.coefficient, asked.level).lowest == 0


def average(
    tasks: Sequence[tuple[CoefficientSpec, RankedMetrics]],
    weights: Sequence[float],
    *,
    rule: str,
    significance: float = SIGNIFICANCE,
) -> RankedMetrics:
    """The weighted mean over tasks of every metric that has a value in all tasks that weigh anything. Coefficients
    between -1 and 1 are mapped to (1 + r) / 2 first, as in mt-metrics-eval.
    """
    counted = [
        (asked, task, weight) for (asked, task), weight in zip(tasks, weights, strict=True) if weight > 0
    ]
    if not counted:
        raise BadParameter("all weights are 0, expected at least one above 0.")
    largest = max(weight for *_, weight in counted)
    counted = [(asked, task, weight / largest) for asked, task, weight in counted]  # no sum is too large
    total = sum(weight for *_, weight in counted)
    names = [name for name in counted[0][1].values if all(name in task.values for _, task, _ in counted)]
    values = {
        name: sum(weight * _mapped(asked, task.values[name]) for asked, task, weight in counted) / total
        for name in names
    }
    # A task may have fewer, where these are all there are: they come again, as in mt-metrics-eval.
    samples = max((len(drawn) for _, task, _ in counted for drawn in task.null.values()), default=0)
    null = {
        (a, b): np.asarray(
            sum(
                weight * (1.0 if is_share(asked) else 0.5) * np.resize(null_of(task.null, a, b), samples)
                for asked, task, weight in counted
            )
            / total
        )
        for a, b in combinations(names, 2)
    }
    return RankedMetrics.by(rule, values, null, significance)


def _mapped(asked: CoefficientSpec, value: float) -> float:
    return value if is_share(asked) else (1 + value) / 2
