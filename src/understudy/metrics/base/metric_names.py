"""Registered metric classes by name, and checks of the names of new ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from understudy.errors import BadMetric
from understudy.metrics.base.other_packages import is_of_another_package

if TYPE_CHECKING:
    from understudy.metrics.base.metric import Metric

METRICS_BY_NAME: dict[str, type[Metric]] = {}


def register(metric_class: type[Metric]) -> None:
    """Makes a metric known by its name."""
    if is_of_another_package(metric_class):
        _refuse_unusable_names(metric_class)
        from understudy.metrics.base.registry import load_files

        load_files()  # those of the package have their names, also while nobody has asked for them
    _refuse_taken_names(metric_class)
    METRICS_BY_NAME[metric_class.name] = metric_class


def full_name(metric_class: type[Metric]) -> str:
    """The name of the class with that of its module."""
    return f"{metric_class.__module__}.{metric_class.__qualname__}"


def _refuse_unusable_names(metric_class: type[Metric]) -> None:
    """Specs are read in small letters, and have separators of their own."""
    from understudy.metrics.base.registry import PANEL

    for name in (metric_class.name, *metric_class.aliases):
        usable = isinstance(name, str) and name and name == name.lower()
        if not usable or any(mark.isspace() or mark in ":,|" for mark in name):
            raise BadMetric(
                f"{full_name(metric_class)}: invalid metric name '{name}'. Use a name without capitals, whitespace, "
                "colon, comma or bar."
            )
        if name == PANEL:
            raise BadMetric(
                f"{full_name(metric_class)}: the name '{name}' is reserved for the default panel. Use another name."
            )


def _refuse_taken_names(metric_class: type[Metric]) -> None:
    """Another metric of the same name would take its place wherever it is named, and nobody would know."""
    ours = full_name(metric_class)
    for other in METRICS_BY_NAME.values():
        taken = {other.name, *other.aliases} & {metric_class.name, *metric_class.aliases}
        if taken and full_name(other) != ours:  # the same: a cell of a notebook that is run again
            raise BadMetric(
                f"{ours}: the name '{min(taken)}' is already taken by {full_name(other)}. Use another name."
            )
