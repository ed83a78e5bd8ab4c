"""Controls: outputs degraded so that they must get a lower score than the originals.

As in the quality control of direct assessment (Graham et al. 2013), words are replaced by words of other segments; a
part of the text is dropped as well. The text is cut at spaces, or at characters where there are none, so that every
language can be degraded.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import numpy as np

from understudy.text.scripts import unspaced_language

FEWEST_UNITS = 4  # of a text that is worth degrading: in fewer, a judge may not notice
_REPLACED = 0.5  # share of the units that are replaced
_DROPPED = 0.2  # share of the units that are dropped, of longer texts
_LONG = 8  # units of a longer text
_ATTEMPTS = 20  # until the result differs


def degraded(
    text: str, others: Sequence[str], rng: np.random.Generator, forbidden: Sequence[str] = ()
) -> str | None:
    """The text with about half of it replaced by parts of other texts; None if it is too short or the others do not
    differ from it. The result is neither the text nor one of the forbidden texts.

    >>> degraded("The cat sat on the mat.", ["It rained all day in Rome."], np.random.default_rng(0))
    'The cat sat all day in'
    """
    units, spaced = split(text)
    if len(units) < FEWEST_UNITS or not others:
        return None
    refused = {_plain(each) for each in (text, *forbidden)}
    for _ in range(_ATTEMPTS):
        changed = _changed(units, _donor(others, round(_REPLACED * len(units)), rng, spaced=spaced), rng)
        result = (" " if spaced else "").join(changed)
        if _plain(result) not in refused and _plain(result):
            return result
    return None


def split(text: str) -> tuple[list[str], bool]:
    """The words of a text, or its characters with what combines with them; and whether they were words."""
    if unspaced_language([text]) is None:
        return text.split(), True
    return characters(text), False


def characters(text: str) -> list[str]:
    """Characters, each with the marks that combine with it.

    >>> characters("e\\u0301t") == ["e\\u0301", "t"]
    True
    """
    units: list[str] = []
    joined = False
    for character in text:
        combines = unicodedata.combining(character) or unicodedata.category(character) in (
            "Mn",
            "Mc",
            "Me",
            "Cf",
        )
        if units and (combines or joined):
            units[-1] += character
        else:
            units.append(character)
        joined = character == "\u200d"
    return units


def _donor(others: Sequence[str], count: int, rng: np.random.Generator, *, spaced: bool) -> list[str]:
    """Units of other texts in random order, at least so many if they have them."""
    found: list[str] = []
    for index in rng.permutation(len(others)):
        text = others[int(index)]
        found += text.split() if spaced else characters(text)
        if len(found) >= count:
            break
    return found


def _changed(units: Sequence[str], donor: Sequence[str], rng: np.random.Generator) -> list[str]:
    """With a part of the donor in place of as long a part; longer texts also lose their longer other end."""
    length = len(units)
    count = min(round(_REPLACED * length), len(donor))
    start = int(rng.integers(0, length - count + 1))
    taken = int(rng.integers(0, len(donor) - count + 1))
    before, after = units[:start], units[start + count :]
    if length >= _LONG:
        dropped = round(_DROPPED * length)
        before, after = (
            (before[dropped:], after) if len(before) > len(after) else (before, after[: len(after) - dropped])
        )
    return [*before, *donor[taken : taken + count], *after]


def _plain(text: str) -> str:
    return "".join(text.split()).casefold()
