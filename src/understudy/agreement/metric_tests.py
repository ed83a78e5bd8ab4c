"""Is one metric better than another, or is it chance? Tests of the difference of two coefficients.

All are two-sided. Where samples are drawn, p = (c + 1) / (n + 1), of which c are at least as extreme as what was seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from understudy.agreement.coefficients import estimate
from understudy.agreement.correlations import Pearson
from understudy.agreement.draws import WHOLE
from understudy.agreement.estimators import Estimator, GroupedEstimator
from understudy.agreement.intervals import CONFIDENCE, SAMPLES, SEED, Asked, common_shape, sampled
from understudy.agreement.pairing import Pairing
from understudy.comparison.evidence import Floats
from understudy.comparison.intervals import interval_of
from understudy.comparison.many_pairs import clusters, corrected
from understudy.comparison.samples import swaps
from understudy.comparison.significance import p_value
from understudy.errors import BadInput, BadParameter
from understudy.metrics.score import Interval

# What two metrics exchange at random: single scores, all scores of a segment, all scores of a system.
EXCHANGES = ("perm-both", "perm-inputs", "perm-systems")
TESTS = (*EXCHANGES, "bootstrap", "williams")


@dataclass(frozen=True)
class MetricPair:
    """Two metrics, and whether one agrees better with people."""

    first: str
    second: str
    difference: float  # first - second; NaN: one of them is not defined
    p_value: float
    corrected: float  # allowing for the number of pairs
    interval: Interval | None  # of the difference, by the bootstrap


@dataclass(frozen=True)
class MetricRanking:
    """All metrics by one coefficient."""

    asked: Asked
    test: str
    values: dict[str, float]
    pairs: list[MetricPair]
    clusters: list[list[str]]  # from best to worst; metrics of one cluster cannot be told apart


def rank_metrics(
    pairings: Mapping[str, Pairing],
    asked: Asked,
    *,
    test: str = "perm-both",
    over: str = "segments",
    samples: int = SAMPLES,
    seed: int = SEED,
    significance: float = 0.05,
    threads: int = 1,
) -> MetricRanking:
    """Every two metrics compared, p-values corrected by Holm, and metrics that differ in clusters."""
    if test not in TESTS:
        raise BadParameter(f"test '{test}': expected {', '.join(TESTS)}.")
    common_shape(pairings)
    names = list(pairings)
    values = {
        name: estimate(pairing, asked.coefficient, asked.level, asked.grouping, threads=threads).value
        for name, pairing in pairings.items()
    }
    numbers = list(combinations(range(len(names)), 2))
    intervals: list[Interval | None] = [None] * len(numbers)
    if test == "williams":
        p_values = [williams(pairings[names[a]], pairings[names[b]], asked) for a, b in numbers]
    elif test == "bootstrap":
        drawn = sampled(pairings, [asked], over=over, samples=samples, seed=seed, threads=threads)
        found = [
            bootstrap_difference(drawn[names[a]][0], drawn[names[b]][0], values[names[a]] - values[names[b]])
            for a, b in numbers
        ]
        p_values, intervals = [p for p, _ in found], [interval for _, interval in found]
    else:
        p_values = [
            exchange(pairings[names[a]], pairings[names[b]], asked, kind=test, samples=samples, seed=seed)
            for a, b in numbers
        ]
    known = [number for number, p in enumerate(p_values) if not math.isnan(p)]
    adjusted = np.full(len(p_values), np.nan)
    adjusted[known] = corrected(np.array([p_values[number] for number in known]), "holm")
    pairs = [
        MetricPair(
            names[a],
            names[b],
            values[names[a]] - values[names[b]],
            p_values[i],
            float(adjusted[i]),
            intervals[i],
        )
        for i, (a, b) in enumerate(numbers)
    ]
    defined = [number for number, name in enumerate(names) if not math.isnan(values[name])]
    place = {number: i for i, number in enumerate(defined)}
    among = [i for i, (a, b) in enumerate(numbers) if a in place and b in place]
    ranked = clusters(
        np.array([values[names[number]] for number in defined]),
        [(place[numbers[i][0]], place[numbers[i][1]]) for i in among],
        [bool(adjusted[i] <= significance) for i in among],
    )
    return MetricRanking(
        asked, test, values, pairs, [[names[defined[i]] for i in cluster] for cluster in ranked]
    )


# --- Williams ---------------------------------------------------------------------------------------------------


def williams(first: Pairing, second: Pairing, asked: Asked) -> float:
    """Williams' test of two Pearson correlations with the same human scores."""
    if asked.coefficient != "pearson" or asked.grouping != "none":
        raise BadParameter(
            f"Williams' test of {asked.coefficient} with grouping '{asked.grouping}': it is a test of Pearson's r over "
            "all points. Use perm-both, perm-inputs or bootstrap."
        )
    if asked.level == "system":
        (human, one), (_, other) = first.system_scores, second.system_scores
    else:
        if first.human is None or first.metric is None or second.metric is None:
            raise BadInput("Williams' test of segments needs scores of segments.")
        human, one, other = first.human.ravel(), first.metric.ravel(), second.metric.ravel()
    known = ~np.isnan(human) & ~np.isnan(one) & ~np.isnan(other)
    columns = [scores[known][np.newaxis] for scores in (human, one, other)]
    r12, r13, r23 = (Pearson(columns[a], columns[b], "none").value for a, b in ((0, 1), (0, 2), (1, 2)))
    return williams_p_value(r12, r13, r23, int(known.sum()))[1]


def williams_p_value(r12: float, r13: float, r23: float, count: int) -> tuple[float, float]:
    """t with n - 3 degrees of freedom, and its two-sided p, for r12 = r13 where 2 and 3 correlate by r23 (Williams 1959;
    formula (7) of Steiger 1980, which Graham & Baldwin 2014 brought to metrics):

        t = (r12 - r13) sqrt((n - 1) (1 + r23)) / sqrt(2 K (n - 1) / (n - 3) + (r12 + r13)² (1 - r23)³ / 4)
        K = 1 - r12² - r13² - r23² + 2 r12 r13 r23

    >>> t, p = williams_p_value(0.80, 0.72, 0.89, 26)  # Howell, Statistical Methods for Psychology, 6th edition, p. 262
    >>> f"{t:.3f} {p:.3f}"
    '1.361 0.187'
    """
    from scipy.stats import t as student

    if count < 4 or any(math.isnan(r) for r in (r12, r13, r23)):
        return math.nan, math.nan
    if r12 == r13:
        return 0.0, 1.0
    # Rounding must not make what cannot be negative so.
    determinant = max(0.0, 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23)
    below = 2 * determinant * (count - 1) / (count - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if below <= 0:
        return math.copysign(math.inf, r12 - r13), 0.0
    statistic = (r12 - r13) * math.sqrt((count - 1) * (1 + r23) / below)
    return statistic, float(2 * student.sf(abs(statistic), count - 3))


# --- exchanging scores ----------------------------------------------------------------------------------------------


def exchange(
    first: Pairing,
    second: Pairing,
    asked: Asked,
    *,
    kind: str = "perm-both",
    samples: int = SAMPLES,
    seed: int = SEED,
) -> float:
    """The permutation tests of Deutsch, Dror & Roth 2021: if the metrics were equally good, they could exchange scores
    at random. Both are first standardised, to be on one scale.
    """
    if first.metric is None or second.metric is None:
        raise BadInput(f"{kind} exchanges segment scores, and there are only scores of systems.")
    one, other = (replace_metric(pairing, _standardised(pairing)) for pairing in (first, second))
    both = [estimate(pairing, asked.coefficient, asked.level, asked.grouping) for pairing in (one, other)]
    seen = both[0].value - both[1].value
    if math.isnan(seen):
        return math.nan
    if kind == "perm-inputs" and asked.level == "segment" and asked.grouping == "segment":
        drawn = _by_segment(both, samples, seed)
        if drawn is not None:
            return p_value(drawn, seen)
    differences = np.empty(samples)
    for number, exchanged in enumerate(_exchanged(one, other, kind, samples, seed)):
        a, b = (
            estimate(pairing, asked.coefficient, asked.level, asked.grouping).value for pairing in exchanged
        )
        differences[number] = a - b
    return p_value(differences[~np.isnan(differences)], seen)


def replace_metric(pairing: Pairing, metric: Floats) -> Pairing:
    """The pairing with other segment scores, of which systems' scores are the means."""
    return replace(pairing, metric=metric, metric_systems=None, metric_of_samples=None)


def _standardised(pairing: Pairing) -> Floats:
    assert pairing.metric is not None
    spread = np.nanstd(pairing.metric) if not np.isnan(pairing.metric).all() else 0.0
    return np.asarray(
        (pairing.metric - np.nanmean(pairing.metric)) / spread if spread > 0 else pairing.metric * 0.0
    )


def _exchanged(one: Pairing, other: Pairing, kind: str, samples: int, seed: int):  # type: ignore[no-untyped-def]
    assert one.metric is not None and other.metric is not None
    systems, segments = one.metric.shape
    sizes: dict[str, tuple[int, Callable[[Floats], Floats]]] = {
        "perm-both": (systems * segments, lambda row: row.reshape(systems, segments)),
        "perm-inputs": (segments, lambda row: row[np.newaxis]),
        "perm-systems": (systems, lambda row: row[:, np.newaxis]),
    }
    size, shaped = sizes[kind]
    for part in swaps(size, samples, seed):
        for row in part:
            change = shaped(row) > 0
            yield (
                replace_metric(one, np.where(change, other.metric, one.metric)),
                replace_metric(other, np.where(change, one.metric, other.metric)),
            )


def _by_segment(both: list[Estimator], samples: int, seed: int) -> Floats | None:
    """Where a coefficient is a mean over segments, exchanging segments exchanges the segments' own values."""
    if not all(isinstance(estimator, GroupedEstimator) for estimator in both):
        return None
    try:
        values = [estimator.group_values(WHOLE)[0] for estimator in both]  # type: ignore[attr-defined]
    except NotImplementedError:
        return None
    known = [(~np.isnan(of_metric)).astype(np.float64) for of_metric in values]
    filled = [np.nan_to_num(of_metric) for of_metric in values]
    parts = []
    for change in swaps(len(values[0]), samples, seed):
        means = []
        for mine, its in ((0, 1), (1, 0)):
            total = (1 - change) @ filled[mine] + change @ filled[its]
            means.append(total / ((1 - change) @ known[mine] + change @ known[its]))
        parts.append(means[0] - means[1])
    return np.concatenate(parts)


# --- the bootstrap ----------------------------------------------------------------------------------------------


def bootstrap_difference(
    first: Floats, second: Floats, seen: float, confidence: float = CONFIDENCE
) -> tuple[float, Interval | None]:
    """Two coefficients in the same samples: p by moving the differences to where there is none, and the interval."""
    differences = first - second
    known = differences[~np.isnan(differences)]
    if math.isnan(seen) or not len(known):
        return math.nan, None
    return p_value(known - known.mean(), seen), interval_of(known, confidence)
