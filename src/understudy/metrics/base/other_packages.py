"""Metrics of other packages: their methods are called such that a fault in one is reported with the metric's name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from understudy._core import TooLong
from understudy.errors import BadMetric, UnderstudyError

if TYPE_CHECKING:
    from understudy.metrics.base.metric import Metric


def is_of_another_package(metric_class: type[Metric]) -> bool:
    """Whether a metric is defined outside understudy."""
    return metric_class.__module__.partition(".")[0] != __name__.partition(".")[0]


def called(metric: Metric, method: str, *arguments: Any) -> Any:
    """What this method of a metric returns. Whatever it raises in another package becomes a one-line error that names
    the metric; its traceback is that error's cause.
    """
    if not metric.of_another_package:
        return getattr(metric, method)(*arguments)
    try:
        return getattr(metric, method)(*arguments)
    except (UnderstudyError, TooLong, MemoryError):
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".rstrip(": .")
        raise BadMetric(f"{metric.spec}: {method} raised {reason}. Report this to its author.") from error


def checked_scores(scores: Any, spec: str, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """What a metric's `score` returned for counts [*shape, K], if it is a finite number for each row of counts.
    Anything else might be averaged and tested without an error.
    """
    checked = checked_type(scores, spec, shape)
    if not np.isfinite(checked).all():
        found = np.ravel(checked)
        raise BadMetric(
            f"{spec}: score returned {found[~np.isfinite(found)][0]}, expected a finite number. Does it divide by a "
            "count that is 0?"
        )
    return checked


def checked_type(scores: Any, spec: str, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """The same whatever the numbers are."""
    right_type = isinstance(
        scores, (np.ndarray, np.float64)
    )  # numpy's float64 is an array without dimensions
    if right_type and scores.dtype == np.float64 and scores.shape == shape:
        return scores  # type: ignore[no-any-return]
    got = type(scores).__name__
    if isinstance(scores, np.ndarray):
        got = f"an array of {scores.dtype} with shape {scores.shape}"
    raise BadMetric(
        f"{spec}: score returned {got}, expected an array of float64 with shape {shape}: a score for each row of "
        "counts."
    )
