"""Letters, punctuation and spaces."""

from __future__ import annotations

import unicodedata

import pytest

from material.perturbations import SEGMENTS, perturbed
from understudy.probing.perturbations.spans import characters, text_of


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("lowercase", "Ein ÄPFEL-Baum", "ein äpfel-baum"),
        ("uppercase", "Ein Maß", "EIN MASS"),
        ("first-letter", "„Ein Apfel“", "„ein Apfel“"),
        ("first-letter", "ein Apfel", "Ein Apfel"),
        ("initials", "Ein roter Apfel", "ein Roter apfel"),
        ("swap-letters", "um ab 5 a", "mu ba 5 a"),
        ("double-letters", "आ काका", "आ काकाका"),
        ("look-alikes", "Opa, ж", "Ора, ж"),
        ("full-width", "A5 ５", "Ａ５ 5"),
        ("full-width", "他有5个", "他有５个"),
        ("drop-punctuation", "„Ja“, 3.5 % – (gut).", "Ja 3.5 % gut"),
        ("drop-punctuation", "「猫」、犬。", "猫犬"),
        ("drop-punctuation", "«نعم»، لا؟", "نعم لا"),
        ("drop-punctuation", "मैं, गया।", "मैं गया"),
        ("drop-quotation-marks", "„Ja“, don't 「猫」", "Ja, don't 猫"),
        ("drop-quotation-marks", "The creditors’ ‘real’ offer, 'yes'", "The creditors’ real offer, yes"),
        ("question", "Er kommt.“", "Er kommt?“"),
        ("question", "他来吗？", "他来吗。"),
        ("question", "वह गया।", "वह गया?"),
        ("question", "هل جاء؟", "هل جاء."),
        ("question", "جاء.", "جاء؟"),
        ("separate-punctuation", "„Ja“, 3.5 % (gut).", "„ Ja “ , 3.5 % ( gut ) ."),
        ("separate-punctuation", "猫、犬。", "猫 、 犬 。"),
        ("escape-entities", "„Ja“ & 'x' <b>", "„Ja“ &amp; &#x27;x&#x27; &lt;b&gt;"),
        ("drop-spaces", "Ein Apfel, rot und", "EinApfel, rotund"),
        ("add-spaces", "猫坐下", "猫 坐 下"),
        ("add-spaces", "ab 猫", "a b 猫"),
        ("add-spaces", "हिन्दी", "हि न्दी"),
    ],
)
def test_exactly_the_described_change(name, text, expected):
    assert perturbed(name, text, language=None) == expected


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("lowercase", "猫と hindi"),
        ("uppercase", "हिन्दी"),
        ("first-letter", "猫 Cat"),
        ("initials", "قال نعم"),
        ("swap-letters", "猫坐下 aa 55"),
        ("drop-letters", "猫 5"),
        ("look-alikes", "ЖЖЖ 猫"),
        ("full-width", "猫、، आ"),
        ("drop-punctuation", "3.5 % don't"),
        ("add-punctuation", "word"),
        ("change-punctuation", "(a) «b»"),
        ("question", "no end"),
        ("separate-punctuation", "a , b"),
        ("escape-entities", "„a“"),
        ("drop-spaces", "猫坐下。"),
        ("add-spaces", "a b c"),
    ],
)
def test_where_there_is_nothing_to_change(name, text):
    assert perturbed(name, text, language=None) is None


@pytest.mark.parametrize(
    ("text", "marks"),
    [("eins zwei, drei vier", ",;:"), ("猫坐下", "，；："), ("قال نعم لا", "،؛:"), ("मैं गया था", ",;:")],
)
def test_marks_are_added_between_words_of_a_clause(text, marks):
    for seed in range(20):
        after = perturbed("add-punctuation", text, language=None, seed=seed)
        added = [character for character in after if character in marks]
        assert len(added) == 2 + text.count(",")
        assert "".join(character for character in after if character not in marks) == text.replace(",", "")
        assert after[-1] == text[-1]


@pytest.mark.parametrize("text", ["Ja, gut. Oder?", "好，是。对？", "نعم، لا؟", "हाँ, वह गया।"])
def test_changed_marks_stay_where_they_are(text):
    for seed in range(20):
        after = perturbed("change-punctuation", text, language=None, seed=seed)
        assert len(after) == len(text)
        for old, new in zip(text, after, strict=True):
            is_mark = unicodedata.category(old).startswith("P")
            assert (old != new) == is_mark
            assert not is_mark or unicodedata.category(new).startswith("P")


def test_changed_marks_are_those_of_the_script():
    changed = {perturbed("change-punctuation", "جاء, نعم.", language=None, seed=seed) for seed in range(40)}
    assert {text[-1] for text in changed} == set("!؟…")
    assert not any(mark in text for text in changed for mark in "?;")


@pytest.mark.parametrize("language", ["de", "ar", "hi", "en"])
@pytest.mark.parametrize(
    ("name", "longer"), [("drop-letters", -1), ("double-letters", 1), ("swap-letters", 0)]
)
def test_one_letter_of_every_word_is_misspelled(language, name, longer):
    text = SEGMENTS[language][1].rstrip(".।")
    after = perturbed(name, text, language=None)
    for old, new in zip(text.split(), after.split(), strict=True):
        before, letters = letters_of(old), letters_of(new)
        assert set(letters) <= set(before)
        assert len(letters) == len(before) + (longer if len(before) > 1 else 0)
        assert (old != new) == (len(set(before)) > 1)


def letters_of(word: str) -> list[str]:
    return [text_of(word, character) for character in characters(word)]


def test_a_share_of_the_spaces_is_dropped():
    text = "a b c d e f g h i j k"
    assert perturbed("drop-spaces", text, 0.3).count(" ") == 7
