"""Laws of signatures: metrics that may score differently have different ones, to the last digit of their numbers."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from material.every_metric import EVERY, where_it_can_count
from understudy import BLEU, METEOR, POSBLEU, Metric
from understudy.errors import BadParameter

# In these, numbers count that the presets leave alone.
OTHERS = [
    BLEU(smooth="floor"),
    POSBLEU(separator="_"),
    METEOR.preset("no-data", weights=(1.0, 0.5)),
]


def signatures(metric: Metric) -> tuple[str, str]:
    return str(metric.signature()), str(metric.signature(aggregate="mean"))


@pytest.mark.parametrize("law_of", where_it_can_count([*EVERY, *OTHERS]))
def test_a_number_is_written_with_all_its_digits(law_of):
    for name, parameter in law_of.parameters().items():
        if float not in parameter.types:
            continue
        close: list[Metric] = []
        for value in (0.5, np.nextafter(0.5, 1), 1.5, np.nextafter(1.5, 2)):
            with suppress(BadParameter):  # a share is at most 1, say
                close.append(replace(law_of, **{name: value}))
        assert close or name in (
            "smooth_value",
            "word_weight",
            "weight",
        )  # which not every choice has a use for
        assert len({signatures(metric) for metric in close}) == len(close)
        for one, other in pairwise(close):
            assert one.spec != other.spec


def test_weights_are_written_with_all_their_digits():
    one, other = (METEOR.preset("no-data", weights=(1.0, value)) for value in (0.6, 0.60000001))
    assert signatures(one) != signatures(other)
    assert "weights:1/0.6|" in str(one.signature())
