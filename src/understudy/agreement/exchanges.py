"""The permutation tests of Deutsch, Dror & Roth 2021: two metrics that are equally good could exchange their scores.

What they exchange is a score (`perm-both`), all scores of a segment (`perm-inputs`) or of a system (`perm-systems`).
The first is about other systems and other segments, the second about other segments of the same systems, the third
about other systems on the same segments. All scores are first standardised, to be on one scale.

The first two take what they exchange to be independent of the rest. Two metrics that each have a bias of their own for
or against whole systems are not: if they are equally good over all systems there could be, `perm-both` still tells them
apart far more often than one time in twenty. `perm-systems` does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from understudy.agreement.coefficients import Asked, estimate
from understudy.agreement.draws import WHOLE
from understudy.agreement.estimators import Estimator, GroupedEstimator
from understudy.agreement.intervals import SAMPLES
from understudy.agreement.pairing import Pairing
from understudy.agreement.soft_accuracy_exchanges import can_be_exchanged_at_once, soft_accuracy_differences
from understudy.agreement.soft_pairwise_accuracy import SoftPairwiseAccuracy
from understudy.agreement.system_level import SystemEstimator
from understudy.comparison.evidence import Floats
from understudy.comparison.samples import SEED, swaps
from understudy.comparison.significance import Pairs
from understudy.errors import BadInput, BadParameter

EXCHANGES = ("perm-both", "perm-inputs", "perm-systems")


def exchange_differences(
    pairings: Sequence[Pairing],
    pairs: Pairs,
    asked: Asked,
    *,
    kind: str = "perm-both",
    samples: int = SAMPLES,
    seed: int = SEED,
    threads: int = 1,
) -> tuple[Floats, Floats]:
    """The coefficients of the metrics [metrics], and the differences between those of every pair after exchanges
    [pairs, samples]. The same exchanges serve all pairs.
    """
    if kind not in EXCHANGES:
        raise BadParameter(f"test '{kind}': expected {', '.join(EXCHANGES)}.")
    exchange = _Exchange(pairings, asked, kind, samples=samples, seed=seed, threads=threads)
    values = np.array([estimator.value for estimator in exchange.estimators])
    return values, np.array(list(exchange.differences(pairs))).reshape(len(pairs), samples)


class _Exchange:
    """Metrics that exchange scores, and what that does to their coefficients."""

    def __init__(
        self,
        pairings: Sequence[Pairing],
        asked: Asked,
        kind: str,
        *,
        samples: int,
        seed: int,
        threads: int,
    ) -> None:
        self.asked, self.kind, self.threads = asked, kind, threads
        self.samples, self.seed = samples, seed
        self.scores = [_standardised(pairing, kind) for pairing in pairings]
        self.metrics = [
            _with_scores(pairing, scores) for pairing, scores in zip(pairings, self.scores, strict=True)
        ]
        self.estimators = [self._estimator(metric) for metric in self.metrics]

    def differences(self, pairs: Pairs) -> Iterator[Floats]:
        """For every pair of metrics, the differences of their coefficients after the exchanges [samples]."""
        gaps = [np.isnan(scores) for scores in self.scores]
        if all(np.array_equal(gap, gaps[0]) for gap in gaps) and all(
            isinstance(estimator, SystemEstimator) for estimator in self.estimators
        ):
            return self._of_systems(pairs)
        soft = [each for each in self.estimators if isinstance(each, SoftPairwiseAccuracy)]
        if len(soft) == len(self.estimators) and (
            self.kind == "perm-systems" or can_be_exchanged_at_once(soft)
        ):
            return self._of_soft_accuracy(soft[0], pairs)
        if (
            self.kind == "perm-inputs"
            and self.asked.grouping == "segment"
            and all(isinstance(estimator, GroupedEstimator) for estimator in self.estimators)
        ):
            return self._of_segments(pairs)
        return self._of_anything(pairs)

    def _estimator(self, pairing: Pairing) -> Estimator:
        return estimate(pairing, self.asked, seed=self.seed, threads=self.threads)

    def _of_systems(self, pairs: Pairs) -> Iterator[Floats]:
        """What a system gains by an exchange is the sum of what it gets less the sum of what it gives: sums by metric
        are enough for all pairs of metrics.
        """
        size, shaped = _changes(self.kind, self.scores[0].shape)
        count = np.maximum((~np.isnan(self.scores[0])).sum(axis=1), 1)
        filled = [np.nan_to_num(scores) for scores in self.scores]
        moved = np.concatenate(
            [
                np.stack([np.einsum("bks,ks->bk", shaped(part), scores) / count for scores in filled])
                for part in swaps(size, self.samples, self.seed)
            ],
            axis=1,
        )  # [metrics, samples, systems]
        own = [metric.system_scores[1] for metric in self.metrics]
        human = np.tile(self.metrics[0].system_scores[0], (self.samples, 1))
        for a, b in pairs:
            of_both = []
            for mine, its in ((a, b), (b, a)):
                estimator = self.estimators[mine]
                assert isinstance(estimator, SystemEstimator)
                of_both.append(estimator.of_scores(human, own[mine] - moved[mine] + moved[its]))
            yield of_both[0] - of_both[1]

    def _of_soft_accuracy(self, estimator: SoftPairwiseAccuracy, pairs: Pairs) -> Iterator[Floats]:
        size, shaped = _changes(self.kind, self.scores[0].shape)
        changed = np.concatenate([shaped(part) > 0 for part in swaps(size, self.samples, self.seed)])
        yield from soft_accuracy_differences(
            estimator, self.scores, pairs, changed, whole_systems=self.kind == "perm-systems"
        )

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
            for part in swaps(size, self.samples, self.seed):
                for change in shaped(part) > 0:
                    one, other = (
                        np.where(change, self.scores[its], self.scores[mine])
                        for mine, its in ((a, b), (b, a))
                    )
                    value_of_one = self._estimator(_with_scores(self.metrics[a], one)).value
                    value_of_other = self._estimator(_with_scores(self.metrics[b], other)).value
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


def _standardised(pairing: Pairing, kind: str) -> Floats:
    if pairing.metric is None:
        raise BadInput(f"{kind} exchanges segment scores, and the metric has only scores of systems.")
    known = pairing.metric[~np.isnan(pairing.metric)]
    if not len(known) or np.ptp(known) == 0:
        return np.asarray(pairing.metric * 0.0)
    return np.asarray((pairing.metric - known.mean()) / known.std())


def _with_scores(pairing: Pairing, metric: Floats) -> Pairing:
    """The pairing with other segment scores, of which systems' scores are the means."""
    return replace(pairing, metric=metric, metric_systems=None, metric_of_samples=None)
