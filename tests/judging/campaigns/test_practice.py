"""Practice: feedback on right and wrong answers, by every widget."""

from __future__ import annotations

import pytest

from understudy.judging.campaigns.practice import feedback, practice_for
from understudy.judging.protocols.reading import PROTOCOLS, protocol


def verdicts(name: str, item: int, step: str, payload: dict) -> list[bool]:
    chosen = protocol(name)
    return [each["ok"] for each in feedback(chosen.step(step), chosen.practice[item], payload)]


@pytest.mark.parametrize(("value", "right"), [(5, True), (4, True), (3, False)])
def test_a_rating_within_the_bounds_is_right(value, right):
    assert verdicts("report", 0, "overall", {"values": {"o1": value}}) == [right]


@pytest.mark.parametrize(
    ("ranks", "right"),
    [
        ({"o1": 2, "o2": 1, "o3": 2}, True),
        ({"o1": 1, "o2": 1, "o3": 2}, False),
        ({"o1": 3, "o2": 2, "o3": 1}, False),
        ({"o2": 1}, False),
    ],
)
def test_a_ranking_with_the_best_output_on_top_is_right(ranks, right):
    assert verdicts("ranking", 0, "rank", {"ranks": ranks}) == [right]


@pytest.mark.parametrize(("ranks", "right"), [({"o1": 1, "o2": 1}, True), ({"o1": 1, "o2": 2}, False)])
def test_a_tie_where_outputs_are_equally_good_is_right(ranks, right):
    assert verdicts("pairwise", 1, "preference", {"ranks": ranks}) == [right]


MAJOR = {"start": 10, "end": 16, "side": "target", "severity": "major", "category": "accuracy/mistranslation"}


@pytest.mark.parametrize(
    ("marked", "right"),
    [
        ([MAJOR], True),
        ([{**MAJOR, "start": 0, "end": 38}], True),  # too much, but it covers the error
        ([{**MAJOR, "start": 0, "end": 9}], False),
        ([{**MAJOR, "severity": "minor"}], False),
        ([{**MAJOR, "category": "style/awkward"}], False),
        ([{**MAJOR, "side": "source"}], False),
        ([], False),
    ],
)
def test_spans_that_mark_the_error_are_right(marked, right):
    assert verdicts("mqm", 0, "errors", {"spans": {"o1": marked}}) == [right]


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_skipped_answer_is_neither_right_nor_wrong_and_gets_the_explanations(name):
    chosen = protocol(name)
    for item in chosen.practice:
        for step in chosen.steps:
            found = feedback(step, item, {"skipped": True})
            assert [each["ok"] for each in found] == [None] * len(found)
            assert all(each["text"] for each in found)


def test_monolingual_judges_can_practise_whatever_the_source():
    assert practice_for(protocol("report").for_group("monolingual"), "sw", "en") == [0, 1]


def test_bilingual_judges_practise_in_their_language():
    assert practice_for(protocol("report").for_group("bilingual"), "sw", "en") == []
