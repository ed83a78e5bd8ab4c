"""The metrics by name, and the one parser of metric specs.

A metric is known as soon as its class is defined. Those of this package are found by their files in this
folder; those of other packages by the entry points they declare in the group `understudy.metrics`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable
from typing import TypeVar

import understudy.metrics
from understudy.errors import BadParameter, did_you_mean
from understudy.metrics.base import KNOWN, Metric
from understudy.metrics.parameters import parse_settings

S = TypeVar("S")

PANEL = "all"  # as a spec: the usual panel of metrics


def metric(spec: str | Metric) -> Metric:
    """The metric a spec means: a name, alone or with settings and a preset.

    >>> metric("bleu")
    BLEU()
    >>> metric("bleu:tokenize=intl,lowercase=true")
    BLEU(lowercase=True, tokenize='intl')
    >>> metric("bleu:papineni2002,max_order=3").spec
    'bleu:max_order=3,lowercase=true,smooth=none'
    """
    if isinstance(spec, Metric):
        return spec
    name, _, settings_text = spec.strip().partition(":")
    metric_class = metric_class_named(name.strip().lower())
    try:
        settings = parse_settings(metric_class, settings_text)
        preset = settings.pop("preset", None)
        return metric_class.preset(preset, **settings) if preset else metric_class(**settings)
    except BadParameter as error:
        raise BadParameter(f"{name}: {error}") from None


def metric_class_named(name: str) -> type[Metric]:
    """The class of that name, loading no more than it must."""
    if name == PANEL:
        raise BadParameter(f"'{PANEL}' is several metrics, and one is expected here: {', '.join(panel())}.")
    file = name.replace("-", "_")
    if name not in KNOWN and file in _files():
        importlib.import_module(f"understudy.metrics.{file}")
    known = KNOWN if name in KNOWN else metrics()
    if name not in known:
        raise BadParameter(f"no metric '{name}'. {did_you_mean(name, known)}")
    return known[name]


def panel() -> list[str]:
    """The specs of the usual panel, which `all` stands for: what most readers want to see side by side."""
    return [
        spec for _, spec in sorted(known.panel for known in metrics().values() if known.panel is not None)
    ]


def with_panel(specs: Iterable[S | str]) -> list[S | str]:
    """The specs, with the usual panel in the place of `all`."""
    found: list[S | str] = []
    for spec in specs:
        found += panel() if isinstance(spec, str) and spec.strip().lower() == PANEL else [spec]
    return found


def metrics() -> dict[str, type[Metric]]:
    """Every metric there is, by name."""
    from importlib.metadata import entry_points  # slow, and needed for listings and strangers only

    for file in _files():
        importlib.import_module(f"understudy.metrics.{file}")
    for entry_point in entry_points(group="understudy.metrics"):
        entry_point.load()
    return dict(sorted(KNOWN.items()))


def _files() -> list[str]:
    return [module.name for module in pkgutil.iter_modules(understudy.metrics.__path__)]
