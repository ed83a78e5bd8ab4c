"""The word lists of each language, in TOML files named after the language's code."""

from __future__ import annotations

import functools
import sys
from collections.abc import Mapping
from importlib import resources
from typing import Any

# By key in the files: what messages call the list.
LISTS = {
    "function_words": "function words",
    "hallucinations": "sentences to add",
    "number_words": "number words",
    "date_words": "months and weekdays",
    "unit_words": "units",
    "names": "names",
    "negations": "negative words",
    "genders": "pronouns of both genders",
    "tenses": "auxiliary verbs in two tenses",
    "contractions": "contractions",
    "other_digits": "other digits",
}


def word_list(language: str, key: str) -> Any:
    """A list of a language; None if there is none."""
    return _lists(language).get(key)


@functools.cache
def languages_with(key: str) -> tuple[str, ...]:
    """The codes of the languages that have a list."""
    files = sorted(file.name for file in resources.files(__name__).iterdir() if file.name.endswith(".toml"))
    codes = [name.removesuffix(".toml") for name in files]
    return tuple(code for code in codes if key in _lists(code))


@functools.cache
def _lists(language: str) -> Mapping[str, Any]:
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib

    file = resources.files(__name__) / f"{language}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
