"""Is one metric better than another, or is it chance? Every two metrics compared by one coefficient.

All tests are two-sided. Where samples are drawn, p = (c + 1) / (n + 1), of which c are at least as extreme as what was
seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from understudy.agreement.coefficients import Asked, estimate
from understudy.agreement.exchanges import EXCHANGES, exchange_p_values
from understudy.agreement.intervals import CONFIDENCE, SAMPLES, common_shape, sampled
from understudy.agreement.pairing import Pairing
from understudy.agreement.williams import williams
from understudy.comparison.evidence import Floats
from understudy.comparison.many_pairs import clusters, corrected
from understudy.comparison.samples import SEED
from understudy.comparison.significance import ROUNDING, SIGNIFICANCE, Pairs, is_real, p_value
from understudy.errors import BadParameter
from understudy.metrics.score import Interval

DRAWING = (*EXCHANGES, "bootstrap")  # tests that draw samples
TESTS = (*DRAWING, "williams")

# What must be said of a test beside its p-values. See `exchanges`.
CAUTIONS = {
    "perm-both": "perm-both is too sure where a metric favours whole systems, as most do; perm-systems allows for that."
}


@dataclass(frozen=True)
class MetricPair:
    """Two metrics, and whether one agrees better with people. NaN: one of them has no coefficient."""

    first: str
    second: str
    difference: float  # first - second
    p_value: float
    corrected: float  # by Holm, allowing for the number of pairs
    significant: bool
    interval: Interval | None  # of the difference, by the bootstrap


@dataclass(frozen=True)
class MetricRanking:
    """All metrics by one coefficient."""

    asked: Asked
    test: str
    values: dict[str, float]
    pairs: list[MetricPair]
    clusters: list[list[str]]  # from best to worst; those of one cluster cannot be told apart

    @property
    def caution(self) -> str:
        """What must be said of the test; empty: nothing."""
        return CAUTIONS.get(self.test, "") if len(self.clusters) > 1 else ""


def rank_metrics(
    pairings: Mapping[str, Pairing],
    asked: Asked,
    *,
    test: str = "perm-both",
    over: str = "segments",
    samples: int = SAMPLES,
    seed: int = SEED,
    significance: float = SIGNIFICANCE,
    threads: int = 1,
) -> MetricRanking:
    """Every two metrics compared, and the metrics in clusters. `over` is for the bootstrap."""
    if test not in TESTS:
        raise BadParameter(f"test '{test}': expected {', '.join(TESTS)}.")
    common_shape(pairings)
    names = list(pairings)
    values = np.array(
        [estimate(pairing, asked, seed=seed, threads=threads).value for pairing in pairings.values()]
    )
    pairs = list(combinations(range(len(names)), 2))
    intervals: list[Interval | None] = [None] * len(pairs)
    if test == "williams":
        p_values = np.array([williams(pairings[names[a]], pairings[names[b]], asked) for a, b in pairs])
    elif test == "bootstrap":
        drawn = sampled(pairings, [asked], over=over, samples=samples, seed=seed, threads=threads)
        found = [
            bootstrap_difference(drawn[names[a]][0], drawn[names[b]][0], float(values[a] - values[b]))
            for a, b in pairs
        ]
        p_values, intervals = np.array([p for p, _ in found]), [interval for _, interval in found]
    else:
        p_values = exchange_p_values(
            list(pairings.values()), pairs, asked, kind=test, samples=samples, seed=seed, threads=threads
        )
    known = ~np.isnan(p_values)
    adjusted = np.full(len(pairs), np.nan)
    adjusted[known] = corrected(p_values[known], "holm")
    significant = [is_real(p, significance) for p in adjusted]
    return MetricRanking(
        asked,
        test,
        dict(zip(names, values.tolist(), strict=True)),
        [
            MetricPair(
                names[a], names[b], float(values[a] - values[b]), float(p), float(corrected_p), real, interval
            )
            for (a, b), p, corrected_p, real, interval in zip(
                pairs, p_values, adjusted, significant, intervals, strict=True
            )
        ],
        _clusters(names, values, pairs, significant),
    )


def bootstrap_difference(
    first: Floats, second: Floats, seen: float, confidence: float = CONFIDENCE
) -> tuple[float, Interval | None]:
    """Two coefficients in the same samples: how often their difference is as far from its mean as what was seen is from
    0, and the interval of the difference, which has 0 in it unless that is rarer than 1 - confidence.
    """
    differences = first - second
    known = differences[~np.isnan(differences)]
    if math.isnan(seen) or not len(known):
        return math.nan, None
    noise = known - known.mean()
    place = min(len(noise), math.ceil(confidence * (len(noise) + 1) - ROUNDING))
    reach = float(np.sort(np.abs(noise))[place - 1])
    return p_value(noise, seen), Interval(seen - reach, seen + reach, confidence)


def _clusters(names: list[str], values: Floats, pairs: Pairs, significant: Sequence[bool]) -> list[list[str]]:
    """Without metrics that have no value."""
    place = {int(number): i for i, number in enumerate(np.flatnonzero(~np.isnan(values)))}
    among = [
        (a, b, real) for (a, b), real in zip(pairs, significant, strict=True) if a in place and b in place
    ]
    found = clusters(
        values[list(place)], [(place[a], place[b]) for a, b, _ in among], [real for *_, real in among]
    )
    kept = list(place)
    return [[names[kept[i]] for i in cluster] for cluster in found]
