"""Several training runs: the share of a difference that is due to the choice of runs.

Training with another seed changes the score. Both the segments and the runs of a system are samples, and both
contribute to the variance of a difference:

    variance of a - b  =  variance across segments  +  R_a / n_a  +  R_b / n_b

R is the variance across the runs of a system, n the number of runs. Runs also differ because each is better on
different segments. This part is already in the variance across segments, so it is removed from R. With 3 or 5 runs, R
itself is uncertain, so the p-value comes from a t distribution with Satterthwaite's (1946) degrees of freedom.
Resampling so few runs with replacement would underestimate the variance and the tails.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.resampling.evidence import Evidence
from understudy.resampling.significance_tests import Pairs, TestResults
from understudy.resampling.student import two_sided_p


@dataclass(frozen=True, eq=False)
class Variance:
    """Variance of the scores of systems, or of the differences of pairs."""

    across_segments: Floats
    across_runs: Floats
    degrees: Floats  # of freedom

    @property
    def standard_errors(self) -> Floats:
        return np.sqrt(self.across_segments + self.across_runs)

    @property
    def run_shares(self) -> Floats:
        """The share of the variance across training runs; NaN without any variance."""
        total = self.across_segments + self.across_runs
        return np.asarray(
            np.divide(self.across_runs, total, out=np.full(len(total), np.nan), where=total > 0)
        )


def covariance_of_samples(drawn: Floats) -> Floats:
    """The covariance of the runs' scores across segments, of what they score on samples of them [samples, runs]."""
    return np.atleast_2d(np.cov(drawn, rowvar=False, bias=True))


def covariance_of_means(evidence: Evidence) -> Floats:
    """The same of scores that are means of segment scores, for which it takes no samples."""
    if evidence.segments < 2:
        return np.zeros((len(evidence.system_of),) * 2)
    return np.atleast_2d(np.cov(evidence.run_segment_scores)) / evidence.segments


class RunVariance:
    """The variance of scores and of differences, of runs' scores with this covariance across segments [runs, runs]."""

    def __init__(self, evidence: Evidence, covariance: Floats) -> None:
        self.evidence, self.covariance = evidence, covariance
        self.runs = [evidence.runs_of(system) for system in range(len(evidence.systems))]
        self.between = [self._between_runs(runs) for runs in self.runs]

    def _between_runs(self, runs: NDArray[np.intp]) -> float:
        """R of one system; not a number where there is only one run."""
        if len(runs) < 2:
            return math.nan
        of_runs = self.covariance[np.ix_(runs, runs)]
        by_segments = (np.trace(of_runs) - of_runs.mean() * len(runs)) / (len(runs) - 1)
        return float(max(0.0, self.evidence.run_scores[runs].var(ddof=1) - by_segments))

    def of_scores(self) -> Variance:
        """The variance between runs of a system that has only one is not known, and counts as none."""
        return self._variance([((system, 1.0),) for system in range(len(self.runs))], [()] * len(self.runs))

    def of_differences(self, pairs: Pairs) -> Variance:
        """If only one of two systems has several runs, the other is assumed to vary as much."""
        return self._variance([((a, 1.0), (b, -1.0)) for a, b in pairs], [(b, a) for a, b in pairs])

    def _variance(
        self, contrasts: Sequence[Sequence[tuple[int, float]]], stand_ins: Sequence[Sequence[int]]
    ) -> Variance:
        """Of sums of systems' scores with these signs. Beside each system stands the one whose runs speak for its own,
        where it has only one.
        """
        segments, runs, degrees = (np.zeros(len(contrasts)) for _ in range(3))
        for index, (contrast, others) in enumerate(zip(contrasts, stand_ins, strict=True)):
            weights = np.zeros(len(self.covariance))
            shares: dict[int, float] = {}  # by the system whose runs speak
            for place, (system, sign) in enumerate(contrast):
                count = len(self.runs[system])
                weights[self.runs[system]] = sign / count
                source = system if count > 1 or not others else others[place]
                if len(self.runs[source]) > 1:
                    shares[source] = shares.get(source, 0.0) + self.between[source] / count
            runs[index] = sum(shares.values())
            segments[index] = max(0.0, float(weights @ self.covariance @ weights))
            uncertainty = segments[index] ** 2 / max(1, self.evidence.segments - 1)
            uncertainty += sum(share**2 / (len(self.runs[source]) - 1) for source, share in shares.items())
            total = segments[index] + runs[index]
            degrees[index] = total**2 / uncertainty if uncertainty > 0 else math.inf
        return Variance(segments, runs, degrees)


def tested_with_runs(evidence: Evidence, pairs: Pairs, variance: Variance) -> TestResults:
    """Test of the difference between mean scores of training runs, with variance across segments and runs."""
    differences = np.array([evidence.scores[a] - evidence.scores[b] for a, b in pairs])
    found = TestResults(
        differences,
        np.ones(len(pairs)),
        variance.standard_errors,
        variance.degrees,
        run_shares=variance.run_shares,
    )
    if evidence.segments < 2:
        return found  # one segment says nothing about others
    return replace(found, p_values=two_sided_p(found.t_statistics, found.degrees))
