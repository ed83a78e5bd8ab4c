"""Stemmers: Snowball, as in METEOR, and Porter, as in NLTK."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from understudy import _core
from understudy.errors import BadParameter, MissingExtra

Stemmer = Callable[[Sequence[str]], list[str]]


def snowball(language: str) -> tuple[Stemmer, str]:
    """The Snowball stemmer for a language, and its version.

    English is native, with the rules of METEOR 1.5, which differ from Snowball 3. The other languages use the
    installed package; its version 2 is closest to METEOR's.

    >>> snowball("english")[0](["adding", "generously"])
    ['ad', 'generous']
    """
    return (_core.english_stems, "2") if language == "english" else _package(language)


@functools.lru_cache(maxsize=1 << 18)
def porter(word: str) -> str:
    """The Porter stem of an English word, with NLTK's changes to the rules.

    >>> [porter(word) for word in ("generalizations", "flies", "dies", "Skies", "happily")]
    ['gener', 'fli', 'die', 'sky', 'happili']
    """
    return word.lower() if len(word) <= 2 else _core.porter_stem(word.lower())


@functools.cache
def _package(language: str) -> tuple[Stemmer, str]:
    try:
        import snowballstemmer
    except ImportError:
        raise MissingExtra.of(f"{language.capitalize()} stems", "snowballstemmer", "meteor") from None
    from importlib.metadata import version

    try:
        stemmer = snowballstemmer.stemmer(language)
    except KeyError:
        raise BadParameter(f"Snowball has no stemmer for '{language}'. Remove 'stem' from stages.") from None
    stem = functools.lru_cache(maxsize=1 << 18)(stemmer.stemWord)
    return lambda words: [stem(word) for word in words], version("snowballstemmer")
