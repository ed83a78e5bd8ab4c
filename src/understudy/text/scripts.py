"""Scripts without word boundaries: their detection, and whether a tokenizer splits them into words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

# By the language that the script implies. Text with kana is Japanese, whatever ideographs it contains.
_CHARACTERS = {
    "zh": "\u2e80-\u2fff\u3005-\u3007\u3021-\u3029\u3105-\u312f\u3190-\u31ef\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U000323af",
    "ja": "\u3040-\u3104\u31f0-\u31ff\uff66-\uff9f\U0001b000-\U0001b16f",
    "th": "\u0e00-\u0e7f",
    "lo": "\u0e80-\u0eff",
    "bo": "\u0f00-\u0fff",
    "my": "\u1000-\u109f",
    "km": "\u1780-\u17ff",
}
UNSPACED = "".join(_CHARACTERS.values())  # as a character class in a regular expression
# None of these scripts lies before U+0E00 or among punctuation and signs. So short a pattern is compiled at once, a
# long one in milliseconds, which most text can do without.
_PERHAPS_UNSPACED = "[^\0-\u0dff\u2000-\u2e7f]"
_UNSPACED = f"[{UNSPACED}]"
_OF_SCRIPT = {language: f"[{characters}]" for language, characters in _CHARACTERS.items()}
# Positions between two characters of one script, and of any: Japanese has most between ideographs and kana.
_PLACES = {language: f"(?=[{characters}]{{2}})" for language, characters in _CHARACTERS.items()}
_PLACES_OF_ANY = f"(?=[{UNSPACED}]{{2}})"

# Chinese has about 1.5 characters per word, Thai and Khmer 4 to 6. A text is in the script if at least half of its
# words, estimated from these figures, are; fewer may be names or quotations.
_CHARACTERS_PER_WORD = 3
# Japanese text is one to two thirds kana; in Chinese, kana occur in names.
_KANA = 0.1
# Minimum share of the characters without word boundaries; a script with fewer is ignored.
_MATTERS = 0.25
# Words in all these scripts have fewer than 7 characters on average, so that more than 1 in 7 positions is a word
# boundary. Unsegmented text has spaces between phrases and sentences only, at 1 in 15 positions or fewer.
_SPLIT = 0.1
_TOO_FEW = 6  # positions: fewer may be a single word, so they prove nothing


def has_unspaced(text: str) -> bool:
    """Whether any character belongs to a script without word boundaries."""
    if text.isascii() or re.search(_PERHAPS_UNSPACED, text) is None:
        return False
    return re.search(_UNSPACED, text) is not None


def unspaced_language(texts: Sequence[str]) -> str | None:
    """The language of texts that are mostly in a script without word boundaries, as the script implies; None for
    other texts.

    >>> unspaced_language(["猫坐在垫子上。"]), unspaced_language(["猫が座った。"]), unspaced_language(["The 猫 sat."])
    ('zh', 'ja', None)
    """
    found = [text for text in texts if has_unspaced(text)]
    if not found:
        return None
    counts = _counts(found)
    if sum(counts.values()) < _CHARACTERS_PER_WORD * sum(map(_other_words, texts)):
        return None
    if counts["ja"] >= _KANA * (counts["ja"] + counts["zh"]) > 0:
        counts["ja"] += counts["zh"]
    return max(counts, key=lambda language: counts[language])


def splits(texts: Sequence[str], tokens: Callable[[str], list[str]]) -> bool:
    """Whether a tokenizer splits the parts of the texts that are in scripts without word boundaries. The texts may
    already be segmented with spaces.

    >>> splits(["猫坐在垫子上，走开了。"], str.split), splits(["猫 坐 在 垫子 上 ， 走开 了 。"], str.split)
    (False, True)
    """
    looked_at = [text for text in texts if has_unspaced(text)]
    words = [word for text in looked_at for word in tokens(text)]
    counts, counts_in_words = _counts(looked_at), _counts(words)
    total = sum(counts.values())
    joined = ["".join(text.split()) for text in looked_at]
    for language, count in counts.items():
        if count < _MATTERS * total or _places(_PLACES[language], joined) < _TOO_FEW:
            continue
        dropped = count - counts_in_words[language]
        if dropped > count / 2 or _are_joined(_PLACES[language], joined, words):
            return False
    return _places(_PLACES_OF_ANY, joined) < _TOO_FEW or not _are_joined(_PLACES_OF_ANY, joined, words)


def _are_joined(pattern: str, texts: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the words contain nearly all positions of the texts."""
    places = _places(pattern, texts)
    return places - _places(pattern, words) < _SPLIT * places


def _counts(texts: Sequence[str]) -> dict[str, int]:
    """The number of characters in each script."""
    joined = "".join(texts)
    return {language: len(re.findall(pattern, joined)) for language, pattern in _OF_SCRIPT.items()}


def _places(pattern: str, texts: Sequence[str]) -> int:
    """The number of positions between two characters."""
    return sum(len(re.findall(pattern, text)) for text in texts)


def _other_words(text: str) -> int:
    """The number of words in other scripts."""
    return sum(1 for word in text.split() if not has_unspaced(word) and any(map(str.isalnum, word)))
