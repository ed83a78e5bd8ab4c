"""Porter's stemmer (1980), with the changes NLTK has made to it: what NLTK's METEOR uses.

A word is seen as a pattern of consonants and vowels, `c` and `v`; Porter's measure m is how often `vc` occurs.
"""

from __future__ import annotations

import functools

# Forms that the rules get wrong, says NLTK.
_IRREGULAR = {
    "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning",
    "canning": "canning", "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip

# A suffix and what replaces it, if m > 0 before it. The first suffix that a word has decides.
_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize", "bli": "ble", "alli": "al",
    "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize", "ation": "ate", "ator": "ate", "alism": "al",
    "iveness": "ive", "fulness": "ful", "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble",
    "fulli": "ful", "logi": "log",
}  # fmt: skip
_STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
# Dropped, if m > 1 before it.
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou", "ism", "ate",
    "iti", "ous", "ive", "ize",
)  # fmt: skip


@functools.lru_cache(maxsize=1 << 18)
def porter(word: str) -> str:
    """The stem of a word.

    >>> [porter(word) for word in ("generalizations", "flies", "dies", "Skies", "happily")]
    ['gener', 'fli', 'die', 'sky', 'happili']
    """
    stem = word.lower()
    if stem in _IRREGULAR:
        return _IRREGULAR[stem]
    if len(word) <= 2:
        return stem
    for step in (_plural, _past, _final_y, _double_suffix, _third, _fourth, _final_e):
        stem = step(stem)
    return stem[:-1] if stem.endswith("ll") and _measure(stem[:-1]) > 1 else stem


def _shape(text: str) -> str:
    """`happy` is `cvccv`: a y is a vowel after a consonant."""
    shape = ""
    for letter in text:
        vowel = letter in "aeiou" or (letter == "y" and shape[-1:] == "c")
        shape += "v" if vowel else "c"
    return shape


def _measure(text: str) -> int:
    return _shape(text).count("vc")


def _ends_short(text: str) -> bool:
    """Consonant, vowel and a consonant other than w, x, y; or a whole word of vowel and consonant."""
    shape = _shape(text)
    return shape == "vc" or (shape.endswith("cvc") and text[-1] not in "wxy")


def _plural(word: str) -> str:
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        stem = word.removesuffix(suffix)
        if stem != word and "v" in _shape(stem):
            return _mended(stem)
    return word


def _mended(stem: str) -> str:
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if stem[-1] == stem[-2:-1] and _shape(stem)[-1] == "c":
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _ends_short(stem) else stem


def _final_y(word: str) -> str:
    stem = word.removesuffix("y")
    return stem + "i" if stem != word and len(stem) > 1 and _shape(stem)[-1] == "c" else word


def _double_suffix(word: str) -> str:
    # This suffix first, and what remains once more.
    while word.endswith("alli") and _measure(word[:-4]) > 0:
        word = word[:-2]
    return _replaced(word, _STEP_2)


def _third(word: str) -> str:
    return _replaced(word, _STEP_3)


def _replaced(word: str, suffixes: dict[str, str]) -> str:
    for suffix, by in suffixes.items():
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            # The l of logi counts as part of what is before it.
            return stem + by if _measure(stem + "l" if suffix == "logi" else stem) > 0 else word
    return word


def _fourth(word: str) -> str:
    for suffix in _STEP_4:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            return stem if _measure(stem) > 1 and (suffix != "ion" or stem[-1] in "st") else word
    return word


def _final_e(word: str) -> str:
    stem = word.removesuffix("e")
    if stem == word:
        return word
    measure = _measure(stem)
    return stem if measure > 1 or (measure == 1 and not _ends_short(stem)) else word
