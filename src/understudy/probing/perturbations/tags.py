"""Words of one part of speech that are dropped. The tags are a parser's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

import numpy as np

from understudy._core import Column
from understudy.metrics.base.threads import checked_threads
from understudy.probing.perturbations.grading import different, share
from understudy.probing.perturbations.perturbation import Change, Segment, TaggedWord
from understudy.probing.perturbations.spans import Span, text_of, words
from understudy.probing.perturbations.words import without
from understudy.syntax.parsing import Parser
from understudy.syntax.tree_columns import trees_of, words_and_tags


def dropped_parts_of_speech(*tags: str) -> Callable[[], Change]:
    """Words with these universal tags are removed."""
    wanted = frozenset(tags)

    def change(segment: Segment, strength: float, random: np.random.Generator) -> str | None:
        places = [word.place for word in segment.tagged if word.tags <= wanted]
        return different(segment.text, without(segment.text, share(places, strength, random)))

    return lambda: change


def with_tags(segments: Sequence[Segment], parser: Parser, threads: int | None) -> list[Segment]:
    """The segments with the tags of their words. All are parsed at once."""
    texts = Column.from_strings([segment.text for segment in segments])
    trees = trees_of(texts, "dependencies", parser, checked_threads(threads))
    forms, tags = words_and_tags(trees, coarse=True)
    return [
        replace(
            segment,
            tagged=tagged_words(segment.text, (forms[row] or "").split(), (tags[row] or "").split()),
        )
        for row, segment in enumerate(segments)
    ]


def tagged_words(text: str, forms: Sequence[str], tags: Sequence[str]) -> tuple[TaggedWord, ...]:
    """The words of a text with the tags of the tokens that they consist of: two in don't, one in the dog's, where the
    possessive ending does not count.

    >>> found = tagged_words("The dog's 3 toys!", "The dog 's 3 toys !".split(), "DET NOUN PART NUM NOUN PUNCT".split())
    >>> [text_of("The dog's 3 toys!", word.place) for word in found if word.tags == {"NOUN"}]
    ["dog's", 'toys']
    """
    if "".join(forms) == "".join(text.split()):
        return _made_of_tokens(text, forms, tags)
    return _equal_to_tokens(text, forms, tags)


def _made_of_tokens(text: str, forms: Sequence[str], tags: Sequence[str]) -> tuple[TaggedWord, ...]:
    """The words of a text that consists of these tokens. A token may be longer than a word where every character is a
    word.
    """
    characters = [place for place, character in enumerate(text) if not character.isspace()]
    inside = {place for word in words(text) for place in range(word.start + 1, word.end)}
    found: list[TaggedWord] = []
    first = 0
    for form, tag in zip(forms, tags, strict=True):
        start, end = characters[first], characters[first + len(form) - 1] + 1
        first += len(form)
        ending = tag == "PART" and form.lower() in _POSSESSIVE_ENDINGS
        own = frozenset() if ending or tag == "PUNCT" else frozenset({tag})
        if found and (start in inside or (ending and start == found[-1].place.end)):
            before = found.pop()
            found.append(TaggedWord(before.place._replace(end=end), before.tags | own))
        else:
            found.append(TaggedWord(Span(start, end), own))
    return tuple(word for word in found if word.tags and _has_letter(text_of(text, word.place)))


def _equal_to_tokens(text: str, forms: Sequence[str], tags: Sequence[str]) -> tuple[TaggedWord, ...]:
    """The words that are one token each, in a text that has other words, too: some parsers read French du as de le."""
    places = words(text)
    matcher = SequenceMatcher(None, [text_of(text, place) for place in places], forms)
    return tuple(
        TaggedWord(places[block.a + offset], frozenset({tags[block.b + offset]}))
        for block in matcher.get_matching_blocks()
        for offset in range(block.size)
        if _has_letter(text_of(text, places[block.a + offset]))
    )


def _has_letter(word: str) -> bool:
    return any(map(str.isalpha, word))


_POSSESSIVE_ENDINGS = frozenset(("'s", "’s", "'", "’"))
