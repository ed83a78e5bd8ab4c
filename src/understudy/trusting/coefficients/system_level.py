"""System-level coefficients: correlations of system scores, and pairwise accuracy."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.errors import BadInput
from understudy.resampling.two_way_samples import WHOLE, Draws
from understudy.trusting.coefficients.estimators import Estimator, GroupedEstimator, with_both
from understudy.trusting.paired_scores import PairedScores


class SystemEstimator(Estimator):
    """A coefficient of system scores. In a sample of segments, system scores are those on the sample."""

    def __init__(self, pairing: PairedScores, *, threads: int = 1) -> None:
        self.pairing, self.threads = pairing, threads

    @abstractmethod
    def of_scores(self, human: Floats, metric: Floats, _drawn: NDArray[np.intp] | None = None) -> Floats:
        """In every row [samples] of scores [samples, systems]; the third says which systems these are, if not all."""

    def values(self, draws: Draws) -> Floats:
        return self.of_scores(*drawn_systems(self.pairing, draws))


class SystemCorrelation(SystemEstimator):
    """A correlation, with every sample as a group of systems."""

    def __init__(self, pairing: PairedScores, kind: type[GroupedEstimator], *, threads: int = 1) -> None:
        super().__init__(pairing, threads=threads)
        self.kind = kind

    def of_scores(self, human: Floats, metric: Floats, _drawn: NDArray[np.intp] | None = None) -> Floats:
        found: Floats = self.kind(human, metric, "system", threads=self.threads).of_groups(WHOLE)[0]
        return found


class PairwiseAccuracy(SystemEstimator):
    """The share of system pairs in which human and metric scores prefer the same system (Kocmi et al. 2021). A tie
    agrees only with a tie, as in mt-metrics-eval.
    """

    def of_scores(self, human: Floats, metric: Floats, _drawn: NDArray[np.intp] | None = None) -> Floats:
        first, second = np.triu_indices(human.shape[1], 1)
        pairs, alike = preferred_alike(human, metric, first, second)
        if _drawn is not None:
            pairs &= _drawn[:, first] != _drawn[:, second]  # two copies of one system are no pair
        right = (pairs & alike).sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(np.where(pairs.any(axis=1), right / pairs.sum(axis=1), np.nan))


def preferred_alike(
    human: Floats, metric: Floats, first: NDArray[np.intp], second: NDArray[np.intp]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Of pairs of systems, by number, in every row of scores [samples, systems]: which are scored by both, and of which
    people and metric prefer the same one, or both neither.
    """
    preferred = [np.sign(scores[:, first] - scores[:, second]) for scores in (human, metric)]
    return ~np.isnan(preferred[0]) & ~np.isnan(preferred[1]), preferred[0] == preferred[1]


def drawn_systems(pairing: PairedScores, draws: Draws) -> tuple[Floats, Floats, NDArray[np.intp] | None]:
    """The scores of the systems in every sample [samples, systems], and which systems these are, if not all."""
    human, metric = pairing.sampled_system_scores(draws)
    human, metric = with_both(human, metric)
    if draws.systems is None:
        return human, metric, None
    count = draws.systems.shape[1]
    numbers = np.tile(np.arange(count), draws.samples)
    drawn = np.repeat(numbers, draws.systems.astype(np.intp).ravel()).reshape(draws.samples, -1)
    if drawn.shape[1] != count:
        raise BadInput(f"samples of {drawn.shape[1]} systems, expected {count}.")
    rows = np.arange(draws.samples)[:, np.newaxis] if len(human) > 1 else np.zeros((1, 1), dtype=np.intp)
    return human[rows, drawn], metric[rows, drawn], drawn
