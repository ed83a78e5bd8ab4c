"""Laws of the written forms of a metric: object, repr, spec, presets and aliases."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from typing import Any

from understudy.errors import BadParameter
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.registry import metric as metric_of
from understudy.metrics.base.registry import metrics
from understudy.testing.expectations import Unexpected, expect, expect_same
from understudy.testing.table_laws import ready
from understudy.testing.texts import PROSE, REFERENCES, SYSTEM, given
from understudy.testing.variations import settings_of


def a_metric_says_what_it_is(metric: Metric) -> None:
    """The class is known by its name, describes itself and its parameters, and has a target if neither higher nor lower
    is better.
    """
    made = type(metric)
    expect(not made.unfinished(), made.unfinished())
    expect(metrics().get(made.name) is made, f"another metric is called {made.name}")
    expect_same("has a target", made.target is not None, made.higher_is_better is None)
    expect(metric.sees_no <= {"order", "words", "repetition"}, f"blind to {sorted(metric.sees_no)}")
    for fact in ("name", "title", "summary", "formula", "citation", "not_for"):
        expect(bool(getattr(made, fact).strip()), f"{fact} is empty")
    for parameter in made.parameters().values():
        expect(bool(parameter.help.strip()), f"parameter {parameter.name} has no help text")


def repr_and_spec_give_the_metric_back(metric: Metric) -> None:
    """`repr` is Python and `spec` what the command line takes, and both give the metric back."""
    for one in (metric, *settings_of(type(metric))):
        made = eval(repr(one), {"__builtins__": {}}, {type(one).__name__: type(one)})
        expect_same("what repr gives", made, one)
        expect_same("what the spec gives", metric_of(one.spec), one)
        expect(metric_of(one) is one, f"a metric is not itself: {one!r}")


def equal_metrics_hash_alike(metric: Metric) -> None:
    """Metrics with the same values of all parameters are equal, and have one hash."""
    for one in (metric, *settings_of(type(metric))):
        twin = type(one)(**{name: getattr(one, name) for name in one.parameters()})
        expect_same("twin", twin, one)
        expect_same("hash of a twin", hash(twin), hash(one))


def copies_are_the_same(metric: Metric) -> None:
    """A metric, its statistics and its scores can be pickled and copied, and a copy scores the same."""
    fitted = ready(metric, PROSE)
    counted = fitted.statistics(**given(metric, SYSTEM, REFERENCES))
    score = fitted.corpus_score(counted)
    for again in (_pickled, copy.copy, copy.deepcopy):
        how = f"after {again.__name__.strip('_')}"
        expect_same(f"metric, {how}", again(metric), metric)
        expect_same(f"hash, {how}", hash(again(metric)), hash(metric))
        expect_same(f"fitted metric, {how}", again(fitted), fitted)
        expect_same(f"references it was fitted on, {how}", again(fitted).fitted_on, fitted.fitted_on)
        expect_same(f"its score, {how}", again(fitted).corpus(**given(metric, SYSTEM, REFERENCES)), score)
        expect_same(f"score of statistics, {how}", fitted.corpus_score(again(counted)), score)
        expect_same(f"score, {how}", again(score), score)


def metrics_do_not_change(metric: Metric) -> None:
    """No parameter of a metric can be set."""
    for name in metric.parameters():
        try:
            setattr(metric, name, getattr(metric, name))
        except dataclasses.FrozenInstanceError:
            continue
        raise Unexpected(f"{name} was set. Is the class a dataclass with frozen=True?")


def an_alias_means_its_preset(metric: Metric) -> None:
    """Another name of a metric stands for one of its presets, and takes no second one."""
    made = type(metric)
    for alias, preset in made.aliases.items():
        expect_same(alias, metric_of(alias), made.preset(preset))
        expect_same(alias.upper(), metric_of(f"{alias.upper()}:"), made.preset(preset))
        try:
            metric_of(f"{alias}:{preset}")
        except BadParameter:
            continue
        raise Unexpected(f"{alias}:{preset} is two presets, and was accepted")


def _pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))
