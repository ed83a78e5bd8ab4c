"""A metric with other values of its parameters: of each type some, and every choice where there are choices."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from understudy.errors import UnderstudyError
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.parameters import Parameter
from understudy.text.tokenizers import KINDS


def settings_of(metric_class: type[Metric]) -> list[Metric]:
    """The metric with its defaults, in each of its presets, and with every choice of every parameter alone, where the
    metric accepts it. The tokenizer is chosen: where nobody chose one, text may be refused.
    """
    made = [metric_class(), *(metric_class.preset(name) for name in metric_class.presets)]
    for parameter in metric_class.parameters().values():
        made += _varied(metric_class(), parameter, parameter.choices)
    return list(dict.fromkeys(metric.with_defaults_chosen() for metric in made))


def variations(metric: Metric, parameter: Parameter) -> list[Metric]:
    """The metric itself, and with other values of one parameter."""
    return list(dict.fromkeys([metric, *_varied(metric, parameter, _values(parameter))]))


def _varied(metric: Metric, parameter: Parameter, values: Any) -> Iterator[Metric]:
    """The metric with each of the values, but for those that it refuses."""
    for value in values:
        with suppress(UnderstudyError):
            yield replace(metric, **{parameter.name: value}).with_defaults_chosen()


def _values(parameter: Parameter) -> Iterator[Any]:
    yield from parameter.choices
    if parameter.choices:
        return
    for kind in parameter.types:
        yield from _OF_TYPE.get(kind, ())
    if parameter.between is not None:
        yield from parameter.between


# Next to each other, so that a signature that rounds is found out.
_NUMBERS = (0.0, 0.5, float(np.nextafter(0.5, 1)), 1.0, 1.5, float(np.nextafter(1.5, 2)), 2.0)

_OF_TYPE: dict[Any, tuple[Any, ...]] = {
    bool: (False, True),
    int: (0, 1, 2, 3, 4, 5, 10),
    float: _NUMBERS,
    tuple[float, ...]: (
        (),
        *((number,) for number in _NUMBERS),
        *((1.0, number) for number in _NUMBERS),
        *((1.0 - number, number) for number in _NUMBERS),
        (0.25, 0.25, 0.25, 0.25),
        (0.5, 0.25, 0.125, 0.125),
    ),
    str: ("", "_", "a", "b", "none", *(name for name, kind in KINDS.items() if kind.extra is None)),
    type(None): (None,),
}
