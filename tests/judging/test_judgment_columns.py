"""Judgments in columns: what fits together is taken, and what does not is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from understudy.errors import BadInput
from understudy.judging.judgments import (
    Annotated,
    Controls,
    Judgments,
    Question,
    Rankings,
    Ratings,
    Spans,
    combined,
)


def judgments(**parts):
    named = {"name": "c", "protocol": "da", "systems": ("A", "B"), "judges": ("j",), "segments": (1, 2)}
    return Judgments(**(named | parts))


def rated(**changes):
    columns: dict[str, Any] = {
        "judge": [0, 0],
        "system": [0, 1],
        "segment": [0, 0],
        "value": [1.0, 2.0],
    } | changes
    return judgments(questions=(Question("overall"),), ratings={"overall": Ratings.of(**columns)})


def spans(start=0, end=3, side="target", origin="judge", annotated_system=0):
    one, annotated = np.zeros(1, dtype=np.int64), Annotated.of([0], [annotated_system], [0])
    start, end = np.array([start]), np.array([end])
    return Spans(
        *(one,) * 5, start, end, (side,), ("",), ("minor",), np.ones(1), (origin,), annotated=annotated
    )


def test_texts_are_numbered_by_system_and_segment():
    assert Ratings.of([0, 1, 0], [1, 1, 0], [0, 0, 0], [1, 2, 3]).unit.tolist() == [0, 0, 1]


def test_combinations_are_numbered_in_order():
    assert combined(np.array([3, 1, 3]), np.array([0, 5, 0])).tolist() == [1, 0, 1]


def test_repeats_are_left_out_of_first_judgments():
    ratings = Ratings.of([0, 0], [0, 0], [0, 0], [1, 2], repeat=[False, True])
    assert ratings.first.value.tolist() == [1]


def test_an_answer_credited_to_two_systems_is_one_answer():
    ratings = Ratings.of([0, 0, 0], [0, 1, 1], [0, 0, 1], [5, 5, 3], answer=[8, 8, 2])
    assert ratings.answers.value.tolist() == [5, 3]


def test_whole_judgments_are_taken():
    assert len(rated().ratings["overall"]) == 2


def test_the_question_of_a_name():
    assert rated().question("overall").level == "interval"


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: judgments(systems=("A", "A")), "system 'A' is named twice"),
        (lambda: judgments(groups=("a", "b")), "2 groups, expected 1"),
        (lambda: judgments(documents=("a",)), "1 documents, expected 2"),
        (lambda: judgments(ratings={"x": Ratings.of([], [], [], [])}), "there is no such question"),
        (lambda: rated(value=[1.0]), "differ in length"),
        (lambda: rated(system=[0, 2]), "name system 2 by its place, but there are 2"),
        (lambda: rated(value=[1.0, np.nan]), "row 2 has the value nan"),
        (lambda: judgments(rankings=Rankings.of([0], [0], [0], [0], [0])), "rank 0, expected 1"),
        (
            lambda: judgments(rankings=Rankings.of([0, 0], [0, 0], [0, 0], [1, 1], [1, 2])),
            "a ranking has a system twice",
        ),
        (
            lambda: judgments(rankings=Rankings.of([0, 0], [0, 1], [0, 0], [0, 1], [1, 2])),
            "several values of 'segment'",
        ),
        (lambda: judgments(spans=spans(start=4)), "from 4 to 3"),
        (lambda: judgments(spans=spans(side="left")), "side 'left' of a span"),
        (lambda: judgments(spans=spans(origin="them")), "origin 'them' of a span"),
        (lambda: judgments(spans=spans(annotated_system=1)), "not among the annotated ones"),
        (
            lambda: judgments(
                controls=Controls(np.array([1]), np.array([0]), ("q",), np.ones(1), np.ones(1))
            ),
            "name judge 1 by its place",
        ),
    ],
)
def test_what_does_not_fit_together_is_named(make, message):
    with pytest.raises(BadInput, match=message):
        make()
