"""Tokens written as text that a tokenizer splits into the same tokens again."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from understudy.text.scripts import has_unspaced

# Punctuation without a space before it, in most languages.
_AFTER_WORDS = frozenset(",.;:!?%…،؛؟۔।॥、。，．：；？！")
_CLOSING = frozenset(("Pe", "Pf"))
_OPENING = frozenset(("Ps", "Pi"))
_PIECE_START = "▁"  # SentencePiece's sign for a space


class Phrase(NamedTuple):
    """A part of a variant: some tokens and the text they are from."""

    text: str
    tokens: tuple[str, ...]  # as the metric compares them


def written(
    phrases: Sequence[Phrase], intended: tuple[str, ...], tokens: Callable[[str], tuple[str, ...]]
) -> str | None:
    """The text of some phrases, in natural spacing if the tokenizer then gives the intended tokens, else with more
    spaces; None if that does not help either.

    >>> phrases = [Phrase("Calm", ("calm",)), Phrase(",", (",",))]
    >>> written(phrases, ("calm", ","), lambda text: tuple(text.lower().replace(",", " ,").split()))
    'Calm,'
    """
    return next((text for text in _ways_to_write(phrases, intended) if tokens(text) == intended), None)


def _ways_to_write(phrases: Sequence[Phrase], tokens: tuple[str, ...]) -> Iterator[str]:
    if any(_PIECE_START in token for token in tokens):
        yield "".join(tokens).replace(_PIECE_START, " ").strip()
    yield _natural([phrase.text for phrase in phrases])
    yield " ".join(phrase.text for phrase in phrases)
    yield " ".join(tokens)
    yield "".join(tokens)  # for tokenizers that take spaces for tokens


def _natural(texts: Sequence[str]) -> str:
    """
    >>> _natural(["(", "calm", ")", ",", "he"]), _natural(["他", "去", "。"])
    ('(calm), he', '他去。')
    """
    parts = [*texts[:1]]
    for left, right in pairwise(texts):
        if not _joined(left[-1:], right[:1]):
            parts.append(" ")
        parts.append(right)
    return "".join(parts)


@cache
def _joined(before: str, after: str) -> bool:
    """Whether there is no space between two characters."""
    return (
        after in _AFTER_WORDS
        or unicodedata.category(after or " ") in _CLOSING
        or unicodedata.category(before or " ") in _OPENING
        or (_is_east_asian(before) and (_is_east_asian(after) or not before.isalnum()))
    )


def _is_east_asian(character: str) -> bool:
    """Whether it is of a script without spaces, or is full-width punctuation."""
    return has_unspaced(character) or unicodedata.east_asian_width(character or " ") in "WF"
