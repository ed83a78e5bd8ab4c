"""Words dropped, added, repeated, replaced and reordered: all words, content words or function words."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np

from understudy.probing.perturbations.grading import different, graded, picked, share, share_size
from understudy.probing.perturbations.perturbation import Change, Segment
from understudy.probing.perturbations.spans import (
    Edit,
    Span,
    ends_with_opening_mark,
    separator,
    space_after,
    space_before,
    spliced,
    starts_with_closing_mark,
    text_of,
    words,
)
from understudy.text.scripts import has_unspaced

Selection = Callable[[str], tuple[Span, ...]]  # the words of a text that may be changed


def content_words(function_words: Collection[str]) -> Selection:
    """All words but function words, numbers and single hiragana."""

    def is_content(word: str) -> bool:
        return word.lower() not in function_words and any(map(str.isalpha, word)) and not _is_hiragana(word)

    return lambda text: tuple(word for word in words(text) if is_content(text_of(text, word)))


def function_words(listed: Collection[str]) -> Selection:
    """The words that are in a list; hiragana only after another script, because they may be part of a word."""

    def selected(text: str) -> tuple[Span, ...]:
        found = [word for word in words(text) if text_of(text, word).lower() in listed]
        return tuple(word for word in found if not _is_part_of_word(text, word))

    return selected


def dropped(selected: Selection = words) -> Change:
    """Words are removed, together with the space that separated them from the next word."""

    def change(segment: Segment, strength: float, random: np.random.Generator) -> str | None:
        removed = share(selected(segment.text), strength, random)
        return different(segment.text, without(segment.text, removed))

    return change


def repeated(selected: Selection = words) -> Change:
    """Words are written twice."""

    def edits(segment: Segment, _: np.random.Generator) -> list[Edit]:
        text = segment.text
        return [_inserted_after(text, word, text_of(text, word)) for word in selected(text)]

    return graded(edits)


def added(selected: Selection = words) -> Change:
    """Words of another segment are inserted after words."""

    def edits(segment: Segment, random: np.random.Generator) -> list[Edit]:
        new = [text_of(segment.other, word) for word in selected(segment.other)] if segment.other else []
        places = [
            word
            for word in words(segment.text)
            if new and segment.text[word.end : word.end + 1] not in ("%", "°")
        ]
        return [_inserted_after(segment.text, word, picked(new, random)) for word in places]

    return graded(edits)


def replaced(selected: Selection = words) -> Change:
    """Words are replaced by words of another segment."""
    return graded(lambda segment, random: _replacements(segment, segment.other, selected, random))


def replaced_by_source() -> Change:
    """Words are replaced by words of the source."""
    return graded(lambda segment, random: _replacements(segment, segment.source, words, random))


def shuffled(selected: Selection = words) -> Change:
    """Words change places with each other, at least two; spaces and punctuation stay where they are."""

    def change(segment: Segment, strength: float, random: np.random.Generator) -> str | None:
        places = selected(segment.text)
        order = [places[place] for place in random.permutation(len(places))]
        texts = [text_of(segment.text, place) for place in order]
        other = next((number for number, text in enumerate(texts) if text != texts[0]), None)
        if strength <= 0 or other is None:
            return None
        count = max(other + 1, share_size(len(order), strength))  # equal words would change nothing
        new = [*texts[1:count], texts[0]]
        return spliced(
            segment.text,
            [Edit(place.start, place.end, text) for place, text in zip(order, new, strict=False)],
        )

    return change


def swapped_neighbors() -> Change:
    """Neighboring words change places."""

    def edits(segment: Segment, random: np.random.Generator) -> list[Edit]:
        text, places = segment.text, words(segment.text)
        taken: set[int] = set()
        found = []
        for first in random.permutation(max(len(places) - 1, 0)).tolist():
            left, right = places[first], places[first + 1]
            before, after = text_of(text, left), text_of(text, right)
            beside = not text[left.end : right.start].strip()
            if before != after and beside and not taken & {first, first + 1}:
                taken |= {first, first + 1}
                found.append(Edit(left.start, right.end, after + text[left.end : right.start] + before))
        return found

    return graded(edits)


def without(text: str, removed: Sequence[Span]) -> str:
    """The text without some words. Of the space on both sides of a word, one part goes with it.

    >>> text = "(See the cat, now.)"
    >>> without(text, words(text)[2:]), without(text, words(text)[:2])
    ('(See the,.)', '(cat, now.)')
    """
    edits: list[Edit] = []
    for word in sorted(removed, reverse=True):
        beside = edits.pop() if edits and edits[-1].start == word.end else None
        edits.append(removal(text, word, beside.end if beside else word.end))
    return spliced(text, edits)


def removal(text: str, word: Span, end: int) -> Edit:
    """The removal of a word and what is removed after it, up to `end`."""
    after_space = space_after(text, end)
    if after_space == end and starts_with_closing_mark(text[end : end + 1]):
        return Edit(space_before(text, word.start), end, "")
    if ends_with_opening_mark(text[max(word.start - 1, 0) : word.start]):
        return Edit(word.start, after_space, "")
    return Edit(word.start, end, "")


def _inserted_after(text: str, word: Span, new: str) -> Edit:
    """A new word after a word, separated as in their scripts."""
    before = separator(text[word.end - 1], new)
    follows = text[word.end : word.end + 1]
    after = separator(new, follows) if follows.isalnum() else ""
    return Edit(word.end, word.end, before + new + after)


def _replacements(
    segment: Segment, other: str | None, selected: Selection, random: np.random.Generator
) -> list[Edit]:
    new = list(dict.fromkeys(text_of(other, word) for word in selected(other))) if other else []
    edits = []
    for word in selected(segment.text) if new else ():
        place = picked(range(len(new)), random)
        if new[place] == text_of(segment.text, word):
            place = (place + 1) % len(new)
        if new[place] != text_of(segment.text, word):
            edits.append(Edit(*word, _set_apart(segment.text, word, new[place])))
    return edits


def _set_apart(text: str, word: Span, new: str) -> str:
    """A word in place of a character in a script without word boundaries, separated from other words."""
    if not has_unspaced(text[word.start]) or has_unspaced(new):
        return new
    before, after = text[max(word.start - 1, 0) : word.start], text[word.end : word.end + 1]
    return " " * before.isalnum() + new + " " * (after.isalnum() and not has_unspaced(after))


def _is_part_of_word(text: str, word: Span) -> bool:
    before = text[max(word.start - 1, 0) : word.start]
    return _is_hiragana(text_of(text, word)) and (not before.isalnum() or _is_hiragana(before))


def _is_hiragana(character: str) -> bool:
    return "\u3041" <= character[:1] <= "\u309f"
