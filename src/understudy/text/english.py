"""Whether text is English, by the share of frequent words that other languages do not have."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Without words that are frequent in another language, too: "is", "of" and "we" in Dutch, "for" and "have" in Danish,
# "are" in Romanian.
_FREQUENT = frozenset(
    "about and because been from not that the their there they this were what when which who with would you".split()  # noqa: SIM905
)
# At least 9% of the words of every document of GUM, and at most 0.04% of German, Hindi and Polish text of WMT21 and
# DEMETR: see the tests.
_FEWEST = 0.03
_ENOUGH_WORDS = 100  # for a verdict


def is_hardly_english(texts: Sequence[str]) -> bool:
    """Whether the texts are in another language than English. False if they are too short to tell.

    >>> is_hardly_english(["Die Katze saß auf der Matte."] * 20), is_hardly_english(["The cat sat on the mat."] * 20)
    (True, False)
    """
    words, share = _share_of_frequent(texts)
    return words >= _ENOUGH_WORDS and share < _FEWEST


def _share_of_frequent(texts: Sequence[str]) -> tuple[int, float]:
    """The number of words, and the share of the frequent ones."""
    words = [word for text in texts for word in re.findall(r"[^\W\d_]+", text.casefold())]
    return len(words), sum(word in _FREQUENT for word in words) / max(len(words), 1)
