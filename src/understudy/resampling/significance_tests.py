"""Significance tests: one function per test, for all requested pairs of systems.

Each test names its statistic. `Tested.differences`, p-values and standard errors refer to that statistic, and so does
the statement that a system is better. All tests are two-sided. Resampling tests have p = (c + 1) / (n + 1), where c of
n resamples are at least as extreme as the observed difference. The p-value is never 0, and it is 1 for identical
systems.

Systems with several training runs are compared by `understudy.resampling.run_variance`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from understudy.arrays import ROUNDING, Floats
from understudy.resampling.evidence import Evidence
from understudy.resampling.samples import swaps
from understudy.resampling.signed_ranks import pseudo_median, signed_rank_p
from understudy.resampling.student import two_sided_p

Pairs = Sequence[tuple[int, int]]  # of systems, by number


RUNS_AT_ONCE = 2**22  # bytes of translations that MultEval's test permutes together


@dataclass(frozen=True, eq=False)
class TestResults:
    """The result of a test for every pair of systems, first minus second. All values are of one statistic."""

    differences: Floats  # [pairs], of the statistic that is tested
    p_values: Floats  # [pairs]
    # Of the differences [pairs]; not a number for tests of ranks, which have no such thing. With the degrees of freedom
    # of the t distribution that p is read from, or that the distribution of samples is close to.
    standard_errors: Floats
    degrees: Floats
    bounds: tuple[Floats, Floats] | None = (
        None  # of the intervals of the differences, where the test has its own
    )
    floor: float = 0.0  # the smallest p that so many samples can give
    run_shares: Floats | None = None  # [pairs]: how much of the variance is due to training runs

    @property
    def t_statistics(self) -> Floats:
        """The differences in standard errors; infinite where there is a difference and no variance."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(self.differences == 0, 0.0, self.differences / self.standard_errors)


def is_real(p: float, significance: float) -> bool:
    """Whether a p-value is significant: at most the level, as the tests are defined (Riezler & Maxwell 2005). (c + 1) /
    (n + 1) can be equal to the level, and the error rate is then the level. False without a p-value.

    >>> is_real(0.05, 0.05), is_real(0.0501, 0.05)
    (True, False)
    """
    return bool(p <= significance * (1 + ROUNDING))


def too_few_samples(samples: int, pairs: int, significance: float) -> int | None:
    """The number of resamples needed for any significant difference, if there are too few: with n samples no p-value is
    below 1 / (n + 1), and Holm multiplies it by the number of pairs. None: they are enough.

    >>> too_few_samples(100, 6, 0.05), too_few_samples(119, 6, 0.05)
    (119, None)
    """
    if is_real(pairs / (samples + 1), significance):
        return None
    return math.ceil(pairs / significance - ROUNDING) - 1


def bootstrap(evidence: Evidence, pairs: Pairs, drawn: Floats) -> TestResults:
    """Paired bootstrap (Koehn 2004): the observed difference against the bootstrap differences, shifted to a mean of 0.
    `drawn` are the scores of samples by run [samples, runs], as given by `bootstrap_scores`.
    """
    by_system = np.ascontiguousarray(evidence.over_runs(drawn).T)
    differences, sizes = _differences(evidence, pairs), _sizes(evidence, pairs)
    p_values, errors = np.ones(len(pairs)), np.zeros(len(pairs))
    for index, (a, b) in enumerate(pairs):
        noise = by_system[a] - by_system[b]
        noise -= noise.mean()
        errors[index] = math.sqrt(np.dot(noise, noise) / len(noise))
        if evidence.segments > 1:  # all samples of one segment are the same: it says nothing about others
            p_values[index] = p_value(noise, differences[index], sizes[index])
    return _from_samples(differences, p_values, errors, len(drawn), math.inf)


def randomization(evidence: Evidence, pairs: Pairs, samples: int, seed: int) -> TestResults:
    """Approximate randomization (Riezler & Maxwell 2005): the observed difference against differences after random
    swaps of translations between the two systems.
    """
    null = _Null(_differences(evidence, pairs), _sizes(evidence, pairs))
    for swapped in swaps(evidence.segments, samples, seed):
        taken = evidence.sums(swapped)  # [samples, systems, K]: what each would give away
        kept = evidence.totals - taken
        for index, (a, b) in enumerate(pairs):
            one, other = evidence.score(kept[:, a] + taken[:, b]), evidence.score(kept[:, b] + taken[:, a])
            null.add(index, one - other)
    return null.tested(samples, evidence.segments - 1.0, 2.0 ** (1 - evidence.segments))


def permutation(evidence: Evidence, pairs: Pairs, samples: int, seed: int) -> TestResults:
    """Paired permutation test of segment scores: the mean difference against means of differences with random signs."""
    scores = evidence.segment_scores
    differences = np.array([scores[a] - scores[b] for a, b in pairs]) / evidence.segments
    null = _Null(differences.sum(axis=1), np.abs(differences).sum(axis=1))
    for flipped in swaps(evidence.segments, samples, seed):
        for index, drawn in enumerate(differences @ (1 - 2 * flipped).T):
            null.add(index, drawn)
    return null.tested(samples, evidence.segments - 1.0, 2.0 ** (1 - evidence.segments))


def multeval(evidence: Evidence, pairs: Pairs, samples: int, seed: int) -> TestResults:
    """MultEval's approximate randomization (Clark et al. 2011): in every segment, the translations of all runs of both
    systems are randomly permuted. The training runs are treated as fixed, so variance across other runs is not
    included.
    """
    null = _Null(_differences(evidence, pairs), _sizes(evidence, pairs))
    for index, (a, b) in enumerate(pairs):
        null.add(index, _null_differences(evidence, a, b, samples, seed))
    return null.tested(samples, math.inf)


def _null_differences(evidence: Evidence, a: int, b: int, samples: int, seed: int) -> Floats:
    first, second = evidence.runs_of(a), evidence.runs_of(b)
    counts = evidence.counts[:, np.concatenate([first, second])]  # [segments, runs, K]
    segments, runs, _ = counts.shape
    generator = np.random.default_rng(seed)
    sums = np.zeros((samples, *counts.shape[1:]))
    at_once = max(
        1, RUNS_AT_ONCE // (8 * counts[0].size)
    )  # segments, for which all samples are permuted one after the other
    for start in range(0, segments, at_once):
        part = counts[start : start + at_once].astype(np.float64)
        rows, unshuffled = part.reshape(-1, part.shape[2]), np.arange(len(part) * runs).reshape(-1, runs)
        for sample in range(samples):
            permuted = generator.permuted(unshuffled, axis=1)
            sums[sample] += rows[permuted.T.ravel()].reshape(runs, len(part), -1).sum(axis=1)
    scores = evidence.score(sums)
    return np.asarray(scores[:, : len(first)].mean(axis=1) - scores[:, len(first) :].mean(axis=1))


def t_test(evidence: Evidence, pairs: Pairs) -> TestResults:
    """The paired t-test of segment scores, or of the scores of blocks."""
    scores, count = evidence.segment_scores, evidence.segments
    # Not the difference of the means: large scores that are all but equal would lose its last digits.
    differences = np.array([(scores[a] - scores[b]).mean() for a, b in pairs])
    errors = np.array([_standard_error(scores[a] - scores[b]) for a, b in pairs])
    found = TestResults(differences, np.ones(len(pairs)), errors, np.full(len(pairs), max(1.0, count - 1.0)))
    if count < 2:
        return found  # nothing to estimate a variance from
    return replace(found, p_values=two_sided_p(found.t_statistics, found.degrees))


def wilcoxon(evidence: Evidence, pairs: Pairs, confidence: float) -> TestResults:
    """Wilcoxon's signed-rank test of segment scores. Its statistic is the pseudo-median of the differences."""
    scores = evidence.segment_scores
    p_values = np.array([signed_rank_p(scores[a] - scores[b]) for a, b in pairs])
    found = [pseudo_median(scores[a] - scores[b], confidence) for a, b in pairs]
    differences, low, high = np.array(found).reshape(-1, 3).T
    unknown = np.full(len(pairs), np.nan)
    return TestResults(differences, p_values, unknown, unknown, bounds=(low, high))


# ------------------------------------------------------------------------------------------------------------


def _differences(evidence: Evidence, pairs: Pairs) -> Floats:
    return np.array([evidence.scores[a] - evidence.scores[b] for a, b in pairs])


def _sizes(evidence: Evidence, pairs: Pairs) -> Floats:
    """How large the scores of the two systems are: so far rounding can be told from a difference."""
    return np.array([max(abs(evidence.scores[a]), abs(evidence.scores[b])) for a, b in pairs])


def _standard_error(differences: Floats) -> float:
    """Standard error of the mean. It is 0 if all differences are equal, despite rounding."""
    if np.ptp(differences) == 0:
        return 0.0
    return float(differences.std(ddof=1)) / math.sqrt(len(differences))


class _Null:
    """Differences under the null hypothesis, which are counted as they are drawn: with many pairs they are too many to
    keep. Their mean is 0, because both systems of a pair may exchange their translations.
    """

    def __init__(self, seen: Floats, sizes: Floats) -> None:
        self.seen, self.sizes = seen, sizes
        self.extreme, self.squares = np.zeros(len(seen), dtype=np.int64), np.zeros(len(seen))

    def add(self, pair: int, drawn: Floats) -> None:
        self.extreme[pair] += extreme(drawn, self.seen[pair], self.sizes[pair])
        self.squares[pair] += np.dot(drawn, drawn)

    def tested(self, samples: int, degrees: float, smallest_p: float = 0.0) -> TestResults:
        """`smallest_p`: of all outcomes, as many are as extreme as the observed one at least. So few segments have no
        smaller p-value, whatever is drawn.
        """
        p_values = np.maximum((self.extreme + 1) / (samples + 1), smallest_p)
        return _from_samples(self.seen, p_values, np.sqrt(self.squares / samples), samples, degrees)


def _from_samples(
    differences: Floats, p_values: Floats, errors: Floats, samples: int, degrees: float
) -> TestResults:
    of_pairs = np.full(len(differences), max(1.0, degrees))
    return TestResults(differences, p_values, errors, of_pairs, floor=1 / (samples + 1))


def p_value(drawn: Floats, seen: float, size: float = 1.0) -> float:
    """The p-value of the observed difference, counted as one of the samples. `size` is the magnitude of the numbers
    whose differences are compared.
    """
    return (extreme(drawn, seen, size) + 1) / (len(drawn) + 1)


def extreme(drawn: Floats, seen: float, size: float = 1.0) -> int:
    """The number of differences at least as far from 0 as the observed one."""
    return int(np.count_nonzero(np.abs(drawn) >= abs(seen) - ROUNDING * size))
