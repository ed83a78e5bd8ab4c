"""The layers of a BERT encoder in numpy, for the pieces of many texts at once, one row each.

Every row of a result depends on this row only (attention: on the rows of its text), to the last bit. Matrix products
are the core's: libraries of linear algebra sum in an order that depends on the number of rows. Everything else is
element by element, or a sum over one row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from understudy._core import row_products
from understudy.neural.token_vectors import Vectors

# GELU(x) = max(x, 0) - |x| / p(|x|)^8, where p is a minimax polynomial with 1 / p(a)^8 = 1 - Φ(a): within 3e-7 of
# the exact value for all floats, with at most one unit in the last place of x.
_GELU = np.array(
    [
        *(1.0905078649520874, 0.10875751823186874, 0.048848964273929596, 0.009356471709907055),
        *(0.0010831911349669099, 0.00011295433068880811, 0.00010937335900962353, -1.880620766314678e-05),
        3.238456429244252e-06,
    ],
    np.float32,
)
_GELU_LARGEST = np.float32(16.0)  # where the result is as good as 0 or x, and the power still finite


@dataclass(frozen=True, eq=False)
class Linear:
    """A linear layer: weights [outputs, inputs] and bias."""

    weights: Vectors
    bias: Vectors

    def __call__(self, rows: Vectors) -> Vectors:
        results = np.empty((len(rows), len(self.weights)), np.float32)
        row_products(rows, self.weights, results)
        results += self.bias
        return results


@dataclass(frozen=True, eq=False)
class LayerNorm:
    """Layer normalization, in place."""

    scale: Vectors
    shift: Vectors
    epsilon: float

    def __call__(self, rows: Vectors) -> Vectors:
        width = np.float32(rows.shape[-1])
        rows -= np.add.reduce(rows, axis=-1, keepdims=True) / width
        variance = np.add.reduce(rows * rows, axis=-1, keepdims=True) / width
        rows /= np.sqrt(variance + np.float32(self.epsilon))
        rows *= self.scale
        rows += self.shift
        return rows


@dataclass(frozen=True, eq=False)
class BertLayer:
    """One layer of the encoder: attention and feed-forward network, each added to its input and normalized."""

    heads: int
    activation: str  # a key of ACTIVATIONS
    query_key_value: Linear
    attended: Linear
    attention_norm: LayerNorm
    widened: Linear
    narrowed: Linear
    output_norm: LayerNorm

    def __call__(self, rows: Vectors, starts: Sequence[int]) -> Vectors:
        """The output of the layer. The text i has the rows from starts[i] to starts[i + 1]."""
        attention = np.empty_like(rows)
        projected = self.query_key_value(rows)
        for begin, end in pairwise(starts):
            _attend(projected[begin:end], self.heads, attention[begin:end])
        rows = self.attention_norm(self.attended(attention) + rows)
        widened = self.widened(rows)
        ACTIVATIONS[self.activation](widened)
        return self.output_norm(self.narrowed(widened) + rows)


def _attend(projected: Vectors, heads: int, results: Vectors) -> None:
    """Attention of one text: from queries, keys and values side by side in one row per piece."""
    count, width = results.shape
    of_head = width // heads
    queries, keys, values = projected.reshape(count, 3, heads, of_head).transpose(1, 2, 0, 3)
    queries = queries * np.float32(of_head**-0.5)
    keys, values = np.ascontiguousarray(keys), np.ascontiguousarray(values.transpose(0, 2, 1))
    weights = np.empty((heads, count, count), np.float32)
    for head in range(heads):
        row_products(np.ascontiguousarray(queries[head]), keys[head], weights[head])
    weights -= weights.max(axis=-1, keepdims=True)
    np.exp(weights, out=weights)
    weights /= np.add.reduce(weights, axis=-1, keepdims=True)
    mixed = np.empty((heads, count, of_head), np.float32)
    for head in range(heads):
        row_products(weights[head], values[head], mixed[head])
    results[:] = mixed.transpose(1, 0, 2).reshape(count, width)


def gelu(rows: Vectors) -> None:
    """The Gaussian error linear unit x Φ(x), in place."""
    size = np.abs(rows)
    np.minimum(size, _GELU_LARGEST, out=size)
    power = np.full_like(size, _GELU[-1])
    for coefficient in _GELU[-2::-1]:
        power *= size
        power += coefficient
    for _ in range(3):
        power *= power
    size /= power
    np.maximum(rows, 0, out=rows)
    rows -= size


def _relu(rows: Vectors) -> None:
    np.maximum(rows, 0, out=rows)


ACTIVATIONS = {"gelu": gelu, "relu": _relu}


def starts_of(lengths: Sequence[int]) -> list[int]:
    """Where texts of these lengths start, one after another, and where the last one ends.

    >>> starts_of([3, 2])
    [0, 3, 5]
    """
    starts: NDArray[np.int64] = np.cumsum([0, *lengths])
    return [int(start) for start in starts]
