"""Laws of specs over all metrics together: each means one metric, and each alias belongs to one."""

from __future__ import annotations

import pytest

from material.every_metric import METRICS, every_metric
from understudy.testing.variations import settings_of

SPELLED = [made for metric_class in METRICS.values() for made in settings_of(metric_class)]


@every_metric
def test_presets_are_named_as_they_are(law_of):
    """Different metrics have different specs, so that a spec can stand for a metric in a table."""
    assert {other for other in SPELLED if other.spec == law_of.spec} <= {law_of}


@pytest.mark.parametrize(
    ("metric_class", "alias"), [(known, alias) for known in METRICS.values() for alias in known.aliases]
)
def test_an_alias_belongs_to_one_metric(metric_class, alias):
    owners = [other for other in METRICS.values() if alias in (other.name, *other.aliases)]
    assert owners == [metric_class]


@pytest.mark.parametrize("metric_class", METRICS.values(), ids=METRICS)
def test_every_metric_has_a_docstring(metric_class):
    assert vars(metric_class)["__doc__"].strip()
