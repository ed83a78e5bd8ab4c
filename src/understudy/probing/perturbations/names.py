"""Names that become other names."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np

from understudy.probing.perturbations.grading import graded, picked
from understudy.probing.perturbations.listed import listed_pattern
from understudy.probing.perturbations.perturbation import Change, Segment
from understudy.probing.perturbations.spans import Edit, Span, text_of, words
from understudy.probing.perturbations.words import Selection, dropped


def names_changed(rules: Mapping[str, Any]) -> Change:
    """Listed names become others of their group; other names become those of another segment, or listed ones. The rules
    of a language are

    groups: names of one kind.
    capitals: whether words with a capital inside a sentence are names, too.
    others: words that are not names, though they have a capital or contain a name.
    """
    others = {
        name: [other for other in group if other != name] for group in rules["groups"] for name in group
    }
    found_in = _names(rules)

    def edits(segment: Segment, random: np.random.Generator) -> list[Edit]:
        elsewhere = segment.other or ""
        new = [text_of(elsewhere, name) for name in found_in(elsewhere)] or list(others)
        found = []
        for place in found_in(segment.text):
            name = text_of(segment.text, place)
            found.append(Edit(*place, picked(others.get(name, new), random)))
        return [edit for edit in found if edit.new != segment.text[edit.start : edit.end]]

    return graded(edits)


def names_dropped(rules: Mapping[str, Any]) -> Change:
    """Names are removed."""
    return dropped(_names(rules))


def _names(rules: Mapping[str, Any]) -> Selection:
    not_names = frozenset(rules.get("others", ()))
    listed = listed_pattern([*not_names, *(name for group in rules["groups"] for name in group)])

    def found_in(text: str) -> tuple[Span, ...]:
        found = {
            match.start(): Span(*match.span())
            for match in listed.finditer(text)
            if match.group() not in not_names
        }
        for word in _capitalized(text) if rules.get("capitals") else ():
            if text_of(text, word) not in not_names:
                found.setdefault(word.start, word)
        return tuple(place for _, place in sorted(found.items()))

    return found_in


def _capitalized(text: str) -> list[Span]:
    """Words with a capital, followed by lowercase letters, after another word of the same sentence."""
    return [
        word
        for before, word in itertools.pairwise(words(text))
        if text[before.end : word.start].isspace() and _is_name(text_of(text, word))
    ]


def _is_name(word: str) -> bool:
    return len(word) > 2 and word[0].isupper() and word[1:].isalpha() and word[1:].islower()
