"""Rows of features to learn from: scores of a few metrics (an array), or shares of many parts (a sparse matrix)."""

from __future__ import annotations

import hashlib
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats

Rows: TypeAlias = Any  # an array, or a scipy.sparse.csr_matrix [rows, features]


def column_means(rows: Rows) -> Floats:
    """The mean of every feature."""
    return np.asarray(rows.mean(axis=0), dtype=np.float64).reshape(-1)


def sort_keys(rows: Rows) -> tuple[NDArray[Any], ...]:
    """What rows with other values differ in, for `numpy.lexsort`: the columns, or hashes of sparse rows."""
    if isinstance(rows, np.ndarray):
        return tuple(rows.T)
    hashes = np.empty(rows.shape[0], dtype=np.uint64)
    for number, (start, end) in enumerate(pairwise(rows.indptr)):
        content = (
            rows.indices[start:end].astype("<i8").tobytes() + rows.data[start:end].astype("<f8").tobytes()
        )
        hashes[number] = int.from_bytes(hashlib.blake2b(content, digest_size=8).digest(), "little")
    return (hashes,)


def centered(rows: Rows, segment: NDArray[np.intp]) -> Rows:
    """Rows less the mean of the rows of their segment."""
    if isinstance(rows, np.ndarray):
        count = np.maximum(np.bincount(segment), 1)
        means = np.stack([np.bincount(segment, column) / count for column in rows.T], axis=-1)[segment]
        differences = rows - means
        # A mean of equal values may be off in its last digit: what remains is no difference, and must not be learned
        # from once it is standardized.
        rounding = np.finfo(np.float64).eps * count[segment, np.newaxis] * np.abs(means)
        return np.asarray(np.where(np.abs(differences) <= rounding, 0.0, differences))
    from scipy.sparse import csr_matrix

    numbers, place = np.unique(segment, return_inverse=True)
    members = csr_matrix(
        (np.ones(len(place)), (place, np.arange(len(place)))), shape=(len(numbers), len(place))
    )
    shares = csr_matrix(members.multiply(1 / np.bincount(place)[:, np.newaxis]))
    return csr_matrix(rows - (shares @ rows)[place])
