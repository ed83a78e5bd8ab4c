"""The weights that tuning begins with: equal ones, or those of a file or a mapping."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from understudy.arrays import LARGEST_SCORE, Floats
from understudy.errors import BadInput, BadParameter, WrongType, did_you_mean


def starting_weights(start: Any, names: Sequence[str]) -> Floats:
    """A weight per feature. By default all are 1 / their number.

    >>> starting_weights({"lm": 2, "length": -1}, ["length", "lm"]).tolist()
    [-1.0, 2.0]
    """
    if start is None:
        return np.full(len(names), 1 / len(names))
    if isinstance(start, (str, os.PathLike)):
        given, where = _read(os.fspath(start)), f"'{os.fspath(start)}'"
    elif isinstance(start, Mapping):
        given, where = start, "start"
    else:
        raise WrongType(f"start: got {type(start).__name__}, expected a mapping of features to weights, or a file.")
    for name, weight in given.items():
        if name not in names:
            raise BadParameter(f"{where}: unknown feature '{name}'. {did_you_mean(str(name), names)}")
        if not isinstance(weight, Real) or isinstance(weight, bool) or not abs(weight) <= LARGEST_SCORE:
            raise BadInput(f"{where}: the weight of '{name}' is {weight!r}, expected a number.")
    for name in names:
        if name not in given:
            raise BadInput(f"{where} has no weight for feature '{name}'. Add it, with 0 if it is new.")
    weights = np.array([float(given[name]) for name in names])
    if not weights.any():
        raise BadInput(f"{where}: all weights are 0, so all candidates have the same score. Give at least one.")
    return weights


def _read(path: str) -> Mapping[str, Any]:
    """The object `weights` of a JSON file, or the whole file if it is one of names and numbers."""
    import json

    from understudy.corpus.files import read_all

    try:
        data = json.loads(read_all(path))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"'{path}' is not JSON ({error}). Expected an object such as {{\"weights\": {{...}}}}.") from None
    found = data.get("weights", data) if isinstance(data, dict) else None
    if not isinstance(found, dict):
        raise BadInput(f"'{path}': expected an object of features and weights, such as {{\"weights\": {{\"lm\": 0.5}}}}.")
    return found
