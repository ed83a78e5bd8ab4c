"""Bradley-Terry strengths of systems from rankings and pairwise judgments, with ties after Davidson (1970):

    P(i is better than j) : P(j is better) : P(tie) = s_i : s_j : v sqrt(s_i s_j).

Strengths are given as natural logarithms around 0: a system that is 1 above another is preferred e = 2.72 times as
often as the other, ties aside. Without any tie, v is 0 and this is the model of Bradley and Terry (1952). Intervals are
from bootstrap samples of segments, because the comparisons of one ranking are not independent.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy.arrays import Floats, one_blas_thread
from understudy.choices import CONFIDENCE, SEED, SIGNIFICANCE
from understudy.judging.agreement.bootstrap import (
    FEWEST_DEFINED,
    ONE_CLUSTER,
    SAMPLES,
    around,
    check_sampling,
    seldom_defined,
    standard_error,
)
from understudy.judging.analysis.comparisons import Comparisons
from understudy.judging.analysis.davidson_likelihood import fitted, has_maximum, unbounded
from understudy.judging.analysis.means import NO_JUDGMENTS, ONE_SYSTEM
from understudy.judging.analysis.rank_clusters import RankClusters, clustered, ranked_pairs
from understudy.judging.cluster_sums import sums_by
from understudy.judging.estimates import Absent, Estimate
from understudy.judging.judgments import combined
from understudy.resampling.samples import bootstrap_weights
from understudy.resampling.significance_tests import TestResults
from understudy.resampling.student import two_sided_p


@dataclass(frozen=True)
class Strength:
    """One system."""

    system: str
    wins: int
    losses: int
    ties: int
    strength: Estimate


@dataclass(frozen=True, eq=False)
class BradleyTerry:
    """The fitted model."""

    systems: tuple[Strength, ...]
    tie_parameter: float  # v: at equal strengths, v / (2 + v) of the comparisons are ties
    comparisons: int
    segments: int
    samples: int  # bootstrap samples in which the strengths are defined
    values: Floats  # [systems]
    drawn: Floats  # [samples, systems]

    def rank_clusters(
        self, *, correction: str = "holm", significance: float = SIGNIFICANCE
    ) -> RankClusters | Absent:
        """Clusters by t-tests of differences in strength, whose standard errors are from the bootstrap."""
        if not self.samples:
            return Absent(self.systems[0].strength.no_interval or ONE_CLUSTER)
        pairs = ranked_pairs(self.values)
        one, other = np.array(pairs).T
        errors = [standard_error(self.drawn[:, a] - self.drawn[:, b], self.segments) for a, b in pairs]
        tested = TestResults(
            self.values[one] - self.values[other],
            np.ones(len(pairs)),
            np.array(errors),
            np.full(len(pairs), self.segments - 1.0),
        )
        tested = replace(tested, p_values=two_sided_p(tested.t_statistics, tested.degrees))
        return clustered(
            [each.system for each in self.systems],
            self.values,
            tested,
            statistic="Bradley-Terry log strength",
            test="bootstrap t",
            units=self.segments,
            correction=correction,
            significance=significance,
        )


@one_blas_thread()
def bradley_terry(
    comparisons: Comparisons,
    systems: Sequence[str],
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    confidence: float = CONFIDENCE,
) -> BradleyTerry | Absent:
    """Strengths of the systems that were compared; or the reason why they are not determined, such as a system that
    never lost. Hidden repeats are left out.
    """
    check_sampling(samples, confidence)
    rows = np.flatnonzero(~comparisons.repeat)
    ends = np.concatenate([comparisons.first[rows], comparisons.second[rows]])
    names = [systems[place] for place in np.unique(ends).tolist()]
    if len(names) < 2:
        return Absent(ONE_SYSTEM if names else NO_JUDGMENTS)
    count, (first, second) = len(names), combined(ends).reshape(2, -1)
    outcome, cluster = comparisons.outcome[rows], combined(comparisons.segment[rows])
    segments = int(cluster.max()) + 1
    better, worse = np.where(outcome >= 0, (first, second), (second, first))
    tie = outcome == 0
    # Wins of the row over the column, and behind them ties, by pair of systems.
    cell = better * count + worse + np.where(tie, count**2, 0)
    counted = sums_by(cell, cluster, np.ones(len(rows)), (2 * count**2, segments))

    def tables(weights: Floats) -> tuple[Floats, Floats]:
        wins, ties = counted(weights).T.reshape(len(weights), 2, count, count).swapaxes(0, 1)
        return wins, ties + ties.swapaxes(1, 2)

    wins, ties = tables(np.ones((1, segments)))
    if reason := unbounded(wins[0], ties[0], names):
        return Absent(reason)
    ((seen, tie_parameter),) = zip(*fitted(wins, ties), strict=True)
    drawn, no_interval = np.empty((0, count)), ONE_CLUSTER
    if segments > 1:
        start = np.append(seen, tie_parameter)
        parts = (tables(part) for part in bootstrap_weights(segments, samples, seed))
        drawn = np.concatenate([fitted(*_determined(*part), start)[0] for part in parts])
        if len(drawn) < FEWEST_DEFINED * samples:
            no_interval = seldom_defined(len(drawn), samples)
            drawn = drawn[:0]
    return BradleyTerry(
        tuple(
            Strength(
                name,
                int(wins[0, place].sum()),
                int(wins[0, :, place].sum()),
                int(ties[0, place].sum()),
                around(float(seen[place]), drawn[:, place], segments, confidence)
                if len(drawn)
                else Estimate(float(seen[place]), no_interval=no_interval),
            )
            for place, name in enumerate(names)
        ),
        float(tie_parameter),
        len(rows),
        segments,
        len(drawn),
        seen,
        drawn,
    )


def _determined(wins: Floats, ties: Floats) -> tuple[Floats, Floats]:
    """Only the samples that determine strengths."""
    kept = has_maximum(wins, ties)
    return wins[kept], ties[kept]
