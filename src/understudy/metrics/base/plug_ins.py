"""Metrics of other packages, which declare them as entry points in the group `understudy.metrics`.

One that cannot be used is named in a warning and left out: it must not keep anyone from the metrics that can.
"""

from __future__ import annotations

import sys
import warnings
from types import ModuleType
from typing import TYPE_CHECKING

from understudy.errors import BadMetric, PlugInWarning
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.metric_names import METRICS_BY_NAME

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

_GROUP = "understudy.metrics"


def load_plug_ins() -> None:
    """Makes the metrics of other packages known."""
    from importlib.metadata import entry_points  # slow, and needed for listings and strangers only

    for entry_point in entry_points(group=_GROUP):
        before = dict(METRICS_BY_NAME)
        try:
            _load(entry_point, before)
        except KeyboardInterrupt:
            raise
        except (
            BaseException
        ) as error:  # whatever someone else's module does when imported, ending Python included
            for metric_class in _added_since(before):
                # What the plug-in imported before it failed is whole, and stays.
                if metric_class.__module__ not in sys.modules or metric_class.unfinished():
                    del METRICS_BY_NAME[metric_class.name]
            warnings.warn(_left_out(entry_point, error), PlugInWarning, stacklevel=2)


def _load(entry_point: EntryPoint, before: dict[str, type[Metric]]) -> None:
    """An entry point names a metric, or a module that defines some."""
    found = entry_point.load()
    if isinstance(found, type) and issubclass(found, Metric):
        named = [found]
    elif isinstance(found, ModuleType):
        named = []
    else:
        raise BadMetric("it names neither a subclass of understudy.Metric nor a module that defines some.")
    for metric_class in (*_added_since(before), *named):
        if unfinished := metric_class.unfinished():
            raise BadMetric(unfinished)


def _added_since(before: dict[str, type[Metric]]) -> list[type[Metric]]:
    return [known for name, known in METRICS_BY_NAME.items() if before.get(name) is not known]


def _left_out(entry_point: EntryPoint, error: BaseException) -> str:
    package = f" of {entry_point.dist.name} {entry_point.dist.version}" if entry_point.dist else ""
    reason = " ".join(f"{type(error).__name__}: {error}".split()).rstrip(".")
    return (
        f"metric plug-in '{entry_point.name}'{package} ({entry_point.value}) is left out. {reason}. "
        "Update or uninstall that package."
    )
