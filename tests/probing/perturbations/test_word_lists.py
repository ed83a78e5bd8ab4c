"""The word lists are well formed."""

from __future__ import annotations

import unicodedata

import pytest

from understudy.probing.perturbations.word_lists import LISTS, languages_with, word_list

LANGUAGES = languages_with("function_words")
GROUPS = ("number_words", "date_words", "unit_words")


def texts_in(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for entry in value.items() for part in entry for text in texts_in(part)]
    return [text for part in value for text in texts_in(part)] if isinstance(value, list) else []


@pytest.mark.parametrize("language", ["ar", "de", "en", "es", "fr", "hi", "ja", "zh"])
@pytest.mark.parametrize("key", ["function_words", "hallucinations", *GROUPS, "names", "negations"])
def test_every_language_has_these_lists(language, key):
    assert word_list(language, key)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", LISTS)
def test_texts_are_in_normal_form_without_spaces_around(language, key):
    for text in texts_in(word_list(language, key) or []):
        assert text == unicodedata.normalize("NFC", text)
        assert text.strip()
        assert text == text.lstrip()


@pytest.mark.parametrize("language", LANGUAGES)
def test_function_words_are_single_words_in_lower_case(language):
    words = word_list(language, "function_words")
    assert all(word == word.lower() and " " not in word for word in words)
    assert len(set(words)) == len(words)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", GROUPS)
def test_no_word_is_in_two_groups(language, key):
    words = [word for group in word_list(language, key) for word in group]
    assert len(set(words)) == len(words)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_name_is_in_two_groups(language):
    names = [name for group in word_list(language, "names")["groups"] for name in group]
    assert len(set(names)) == len(names)
    assert all(len(group) > 1 for group in word_list(language, "names")["groups"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_negations_are_pairs_of_different_forms(language):
    rules = word_list(language, "negations")
    assert rules.keys() <= {"pairs", "affirmed", "removed", "frame", "kept", "unchanged"}
    assert all(len(pair) == 2 and pair[0] != pair[1] for pair in rules["pairs"])
    negative = {negated for _, negated in rules["pairs"]}
    assert not negative & {affirmative for affirmative, _ in rules["pairs"]}


@pytest.mark.parametrize("language", languages_with("other_digits"))
def test_ten_other_digits(language):
    assert [unicodedata.decimal(digit) for digit in word_list(language, "other_digits")] == list(range(10))
