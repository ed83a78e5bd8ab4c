"""Could the difference be chance? One function per test; each gives a p-value for every pair of systems asked for.

All are two-sided. Where samples are drawn, p = (c + 1) / (n + 1), of which c are at least as extreme as what was seen:
never 0, and 1 for systems that are the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from understudy.comparison.evidence import Evidence, Floats
from understudy.comparison.samples import bootstrap_weights, swaps

Pairs = Sequence[tuple[int, int]]  # of systems, by number

SIGNIFICANCE = 0.05

# Two scores or differences that a sum in another order would tell apart are not different.
ROUNDING = 1e-9

# "a t-statistic of 1.7 or above is 95% significant" (Papineni et al. 2001, section 3), which is one-sided.
REPORT_RULE = 1.7


def is_real(p: float, significance: float) -> bool:
    """Whether p is no larger than the level: so the tests are defined (Riezler & Maxwell 2005). (c + 1) / (n + 1) may
    be the level itself, and there are then just as many false alarms as it says. Not so if there is no p.

    >>> is_real(0.05, 0.05), is_real(0.0501, 0.05)
    (True, False)
    """
    return bool(p <= significance * (1 + ROUNDING))


def too_few_samples(samples: int, pairs: int, significance: float) -> int | None:
    """How many it takes at least, where so many show nothing: with n samples no p is below 1 / (n + 1), and Holm
    multiplies it by the number of pairs. None: they are enough.

    >>> too_few_samples(100, 6, 0.05), too_few_samples(119, 6, 0.05)
    (119, None)
    """
    if is_real(pairs / (samples + 1), significance):
        return None
    return math.ceil(pairs / significance - ROUNDING) - 1


def bootstrap(evidence: Evidence, pairs: Pairs, samples: int, seed: int) -> Floats:
    """Paired bootstrap (Koehn 2004): would other segments of the same kind say so too? The differences between
    samples, moved to where there is none on average, against the one that was seen.
    """
    if evidence.segments == 1:
        return np.ones(len(pairs))  # all samples are the same: one segment says nothing about others
    drawn = evidence.sample_scores(bootstrap_weights(evidence.segments, samples, seed))
    return np.array(
        [
            p_value(difference - difference.mean(), evidence.scores[a] - evidence.scores[b])
            for a, b in pairs
            for difference in [drawn[:, a] - drawn[:, b]]
        ]
    )


def randomization(evidence: Evidence, pairs: Pairs, samples: int, seed: int) -> Floats:
    """Approximate randomization (Riezler & Maxwell 2005): if it made no difference which system a translation is
    of, how often would exchanging them at random give so large a difference?

    Systems of several runs exchange the translations of a segment among all their runs (Clark et al. 2011).
    """
    if len(evidence.systems) == len(evidence.system_of):
        return _swapped(evidence, pairs, samples, seed)
    return np.array([_shuffled_runs(evidence, a, b, samples, seed) for a, b in pairs])


def _swapped(evidence: Evidence, pairs: Pairs, samples: int, seed: int) -> Floats:
    differences: list[list[Floats]] = [[] for _ in pairs]
    for swapped in swaps(evidence.segments, samples, seed):
        taken = evidence.sums(swapped)  # [samples, systems, K]: what each would give away
        kept = evidence.totals - taken
        for found, (a, b) in zip(differences, pairs, strict=True):
            found.append(evidence.score(kept[:, a] + taken[:, b]) - evidence.score(kept[:, b] + taken[:, a]))
    observed = [evidence.scores[a] - evidence.scores[b] for a, b in pairs]
    return np.array(
        [p_value(np.concatenate(found), seen) for found, seen in zip(differences, observed, strict=True)]
    )


def _shuffled_runs(evidence: Evidence, a: int, b: int, samples: int, seed: int) -> float:
    """Every segment deals the translations of all runs of both systems anew."""
    first, second = evidence.runs_of(a), evidence.runs_of(b)
    counts = evidence.counts[np.concatenate([first, second])]  # [runs, segments, K]
    generator = np.random.default_rng(seed)
    segment = np.arange(evidence.segments)
    differences = np.empty(samples)
    for sample in range(samples):
        dealt = generator.permuted(np.tile(np.arange(len(counts)), (evidence.segments, 1)), axis=1)
        scores = evidence.score(
            np.stack([counts[dealt[:, run], segment].sum(axis=0) for run in range(len(counts))])
        )
        differences[sample] = scores[: len(first)].mean() - scores[len(first) :].mean()
    return p_value(differences, evidence.scores[a] - evidence.scores[b])


def permutation(evidence: Evidence, pairs: Pairs, samples: int, seed: int) -> Floats:
    """Paired permutation of segment scores: how often would differences with random signs have so large a mean?"""
    differences = _segment_differences(evidence, pairs)  # [pairs, segments]
    drawn = np.concatenate(
        [(1 - 2 * flipped) @ differences.T for flipped in swaps(evidence.segments, samples, seed)]
    )
    return np.array([p_value(drawn[:, i], differences[i].sum()) for i in range(len(pairs))])


def t_test(evidence: Evidence, pairs: Pairs) -> Floats:
    """The paired t-test of segment scores."""
    from scipy.stats import ttest_rel

    return _classical(evidence, pairs, lambda a, b: ttest_rel(a, b).pvalue)


def wilcoxon(evidence: Evidence, pairs: Pairs) -> Floats:
    """Wilcoxon's signed-rank test of segment scores; segments that score alike are left out, as he does."""
    from scipy.stats import wilcoxon as signed_rank

    return _classical(evidence, pairs, lambda a, b: signed_rank(a, b, zero_method="wilcox").pvalue)


def _classical(evidence: Evidence, pairs: Pairs, test: Any) -> Floats:
    scores = evidence.segment_scores
    found = np.ones(len(pairs))
    for index, (a, b) in enumerate(pairs):
        difference = scores[a] - scores[b]
        if np.ptp(difference) == 0 and (difference[0] == 0 or len(difference) < 2):
            continue  # the same everywhere, or nothing to estimate a spread of
        found[index] = 0.0 if np.ptp(difference) == 0 else test(scores[a], scores[b])
    return found


# --- blocks -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class BlockTest:
    """The report's own test: the metric on each of some blocks of segments (Papineni et al. 2001, section 3)."""

    scores: Floats  # [systems, blocks]
    t_statistics: Floats  # [pairs]; infinite where every block differs by the same
    p_values: Floats

    @property
    def means(self) -> Floats:
        return np.asarray(self.scores.mean(axis=1))

    @property
    def deviations(self) -> Floats:
        """The standard deviations over the blocks."""
        return np.asarray(self.scores.std(axis=1, ddof=1))


def blocks(evidence: Evidence, pairs: Pairs, members: Floats) -> BlockTest:
    """The blocks are rows of ones and zeros: which segments are in them."""
    from scipy.stats import t as student

    scores = evidence.sample_scores(iter([members])).T
    differences = np.array([scores[a] - scores[b] for a, b in pairs]).reshape(len(pairs), -1)
    count = differences.shape[1]
    mean, spread = differences.mean(axis=1), differences.std(axis=1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        statistics = np.where(mean == 0, 0.0, mean / (spread / np.sqrt(count)))
    p_values = 2 * student.sf(np.abs(statistics), count - 1)
    return BlockTest(scores, statistics, np.asarray(p_values))


# ------------------------------------------------------------------------------------------------------------


def _segment_differences(evidence: Evidence, pairs: Pairs) -> Floats:
    scores = evidence.segment_scores
    return np.array([scores[a] - scores[b] for a, b in pairs]).reshape(len(pairs), evidence.segments)


def p_value(drawn: Floats, seen: float) -> float:
    """How surprising what was seen is, if it is one more of what was drawn."""
    size = np.abs(drawn)
    extreme = int(np.count_nonzero(size >= abs(seen) - ROUNDING * max(1.0, abs(seen))))
    return (extreme + 1) / (len(drawn) + 1)
