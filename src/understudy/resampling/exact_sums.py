"""Sums that do not depend on the order of their terms, nor on how the terms were split into parts.

Integers are added as they are. A floating-point number is an integer of some unit: its digits in base 2³² are
added instead, each for itself, as integers. The sum of the digits is rounded once, at the end, like `math.fsum`.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import LARGEST_EXACT, LARGEST_EXACT_SINGLE
from understudy.errors import BadInput

WHOLE = -(2**15)  # in place of the position of a digit: integers, as they are
_BITS = 32  # of a digit
_MANTISSA = 53  # bits of a float

Integers = NDArray[np.int64]


def digits_of(numbers: NDArray[np.int64] | NDArray[np.float64]) -> dict[int, Integers]:
    """The digits of numbers by position: the digit at position p is worth 2 ** (32 p). Positions at which all digits
    are 0 are left out, except for one.

    >>> {position: digits.tolist() for position, digits in digits_of(np.array([1.5, -3.0])).items()}
    {-1: [2147483648, 0], 0: [1, -3]}
    >>> digits_of(np.array([7]))[WHOLE].tolist()
    [7]
    """
    if np.issubdtype(numbers.dtype, np.integer):
        return {WHOLE: numbers.astype(np.int64, copy=False)}
    if not np.isfinite(numbers).all():
        raise BadInput("a statistic is not a finite number, and cannot be summed.")
    fractions, exponents = np.frexp(numbers)
    mantissas = np.ldexp(fractions, _MANTISSA).astype(np.int64)
    exponents = np.where(mantissas == 0, 0, exponents.astype(np.int64) - _MANTISSA)
    positions, shifts = exponents // _BITS, exponents % _BITS
    # Shifts of negative numbers round down, so that all digits but the first are positive.
    low = (mantissas & (2**_BITS - 1)) << shifts
    high = (mantissas >> _BITS) << shifts
    parts = [low & (2**_BITS - 1), (low >> _BITS) + (high & (2**_BITS - 1)), high >> _BITS]
    found: dict[int, Integers] = {}
    for above, part in enumerate(parts):
        for position in np.unique(positions[part != 0]).tolist():
            of_position = found.setdefault(position + above, np.zeros(numbers.shape, np.int64))
            of_position += np.where(positions == position, part, 0)
    return dict(sorted(found.items())) or {0: np.zeros(numbers.shape, np.int64)}


def sums_of(digits: Mapping[int, Integers]) -> NDArray[np.int64] | NDArray[np.float64]:
    """The numbers that have these digits, each rounded once.

    >>> sums_of({-1: np.array([2**31, 3]), 0: np.array([1, 0])}).tolist() == [1.5, 3 / 2**32]
    True
    """
    if WHOLE in digits:
        return digits[WHOLE]
    exact, unit = _exact(digits)
    # A quotient of integers is rounded once.
    rounded = [
        value.numerator / value.denominator for value in (each * unit for each in exact.ravel().tolist())
    ]
    return np.array(rounded, dtype=np.float64).reshape(exact.shape)


def exact_sums_of(digits: Mapping[int, Integers]) -> list[Fraction]:
    """The same of a single row, not rounded at all."""
    exact, unit = _exact(digits)
    return [value * unit for value in exact.tolist()]


def _exact(digits: Mapping[int, Integers]) -> tuple[NDArray[np.object_], Fraction]:
    """Integers without a limit, and the unit that they are numbers of."""
    lowest = min(digits)
    exact = np.zeros(next(iter(digits.values())).shape, dtype=object)
    for position, of_position in digits.items():
        exact += of_position.astype(object) << (_BITS * (position - lowest))
    return exact, Fraction(2) ** (_BITS * lowest)


def exact_products(weights: NDArray[np.float32], digits: Integers, most: float) -> Integers:
    """The sums [samples, K] of rows [rows, K] with whole weights [rows, samples], whose sum in a sample is at most
    `most`: by the fastest product that is exact.
    """
    largest = most * float(np.abs(digits).max(initial=0))
    if largest < LARGEST_EXACT_SINGLE:
        return np.asarray(weights.T @ digits.astype(np.float32)).astype(np.int64)
    if largest < LARGEST_EXACT:
        return np.asarray(weights.T.astype(np.float64) @ digits.astype(np.float64)).astype(np.int64)
    return np.asarray(weights.T.astype(np.int64) @ digits)
