"""The permutation tests of Deutsch, Dror & Roth 2021: if two metrics are equally good, their scores are exchangeable.

The unit of exchange is a single score (`perm-both`), all scores of a segment (`perm-inputs`) or all scores of a system
(`perm-systems`). The first generalizes to other systems and segments, the second to other segments of the same systems,
the third to other systems on the same segments. All scores are standardized first, to have the same scale.

The tested coefficient is the reported one. For system-level coefficients, `perm-systems` exchanges the system scores,
as mt-metrics-eval does. The other two exchange the contributions of segments to them (`PairedScores.contributions`).

The first two tests assume that the units of exchange are independent. If metrics are biased for or against individual
systems, they are not: for two metrics that are equally good over all possible systems, `perm-both` rejects far more
often than the significance level. `perm-systems` does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.choices import SEED
from understudy.errors import BadInput, BadParameter
from understudy.resampling.samples import swaps
from understudy.resampling.significance_tests import Pairs
from understudy.resampling.two_way_samples import WHOLE
from understudy.trusting.coefficients.by_name import CoefficientSpec, estimate
from understudy.trusting.coefficients.estimators import Estimator, GroupedEstimator
from understudy.trusting.coefficients.soft_pairwise_accuracy import SoftPairwiseAccuracy
from understudy.trusting.coefficients.system_level import SystemEstimator
from understudy.trusting.intervals import SAMPLES
from understudy.trusting.metric_tests.soft_accuracy_permutations import (
    can_be_exchanged_at_once,
    soft_accuracy_differences,
)
from understudy.trusting.paired_scores import PairedScores

PERMUTATION_TESTS = ("perm-both", "perm-inputs", "perm-systems")

# Of exchanges, for soft pairwise accuracy: what is computed for one part serves the others too.
_PARTS_AT_ONCE = 4


def exchange_differences(
    pairings: Sequence[PairedScores],
    pairs: Pairs,
    asked: CoefficientSpec,
    *,
    kind: str = "perm-both",
    samples: int | None = SAMPLES,
    seed: int = SEED,
    threads: int = 1,
) -> tuple[Floats, Floats]:
    """The coefficients of the metrics [metrics], and the differences between those of every pair after exchanges
    [pairs, samples]. The same exchanges serve all pairs: random ones or, with samples=None, all that there are.
    """
    if kind not in PERMUTATION_TESTS:
        raise BadParameter(f"test '{kind}': expected {', '.join(PERMUTATION_TESTS)}.")
    exchange = _Exchange(pairings, asked, kind, samples=samples, seed=seed, threads=threads)
    values = np.array([estimator.value for estimator in exchange.estimators])
    differences = np.array(list(exchange.differences(pairs))).reshape(len(pairs), exchange.samples)
    if samples is None:  # of two opposite exchanges one was tried: the other differs in sign alone
        differences = np.concatenate([differences, -differences], axis=1)
    return values, differences


def exhaustive_permutations(kind: str, systems: int, samples: int) -> int | None:
    """How many different exchanges there are; None: more than samples. Of two that are each other's opposite, which
    differ in sign alone, one is enough.

    >>> exhaustive_permutations("perm-systems", 5, 1000), exhaustive_permutations("perm-systems", 15, 1000)
    (16, None)
    """
    return 2 ** (systems - 1) if kind == "perm-systems" and systems <= samples.bit_length() else None


def exchanged_scores(pairing: PairedScores, estimator: Estimator, kind: str) -> Floats:
    """What a metric exchanges for a coefficient, standardized [systems, segments]: system scores are one column."""
    if not isinstance(estimator, SystemEstimator):
        human, metric = pairing.segment_scores
        return _standardized(metric, ~np.isnan(human))
    if kind == "perm-systems":
        human, metric = (scores[:, np.newaxis] for scores in pairing.system_scores)
        return _standardized(metric, ~np.isnan(human))
    try:
        return _standardized(pairing.contributions)
    except BadInput as error:
        raise BadInput(f"{kind} permutes segment scores, but {error} Use perm-systems.") from None


class _Exchange:
    """Metrics that exchange scores, and what that does to their coefficients."""

    def __init__(
        self,
        pairings: Sequence[PairedScores],
        asked: CoefficientSpec,
        kind: str,
        *,
        samples: int | None,
        seed: int,
        threads: int,
    ) -> None:
        self.pairings, self.asked, self.kind, self.threads = pairings, asked, kind, threads
        self.samples, self.seed = samples or 2 ** (len(pairings[0].systems) - 1), seed
        self.exact = samples is None
        self.estimators = [self._estimator(pairing) for pairing in pairings]
        self.scores = [
            exchanged_scores(pairing, estimator, kind)
            for pairing, estimator in zip(pairings, self.estimators, strict=True)
        ]

    def differences(self, pairs: Pairs) -> Iterator[Floats]:
        """For every pair of metrics, the differences of their coefficients after the exchanges [samples]."""
        if all(isinstance(estimator, SystemEstimator) for estimator in self.estimators):
            return self._of_systems(pairs)
        soft = [each for each in self.estimators if isinstance(each, SoftPairwiseAccuracy)]
        whole_systems = self.kind == "perm-systems"
        if len(soft) == len(self.estimators) and can_be_exchanged_at_once(soft, whole_systems=whole_systems):
            return self._of_soft_accuracy(soft[0], pairs)
        if (
            self.kind == "perm-inputs"
            and self.asked.grouping == "segment"
            and all(isinstance(estimator, GroupedEstimator) for estimator in self.estimators)
        ):
            return self._of_segments(pairs)
        return self._of_anything(pairs)

    def _estimator(self, pairing: PairedScores) -> Estimator:
        return estimate(pairing, self.asked, seed=self.seed, threads=self.threads)

    def _of_systems(self, pairs: Pairs) -> Iterator[Floats]:
        """What a system gains by an exchange is the sum of what it gets less the sum of what it gives: sums by metric
        are enough for all pairs of metrics.
        """
        known = [~np.isnan(scores) for scores in self.scores]
        own, moved = self._sums([np.nan_to_num(scores) for scores in self.scores])
        if all(np.array_equal(one, known[0]) for one in known):  # then no exchange changes how many there are
            counts, moved_counts = np.array([one.sum(axis=1) for one in known]), np.zeros((len(known), 1, 1))
        else:
            counts, moved_counts = self._sums([one.astype(np.float64) for one in known])
        human = np.tile(self.pairings[0].system_scores[0], (self.samples, 1))
        for a, b in pairs:
            of_both = []
            for mine, its in ((a, b), (b, a)):
                estimator = self.estimators[mine]
                assert isinstance(estimator, SystemEstimator)
                count = counts[mine] - moved_counts[mine] + moved_counts[its]
                with np.errstate(invalid="ignore", divide="ignore"):
                    scores = (own[mine] - moved[mine] + moved[its]) / count
                of_both.append(estimator.of_scores(human, scores))
            yield of_both[0] - of_both[1]

    def _sums(self, of_metrics: Sequence[Floats]) -> tuple[Floats, Floats]:
        """Of systems, and of what they give away [metrics, samples, systems]."""
        size, shaped = _changes(self.kind, of_metrics[0].shape)
        moved = np.concatenate(
            [
                np.stack([np.einsum("bks,ks->bk", shaped(part), scores) for scores in of_metrics])
                for part in self._swaps(size)
            ],
            axis=1,
        )
        return np.array([scores.sum(axis=1) for scores in of_metrics]), moved

    def _swaps(self, size: int) -> Iterator[Floats]:
        """Which of so many decisions are to exchange [samples, decisions], in parts."""
        if not self.exact:
            return swaps(size, self.samples, self.seed)
        numbers = np.arange(self.samples)[:, np.newaxis]
        return iter([((numbers >> np.arange(size)) & 1).astype(np.float64)])

    def _of_soft_accuracy(self, estimator: SoftPairwiseAccuracy, pairs: Pairs) -> Iterator[Floats]:
        size, shaped = _changes(self.kind, self.scores[0].shape)
        changes = (shaped(part)[:, :, estimator.columns] > 0 for part in self._swaps(size))
        found = []
        while some := list(islice(changes, _PARTS_AT_ONCE)):
            found.append(
                soft_accuracy_differences(
                    estimator,
                    self.scores,
                    pairs,
                    np.concatenate(some),
                    whole_systems=self.kind == "perm-systems",
                )
            )
        yield from np.concatenate(found, axis=1)

    def _of_segments(self, pairs: Pairs) -> Iterator[Floats]:
        """Where a coefficient is a mean over segments, exchanging segments exchanges what they are worth."""
        values = [
            estimator.group_values(WHOLE)[0]
            for estimator in self.estimators
            if isinstance(estimator, GroupedEstimator)
        ]
        known = [(~np.isnan(of_metric)).astype(np.float64) for of_metric in values]
        filled = [np.nan_to_num(of_metric) for of_metric in values]
        changes = np.concatenate(list(swaps(len(values[0]), self.samples, self.seed)))
        for a, b in pairs:
            means = []
            for mine, its in ((a, b), (b, a)):
                total = (1 - changes) @ filled[mine] + changes @ filled[its]
                groups = (1 - changes) @ known[mine] + changes @ known[its]
                with np.errstate(invalid="ignore", divide="ignore"):
                    means.append(np.where(groups > 0, total / groups, np.nan))
            yield means[0] - means[1]

    def _of_anything(self, pairs: Pairs) -> Iterator[Floats]:
        """The coefficient of every exchange computed anew."""
        size, shaped = _changes(self.kind, self.scores[0].shape)
        for a, b in pairs:
            differences = []
            for part in self._swaps(size):
                for change in shaped(part) > 0:
                    one, other = (
                        np.where(change, self.scores[its], self.scores[mine])
                        for mine, its in ((a, b), (b, a))
                    )
                    value_of_one = self._estimator(_with_scores(self.pairings[a], one)).value
                    value_of_other = self._estimator(_with_scores(self.pairings[b], other)).value
                    differences.append(value_of_one - value_of_other)
            yield np.array(differences)


def _changes(kind: str, shape: tuple[int, ...]) -> tuple[int, Callable[[Floats], Floats]]:
    """How many decisions an exchange takes, and what these [samples, decisions] mean [samples, systems, segments]."""
    systems, segments = shape
    if kind == "perm-both":
        return systems * segments, lambda part: part.reshape(-1, systems, segments)
    if kind == "perm-inputs":
        return segments, lambda part: np.broadcast_to(part[:, np.newaxis, :], (len(part), systems, segments))
    return systems, lambda part: np.broadcast_to(part[:, :, np.newaxis], (len(part), systems, segments))


def _standardized(scores: Floats, counted: NDArray[np.bool_] | None = None) -> Floats:
    """Standardize by the mean and SD of the scores that count: those of translations with human scores, if only they
    do.
    """
    known = scores[~np.isnan(scores) if counted is None else ~np.isnan(scores) & counted]
    if not len(known) or np.ptp(known) == 0:
        return np.asarray(scores * 0.0)
    return np.asarray((scores - known.mean()) / known.std())


def _with_scores(pairing: PairedScores, metric: Floats) -> PairedScores:
    """The pairing with other segment scores, of which systems' scores are the means."""
    return replace(pairing, metric=metric, metric_systems=None, metric_of_samples=None)
