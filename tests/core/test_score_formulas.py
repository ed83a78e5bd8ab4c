"""The core's formulas take counts of any shape and of whole or other numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from understudy import BLEU, CHRF, TER
from understudy._core import edit_rates

SYSTEM = ["the cat sat on the mat", "a dog", "it rained all day long", ""]
REFERENCES = ["a cat sat on the mat", "a dog barked", "it was raining all day", "nothing"]
FORMULAS: Any = [BLEU()._formula, CHRF()._formula]
COUNTS = [metric.statistics(SYSTEM, REFERENCES).array for metric in (BLEU(), CHRF())]
each_formula = pytest.mark.parametrize(("formula", "counts"), list(zip(FORMULAS, COUNTS, strict=True)))


@each_formula
def test_whole_numbers_and_others_score_alike(formula, counts):
    assert formula.scores(counts).tolist() == formula.scores(counts.astype(np.float64)).tolist()


@each_formula
@pytest.mark.parametrize("kind", [np.int32, np.uint16, np.float32])
def test_other_types_are_converted(formula, counts, kind):
    assert formula.scores(counts.astype(kind)).tolist() == formula.scores(counts).tolist()


@each_formula
def test_halves_are_not_cut_off(formula, counts):
    assert formula.scores(counts + np.float32(0.5)).tolist() == formula.scores(counts + 0.5).tolist()


@each_formula
def test_a_single_row_is_a_number(formula, counts):
    assert formula.scores(counts[0]).shape == ()
    assert formula.scores(counts[0]).item() == formula.scores(counts)[0]


@each_formula
def test_arrays_of_any_shape(formula, counts):
    cube = np.stack([counts, counts[::-1]])
    assert formula.scores(cube).tolist() == [
        formula.scores(counts).tolist(),
        formula.scores(counts)[::-1].tolist(),
    ]
    assert formula.scores(cube[:, 1:2]).shape == (2, 1)
    assert formula.scores(counts[:0]).shape == (0,)


@each_formula
@pytest.mark.parametrize("turned", [np.asfortranarray, lambda counts: np.repeat(counts, 2, axis=0)[::2]])
def test_arrays_that_lie_otherwise(formula, counts, turned):
    assert formula.scores(turned(counts)).tolist() == formula.scores(counts).tolist()


@each_formula
def test_too_few_columns_are_refused(formula, counts):
    with pytest.raises(ValueError, match="too few columns"):
        formula.scores(counts[:, :-1])


def test_precisions_of_other_rows_are_refused():
    formula, counts = FORMULAS[0], COUNTS[0]
    with pytest.raises(ValueError, match="different shapes"):
        formula.combined(formula.precisions(counts)[1:], counts)


def test_edits_and_lengths_of_different_shapes_are_refused():
    with pytest.raises(ValueError, match="different shapes"):
        edit_rates(np.ones(2), np.ones(3))


def test_edit_rates_of_an_empty_reference():
    assert edit_rates(np.array([0.0, 3.0, 1.0]), np.array([0.0, 0.0, 4.0])).tolist() == [0, 100, 25]


def test_many_rows_score_as_each_alone():
    generator = np.random.default_rng(1)
    for metric in (BLEU(), CHRF(), TER()):
        one = metric.statistics(SYSTEM, REFERENCES)
        rows = one.array[generator.integers(0, len(SYSTEM), 5000)]
        scores = metric.score(metric.statistics_of(rows))
        assert scores.tolist() == [metric.score(metric.statistics_of(row)).item() for row in rows]
