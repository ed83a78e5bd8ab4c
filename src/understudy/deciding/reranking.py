"""Reranking by a weighted sum of features."""

from __future__ import annotations

import warnings
from collections.abc import Mapping

import numpy as np

from understudy.arrays import Floats
from understudy.corpus.nbest import NBest
from understudy.errors import BadInput, BadParameter, InputWarning, did_you_mean
from understudy.wording import listed, number_of


def feature_sums(nbest: NBest, weights: Mapping[str, float] | None) -> tuple[Floats, Floats]:
    """The weighted sum of every candidate's features, or its model score if there are no weights; and the sum of the
    absolute values that were added up, by which rounding is measured.
    """
    if weights is None:
        if nbest.scores is None:
            raise BadInput(
                f"{nbest.origin} has no model scores to rerank by. Use weights of its features.",
                f"{nbest.origin} has no model scores to rerank by. Use --weights.",
            )
        return nbest.scores, np.abs(nbest.scores)
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
    sums, sizes = np.zeros(len(nbest.texts)), np.zeros(len(nbest.texts))
    with np.errstate(over="ignore", invalid="ignore"):
        for name, weight in weights.items():  # not a matrix product, whose last digits depend on threads
            terms = weight * nbest.feature(name)
            sums += terms
            sizes += np.abs(terms)
    for row in np.flatnonzero(~np.isfinite(sizes))[:1].tolist():
        segment = int(np.searchsorted(nbest.offsets, row, side="right"))
        raise BadInput(
            f"{nbest.origin}: segment {segment}: the weighted sum of features is too large a number. Use smaller "
            "weights."
        )
    return sums, sizes
