"""Words and phrases of a list, found in a text and replaced."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from understudy.probing.perturbations.grading import graded, picked
from understudy.probing.perturbations.perturbation import Change, Segment
from understudy.probing.perturbations.spans import Edit, inside_words
from understudy.text.scripts import has_unspaced


def other_of_group(groups: Sequence[Sequence[str]]) -> Change:
    """Words of a group are replaced by others of the same group. A group of one is left alone, also where it contains
    a word of another group.
    """
    return _replaced_listed(
        {word: [other for other in group if other != word] for group in reversed(groups) for word in group}
    )


def replaced_by_partner(partners: Mapping[str, str]) -> Change:
    """Words are replaced by their partners. A word that is its own is left alone, also where it contains another."""
    return _replaced_listed({word: [new] for word, new in partners.items()})


def contractions_expanded(full: Mapping[str, str]) -> Change:
    """Contractions are written in full, with either apostrophe."""
    return replaced_by_partner({**full, **{short.replace("'", "’"): long for short, long in full.items()}})


def _replaced_listed(options: Mapping[str, Sequence[str]]) -> Change:
    """Words and phrases are replaced by one of their options, in the same letter case."""
    forms = {form: (word, case) for case in reversed(_CASES) for word in options for form in [case(word)]}
    pattern = listed_pattern(list(forms))

    def edits(segment: Segment, random: np.random.Generator) -> list[Edit]:
        found = []
        for match in pattern.finditer(segment.text):
            word, case = forms[match.group()]
            new = case(picked(options[word], random)) if options[word] else match.group()
            if new != match.group():
                found.append(Edit(*match.span(), new))
        return found

    return graded(edits)


def listed_pattern(texts: Sequence[str]) -> re.Pattern[str]:
    """Whole words and phrases, at each place the longest; in scripts without word boundaries, parts of the text.

    >>> listed_pattern(["is", "is not"]).findall("This is not what it is.")
    ['is not', 'is']
    """
    inside = inside_words()
    longest_first = sorted(texts, key=len, reverse=True)
    parts = "|".join(re.escape(text) for text in longest_first if has_unspaced(text))
    whole = "|".join(re.escape(text) for text in longest_first if not has_unspaced(text))
    return re.compile("|".join(filter(None, (parts, whole and f"(?<!{inside})(?:{whole})(?!{inside})"))))


def capitalized(word: str) -> str:
    return word[:1].upper() + word[1:]


def _as_it_is(word: str) -> str:
    return word


_CASES: tuple[Callable[[str], str], ...] = (_as_it_is, capitalized, str.upper)
