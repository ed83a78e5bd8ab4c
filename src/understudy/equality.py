"""Equality of results by value: made twice from the same input with the same seed, they are equal.

The equality of a dataclass fails on arrays, and calls NaN, a value that is not defined, unequal to itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from understudy._core import Column


class EqualByValue:
    """A dataclass that is equal to another of the same type with the same fields. Declare it with `eq=False`."""

    def __eq__(self, other: object) -> bool:
        return same(self, other) if type(self) is type(other) else NotImplemented

    __hash__ = None  # type: ignore[assignment]


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal, NaN and the elements of arrays, lists, mappings and dataclasses included.

    >>> same({"tau": [0.5, math.nan]}, {"tau": [0.5, math.nan]}), same([0.5], (0.5,))
    (True, False)
    """
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, Mapping):
        return list(one) == list(other) and all(same(one[name], other[name]) for name in one)
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if is_dataclass(one):
        compared = [field.name for field in fields(one) if field.compare]
        return all(same(getattr(one, name), getattr(other, name)) for name in compared)
    return _same_value(one, other)


def _same_value(one: Any, other: Any) -> bool:
    if isinstance(one, Column):
        return bool(one.__getstate__() == other.__getstate__())
    if hasattr(one, "dtype") and hasattr(one, "tobytes"):  # whoever made an array has imported numpy
        import numpy as np

        return bool(one.dtype == other.dtype and np.array_equal(one, other, equal_nan=one.dtype.kind in "fc"))
    return bool(one == other or (isinstance(one, float) and math.isnan(one) and math.isnan(other)))
