"""Inflected forms of English words, with WordNet's irregular ones."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

from understudy.lexicon.wordnet import WordNet

_VOWELS = "aeiou"
_ENDINGS = {"noun": ("s",), "verb": ("s", "ed", "ing"), "adj": ("er", "est"), "adv": ()}


def ending_of(form: str, base: str, part: str) -> str | None:
    """The ending that makes a form of a base: empty for the base itself, None for forms such as went.

    >>> ending_of("houses", "house", "noun"), ending_of("children", "child", "noun"), ending_of("went", "go", "verb")
    ('s', 's', None)
    """
    if form == base:
        return ""
    if part == "noun":
        return "s"
    return next((ending for ending in _ENDINGS[part] if form.endswith(ending)), None)


def inflected(words: WordNet, base: str, part: str, ending: str) -> str | None:
    """The form with an ending; None if it is irregular and WordNet does not tell it from others (went and gone), or
    there is none (more beautiful).
    """
    if not ending:
        return base
    irregular = _irregular(words)[part].get(base, [])
    if part == "noun" and irregular:
        return irregular[0] if len(irregular) == 1 else None
    fitting = [form for form in irregular if form.endswith(ending)]
    if fitting:
        return fitting[0] if len(fitting) == 1 else None
    if ending == "ed" and any(not form.endswith(("s", "ing")) for form in irregular):
        return None
    if part == "adj" and (irregular or len(re.findall("[aeiou]+", base.rstrip("ey"))) > 1):
        return None
    return _regular(base, ending)


def _regular(base: str, ending: str) -> str | None:
    """The regular form.

    >>> [_regular(base, "ed") for base in ("open", "close", "carry", "play")]
    ['opened', 'closed', 'carried', 'played']
    """
    after_consonant = len(base) > 1 and base[-2] not in _VOWELS
    if not base.isalpha() or (base.endswith("o") and ending == "s"):
        return None
    if base.endswith("y") and after_consonant and ending != "ing":
        return f"{base[:-1]}i{'e' * (ending == 's')}{ending}"
    if base.endswith("e") and ending != "s":
        if ending == "ing":
            return f"{base[:-1]}ing" if base[-2:] not in ("ee", "oe", "ye", "ie") else None
        return base + ending[1:]
    if ending == "s" and base.endswith(("s", "x", "z", "ch", "sh")):
        return f"{base}es"
    return base + ending


@lru_cache(maxsize=1)
def _irregular(words: WordNet) -> Mapping[str, Mapping[str, list[str]]]:
    """By part of speech and base: the irregular forms."""
    forms: dict[str, dict[str, list[str]]] = {}
    for part, bases in words.bases.items():
        forms[part] = defaultdict(list)
        for form, known in bases.items():
            for base in known:
                forms[part][base].append(form)
    return forms
