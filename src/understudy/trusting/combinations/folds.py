"""Folds of documents and groups of systems: what is fitted for one is fitted on others.

Segments of one document are similar. If a document were split between training and test data, the predictions would
look better than those for new text. Metrics favor systems: what was fitted to human scores of a system in other
documents knows how good the system is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.intp]

# The fewer groups of systems, the closer to 0 is the system-level correlation of permuted scores: weights that differ
# from system to system have a sign of their own where there is little to learn.
SYSTEM_GROUPS = 2


def numbered(documents: Sequence[str]) -> Whole:
    """The number of every segment's document, whose order is that of the names: it does not depend on the segments'."""
    _, numbers = np.unique(np.asarray(documents, dtype=object).astype(str), return_inverse=True)
    return np.asarray(numbers, dtype=np.intp).reshape(-1)


def assigned_folds(weights: Whole, folds: int, seed: Sequence[int]) -> Whole:
    """The fold [documents] of every document, which weighs so much [documents]. One after the other, in an order drawn
    at random, goes to the fold that has least; those that weigh nothing come last.

    >>> assigned_folds(np.array([3, 1, 1, 1, 0]), 2, [1]).tolist()
    [0, 1, 1, 1, 0]
    """
    order = np.random.default_rng(seed).permutation(len(weights))
    load = np.zeros(folds, dtype=np.int64)
    fold_of = np.empty(len(weights), dtype=np.intp)
    for document in order[np.argsort(weights[order] == 0, kind="stable")]:
        fold_of[document] = load.argmin()
        load[fold_of[document]] += weights[document]
    return fold_of
