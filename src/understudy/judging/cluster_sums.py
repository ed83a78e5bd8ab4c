"""Sums over clusters, such as segments, of all bootstrap samples at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from understudy.arrays import Floats
from understudy.judging.judgments import Places


def sums_by(
    row: Places, cluster: Places, values: Floats, shape: tuple[int, int]
) -> Callable[[Floats], Floats]:
    """The function that makes of weights [samples, clusters], how often each cluster is in a sample, the sums
    [rows, samples] of values, each of a row and a cluster. `shape` are the numbers of rows and of clusters.

    >>> sums = sums_by(np.array([0, 1, 1]), np.array([0, 0, 1]), np.array([1.0, 2.0, 3.0]), (2, 2))
    >>> sums(np.array([[1.0, 1.0], [0.0, 2.0]])).tolist()
    [[1.0, 0.0], [5.0, 6.0]]
    """
    from scipy.sparse import csr_array

    table = csr_array((values, (row, cluster)), shape=shape)

    def sums(weights: Floats) -> Floats:
        return np.asarray(table @ weights.T)

    return sums
