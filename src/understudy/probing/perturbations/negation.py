"""Negation removed where there is one, added where there is none."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from understudy.probing.perturbations.grading import graded
from understudy.probing.perturbations.listed import capitalized, listed_pattern
from understudy.probing.perturbations.perturbation import Change, Segment
from understudy.probing.perturbations.spans import Edit, Span, inside_words
from understudy.probing.perturbations.words import removal

_CLAUSES = re.compile("[^.,;:!?()。，、；：！？،؛؟।]+")


def negation_flipped(rules: Mapping[str, Any]) -> Change:
    """Clauses with a negation become affirmative, others negative, in one place: two would cancel each other. The
    rules of a language are

    pairs: affirmative and negative form; of several negative forms, the first is used.
    affirmed: likewise, but only the negative form is changed.
    removed: negative words that are removed, even if they are in a pair.
    frame: words before and after a verb (French ne ... pas) that are removed. A clause with only the first of them
        (ne ... plus) is left alone.
    kept: phrases that are left alone.
    unchanged: other negative words; a clause with one is left alone, because another negation would be its second.
    """
    kept, removed = frozenset(_with_capitals(rules.get("kept", ()))), _with_capitals(rules.get("removed", ()))
    unchanged = frozenset(_with_capitals(rules.get("unchanged", ())))
    negative: dict[str, str] = {}
    affirmative: dict[str, str] = {}
    for positive, negated in rules["pairs"]:
        affirmative.setdefault(positive, negated)
    for positive, negated in (*rules["pairs"], *rules.get("affirmed", ())):
        negative.setdefault(negated, positive)
        negative.setdefault(capitalized(negated), capitalized(positive))
    listed = listed_pattern([*kept, *removed, *unchanged, *negative, *affirmative])
    frame, half_framed = _frame(rules.get("frame", {}))

    def edits(segment: Segment, _: np.random.Generator) -> list[Edit]:
        return [
            edit
            for clause in _CLAUSES.finditer(segment.text)
            for edit in of_clause(segment.text, *clause.span())
        ]

    def of_clause(text: str, start: int, end: int) -> list[Edit]:
        framed = [Edit(*match.span(), match.group("verb")) for match in frame.finditer(text, start, end)]
        if framed or half_framed.search(text, start, end):
            return framed[:1]
        found = [match for match in listed.finditer(text, start, end) if match.group() not in kept]
        if any(match.group() in unchanged for match in found):
            return []
        negated = [match for match in found if match.group() not in affirmative]
        for match in negated[:1]:
            if match.group() in removed:
                return [removal(text, Span(*match.span()), match.end())]
            return [Edit(*match.span(), negative[match.group()])]
        return [Edit(*match.span(), affirmative[match.group()]) for match in found[-1:]]

    return graded(edits)


def _with_capitals(phrases: Sequence[str]) -> list[str]:
    return [form for phrase in phrases for form in (phrase, capitalized(phrase))]


def _frame(words: Mapping[str, Sequence[str]]) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """A verb between two words, "ne vient pas", "n'arrive pas"; and the first of the words."""
    if not words:
        nothing = re.compile("(?!)")
        return nothing, nothing
    inside = inside_words()
    before, after = ("|".join(map(re.escape, words[side])) for side in ("before", "after"))
    first = rf"(?<!{inside})(?:{before})"
    return re.compile(rf"{first}(?P<verb>{inside}+)\s(?:{after})(?!{inside})"), re.compile(first)
