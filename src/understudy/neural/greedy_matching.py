"""Greedy matching of the pieces of two texts by cosine (Zhang et al. 2020): precision, recall and F1.

Every piece is matched with the most similar piece of the other text. Precision is the weighted mean over the pieces of
the hypothesis, recall over those of the reference. Pieces that the encoder adds to every text ([CLS], [SEP]) can be
matched, but have no weight. If one of the texts has no other pieces, all values are 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy._core import row_products
from understudy.arrays import Floats
from understudy.neural.numpy_layers import starts_of
from understudy.neural.text_pieces import Pieces
from understudy.neural.token_vectors import EncodedText, Vectors

VALUES = ("precision", "recall", "f1")

_PIECES_AT_ONCE = 1 << 14  # of references; their similarities to a hypothesis of 60 pieces take 4 MiB

Weights = Mapping[int, float]


@dataclass(frozen=True, eq=False)
class WeightedText:
    """A text with the weights of its pieces."""

    text: EncodedText
    weights: Floats

    @classmethod
    def of(cls, text: EncodedText, weights: Weights | None = None) -> WeightedText:
        """`weights` are those of pieces by number; a piece that has none there has the weight `weights[-1]`. Without
        them, all pieces count the same.
        """
        return cls(text, weights_of(text.pieces, weights))

    @property
    def empty(self) -> bool:
        return not self.weights.any()


@dataclass(frozen=True, eq=False)
class References:
    """References that a hypothesis is compared with one by one, but at once: in blocks of at most so many pieces."""

    blocks: Sequence[_Block]

    @classmethod
    def of(cls, texts: Sequence[WeightedText], most_pieces: int = _PIECES_AT_ONCE) -> References:
        blocks: list[list[WeightedText]] = [[]]
        pieces = 0
        for text in texts:
            if blocks[-1] and pieces + len(text.weights) > most_pieces:
                blocks.append([])
                pieces = 0
            blocks[-1].append(text)
            pieces += len(text.weights)
        return cls([_Block.of(several) for several in blocks])

    def matched(self, hypothesis: WeightedText) -> Floats:
        """The values [references, 3] of a hypothesis. Each depends on the hypothesis and on its reference only, to the
        last bit.
        """
        return np.concatenate([block.matched(hypothesis) for block in self.blocks])


@dataclass(frozen=True, eq=False)
class _Block:
    vectors: Vectors  # of all references, one after another
    weights: Floats
    starts: Sequence[int]
    empty: NDArray[np.bool_]

    @classmethod
    def of(cls, texts: Sequence[WeightedText]) -> _Block:
        return cls(
            np.concatenate([text.text.vectors for text in texts]),
            np.concatenate([text.weights for text in texts]),
            starts_of([len(text.weights) for text in texts])[:-1],
            np.array([text.empty for text in texts]),
        )

    def matched(self, hypothesis: WeightedText) -> Floats:
        similarities = np.empty((len(self.vectors), len(hypothesis.weights)), np.float32)
        row_products(self.vectors, hypothesis.text.vectors, similarities)
        # The sums below are over contiguous numbers of one pair, so their order depends on nothing else.
        of_hypothesis = np.ascontiguousarray(
            np.maximum.reduceat(similarities, self.starts, axis=0), np.float64
        )
        of_references = similarities.max(axis=1).astype(np.float64)
        for similar in (of_hypothesis, of_references):  # rounding
            np.clip(similar, -1, 1, out=similar)
        precision = np.add.reduce(of_hypothesis * hypothesis.weights, axis=1)
        recall = np.add.reduceat(of_references * self.weights, self.starts)
        empty = self.empty | hypothesis.empty
        precision[empty] = recall[empty] = 0
        product = precision * recall
        # A harmonic mean is of numbers with the same sign.
        f1 = np.divide(2 * product, precision + recall, out=np.zeros_like(product), where=product > 0)
        return np.stack([precision, recall, f1], axis=-1)


def weights_of(pieces: Pieces, weights: Weights | None) -> Floats:
    """The weights of the pieces of a text, with a sum of 1; all are 0 if the text is empty. If they all would be 0
    although it is not, because every piece is in every reference, they are equal.
    """
    known = (~pieces.added).astype(np.float64)
    if weights is not None:
        others = weights[-1]
        found = known * [weights.get(number, others) for number in pieces.numbers.tolist()]
        known = found if found.any() else known
    return np.asarray(known / max(np.add.reduce(known), np.finfo(np.float64).tiny))
