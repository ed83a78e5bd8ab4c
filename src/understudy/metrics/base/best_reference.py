"""Selection of each segment's best reference."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.corpus.columns import References
from understudy.metrics.base.metric import Metric
from understudy.metrics.base.statistics import Statistics


def of_best_reference(metric: Metric, rows: NDArray[Any], references: References) -> NDArray[Any]:
    """The rows [segments, K] of each segment's best reference, of rows [references, segments, K].

    The best reference is the one with the best score; the first, if tied.
    """
    count, segments, _ = rows.shape
    if count == 1:
        return np.asarray(rows[0])
    statistics = Statistics(rows, metric.columns, metric.spec, segments, references.counts)
    best = best_of(metric.worth(metric.scores_of(statistics)), references)
    return np.asarray(rows[best, np.arange(segments)])


def best_of(worths: NDArray[np.float64], references: References) -> NDArray[np.intp]:
    """The index of each segment's best reference, given the worth of each [references, segments]: the first, if tied;
    never an absent one.
    """
    worths = np.array(worths)
    for of_reference, column in zip(worths, references.columns, strict=True):
        of_reference[column.absent_rows()] = -np.inf
    return np.asarray(worths.argmax(axis=0))
