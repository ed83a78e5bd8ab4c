"""The paired permutation test of two systems without permutations: exact, or as good as exact, and without a seed.

Two systems that are equally good could exchange their scores of any segment. An exchange turns the sign of a difference
d, so the p-value of the first being ahead by D = Σd is the probability that Σ±d is at least D. Sums that are equal to D
count half (the mid-p-value): then p of the second being ahead is 1 - p, and two systems with the same scores have 0.5.

Of few differences all signs are tried. Of more, the distribution of the sum is found from its characteristic function
Π cos(t·d) by a sum over frequencies t (Gil-Pelaez 1951; in steps, Davies 1973):

    p = 1/2 - 1/π · Σ_k sin(t_k·D) · Π cos(t_k·d) / (k + 1/2),    t_k = (k + 1/2) · step

Steps of 2π / L leave an error no larger than the chance of sums beyond L - |D|. The characteristic function of scores
that are multiples of a unit is periodic: 1 / t is then unit / tan(unit · t), and one period is exact. Other sums that
differ by less than a 400th of the standard deviation count as equal.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats

# Up to so many differences that are not 0, all signs are tried. Of one more, frequencies are 1e-4 off at most.
ALL_SIGNS = 18

# Beyond so many standard deviations lies less than 1e-11 (Hoeffding 1963): two of them cover every sum that matters.
_FAR = 7.5

_NEGLIGIBLE = 1e-9  # of a characteristic function: what follows changes no digit
_LAST = 400.0  # the highest frequency, in 1 / standard deviations
_AT_ONCE = 16  # frequencies

_EQUAL = 1e-9  # two sums that differ by less, in parts of the sum of all sizes, do so by rounding


def sign_flip_p_values(differences: Floats) -> Floats:
    """The p-value of every row [rows] of differences [rows, segments].

    >>> sign_flip_p_values(np.array([[1.0, 2.0], [1.0, -1.0], [0.0, 0.0]])).tolist()
    [0.125, 0.5, 0.5]
    """
    return np.array([_p_value(row) for row in differences])


def _p_value(differences: Floats) -> float:
    changes = differences[differences != 0]
    if len(changes) <= ALL_SIGNS:
        return _of_all_signs(changes)
    changes = changes / np.abs(changes).max()
    ahead, deviation = float(changes.sum()), math.sqrt(float(np.dot(changes, changes)))
    if abs(ahead) >= _FAR * deviation:
        return 0.0 if ahead > 0 else 1.0
    return _by_frequencies(np.abs(changes), ahead, deviation)


def _of_all_signs(changes: Floats) -> float:
    """Of every set of differences that change their signs: does it leave the sum higher, the same, or lower?"""
    lost = np.zeros(1)
    for change in changes:
        lost = np.concatenate([lost, lost + change])
    equal = _EQUAL * float(np.abs(changes).sum())
    return float((lost < -equal).mean() + (np.abs(lost) <= equal).mean() / 2)


def _by_frequencies(sizes: Floats, ahead: float, deviation: float) -> float:
    # Sums lie no further apart than this; a little more, or the outermost two would fall together.
    widest = min(2 * _FAR * deviation, 1.001 * (float(sizes.sum()) + abs(ahead)))
    step = 2 * math.pi / widest
    count = math.ceil(_LAST / deviation / step)
    unit = _common_unit(sizes)
    if unit > 0:  # the characteristic function is periodic: a period says everything
        period = math.ceil(math.pi / (2 * unit) / step)
        step, count = math.pi / (2 * unit) / period, min(count, period)
    found = 0.5
    for start in range(0, count, _AT_ONCE):
        frequencies = step * (np.arange(start, min(start + _AT_ONCE, count)) + 0.5)
        characteristic = np.cos(frequencies[:, np.newaxis] * sizes).prod(axis=1)
        weights = unit / np.tan(unit * frequencies) if unit > 0 else 1 / frequencies
        found -= step / math.pi * float((characteristic * np.sin(frequencies * ahead) * weights).sum())
        if np.abs(characteristic).max() < _NEGLIGIBLE:
            break
    return min(max(found, 0.0), 1.0)


def _common_unit(sizes: Floats) -> float:
    """The largest number of which all sizes (at most 1) are multiples, such as 0.1 of MQM scores; 0: none to speak
    of. Euclid's algorithm, in numbers that are rounded.
    """
    finest, equal = 1e-5, 1e-9
    unit = 0.0
    for size in np.unique(sizes).tolist():
        larger, smaller = size, unit
        while smaller > equal:
            remainder = math.fmod(larger, smaller)
            larger, smaller = smaller, 0.0 if smaller - remainder <= equal else remainder
        unit = larger
        if unit < finest:
            return 0.0
    return float(unit)


# --- many samples at once -----------------------------------------------------------------------------------

_TERMS = 10
MOST_TERMS = 1 + 2 * _TERMS
_WIDTH = 12.0  # in standard deviations, of which samples have more or fewer than the whole
_SMALLEST = 1e-12  # cosine: no logarithm is infinite

Singles = NDArray[np.float32]  # seven digits are enough for what has five


class FlipSums:
    """p-values in many samples, of which nothing is known but how often each segment is in them. All that p depends on
    is a sum over segments: of the differences, of log |cos(t·d)|, and of how many cosines are negative.

    A few frequencies serve all samples. They leave p 1e-5 off where a thousand differences are not 0, 1e-4 where a
    hundred are, and 1e-2 where ten are.
    """

    def __init__(self, variances: Floats, largest: Floats) -> None:
        """Of the sums that are to be expected, and the largest difference that occurs [rows]."""
        steps = 2 * math.pi / (_WIDTH * np.sqrt(np.where(variances > 0, variances, 1.0)))
        self._frequencies = (steps[:, np.newaxis] * (np.arange(_TERMS) + 0.5)).astype(np.float32)
        negative = self._frequencies * largest[:, np.newaxis] > math.pi / 2
        self._positive = int(
            _TERMS - negative.any(axis=0).sum()
        )  # frequencies of which no cosine is negative

    def terms(self, differences: Singles) -> Singles:
        """What is to be added up over segments [terms, rows, segments], of differences [rows, segments]."""
        found = np.empty((1 + 2 * _TERMS - self._positive, *differences.shape), dtype=np.float32)
        found[0] = differences
        for number in range(_TERMS):
            cosines = np.cos(self._frequencies[:, number, np.newaxis] * differences)
            if number >= self._positive:
                found[1 + _TERMS + number - self._positive] = cosines < 0
            found[1 + number] = np.log(np.maximum(np.abs(cosines), np.float32(_SMALLEST)))
        return found

    def p_values(self, sums: Singles) -> Floats:
        """Of sums of terms [terms, rows, samples]: [rows, samples]."""
        characteristic = np.exp(sums[1 : 1 + _TERMS])
        characteristic[self._positive :] *= 1 - 2 * (np.rint(sums[1 + _TERMS :]) % 2)
        turns = np.sin(self._frequencies.T[:, :, np.newaxis] * sums[0])
        weights = 1 / (math.pi * (np.arange(_TERMS) + 0.5))
        found = np.clip(0.5 - np.einsum("k,krs,krs->rs", weights, characteristic, turns), 0.0, 1.0)
        # Beyond half the width p is less than 1e-7, and frequencies would tell of sums of the other side.
        far = np.abs(self._frequencies[:, :1] * sums[0]) >= math.pi / 2
        return np.asarray(np.where(far, sums[0] < 0, found))


def weighted_sums(terms: Singles, weights: Singles) -> Singles:
    """Over segments, of terms [terms, rows, segments] that weigh so much [segments, samples]: one product of matrices,
    which is faster than one for every term.
    """
    return (terms.reshape(-1, len(weights)) @ weights).reshape(*terms.shape[:2], -1)
