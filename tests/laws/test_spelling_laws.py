"""Laws of how every metric is written: object, repr, spec, presets and aliases."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import pytest

from material.every_metric import EVERY, METRICS, every_default, every_metric
from understudy import Metric, UnderstudyError, metric


def variants() -> list[Metric]:
    """Every choice of every parameter that has choices, one at a time, where the metric takes it alone."""
    found = []
    for metric_class in METRICS.values():
        for name, parameter in metric_class.parameters().items():
            for choice in parameter.choices:
                try:
                    found.append(metric_class(**{name: choice}))
                except UnderstudyError:
                    continue
    return found


SPELLED = list(dict.fromkeys([*EVERY, *variants()]))


@pytest.mark.parametrize("law_of", SPELLED, ids=repr)
def test_repr_and_spec_give_the_metric_back(law_of):
    names = {metric_class.__name__: metric_class for metric_class in METRICS.values()}
    assert eval(repr(law_of), {"__builtins__": {}}, names) == law_of
    assert metric(law_of.spec) == law_of
    assert metric(law_of) is law_of


@pytest.mark.parametrize("law_of", SPELLED, ids=repr)
def test_equal_metrics_hash_alike_and_copy(law_of):
    twin = type(law_of)(**{name: getattr(law_of, name) for name in law_of.parameters()})
    for same in (twin, copy.deepcopy(law_of), pickle.loads(pickle.dumps(law_of))):
        assert same == law_of
        assert hash(same) == hash(law_of)
    assert len({law_of, twin}) == 1


@every_default
def test_metrics_do_not_change(law_of):
    for name in law_of.parameters():
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(law_of, name, None)


@every_metric
def test_presets_are_named_as_they_are(law_of):
    """Different metrics have different specs, so that a spec can stand for a metric in a table."""
    assert [other for other in SPELLED if other.spec == law_of.spec] == [law_of]


@pytest.mark.parametrize("metric_class", METRICS.values(), ids=METRICS)
def test_every_metric_says_what_it_is(metric_class):
    assert METRICS[metric_class.name] is metric_class
    assert (metric_class.higher_is_better is None) == (metric_class.target is not None)
    assert metric_class.blind_to <= {"order", "words", "repetition"}
    for fact in ("name", "title", "summary", "formula", "citation", "not_for"):
        assert getattr(metric_class, fact).strip()
    assert metric_class.__doc__
    for parameter in metric_class.parameters().values():
        assert parameter.help


@pytest.mark.parametrize(
    ("metric_class", "alias"), [(known, alias) for known in METRICS.values() for alias in known.aliases]
)
def test_aliases_are_names(metric_class, alias):
    """An alias means its preset, and takes no second one; it belongs to one metric only."""
    preset = metric_class.aliases[alias]
    assert metric(alias) == metric(f"{alias.upper()}:") == metric_class.preset(preset)
    with pytest.raises(UnderstudyError, match="choose one"):
        metric(f"{alias}:{preset}")
    owners = [other for other in METRICS.values() if alias in (other.name, *other.aliases)]
    assert owners == [metric_class]
