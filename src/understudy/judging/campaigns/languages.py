"""The attributes `lang` and `dir` of texts on the page."""

from __future__ import annotations

import functools

from understudy.text.languages import language_of

_RIGHT_TO_LEFT = {
    *(
        "ar",
        "arz",
        "ary",
        "apc",
        "acm",
        "ckb",
        "dv",
        "fa",
        "he",
        "iw",
        "nqo",
        "pes",
        "prs",
        "ps",
        "sd",
        "syr",
        "ug",
    ),
    *("ur", "yi"),
}
_RIGHT_TO_LEFT_SCRIPTS = {"Arab", "Hebr", "Syrc", "Thaa", "Nkoo"}


@functools.cache
def language_tag(language: str | None) -> str:
    """A code as HTML wants it; empty if it is unknown.

    >>> language_tag("zho_Hans"), language_tag("de"), language_tag(None)
    ('zh-Hans', 'de', '')
    """
    if language is None:
        return ""
    found = language_of(language)
    return f"{found.code}-{found.script.title()}" if found.script else found.code


@functools.cache
def direction(language: str | None) -> str:
    """ltr, rtl, or auto, by which the browser looks at the text, if the language is unknown.

    >>> direction("ar"), direction("arb_Latn"), direction("de"), direction(None)
    ('rtl', 'ltr', 'ltr', 'auto')
    """
    if language is None:
        return "auto"
    found = language_of(language)
    if found.script:
        return "rtl" if found.script.title() in _RIGHT_TO_LEFT_SCRIPTS else "ltr"
    return "rtl" if found.code in _RIGHT_TO_LEFT else "ltr"
