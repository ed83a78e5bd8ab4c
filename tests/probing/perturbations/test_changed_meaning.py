"""Negation, gender, tense, and the senses of words."""

from __future__ import annotations

import pytest

from material.optional import needs_wordnet
from material.perturbations import perturbed
from understudy.lexicon.english_forms import inflected
from understudy.lexicon.wordnet import wordnet


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "It is cold.", "It is not cold."),
        ("en", "It is not cold, and he can't see.", "It is cold, and he can see."),
        ("en", "It does not rain.", "It does rain."),
        ("en", "Isn’t it? He never comes.", "Is it? He always comes."),
        ("en", "I don't know if it is cold.", "I do know if it is cold."),
        ("en", "It is no longer cold.", "It is still cold."),
        ("de", "Er kommt nicht.", "Er kommt."),
        ("de", "Sie hat keine Zeit.", "Sie hat Zeit."),
        ("de", "Das ist ein Haus.", "Das ist kein Haus."),
        ("de", "Sie ist da und kann kommen.", "Sie ist da und kann nicht kommen."),
        ("fr", "Il ne vient pas, elle est là.", "Il vient, elle n'est pas là."),
        ("es", "No es así, él puede venir.", "Es así, él no puede venir."),
        ("zh", "但是他没有钱，她是学生。", "但是他有钱，她不是学生。"),
        ("ja", "ますます走っています。", "ますます走っていません。"),
        ("ar", "كان هنا.", "لم يكن هنا."),
        ("hi", "वह नहीं आया था, यह घर है।", "वह आया था, यह घर नहीं है।"),
    ],
)
def test_negation(language, text, expected):
    assert perturbed("flip-negation", text, language=language) == expected


@pytest.mark.parametrize(
    ("language", "text"), [("en", "Hello there!"), ("de", "Nicht nur heute"), ("zh", "但是。")]
)
def test_nothing_to_negate(language, text):
    assert perturbed("flip-negation", text, language=language) is None


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "There is no water."),
        ("en", "Neither is true."),
        ("de", "Er ist weder hier noch da."),
        ("es", "Él es nada."),
        ("fr", "Il n'est plus là."),
        ("zh", "我不认为这是书。"),
        ("ja", "行かないと言っていた。"),
        ("ar", "لم أعرف أنه كان هنا."),
        ("ar", "ولا يمكن."),
    ],
)
def test_no_second_negation(language, text):
    assert perturbed("flip-negation", text, language=language) is None


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "He saw HIM himself.", "She saw HER herself."),
        ("de", "Er gab ihm seinen Hut.", "Sie gab ihr ihren Hut."),
        ("fr", "Il y a ce qu'elle voit.", "Il y a ce qu'il voit."),
        ("zh", "他和其他人", "她和其他人"),
        ("ja", "彼女は彼を見た", "彼は彼女を見た"),
        ("ar", "هو هنا", "هي هنا"),
    ],
)
def test_gender(language, text, expected):
    assert perturbed("change-gender", text, language=language) == expected


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Is it what they are?", "Was it what they were?"),
        ("de", "Er hat das, was sie war.", "Er hatte das, was sie ist."),
        ("hi", "यह घर है।", "यह घर था।"),
        ("ja", "学生です。", "学生でした。"),
    ],
)
def test_tense(language, text, expected):
    assert perturbed("change-tense", text, language=language) == expected


@needs_wordnet
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("They opened the largest door.", "They closed the smallest door."),
        ("a northern hotel", "a southern hotel"),
        ("Love it", "Hate it"),
    ],
)
def test_antonyms_keep_the_form(text, expected):
    assert perturbed("antonyms", text) == expected


@needs_wordnet
def test_synonyms_keep_the_form():
    assert perturbed("synonyms", "Two physicians.") == "Two doctors."


@needs_wordnet
def test_rare_synonyms_are_not_used():
    assert perturbed("synonyms", "urine") is None  # not weewee


@needs_wordnet
@pytest.mark.parametrize("name", ["antonyms", "synonyms", "hypernyms"])
@pytest.mark.parametrize("text", ["as soon as as well", "50 percent"])
def test_words_of_fixed_phrases_are_left_alone(name, text):
    assert perturbed(name, text) is None


@needs_wordnet
def test_hypernyms_keep_the_form():
    assert perturbed("hypernyms", "Two hotels.") in ("Two buildings.", "Two edifices.")


@needs_wordnet
def test_articles_stay_right():
    assert perturbed("antonyms", "a young hotel") is None
    assert perturbed("antonyms", "my young hotel") == "my old hotel"


@needs_wordnet
@pytest.mark.parametrize("name", ["antonyms", "synonyms", "hypernyms"])
@pytest.mark.parametrize("text", ["The of and will can", "in Paris by Bush", "xqzt", "42"])
def test_words_without_a_related_one_are_left_alone(name, text):
    assert perturbed(name, text) is None


@needs_wordnet
@pytest.mark.parametrize(
    ("base", "part", "ending", "expected"),
    [
        ("city", "noun", "s", "cities"),
        ("child", "noun", "s", "children"),
        ("box", "noun", "s", "boxes"),
        ("stop", "verb", "ed", "stopped"),
        ("go", "verb", "ed", None),
        ("carry", "verb", "ing", "carrying"),
        ("close", "verb", "ing", "closing"),
        ("big", "adj", "est", "biggest"),
        ("beautiful", "adj", "er", None),
        ("easy", "adj", "er", "easier"),
    ],
)
def test_forms(base, part, ending, expected):
    assert inflected(wordnet(), base, part, ending) == expected
