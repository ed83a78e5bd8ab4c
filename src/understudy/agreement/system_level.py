"""Coefficients over systems: correlations of their scores, and how often people and metric agree on the better one."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
from numpy.typing import NDArray

from understudy.agreement.draws import WHOLE, Draws
from understudy.agreement.estimators import Estimator, GroupedEstimator, with_both
from understudy.agreement.pairing import Pairing
from understudy.comparison.evidence import Floats
from understudy.comparison.samples import SEED, swaps
from understudy.comparison.significance import ROUNDING
from understudy.errors import BadInput

PERMUTATIONS = 1000


class SystemEstimator(Estimator):
    """A coefficient of systems' scores. In a sample of segments they are the scores on that sample."""

    def __init__(self, pairing: Pairing, *, threads: int = 1) -> None:
        self.pairing, self.threads = pairing, threads

    @abstractmethod
    def of_scores(self, human: Floats, metric: Floats, _drawn: NDArray[np.intp] | None = None) -> Floats:
        """In every row [samples] of scores [samples, systems]; the third says which systems these are, if not all."""

    def values(self, draws: Draws) -> Floats:
        return self.of_scores(*drawn_systems(self.pairing, draws))


class SystemCorrelation(SystemEstimator):
    """A correlation, with every sample as a group of systems."""

    def __init__(self, pairing: Pairing, kind: type[GroupedEstimator], *, threads: int = 1) -> None:
        super().__init__(pairing, threads=threads)
        self.kind = kind

    def of_scores(self, human: Floats, metric: Floats, _drawn: NDArray[np.intp] | None = None) -> Floats:
        found: Floats = self.kind(human, metric, "system", threads=self.threads).of_groups(WHOLE)[0]
        return found


class PairwiseAccuracy(SystemEstimator):
    """The share of all pairs of systems of which people and metric prefer the same (Kocmi et al. 2021). Where one of
    them prefers neither, they agree if the other does so too, as in mt-metrics-eval.
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


class SoftPairwiseAccuracy(Estimator):
    """1 - mean |p(h) - p(m)| over all pairs of systems (Thompson et al. 2024), where p is the share of random exchanges
    of two systems' segment scores after which the first is ahead of the second by at least as much as it is.

    Every pair of systems is compared on the segments for which both have both scores. The exchanges are the same for
    people and metric and for all pairs. In samples of segments p is taken from the normal distribution with the mean
    and the variance that all exchanges together have.
    """

    def __init__(
        self, human: Floats, metric: Floats, *, permutations: int = PERMUTATIONS, seed: int = SEED
    ) -> None:
        self.first, self.second = np.triu_indices(len(human), 1)
        self._scores = human, metric
        self._differences = [scores[self.first] - scores[self.second] for scores in with_both(human, metric)]
        self.segments = (~np.isnan(self._differences[0])).sum(axis=1)  # by pair of systems
        self._differences = [np.nan_to_num(difference) for difference in self._differences]
        self._permutations, self._seed = permutations, seed

    def values(self, draws: Draws) -> Floats:
        if draws.segments is None:
            human, metric = (self.p_values(differences) for differences in self._differences)
        else:
            human, metric = (_normal_p_values(part, draws.segments) for part in self._differences)
        weights = np.tile((self.segments > 0).astype(np.float64), (draws.samples, 1))
        if draws.systems is not None:
            weights *= draws.systems[:, self.first] * draws.systems[:, self.second]
        total = weights.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            found = 1 - (weights * np.abs(human - metric)).sum(axis=1) / total
        return np.asarray(np.where(total > 0, found, np.nan))

    def dealt(self, orders: NDArray[np.intp]) -> Floats:
        """The values if systems had the metric's scores of others, in these orders [deals, systems]. p is taken from
        the normal distribution.
        """
        people, scores = self._scores
        systems = len(people)
        human = people[self.first] - people[self.second]
        metric = (scores[:, np.newaxis] - scores).reshape(systems**2, -1)  # every two, in both orders
        judged, scored = ((~np.isnan(differences)).astype(np.float64) for differences in (human, metric))
        human, metric = np.nan_to_num(human), np.nan_to_num(metric)
        # Of every pair that people compare and every pair that the metric does, on the segments that all four have.
        gaps = np.abs(
            _normal_p(human @ scored.T, human**2 @ scored.T)
            - _normal_p(judged @ metric.T, judged @ (metric**2).T)
        )
        shared = judged @ scored.T > 0
        places = np.arange(len(human)), orders[:, self.first] * systems + orders[:, self.second]
        known = shared[places]
        with np.errstate(invalid="ignore", divide="ignore"):
            found = 1 - np.where(known, gaps[places], 0.0).sum(axis=1) / known.sum(axis=1)
        return np.asarray(np.where(known.any(axis=1), found, np.nan))

    def p_values(self, differences: Floats) -> Floats:
        """[1, pairs] of differences between two systems [pairs, segments]."""
        seen = differences.sum(axis=1)
        nearly = seen - ROUNDING * np.abs(differences).sum(axis=1)
        reached = np.zeros(len(seen))
        for signs in exchange_signs(differences.shape[1], self._permutations, self._seed):
            reached += (signs @ differences.T >= nearly).sum(axis=0)
        return np.asarray(reached / self._permutations)[np.newaxis]


def exchange_signs(segments: int, permutations: int, seed: int) -> list[Floats]:
    """1 where two systems keep their scores, -1 where they exchange them [permutations, segments], in parts."""
    return [1 - 2 * part for part in swaps(segments, permutations, seed)]


def _normal_p_values(differences: Floats, weights: Floats) -> Floats:
    """An exchange gives every difference a random sign: the sum has the mean 0 and the variance sum(d²)."""
    return _normal_p(weights @ differences.T, weights @ (differences**2).T)


def _normal_p(ahead: Floats, variance: Floats) -> Floats:
    from scipy.special import ndtr

    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(variance > 0, ndtr(-ahead / np.sqrt(variance)), 1.0))


def drawn_systems(pairing: Pairing, draws: Draws) -> tuple[Floats, Floats, NDArray[np.intp] | None]:
    """The scores of the systems in every sample [samples, systems], and which systems these are, if not all."""
    human, metric = pairing.sampled_system_scores(draws)
    human, metric = with_both(human, metric)
    if draws.systems is None:
        return human, metric, None
    count = draws.systems.shape[1]
    numbers = np.tile(np.arange(count), draws.samples)
    drawn = np.repeat(numbers, draws.systems.astype(np.intp).ravel()).reshape(draws.samples, -1)
    if drawn.shape[1] != count:
        raise BadInput(f"samples of {drawn.shape[1]} systems, expected as many as there are: {count}.")
    rows = np.arange(draws.samples)[:, np.newaxis] if len(human) > 1 else np.zeros((1, 1), dtype=np.intp)
    return human[rows, drawn], metric[rows, drawn], drawn
