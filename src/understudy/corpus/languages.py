"""The language of a text, from its markup or from its file name, as in `ref.de`."""

from __future__ import annotations

import re
from collections.abc import Iterable

# ISO 639-1 codes, as used in file names. Too many three-letter codes are also words.
CODES = frozenset(
    """
    aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo
    es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg
    ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn
    no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta
    te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
    """.split()  # noqa: SIM905
)
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
    """The language at the end of a file name, ignoring format suffixes.

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
