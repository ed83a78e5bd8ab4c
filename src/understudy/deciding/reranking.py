"""Reranking by a weighted sum of features."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import numpy as np

from understudy.arrays import Floats
from understudy.corpus.nbest import NBest
from understudy.errors import BadInput, BadParameter, InputWarning, did_you_mean
from understudy.wording import listed, number_of


def feature_sums(nbest: NBest, weights: Mapping[str, float] | None) -> Floats:
    """The weighted sum of every candidate's features; its model score if there are no weights."""
    if weights is None:
        if nbest.scores is None:
            raise BadInput(
                f"{nbest.origin} has no model scores to rerank by. Use weights of its features.",
                f"{nbest.origin} has no model scores to rerank by. Use --weights.",
            )
        return nbest.scores
    for name in weights:
        if name not in nbest.feature_names:
            raise BadParameter(
                f"weights: unknown feature '{name}' in {nbest.origin}. {did_you_mean(name, nbest.feature_names)}"
            )
    missing = [name for name in nbest.feature_names if name not in weights]
    if missing:
        warnings.warn(
            InputWarning(
                f"{number_of(len(missing), 'feature')} without a weight count 0: {listed(missing[:5])}."
            ),
            stacklevel=2,
        )
    sums = np.zeros(len(nbest.texts))
    for name, weight in weights.items():  # not a matrix product, whose last digits depend on threads
        sums += weight * nbest.feature(name)
    return sums


def feature_sizes(nbest: NBest, weights: Mapping[str, float] | None) -> Floats:
    """The sum of the absolute values that `feature_sums` adds up, by which their rounding is measured."""
    if weights is None:
        assert nbest.scores is not None
        return np.abs(nbest.scores)
    sizes = np.zeros(len(nbest.texts))
    for name, weight in weights.items():
        sizes += np.abs(weight * nbest.feature(name))
    return sizes
