"""Changes that leave a translation as good as it was."""

from __future__ import annotations

import unicodedata

import pytest

from material.perturbations import SEGMENTS, named, perturbed
from understudy.probing.perturbations.recipes import RECIPES


def test_the_first_reference_stands_for_the_hypothesis():
    assert perturbed("paraphrase", "a house", references=("one house", "a home")) == "one house"
    assert named("paraphrase").held_out == 0


@pytest.mark.parametrize(
    "references", [(), ("one house",), ("a house", "a home"), ("one house", " "), ("", "x")]
)
def test_a_paraphrase_needs_a_second_reference(references):
    assert perturbed("paraphrase", "a house", references=references) is None


def test_only_paraphrases_hold_out_a_reference():
    assert [recipe.facts.name for recipe in RECIPES if recipe.held_out is not None] == ["paraphrase"]


@pytest.mark.parametrize(
    ("name", "language", "text", "expected"),
    [
        ("quotation-marks", None, "\"Yes,\" he's ('so').", "“Yes,” he’s (‘so’)."),
        ("quotation-marks", None, "„Ja“, sagt’s.", '"Ja", sagt\'s.'),
        ("full-stop", None, "Ja. Gut.", "Ja. Gut"),
        ("full-stop", None, "Ja. Gut", "Ja. Gut."),
        ("full-stop", None, "好。 ", "好 "),
        ("full-stop", None, "好", "好。"),
        ("full-stop", None, "वह है", "वह है।"),
        ("full-stop", None, "نعم", "نعم."),
        ("double-spaces", None, "a b, c", "a  b,  c"),
        ("no-break-spaces", None, "a b", "a\u00a0b"),
        ("normal-form", None, "für", "fu\u0308r"),
        ("normal-form", None, "fu\u0308r", "für"),
        ("normal-form", None, "が", "か\u3099"),
        ("other-digits", "zh", "2021年", "２０２１年"),
        ("other-digits", "ar", "25 و ٢٥", "٢٥ و 25"),
        ("other-digits", "hi", "5 घर", "५ घर"),
        ("expand-contractions", "en", "I'm sure he doesn’t. Isn't it?", "I am sure he does not. Isn't it?"),
    ],
)
def test_exactly_the_described_change(name, language, text, expected):
    assert perturbed(name, text, language=language) == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("quotation-marks", "no marks «here»"),
        ("full-stop", "What?"),
        ("full-stop", "Well..."),
        ("double-spaces", "猫坐下"),
        ("normal-form", "plain"),
        ("expand-contractions", "nothing here"),
    ],
)
def test_where_there_is_nothing_to_change(name, text):
    assert perturbed(name, text) is None


@pytest.mark.parametrize("strength", [0.1, 0.5, 1])
def test_all_digits_of_a_number_change(strength):
    after = perturbed("other-digits", "2021年有1,500人", strength, language="zh")
    for old, new in (("2021", "２０２１"), ("1,500", "１,５００")):
        assert (old in after) != (new in after)


@pytest.mark.parametrize("language", SEGMENTS)
def test_the_other_normal_form_is_canonically_equivalent(language):
    text, _ = SEGMENTS[language]
    after = perturbed("normal-form", text, language=None)
    assert after is None or unicodedata.normalize("NFC", after) == unicodedata.normalize("NFC", text)
