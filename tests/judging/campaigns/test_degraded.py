"""Controls: degraded outputs, in every script, and never an output itself."""

from __future__ import annotations

import unicodedata

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from understudy.judging.campaigns.degraded import characters, degraded, split

ENGLISH = "The committee will meet again on Thursday to discuss the new budget."
CHINESE = "委员会将于星期四再次开会讨论新的预算。"
THAI = "คณะกรรมการจะประชุมอีกครั้งในวันพฤหัสบดี"
ARABIC = "ستجتمع اللجنة مرة أخرى يوم الخميس لمناقشة الميزانية الجديدة."
OTHERS = {
    ENGLISH: ["It rained all day in Rome and nobody went out.", "Two dogs ran across a muddy field."],
    CHINESE: ["罗马整天都在下雨，没有人出门。", "两只狗跑过泥泞的田野。"],
    THAI: ["ฝนตกทั้งวันในกรุงโรมและไม่มีใครออกไปข้างนอก"],
    ARABIC: ["هطل المطر طوال اليوم في روما ولم يخرج أحد."],
}


def seeded(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("text", OTHERS)
def test_a_control_keeps_part_of_the_text_and_loses_much_of_it(text):
    for seed in range(50):
        units, _ = split(text)
        kept = split(degraded(text, OTHERS[text], seeded(seed)))[0]
        share = sum(unit in kept for unit in units) / len(units)
        assert 0.1 < share < 0.9


def test_words_are_kept_whole():
    known = {word for text in (ENGLISH, *OTHERS[ENGLISH]) for word in text.split()}
    assert set(degraded(ENGLISH, OTHERS[ENGLISH], seeded()).split()) <= known


def test_chinese_stays_without_spaces():
    assert " " not in degraded(CHINESE, OTHERS[CHINESE], seeded())


def test_marks_stay_with_their_characters():
    for seed in range(50):
        assert not unicodedata.category(degraded(THAI, OTHERS[THAI], seeded(seed))[0]).startswith("M")


def test_joined_emoji_are_one_character():
    assert characters("a👩\u200d🔬b") == ["a", "👩\u200d🔬", "b"]


@pytest.mark.parametrize("text", ["", " ", "Yes.", "No, never."])
def test_a_short_text_is_not_degraded(text):
    assert degraded(text, ["Something else entirely is here."], seeded()) is None


def test_without_other_texts_there_is_no_control():
    assert degraded(ENGLISH, [], seeded()) is None


def test_text_that_cannot_change_is_no_control():
    assert degraded("no no no no", ["no no", "NO no"], seeded()) is None


def test_another_output_is_no_control():
    text, other = "a b c d", "x x x x x"
    forbidden = ["x x c d", "a x x d", "a b x x"]
    assert degraded(text, [other], seeded(), forbidden) is None


@given(st.text(), st.lists(st.text()), st.integers(0, 2**32))
def test_a_control_never_reads_like_the_original(text, others, seed):
    result = degraded(text, others, seeded(seed))
    assert result is None or "".join(result.split()).casefold() != "".join(text.split()).casefold()
