"""Where words and characters are in a text, so that a change leaves all other characters as they are."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from understudy.text.scripts import UNSPACED, has_unspaced


class Edit(NamedTuple):
    """A replacement for text[start:end]."""

    start: int
    end: int
    new: str


class Span(NamedTuple):
    """A part of a text."""

    start: int
    end: int


def spliced(text: str, edits: Iterable[Edit]) -> str:
    """The text with edits that do not overlap.

    >>> spliced("the cat sat", [Edit(8, 11, "slept"), Edit(0, 3, "a")])
    'a cat slept'
    """
    pieces, position = [], 0
    for edit in sorted(edits):
        pieces += [text[position : edit.start], edit.new]
        position = edit.end
    return "".join([*pieces, text[position:]])


@functools.lru_cache(maxsize=4096)
def words(text: str) -> tuple[Span, ...]:
    """The words, without punctuation. In scripts without word boundaries, every character is a word.

    >>> [text_of("Don’t pay 3.5% (yet)!", word) for word in words("Don’t pay 3.5% (yet)!")]
    ['Don’t', 'pay', '3.5', 'yet']
    >>> [text_of("看 BLEU 吧。", word) for word in words("看 BLEU 吧。")]
    ['看', 'BLEU', '吧']
    """
    return tuple(Span(*found.span()) for found in _patterns().word.finditer(text))


def characters(text: str) -> Iterator[Span]:
    """Characters as readers see them: a letter with its combining marks is one.

    >>> [text_of("हिन्दी", character) for character in characters("हिन्दी")]
    ['हि', 'न्दी']
    """
    if text.isascii() and "\r" not in text:
        return (Span(place, place + 1) for place in range(len(text)))
    return (Span(*found.span()) for found in _patterns().character.finditer(text))


def text_of(text: str, span: Span) -> str:
    return text[span.start : span.end]


def space_after(text: str, position: int) -> int:
    """Where the whitespace that begins at a position ends."""
    end = position
    while end < len(text) and text[end].isspace():
        end += 1
    return end - 1 if end > position and end < len(text) and extends(text[end]) else end


def space_before(text: str, position: int) -> int:
    """Where the whitespace that ends at a position begins."""
    while position and text[position - 1].isspace():
        position -= 1
    return position


def separator(left: str, right: str) -> str:
    """The space between two words; none if the script of either has no word boundaries."""
    return "" if has_unspaced(left[-1:]) or has_unspaced(right[:1]) else " "


def starts_with_closing_mark(text: str) -> bool:
    """Whether no space stands before the text: a comma, a closing bracket, or nothing."""
    return not text or unicodedata.category(text[0]) in ("Pe", "Pf", "Po")


def ends_with_opening_mark(text: str) -> bool:
    """Whether no space stands after the text: an opening bracket, space, or nothing."""
    return (
        not text
        or text[-1].isspace()
        or unicodedata.category(text[-1]) in ("Ps", "Pi")
        or text[-1] in "\"'¿¡"
    )


def inside_words() -> str:
    """The characters of words, as a character class in a regular expression."""
    return rf"[\w{_class(extends)}]"


class _Patterns(NamedTuple):
    word: re.Pattern[str]
    character: re.Pattern[str]


@functools.cache
def _patterns() -> _Patterns:
    """The grapheme clusters of Unicode's annex 29 and words made of them, at times longer but never shorter."""
    extending = f"[{_class(extends)}]"
    prepended = "[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]*"
    linkers = _class(lambda character: unicodedata.combining(character) == 9)
    # A virama joins the consonant after it, with or without a joiner between them.
    tail = f"(?:{extending}|(?<=[{linkers}])[^\\W\\d_]|(?<=[{linkers}]\u200d)[^\\W\\d_])*"
    flag = "[\U0001f1e6-\U0001f1ff]{2}"
    # Emoji are joined by U+200D.
    character = rf"\r\n|{prepended}(?:{flag}|(?s:.)){tail}(?:(?<=\u200d)[^\s\w]{tail})*"
    unspaced = f"{prepended}(?!{extending})[{UNSPACED}]{tail}"
    letter = rf"(?![{UNSPACED}])\w"
    run = rf"{prepended}(?!{extending}){letter}(?:{letter}|{extending})*"
    connected = rf"(?:(?:[-'’.\u2010\u2011]|(?<=\d)[,:](?=\d)){run})*"
    return _Patterns(
        re.compile(f"{unspaced}|{run}{connected}"),
        re.compile(character),
    )


def extends(character: str) -> bool:
    """Whether a character belongs to the one before it."""
    return character > "\u02ff" and (
        unicodedata.category(character).startswith("M")
        or character in "\u200c\u200d\u0e33\u0eb3\uff9e\uff9f"
        or "\u1160" <= character <= "\u11ff"  # vowels and final consonants of Hangul, written one by one
        or "\ud7b0" <= character <= "\ud7ff"
        or "\U0001f3fb" <= character <= "\U0001f3ff"  # tones of skin
        or "\U000e0020" <= character <= "\U000e007f"  # tags
    )


@functools.cache
def _class(holds: Callable[[str], bool]) -> str:
    """A character class of the assigned characters for which something holds."""
    inside = [code for code in _CODES if holds(chr(code))]
    starts = [code for code, before in zip(inside, [-2, *inside], strict=False) if code != before + 1]
    ends = [code for code, after in zip(inside, [*inside[1:], -2], strict=True) if code != after - 1]
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in zip(starts, ends, strict=True))


_CODES = (*range(0x20000), *range(0xE0000, 0xE0200))  # the planes with combining marks
