"""What holds for every perturbation, on any text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from material.perturbations import SEGMENTS, SOURCES, applied, available, named
from understudy.probing.perturbations.perturbation import Segment
from understudy.probing.perturbations.spans import extends
from understudy.probing.perturbations.word_lists import word_list

NAMES = sorted({name for language in SEGMENTS for name in available(language)})
# They are made of other letters, or of the canonical equivalents of letters.
NEW_LETTERS = {"normal-form", "uppercase", "lowercase", "initials", "first-letter"}


def segment_in(language: str) -> Segment:
    text, other = SEGMENTS[language]
    return Segment(text, ("One reference.", "Another."), SOURCES[language], other)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("strength", [0.01, 0.3, 1])
def test_the_same_random_numbers_give_the_same_text(name, strength):
    for language in languages_of(name):
        segment = segment_in(language)
        assert applied(name, language, segment, strength) == applied(name, language, segment, strength)


@pytest.mark.parametrize("name", NAMES)
def test_no_strength_no_change(name):
    for language in languages_of(name):
        if named(name, language).facts.graded:
            assert applied(name, language, segment_in(language), 0) is None


@pytest.mark.parametrize("name", NAMES)
def test_empty_text_is_left_alone(name):
    changed = applied(name, languages_of(name)[0], Segment("", ("a", "b"), "c", "d"), 1)
    assert changed is None or name in ("paraphrase", "copy-source", "other-segment")


@pytest.mark.parametrize("name", NAMES)
@settings(deadline=None)  # the first use of a resource reads it
@given(data=st.data())
def test_any_text(name, data):
    language = data.draw(st.sampled_from(languages_of(name)))
    texts = st.text(max_size=40) | st.text("ab ’'.,-5आिक्\u200dे猫は\u0301\u1161ا،\u0650🇩🏽\"", max_size=20)
    segment = Segment(data.draw(texts), ("a", "b"), data.draw(texts), data.draw(texts))
    changed = applied(name, language, segment, data.draw(st.floats(0, 1)), data.draw(st.integers(0, 99)))
    assert changed != segment.text
    if changed is not None:
        changed.encode()  # no lone surrogates
        if name not in NEW_LETTERS:
            known = (segment.text, segment.source, segment.other, *suffixes(language))
            assert marks_with_letters(changed) <= {
                pair for text in known for pair in marks_with_letters(text)
            }


def languages_of(name: str) -> list[str]:
    return [language for language in SEGMENTS if name in available(language)]


def marks_with_letters(text: str) -> set[str]:
    """Combining marks, each with the character before it: no other must come before it."""
    return {text[place - 1 : place + 1] for place in range(len(text)) if place and extends(text[place])}


def suffixes(language: str) -> list[str]:
    return list(word_list(language, "hallucinations"))
