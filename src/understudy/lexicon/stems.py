"""Stemmers: words to what they are forms of. METEOR's, by Snowball; and Porter's as NLTK has it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence

from understudy import _core
from understudy.errors import BadParameter, MissingExtra

Stemmer = Callable[[Sequence[str]], list[str]]


def snowball(language: str) -> tuple[Stemmer, str]:
    """Snowball's stemmer of a language, and its version.

    English is native: the rules that METEOR 1.5 has, which Snowball 3 has changed. The others are those of the
    package as installed; version 2 of it is the closest to METEOR's.

    >>> snowball("english")[0](["adding", "generously"])
    ['ad', 'generous']
    """
    return (_core.english_stems, "2") if language == "english" else _package(language)


@functools.lru_cache(maxsize=1 << 18)
def porter(word: str) -> str:
    """Porter's stem of an English word, with the changes that NLTK has made to his rules.

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
        raise BadParameter(f"there is no stemmer for '{language}' in Snowball: do without stems.") from None
    stem = functools.lru_cache(maxsize=1 << 18)(stemmer.stemWord)
    return lambda words: [stem(word) for word in words], version("snowballstemmer")
