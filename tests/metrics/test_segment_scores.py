"""A score whose detail is made when it is asked for is like any other."""

from __future__ import annotations

import copy
import dataclasses
import pickle

import pytest

from understudy import BLEU
from understudy.metrics.base.score import Score

PAIR = ("the cat sat on the mat", ["a cat sat on the mat", "the cat lay on a mat"])


@pytest.fixture
def score() -> Score:
    return BLEU().segment(*PAIR)


@pytest.fixture
def whole() -> Score:
    """The same, of which everything was asked for."""
    made = BLEU().segment(*PAIR)
    return Score(**{field.name: getattr(made, field.name) for field in dataclasses.fields(Score)})


@pytest.mark.parametrize(
    "use", [repr, str, float, lambda score: round(score, 1), lambda score: f"{score:.3f}"]
)
def test_it_is_shown_alike(use, score, whole):
    assert use(score) == use(whole)


def test_it_is_equal(score, whole):
    assert score == whole


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, lambda score: pickle.loads(pickle.dumps(score))]
)
def test_it_can_be_copied(copied, score, whole):
    assert copied(score) == whole


def test_it_can_be_changed(score, whole):
    assert dataclasses.replace(score, aggregate="mean") == dataclasses.replace(whole, aggregate="mean")


def test_it_stays_frozen(score):
    with pytest.raises(dataclasses.FrozenInstanceError):
        score.value = 0.0


def test_it_has_no_other_attributes(score):
    assert not hasattr(score, "brevity")


def test_its_detail_goes_with_its_effective_order():
    assert BLEU().segment("a b", "a b").detail["cumulative"][-1] == pytest.approx(100)
