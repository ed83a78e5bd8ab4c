"""Metrics of other packages, declared as entry points in the group `understudy.metrics`.

A metric that cannot be loaded is reported in a warning and left out, so that the other metrics remain usable.
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
    from importlib.metadata import Distribution, EntryPoint

_GROUP = "understudy.metrics"


def load_plug_ins() -> None:
    """Makes the metrics of other packages known."""
    for entry_point in _entry_points():
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


def _entry_points() -> list[EntryPoint]:
    """Those of all packages whose entry points can be read: one malformed file must not hide the others."""
    from importlib.metadata import (
        distributions,
        entry_points,
    )  # slow, and needed for listings and strangers only

    try:
        return list(entry_points(group=_GROUP))
    except Exception:
        found: dict[str, list[EntryPoint]] = {}
        for distribution in distributions():
            package = _package(distribution)
            try:
                named = [each for each in distribution.entry_points if each.group == _GROUP]
                found.setdefault(package, named)  # of two of one name, Python imports the first
            except Exception as error:
                reason = f"{_reason(error)}. {_CURE}"
                said = f"the entry points{package} cannot be read, so its metrics are left out. {reason}"
                warnings.warn(said, PlugInWarning, stacklevel=3)
        return [each for of_package in found.values() for each in of_package]


def _load(entry_point: EntryPoint, before: dict[str, type[Metric]]) -> None:
    """An entry point names a metric, or a module that defines some."""
    if not _is_well_formed(entry_point):
        raise BadMetric("it is malformed, expected MODULE:CLASS or MODULE.")
    found = entry_point.load()
    if isinstance(found, type) and issubclass(found, Metric):
        named = [found]
    elif isinstance(found, ModuleType):
        named = []
        if not _added_since(before) and not any(
            each in vars(found).values() for each in METRICS_BY_NAME.values()
        ):
            raise BadMetric(f"the module {found.__name__} defines no metric.")
    else:
        raise BadMetric("it names neither a subclass of understudy.Metric nor a module that defines some.")
    for metric_class in (*_added_since(before), *named):
        if unfinished := metric_class.unfinished():
            raise BadMetric(unfinished)


def _added_since(before: dict[str, type[Metric]]) -> list[type[Metric]]:
    return [known for name, known in METRICS_BY_NAME.items() if before.get(name) is not known]


def _is_well_formed(entry_point: EntryPoint) -> bool:
    try:
        module = entry_point.module
    except (AssertionError, AttributeError, ValueError):  # what Python raises depends on its version
        return False
    return not module.startswith(".")


_CURE = "Update or uninstall that package."


def _left_out(entry_point: EntryPoint, error: BaseException) -> str:
    package = _package(entry_point.dist)
    return f"metric plug-in '{entry_point.name}'{package} ({entry_point.value}) is left out. {_reason(error)}. {_CURE}"


def _package(distribution: Distribution | None) -> str:
    """Its name and version, if it has a file that says so."""
    name = distribution.metadata["Name"] if distribution else None
    return f" of {name} {distribution.version}" if distribution and name else ""


def _reason(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split()).rstrip(".")
