"""Which systems differ, with corrected p-values, and the systems in significance clusters.

Where judges judged all systems on each of their segments, the means over judges of each segment are compared by a
paired permutation test or t-test; the few judgments of judges who did not, at most one in ten, are left out. Elsewhere
the differences are those of the model with judge and item effects. Systems are ranked by the statistic that is tested.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy.arrays import Floats, one_blas_thread
from understudy.choices import SEED, SIGNIFICANCE
from understudy.errors import BadParameter
from understudy.judging.analysis.judge_and_item_effects import judge_and_item_effects
from understudy.judging.analysis.means import NO_JUDGMENTS, ONE_SYSTEM
from understudy.judging.analysis.own_means import OwnMeans
from understudy.judging.estimates import Absent
from understudy.judging.judgments import Ratings, combined
from understudy.metrics.base.score import Interval
from understudy.resampling.evidence import Evidence
from understudy.resampling.intervals import student_intervals
from understudy.resampling.multiple_testing import at_most, clusters, corrected
from understudy.resampling.significance_tests import (
    TestResults,
    is_real,
    permutation,
    t_test,
    too_few_samples,
)

TESTS = ("permutation", "ttest", "effects")
_PERMUTATIONS = 10_000
_MOSTLY = 0.9  # of the judgments: those of judges who judged all systems on a segment
ONE_SHARED = "only one segment was judged for all systems, so no difference can be significant"
NONE_SHARED = "no segment was judged for all systems"


@dataclass(frozen=True)
class RankedSystem:
    """One system in its cluster; 1 is the best."""

    system: str
    value: float  # of the statistic that is tested
    cluster: int


@dataclass(frozen=True)
class PairDifference:
    """Two systems, the better one minus the worse one."""

    better: str
    worse: str
    difference: float
    interval: Interval | None
    p_value: float
    corrected: float
    at_most: bool  # the corrected p-value is an upper bound, and would be smaller with more samples
    significant: bool


@dataclass(frozen=True, eq=False)
class RankClusters:
    """Systems from best to worst, and every pair."""

    statistic: str
    test: str
    correction: str
    significance: float
    units: int  # segments that the test is of
    systems: tuple[RankedSystem, ...]
    pairs: tuple[PairDifference, ...]
    tested: TestResults  # of `pairs`


@one_blas_thread()
def rank_clusters(
    ratings: Ratings,
    systems: Sequence[str],
    judges: Sequence[str],
    *,
    test: str | None = None,
    higher_is_better: bool = True,
    correction: str = "holm",
    significance: float = SIGNIFICANCE,
    samples: int = _PERMUTATIONS,
    seed: int = SEED,
) -> RankClusters | Absent:
    """`test` is one of TESTS; None: `permutation` if judges judged all systems on their segments, else `effects`."""
    if test is not None and test not in TESTS:
        raise BadParameter(f"test '{test}': expected {', '.join(TESTS)}.")
    own = OwnMeans.of(ratings)
    present = np.unique(own.system)
    if len(present) < 2:
        return Absent(ONE_SYSTEM if len(present) else NO_JUDGMENTS)
    of_all = _of_all_systems(own, len(present))
    balanced = len(of_all) >= _MOSTLY * len(own)
    if test is None:
        test = "permutation" if balanced else "effects"
    how: dict[str, Any] = {
        "test": test,
        "higher_is_better": higher_is_better,
        "correction": correction,
        "significance": significance,
    }
    if test == "effects":
        found = judge_and_item_effects(ratings, systems, judges)
        if isinstance(found, Absent):
            return found
        names, values = [each.name for each in found.systems], found.level + found.values
        tested = found.tested(ranked_pairs(values, higher_is_better))
        return clustered(names, values, tested, statistic="adjusted mean", units=found.segments, **how)
    rows = of_all if balanced else own
    by_segment = rows.segment_means(len(systems), int(own.segment.max()) + 1)[present]
    shared = by_segment[:, ~np.isnan(by_segment).any(axis=0)]
    if shared.shape[1] < 2:
        return Absent(ONE_SHARED if shared.shape[1] else NONE_SHARED)
    names = [systems[place] for place in present.tolist()]
    evidence = Evidence.of_scores(list(zip(names, shared, strict=True)))
    pairs = ranked_pairs(evidence.scores, higher_is_better)
    needed = too_few_samples(samples, len(pairs), significance) or samples
    tested = t_test(evidence, pairs) if test == "ttest" else permutation(evidence, pairs, needed, seed)
    return clustered(names, evidence.scores, tested, statistic="mean", units=evidence.segments, **how)


def _of_all_systems(own: OwnMeans, systems: int) -> OwnMeans:
    """What judges said on segments on which they judged all systems."""
    screen = combined(own.judge, own.segment)
    kept = np.bincount(screen)[screen] == systems
    return OwnMeans(own.judge[kept], own.system[kept], own.segment[kept], own.value[kept])


def ranked_pairs(values: Floats, higher_is_better: bool = True) -> list[tuple[int, int]]:
    """All pairs of systems, the better one first, from the best system on."""
    return list(itertools.combinations(_ranked(values, higher_is_better), 2))


def clustered(
    names: Sequence[str],
    values: Floats,
    tested: TestResults,
    *,
    statistic: str,
    test: str,
    units: int,
    correction: str,
    significance: float,
    higher_is_better: bool = True,
) -> RankClusters:
    """The systems with these values of the statistic in clusters. `tested` is of their `ranked_pairs`."""
    ranked = _ranked(values, higher_is_better)
    pairs = ranked_pairs(values, higher_is_better)
    p_values = corrected(tested.p_values, correction)
    significant = [is_real(p, significance) for p in p_values.tolist()]
    worths = values if higher_is_better else -values
    in_clusters = clusters(worths, pairs, significant)
    cluster_of = {system: number for number, group in enumerate(in_clusters, start=1) for system in group}
    intervals: Sequence[Interval | None] = student_intervals(
        tested.differences, tested.standard_errors, tested.degrees, 1 - significance
    )
    if units < 2:
        intervals = [None] * len(pairs)
    bounds = at_most(tested.p_values, correction, tested.floor).tolist()
    numbers = zip(
        tested.differences.tolist(), intervals, tested.p_values.tolist(), p_values.tolist(), strict=True
    )
    return RankClusters(
        statistic,
        test,
        correction,
        significance,
        units,
        tuple(RankedSystem(names[system], float(values[system]), cluster_of[system]) for system in ranked),
        tuple(
            PairDifference(names[a], names[b], *of_pair, *verdict)
            for (a, b), of_pair, *verdict in zip(pairs, numbers, bounds, significant, strict=True)
        ),
        tested,
    )


def _ranked(values: Floats, higher_is_better: bool) -> list[int]:
    return [int(system) for system in np.argsort(-values if higher_is_better else values, kind="stable")]
