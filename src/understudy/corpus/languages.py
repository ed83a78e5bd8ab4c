"""The language of a text, from its markup or from its file name, as in `ref.de`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from understudy.text.languages import CODES

# The names in NIST test sets.
_NAMES = {
    "arabic": "ar",
    "chinese": "zh",
    "czech": "cs",
    "english": "en",
    "french": "fr",
    "german": "de",
    "korean": "ko",
    "russian": "ru",
    "spanish": "es",
    "urdu": "ur",
}
# The first is NIST's, the others are ISO 639-2.
_NO_LANGUAGE = frozenset(("any", "mis", "mul", "und", "zxx"))
_TAG = r"(?i)([a-z]{2,3})((?:-[a-z0-9]{1,8})*)"


def language_tag(said: str) -> str | None:
    """A language name or code as a BCP 47 tag; None if it is not a language, such as `any`.

    >>> language_tag("en_US"), language_tag("Chinese"), language_tag("any")
    ('en-US', 'zh', None)
    """
    if (named := _NAMES.get(said.strip().lower())) is not None:
        return named
    tag = re.fullmatch(_TAG, said.strip().replace("_", "-"))
    if tag is None:
        return None
    code, rest = tag[1].lower(), tag[2]
    known = code in CODES if len(code) == 2 else code not in _NO_LANGUAGE
    return code + rest if known else None


def language_of_name(name: str) -> str | None:
    """The language at the end of a file name, ignoring format suffixes. Only two-letter codes: too many three-letter
    codes are also words.

    >>> language_of_name("newstest.de"), language_of_name("system-a"), language_of_name("de")
    ('de', None, None)
    """
    stem, dot, code = name.rpartition(".")
    return code.lower() if stem and dot and code.lower() in CODES else None


def common_language(languages: Iterable[str | None]) -> str | None:
    """The language on which all known values agree; None if they differ, because a wrong language is worse than none.

    >>> common_language(["de", None, "de"]), common_language(["de", "en"])
    ('de', None)
    """
    found = {language for language in languages if language is not None}
    return found.pop() if len(found) == 1 else None
