"""BERTScore as in the paper, piece by piece in double precision, given the vectors of the pieces."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

Vector = Sequence[float]


def bert_score(
    hypothesis: Sequence[tuple[int, Vector]],
    reference: Sequence[tuple[int, Vector]],
    special: set[int],
    weights: Mapping[int, float] | None = None,
) -> tuple[float, float, float]:
    """Precision, recall and F1 of two texts, each with the numbers and vectors of its pieces."""
    if all(piece in special for piece, _ in hypothesis) or all(piece in special for piece, _ in reference):
        return 0.0, 0.0, 0.0
    precision = _mean_of_best(hypothesis, reference, special, weights)
    recall = _mean_of_best(reference, hypothesis, special, weights)
    return precision, recall, 2 * precision * recall / (precision + recall)


def inverse_document_frequencies(references: Sequence[Sequence[int]]) -> dict[int, float]:
    """The weight of each piece in the references; any other has log(N + 1)."""
    pieces = {piece for text in references for piece in text}
    return {
        piece: math.log((len(references) + 1) / (sum(piece in text for text in references) + 1))
        for piece in pieces
    }


def _mean_of_best(
    texts: Sequence[tuple[int, Vector]],
    others: Sequence[tuple[int, Vector]],
    special: set[int],
    weights: Mapping[int, float] | None,
) -> float:
    total = best = 0.0
    for piece, vector in texts:
        weight = 0.0 if piece in special else 1.0 if weights is None else weights[piece]
        total += weight
        best += weight * max(_cosine(vector, other) for _, other in others)
    return best / total


def _cosine(first: Vector, second: Vector) -> float:
    product = sum(a * b for a, b in zip(first, second, strict=True))
    return float(product / math.sqrt(sum(a * a for a in first) * sum(b * b for b in second)))
