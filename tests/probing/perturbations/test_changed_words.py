"""Words dropped, added, repeated, replaced and reordered."""

from __future__ import annotations

import itertools

import pytest

from material.perturbations import SEGMENTS, SOURCES, perturbed
from understudy.probing.perturbations.spans import text_of, words

STRENGTHS = (0.1, 0.3, 0.5, 0.8, 1)


def tokens(text: str) -> list[str]:
    return [text_of(text, word) for word in words(text)]


def between(text: str) -> list[str]:
    """All that is not a word."""
    ends = [0, *(word.end for word in words(text))]
    starts = [*(word.start for word in words(text)), len(text)]
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]


def is_subsequence(part: list[str], whole: list[str]) -> bool:
    rest = iter(whole)
    return all(each in rest for each in part)


@pytest.mark.parametrize("language", SEGMENTS)
@pytest.mark.parametrize("strength", STRENGTHS)
def test_dropped_words_are_missing_and_no_others(language, strength):
    text, _ = SEGMENTS[language]
    after = perturbed("drop-words", text, strength, language=language)
    count = max(1, int(len(words(text)) * strength + 0.5))
    assert len(words(after)) <= len(words(text)) - count  # without 年, 2021年5 is one number
    assert is_subsequence(list("".join(after.split())), list("".join(text.split())))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("“Yes” (no), he said…", "“” (),…"),
        ("a b", ""),
        ("Das ist gut.", "."),
        ("猫 是 动物。", "。"),
        ("قال: «نعم»،", ": «»،"),
        ("मैं गया।", "।"),
    ],
)
def test_all_words_dropped_leave_punctuation(text, expected):
    assert perturbed("drop-words", text, language=None) == expected


@pytest.mark.parametrize(
    ("text", "dropped", "expected"),
    [
        ("See the big cat, now.", "cat", "See the big, now."),
        ("See the big cat, now.", "See", "the big cat, now."),
        ("See the big cat now", "now", "See the big cat"),
        ("It (the cat) sat", "the", "It (cat) sat"),
        ("x,the cat", "the", "x, cat"),
        ("猫 the 坐", "the", "猫 坐"),
    ],
)
def test_one_space_goes_with_a_word(text, dropped, expected):
    places = words(text)
    results = {perturbed("drop-words", text, 0.01, language=None, seed=seed) for seed in range(60)}
    assert len(results) == len(places)
    assert expected in results
    assert dropped not in expected.split()


@pytest.mark.parametrize("language", SEGMENTS)
def test_repeated_words_follow_each_other(language):
    text, _ = SEGMENTS[language]
    after = perturbed("repeat-words", text, language=language)
    assert tokens(after) == [token for token in tokens(text) for _ in range(2)]
    assert [gap for gap in between(after) if gap.strip()] == [gap for gap in between(text) if gap.strip()]


@pytest.mark.parametrize("language", SEGMENTS)
def test_added_words_are_those_of_the_other_segment(language):
    text, other = SEGMENTS[language]
    after = perturbed("add-words", text, language=language, other=other)
    places = [word for word in words(text) if text[word.end : word.end + 1] != "%"]
    assert len(words(after)) == len(words(text)) + len(places)
    assert is_subsequence(list(text), list(after))
    assert set(tokens(after)) <= {*tokens(text), *tokens(other)}


@pytest.mark.parametrize("language", SEGMENTS)
def test_replaced_words_are_those_of_the_other_segment(language):
    text, other = SEGMENTS[language]
    after = perturbed("replace-words", text, language=language, other=other)
    assert set(tokens(after)) <= set(tokens(other))
    marks = [gap.strip() for gap in between(text) if gap.strip()]
    assert [gap.strip() for gap in between(after) if gap.strip()] == marks


def test_without_another_segment_no_words_are_added_or_replaced():
    assert perturbed("add-words", "a b c") is None
    assert perturbed("replace-words", "a b c") is None


@pytest.mark.parametrize("language", SEGMENTS)
@pytest.mark.parametrize("strength", STRENGTHS)
def test_shuffled_words_are_the_same_words(language, strength):
    text, _ = SEGMENTS[language]
    after = perturbed("shuffle-words", text, strength, language=language)
    assert sorted(after) == sorted(text)
    if language not in ("zh", "ja"):  # whose numbers may meet
        assert sorted(tokens(after)) == sorted(tokens(text))
        assert between(after) == between(text)


def test_words_are_shuffled_even_if_most_are_equal():
    results = {perturbed("shuffle-words", "a a a a b", 0.01, seed=seed) for seed in range(20)}
    assert results <= {"b a a a a", "a b a a a", "a a b a a", "a a a b a"}


def test_equal_words_cannot_be_shuffled():
    assert perturbed("shuffle-words", "no no no") is None


def test_neighbors_change_places_but_not_across_punctuation():
    assert perturbed("swap-neighbors", "one, two three: four") == "one, three two: four"


@pytest.mark.parametrize("language", SEGMENTS)
def test_words_of_the_source_are_mixed_in(language):
    after = perturbed("mix-in-source", SEGMENTS[language][0], language=language, source=SOURCES[language])
    assert set(tokens(after)) <= set(tokens(SOURCES[language]))


def test_without_a_source_nothing_is_mixed_in():
    assert perturbed("mix-in-source", "a b c") is None


@pytest.mark.parametrize(
    ("language", "text", "content", "function"),
    [
        ("en", "The cat sat on 3 mats.", "The on 3.", "cat sat 3 mats."),
        ("de", "Der Hund ist im Garten.", "Der ist im.", "Hund Garten."),
        ("fr", "Le chat dort sur le lit.", "Le sur le.", "chat dort lit."),
        ("es", "El gato duerme en la cama.", "El en la.", "gato duerme cama."),
        ("zh", "我的猫在家。", "的在。", "我猫家。"),
        ("ja", "猫は家にいる。", "はにいる。", "猫家いる。"),
        ("ar", "القط في البيت.", "في.", "القط البيت."),
        ("hi", "बिल्ली घर में है।", "में है।", "बिल्ली घर।"),
    ],
)
def test_content_and_function_words_are_dropped(language, text, content, function):
    assert perturbed("drop-content-words", text, language=language) == content
    assert perturbed("drop-function-words", text, language=language) == function


@pytest.mark.parametrize(
    "name", ["drop-words", "repeat-words", "shuffle-words", "swap-neighbors", "truncate"]
)
def test_a_greater_strength_changes_all_that_a_smaller_one_does(name):
    text = " ".join(f"w{number}" for number in range(40))
    changed = [
        {place for place, word in enumerate(text.split()) if word_at(name, text, strength, place) != word}
        for strength in STRENGTHS
    ]
    for smaller, greater in itertools.pairwise(changed):
        assert smaller < greater or (smaller == greater and len(smaller) == 40)


def word_at(name: str, text: str, strength: float, place: int) -> str:
    """The word at a place of the changed text; of repeated or dropped words, how many there are."""
    after = perturbed(name, text, strength).split()
    word = f"w{place}"
    if name in ("shuffle-words", "swap-neighbors"):
        return after[place]
    return word if after.count(word) == 1 else f"{after.count(word)} of {word}"
