"""The weights that tuning begins with: equal ones, or those of a file or a mapping."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np

from understudy.arrays import LARGEST_SCORE, Floats
from understudy.deciding.plan import checked_feature_weights
from understudy.errors import BadInput, BadParameter, did_you_mean


def starting_weights(start: Any, names: Sequence[str]) -> Floats:
    """A weight per feature. By default all are 1 / their number.

    >>> starting_weights({"lm": 2, "length": -1}, ["length", "lm"]).tolist()
    [-1.0, 2.0]
    """
    if start is None:
        return np.full(len(names), 1 / len(names))
    where = f"'{os.fspath(start)}'" if isinstance(start, (str, os.PathLike)) else "start"
    given = checked_feature_weights(start)
    for name, weight in given.items():
        if name not in names:
            raise BadParameter(f"{where}: unknown feature '{name}'. {did_you_mean(name, names)}")
        if abs(weight) > LARGEST_SCORE:
            raise BadInput(
                f"{where}: the weight of '{name}' is {weight:g}, expected at most {LARGEST_SCORE:g}."
            )
    for name in names:
        if name not in given:
            raise BadInput(f"{where} has no weight for feature '{name}'. Add it, with 0 if it is new.")
    weights = np.array([given[name] for name in names])
    if not weights.any():
        raise BadInput(
            f"{where}: all weights are 0, so all candidates have the same score. Give at least one."
        )
    return weights
