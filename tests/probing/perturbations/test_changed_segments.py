"""Changes of whole segments."""

from __future__ import annotations

import pytest

from material.perturbations import SEGMENTS, perturbed
from understudy.probing.perturbations.spans import words
from understudy.probing.perturbations.word_lists import languages_with, word_list


@pytest.mark.parametrize("language", SEGMENTS)
@pytest.mark.parametrize("strength", [0.1, 0.5, 1])
def test_truncated_text_is_a_beginning(language, strength):
    text, _ = SEGMENTS[language]
    after = perturbed("truncate", text, strength, language=language)
    assert text.startswith(after)
    assert len(words(after)) == len(words(text)) - max(1, int(len(words(text)) * strength + 0.5))


@pytest.mark.parametrize("language", SEGMENTS)
@pytest.mark.parametrize("strength", [0.1, 0.5, 1])
def test_text_without_its_beginning_is_an_end(language, strength):
    text, _ = SEGMENTS[language]
    after = perturbed("cut-beginning", text, strength, language=language)
    assert text.endswith(after)
    assert len(words(after)) == len(words(text)) - max(1, int(len(words(text)) * strength + 0.5))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Das ist ein Haus.", "Das ist ein Haus ist ein Haus ist."),
        ("猫坐下了。", "猫坐下了坐下了坐。"),
        ("ja", "ja ja"),
    ],
)
def test_the_ending_is_repeated(text, expected):
    assert perturbed("repeat-ending", text, language=None) == expected


def test_the_source_is_copied():
    assert perturbed("copy-source", "Haus", source="house") == "house"
    assert perturbed("copy-source", "Haus") is None
    assert perturbed("copy-source", "Haus", source="Haus") is None


def test_another_segment_takes_its_place():
    assert perturbed("other-segment", "Haus", other="Hund") == "Hund"
    assert perturbed("other-segment", "Haus") is None


def test_nothing_is_left():
    assert perturbed("empty", "Haus") == ""


@pytest.mark.parametrize("language", languages_with("hallucinations"))
def test_a_sentence_is_added(language):
    after = perturbed("hallucinate", "Abc.", language=language)
    assert after.removeprefix("Abc.").strip() in word_list(language, "hallucinations")


def test_the_sentence_is_separated_as_in_its_script():
    assert perturbed("hallucinate", "Abc.", language="de").startswith("Abc. ")
    assert not perturbed("hallucinate", "好。", language="zh").startswith("好。 ")
    assert "  " not in perturbed("hallucinate", "Abc. ", language="de")
