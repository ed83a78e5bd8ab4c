"""Significance tests between all pairs of metrics, by one coefficient.

Values, differences, p-values and clusters all refer to the coefficient as reported, whatever the test. A metric for
which a test would refer to a different number is not ranked (`unranked_because`).

Tests are two-sided, or one-sided if metrics are clustered as in the WMT metrics tasks (see `metric_clusters`). With
random resamples, p = (c + 1) / (n + 1), where c of n resamples are at least as extreme as the observed difference. If
all permutations are enumerated, p = c / n, because the observed data are one of them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from understudy.arrays import ROUNDING, Floats
from understudy.choices import CONFIDENCE, METRIC_TESTS, SEED, SIGNIFICANCE
from understudy.errors import BadInput, BadParameter
from understudy.metrics.base.score import Interval
from understudy.resampling.significance_tests import is_real
from understudy.trusting.coefficients.by_name import CoefficientSpec, estimate
from understudy.trusting.intervals import SAMPLES, common_shape, sampled
from understudy.trusting.metric_tests.clusters import (
    CLUSTERS,
    P_VALUES,
    adjusted_by,
    clusters_by,
    one_sided,
    p_values_by,
)
from understudy.trusting.metric_tests.pair_swaps import PAIR_SWAPS, swap_differences
from understudy.trusting.metric_tests.permutation_tests import (
    PERMUTATION_TESTS,
    exchange_differences,
    exchanged_scores,
    exhaustive_permutations,
)
from understudy.trusting.metric_tests.williams import williams
from understudy.trusting.paired_scores import PairedScores

DRAWING = (*PERMUTATION_TESTS, PAIR_SWAPS, "bootstrap")  # tests that draw samples

# What must be said of a test beside its p-values. See `exchanges` and `pair_swaps`.
CAUTIONS = {
    "perm-both": "perm-both rejects too often if a metric is biased for or against individual systems, as most metrics "
    "are; perm-systems does not.",
    PAIR_SWAPS: "perm-pairs rejects too often, because pairs that share a translation are not independent; perm-inputs "
    "does not.",
}

# Why two metrics that have a coefficient may have no p-value.
_UNTESTED = {
    "williams": "Williams' test needs at least 4 points, the same for both metrics; otherwise there is no p-value."
}


@dataclass(frozen=True)
class MetricPair:
    """Two metrics, and whether one agrees significantly better with human scores. NaN: one of them has no
    coefficient.
    """

    first: str
    second: str
    difference: float  # first - second
    p_value: float
    corrected: float  # by Holm, allowing for the number of pairs; by the rule wmt the p-value itself
    significant: bool
    interval: Interval | None  # of the difference, by the bootstrap


@dataclass(frozen=True)
class MetricRanking:
    """All metrics by one coefficient."""

    asked: CoefficientSpec
    test: str
    values: dict[str, float]
    pairs: list[MetricPair]
    clusters: list[list[str]]  # from best to worst
    rule: str = "strict"  # by which they were found

    @property
    def p_values_are(self) -> str:
        """The kind of p-values, in words."""
        return P_VALUES[self.rule]

    @property
    def clusters_are(self) -> str:
        return CLUSTERS[self.rule]

    @property
    def caution(self) -> str:
        """A known limitation of the test; empty if there is none."""
        if any(math.isnan(pair.p_value) and not math.isnan(pair.difference) for pair in self.pairs):
            return _UNTESTED.get(self.test, "")
        return CAUTIONS.get(self.test, "") if len(self.clusters) > 1 else ""


def rank_metrics(
    pairings: Mapping[str, PairedScores],
    asked: CoefficientSpec,
    *,
    test: str = "perm-both",
    over: str = "segments",
    samples: int = SAMPLES,
    seed: int = SEED,
    significance: float = SIGNIFICANCE,
    confidence: float = CONFIDENCE,
    rule: str = "strict",
    threads: int = 1,
) -> MetricRanking:
    """Every two metrics compared, and the metrics in clusters by a rule of `metric_clusters`. `over` and `confidence`
    are for the bootstrap.
    """
    if test not in METRIC_TESTS:
        raise BadParameter(f"test '{test}': expected {', '.join(METRIC_TESTS)}.")
    common_shape(pairings)
    names = list(pairings)
    values = np.array(
        [estimate(pairing, asked, seed=seed, threads=threads).value for pairing in pairings.values()]
    )
    pairs = list(combinations(range(len(names)), 2))
    first, second = np.array(pairs, dtype=np.intp).reshape(-1, 2).T
    intervals: list[Interval | None] = [None] * len(pairs)
    if test == "williams":
        two_sided = np.array([williams(pairings[names[a]], pairings[names[b]], asked) for a, b in pairs])
        p_values = one_sided(rule, two_sided)
    elif test == "bootstrap":
        drawn = sampled(pairings, [asked], over=over, samples=samples, seed=seed, threads=threads)
        differences = np.array([drawn[names[a]][0] - drawn[names[b]][0] for a, b in pairs])
        seen = values[first] - values[second]
        p_values, intervals = _bootstrap_differences(rule, seen, differences, confidence)
    else:
        exact = exhaustive_permutations(test, len(pairings[names[0]].systems), samples) is not None
        tested, differences = null_differences(
            pairings, asked, test=test, samples=None if exact else samples, seed=seed, threads=threads
        )
        p_values = p_values_by(rule, tested[first] - tested[second], differences, exact=exact)
    adjusted = adjusted_by(rule, p_values)
    return MetricRanking(
        asked,
        test,
        dict(zip(names, values.tolist(), strict=True)),
        [
            MetricPair(
                names[a],
                names[b],
                float(values[a] - values[b]),
                float(p),
                float(corrected_p),
                is_real(corrected_p, significance),
                interval,
            )
            for (a, b), p, corrected_p, interval in zip(pairs, p_values, adjusted, intervals, strict=True)
        ],
        clusters_by(rule, names, values, pairs, adjusted, significance=significance),
        rule,
    )


def unranked_because(pairing: PairedScores, asked: CoefficientSpec, test: str) -> str | None:
    """Why a metric with these scores cannot be ranked by a test; None: it can."""
    try:
        estimator = estimate(pairing, asked)
        if test in PERMUTATION_TESTS:
            exchanged_scores(pairing, estimator, test)
    except BadInput as error:
        return str(error)
    return None


def null_differences(
    pairings: Mapping[str, PairedScores],
    asked: CoefficientSpec,
    *,
    test: str,
    samples: int | None = SAMPLES,
    seed: int = SEED,
    threads: int = 1,
) -> tuple[Floats, Floats]:
    """The coefficients [metrics], and the differences between those of every two metrics [pairs, samples] under the
    null hypothesis that they are equally good: after exchanges or swaps. Pairs are in the order of `combinations`.
    With samples=None, after every exchange of systems that there is.
    """
    metrics, pairs = list(pairings.values()), list(combinations(range(len(pairings)), 2))
    if test == PAIR_SWAPS and samples is not None:
        return swap_differences(metrics, pairs, asked, samples=samples, seed=seed, threads=threads)
    if test not in PERMUTATION_TESTS:
        raise BadParameter(
            f"test '{test}' is not a permutation test: expected {', '.join((*PERMUTATION_TESTS, PAIR_SWAPS))}."
        )
    return exchange_differences(metrics, pairs, asked, kind=test, samples=samples, seed=seed, threads=threads)


def _bootstrap_differences(
    rule: str, seen: Floats, differences: Floats, confidence: float
) -> tuple[Floats, list[Interval | None]]:
    """Two coefficients in the same samples [pairs, samples]: how often their difference is as far from its mean as what
    was seen is from 0, and the interval of the difference, which has 0 in it unless that is rarer than 1 - confidence.
    """
    known = ~np.isnan(differences)
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.where(known, differences, 0.0).sum(axis=1) / known.sum(axis=1)
    noise = differences - means[:, np.newaxis]
    p_values = p_values_by(rule, seen, noise)
    return p_values, [
        None if math.isnan(p) else _with_most(of_pair[is_known], difference, confidence)
        for p, difference, of_pair, is_known in zip(p_values, seen.tolist(), noise, known, strict=True)
    ]


def _with_most(noise: Floats, seen: float, confidence: float) -> Interval:
    """As far on both sides of what was seen as most of the noise reaches."""
    place = min(len(noise), math.ceil(confidence * (len(noise) + 1) - ROUNDING))
    reach = float(np.sort(np.abs(noise))[place - 1])
    return Interval(seen - reach, seen + reach, confidence)
