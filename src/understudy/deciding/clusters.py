"""Clusters of similar texts: k-means++ over character n-gram counts (Arthur & Vassilvitskii 2007).

N-grams are hashed into a fixed number of counts, which only the clusters depend on: utilities are computed from the
texts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats, one_blas_thread

_ORDERS = 6  # of character n-grams, as in chrF
_BITS = 10  # of the hash
_ROUNDS = 100
_FACTOR = np.uint64(0x9E3779B97F4A7C15)  # 2**64 divided by the golden ratio, as Fibonacci hashing has it


def reference_clusters(
    texts: list[str], weights: Floats, clusters: int, random: np.random.Generator
) -> NDArray[np.int64]:
    """The cluster of each text, numbered from 0 in order of appearance. There are at most as many as requested, and
    each has a text with a weight above 0.
    """
    if clusters == 1:
        return np.zeros(len(texts), dtype=np.int64)
    used = np.flatnonzero(weights)
    labels = np.zeros(len(texts), dtype=np.int64)
    if clusters >= len(used):
        labels[used] = np.arange(len(used))
        return labels
    vectors = np.stack([_ngram_counts(texts[index]) for index in used])
    with one_blas_thread():
        found = _k_means(vectors, weights[used], clusters, random)
    _, firsts, numbers = np.unique(found, return_index=True, return_inverse=True)
    labels[used] = np.argsort(np.argsort(firsts))[numbers]
    return labels


def _ngram_counts(text: str) -> Floats:
    letters = np.frombuffer("".join(text.split()).encode("utf-32-le"), dtype=np.uint32).astype(np.uint64)
    counts = np.zeros(1 << _BITS)
    hashed = np.zeros(len(letters), dtype=np.uint64)
    for order in range(1, min(_ORDERS, len(letters)) + 1):
        # Products wrap around: only the last 64 bits are kept.
        hashed = (hashed[: len(letters) - order + 1] + letters[order - 1 :] + np.uint64(1)) * _FACTOR
        counts += np.bincount((hashed >> np.uint64(64 - _BITS)).astype(np.int64), minlength=1 << _BITS)
    return counts


def _k_means(
    vectors: Floats, weights: Floats, clusters: int, random: np.random.Generator
) -> NDArray[np.int64]:
    centers = _first_centers(vectors, weights, clusters, random)
    labels = np.full(len(vectors), -1)
    for _ in range(_ROUNDS):
        nearest = np.argmin(_distances(vectors, centers), axis=1)
        if (nearest == labels).all():
            break
        labels = nearest
        for cluster in np.unique(labels):
            members = labels == cluster
            centers[cluster] = np.average(vectors[members], axis=0, weights=weights[members])
    return labels


def _first_centers(vectors: Floats, weights: Floats, clusters: int, random: np.random.Generator) -> Floats:
    """Each next center is a vector drawn in proportion to its squared distance from the centers so far."""
    chosen = [_drawn(weights, random)]
    nearest = _distances(vectors, vectors[chosen])[:, 0]
    while len(chosen) < clusters and (nearest * weights).any():
        chosen.append(_drawn(nearest * weights, random))
        nearest = np.minimum(nearest, _distances(vectors, vectors[chosen[-1:]])[:, 0])
    return vectors[chosen]


def _drawn(masses: Floats, random: np.random.Generator) -> int:
    sums = np.cumsum(masses)
    return int(np.searchsorted(sums, random.random() * sums[-1], side="right"))


def _distances(vectors: Floats, centers: Floats) -> Floats:
    """Squared Euclidean distances."""
    squares = (vectors**2).sum(axis=1)[:, None] + (centers**2).sum(axis=1)
    return np.maximum(squares - 2 * vectors @ centers.T, 0)
