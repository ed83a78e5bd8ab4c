"""Several references, of which the one that suits a segment best is the one that counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.corpus.columns import References
from understudy.metrics.base import Metric
from understudy.metrics.statistics import Statistics


def of_best_reference(metric: Metric, rows: NDArray[Any], references: References) -> NDArray[Any]:
    """The rows [segments, K] of each segment's best reference, of rows [references, segments, K].

    Best is what the metric itself scores best; among equals it is the first.
    """
    count, segments, _ = rows.shape
    if count == 1:
        return np.asarray(rows[0])
    statistics = Statistics(rows, metric.columns, metric.spec, segments, references.counts)
    worth = metric.score(statistics) * (1.0 if metric.higher_is_better else -1.0)
    for scores, column in zip(worth, references.columns, strict=True):
        scores[column.absent_rows()] = -np.inf
    return np.asarray(rows[worth.argmax(axis=0), np.arange(segments)])
