"""Words and characters in a text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from understudy.probing.perturbations.spans import characters, text_of, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Don't pay 3.5% (yet)!", ["Don't", "pay", "3.5", "yet"]),
        ("At 10:30, 1,000 well-known U.S. firms", ["At", "10:30", "1,000", "well-known", "U.S", "firms"]),
        ("Größe „groß“", ["Größe", "groß"]),
        ("猫は mat に。", ["猫", "は", "mat", "に"]),
        ("قال: «نعم»،", ["قال", "نعم"]),
        ("हिन्दी में।", ["हिन्दी", "में"]),
        ("กำลัง", ["กำ", "ลั", "ง"]),
        ("—", []),
        ("", []),
    ],
)
def test_words(text, expected):
    assert [text_of(text, word) for word in words(text)] == expected


def test_characters_of_devanagari_are_whole():
    assert [text_of("दिल्ली", character) for character in characters("दिल्ली")] == ["दि", "ल्ली"]


@settings(deadline=None)  # the first use of a resource reads it
@given(st.text())
def test_no_grapheme_cluster_is_split(text):
    regex = pytest.importorskip("regex")
    clusters = {match.end() for match in regex.finditer(r"\X", text)} | {0}
    assert {character.end for character in characters(text)} <= clusters
    assert {position for word in words(text) for position in word} <= clusters


@settings(deadline=None)  # the first use of a resource reads it
@given(st.text())
def test_characters_are_the_whole_text(text):
    assert "".join(text_of(text, character) for character in characters(text)) == text
