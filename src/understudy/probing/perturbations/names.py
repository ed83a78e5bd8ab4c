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


def names_changed(rules: Mapping[str, Any]) -> Change:
    """Names become others. The rules of a language are

    groups: names of one kind; a name becomes another of its group.
    capitals: whether words with a capital inside a sentence are names, too. They become those of another segment, or of
        the list.
    others: words with a capital that are not names.
    """
    groups = {
        name: [other for other in group if other != name] for group in rules["groups"] for name in group
    }
    listed = listed_pattern(list(groups))
    others = frozenset(rules.get("others", ()))

    def edits(segment: Segment, random: np.random.Generator) -> list[Edit]:
        text = segment.text
        found = [
            Edit(*match.span(), picked(groups[match.group()], random)) for match in listed.finditer(text)
        ]
        if rules.get("capitals"):
            known = {edit.start for edit in found}
            elsewhere = segment.other or ""
            new = [text_of(elsewhere, word) for word in _capitalized(elsewhere)] or list(groups)
            for word in _capitalized(text):
                name = text_of(text, word)
                replacement = picked(new, random)
                if word.start not in known and name not in others and replacement != name:
                    found.append(Edit(*word, replacement))
        return found

    return graded(edits)


def _capitalized(text: str) -> list[Span]:
    """Words with a capital, followed by lowercase letters, after another word of the same sentence."""
    return [
        word
        for before, word in itertools.pairwise(words(text))
        if text[before.end : word.start].isspace() and _is_name(text_of(text, word))
    ]


def _is_name(word: str) -> bool:
    return len(word) > 2 and word[0].isupper() and word[1:].isalpha() and word[1:].islower()
