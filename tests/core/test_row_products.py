"""What the layers of a network do with rows of numbers; no row depends on the others."""

from __future__ import annotations

import numpy as np
import pytest

from understudy._core import row_maxima, row_products

SHAPES = [
    (1, 1, 1),
    (5, 3, 7),
    (13, 128, 45),
    (6, 512, 16),
    (100, 64, 33),
    (193, 384, 384),
]  # rows, inputs, outputs


def products(rows, weights, **options):
    results = np.full((len(rows), len(weights)), np.nan, dtype=np.float32)
    row_products(rows, weights, results, **options)
    return results


def matrices(rows: int, inputs: int, outputs: int):
    rng = np.random.default_rng(rows + inputs + outputs)
    return rng.standard_normal((rows, inputs), np.float32), rng.standard_normal((outputs, inputs), np.float32)


@pytest.mark.parametrize("any_processor", [False, True])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_it_is_the_product(shape, any_processor):
    rows, weights = matrices(*shape)
    exact = rows.astype(np.float64) @ weights.T.astype(np.float64)
    bound = np.abs(rows).astype(np.float64) @ np.abs(weights).T * shape[1] * np.finfo(np.float32).eps
    assert (np.abs(products(rows, weights, any_processor=any_processor) - exact) <= bound).all()


@pytest.mark.parametrize("any_processor", [False, True])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_row_has_the_same_bits_alone_and_anywhere_among_others(shape, any_processor):
    rows, weights = matrices(*shape)
    whole = products(rows, weights, any_processor=any_processor)
    for first in range(0, len(rows), 1 + len(rows) // 16):
        for count in (1, 2, 3, 4, 5, 6, 7, 97):
            part = rows[first : first + count]
            assert (
                products(part, weights, any_processor=any_processor) == whole[first : first + count]
            ).all()


def test_sums_are_taken_from_the_first_input_to_the_last():
    large, small = np.float32(2**24), np.float32(1)  # 2**24 + 1 is no single-precision number
    rows = np.array([[large, small, -large], [large, -large, small]])
    assert products(rows, np.ones((1, 3), np.float32)).tolist() == [[0], [1]]


def test_nothing_to_multiply():
    assert products(np.empty((0, 4), np.float32), np.ones((3, 4), np.float32)).shape == (0, 3)
    assert products(np.ones((2, 4), np.float32), np.ones((0, 4), np.float32)).shape == (2, 0)
    assert products(np.empty((2, 0), np.float32), np.empty((3, 0), np.float32)).tolist() == [[0] * 3] * 2


def test_what_does_not_fit_is_refused():
    rows, weights = matrices(5, 3, 7)
    with pytest.raises(ValueError, match="shapes"):
        row_products(rows, weights[:, :2].copy(), np.empty((5, 7), np.float32))
    with pytest.raises(ValueError, match="shapes"):
        row_products(rows, weights, np.empty((5, 6), np.float32))
    with pytest.raises(TypeError):  # it would fill a copy
        row_products(rows, weights, np.empty((5, 14), np.float32)[:, ::2])


@pytest.mark.parametrize("width", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("rows", [0, 1, 5, 1000])
def test_the_largest_of_every_row(rows, width):
    numbers = np.random.default_rng(rows + width).standard_normal((rows, width), np.float32)
    assert row_maxima(numbers).tolist() == numbers.max(axis=1).tolist()


def test_nothing_has_no_largest():
    with pytest.raises(ValueError, match="without numbers"):
        row_maxima(np.empty((3, 0), np.float32))
