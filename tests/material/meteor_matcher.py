"""METEOR's matcher of the core, with everything that needs data left out."""

from __future__ import annotations

from typing import Any

from understudy._core import MeteorMatcher

PLAIN: dict[str, Any] = {
    "apostrophes": None,
    "punctuation": True,
    "prefixes": [],
    "number_prefixes": [],
    "letter_case": "keep",
    "stages": ["exact"],
    "function_words": [],
    "english_stems": False,
    "synonyms": None,
    "paraphrases": None,
    "copies_are_free": True,
    "characters": False,
    "beam": 40,
}


def plain_matcher(**choices: Any) -> MeteorMatcher:
    return MeteorMatcher(**PLAIN | choices)
