"""Names of metrics: whoever defines one gets its name, and nobody else's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from understudy import BLEU, CHRF, metric
from understudy.errors import BadMetric
from understudy.metrics.base.metric_names import METRICS_BY_NAME
from understudy.metrics.base.registry import metrics


@pytest.fixture(autouse=True)
def _forgotten():
    """What is defined here is known here only."""
    known = metrics()
    yield
    METRICS_BY_NAME.clear()
    METRICS_BY_NAME.update(known)


def defined(qualname: str, parent: type = BLEU, **attributes: Any) -> type:
    """A metric as a notebook defines it."""
    made = type(qualname, (parent,), {"__module__": "__main__", "__qualname__": qualname, **attributes})
    return dataclass(frozen=True, kw_only=True, repr=False)(made)


@pytest.mark.parametrize(
    ("attributes", "taken"),
    [
        ({"name": "bleu"}, "bleu"),
        ({"name": "length-ratio"}, "length-ratio"),
        ({"name": "chrf++"}, r"chrf\+\+"),  # an alias
        ({"name": "mine", "presets": {"x": {}}, "aliases": {"ter": "x"}}, "ter"),
        ({"name": "mine", "presets": {"x": {}}, "aliases": {"rouge-l": "x"}}, "rouge-l"),
    ],
)
def test_a_name_that_is_taken_is_refused(attributes, taken):
    with pytest.raises(BadMetric, match=f"Mine: the name '{taken}' is already taken by understudy"):
        defined("Mine", **attributes)
    assert type(metric("bleu")) is BLEU
    assert "mine" not in METRICS_BY_NAME


@pytest.mark.parametrize("name", ["", "Mine", "my metric", "my:metric", "my,metric", "my|metric", 5])
def test_a_name_that_no_spec_can_begin_with_is_refused(name):
    with pytest.raises(BadMetric, match=r"Mine: invalid metric name"):
        defined("Mine", name=name)


def test_a_cell_that_is_run_again_replaces_what_it_defined():
    first = defined("Mine", name="mine")
    assert type(metric("mine")) is first
    second = defined("Mine", name="mine")
    assert type(metric("mine")) is second
    with pytest.raises(BadMetric, match=r"the name 'mine' is already taken by __main__\.Mine"):
        defined("Yours", name="mine")


def test_aliases_are_not_inherited():
    """Else a metric made of chrF would be what chrF++ means from then on."""
    mine: Any = defined("Mine", CHRF, name="mine")
    assert mine.aliases == {}
    assert type(metric("chrf++")) is CHRF
    assert metric(mine(word_order=2).spec) == mine(word_order=2)
    named: Any = defined("Named", CHRF, name="named", aliases={"named++": "chrf++"})
    assert metric("named++") == named(word_order=2)
