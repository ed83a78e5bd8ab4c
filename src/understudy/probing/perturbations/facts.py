"""Numbers, dates and units in digits and symbols, which become others of the same form."""

from __future__ import annotations

import functools
import re
import unicodedata

import numpy as np

from understudy.probing.perturbations.grading import graded, picked
from understudy.probing.perturbations.perturbation import Change, Segment
from understudy.probing.perturbations.spans import Edit
from understudy.text.scripts import UNSPACED

# Symbols of one dimension each.
_UNITS = (
    ("mm", "cm", "km"),
    ("mg", "g", "kg"),
    ("ml", "l"),
    ("min", "h"),
    ("kB", "MB", "GB", "TB"),
    ("kW", "MW", "GW"),
    ("°C", "°F"),
    ("%", "‰"),
    ("$", "€", "£", "¥", "₹", "₽"),
)
_OTHER_UNITS = {unit: [other for other in group if other != unit] for group in _UNITS for unit in group}
_CURRENCIES = "".join(_UNITS[-1])
_LAST = {"m": 12, "d": 28}  # every month has 28 days
_YEARS = 20  # at most so far from the year


def numbers_changed() -> Change:
    """Numbers become others with as many digits in the same format."""

    def edits(segment: Segment, random: np.random.Generator) -> list[Edit]:
        found = _patterns()["number"].finditer(segment.text)
        return [Edit(*match.span(), _other_number(match.group(), random)) for match in found]

    return graded(edits)


def dates_changed() -> Change:
    """The day, the month or the year of a date in digits becomes another."""

    def edits(segment: Segment, random: np.random.Generator) -> list[Edit]:
        found = []
        for match in _patterns()["date"].finditer(segment.text):
            part = picked(
                [part for part, text in match.groupdict().items() if text and part[0] in "ymd"], random
            )
            found.append(Edit(*match.span(part), _other_part(part[0], match.group(part), random)))
        return found

    return graded(edits)


def units_changed() -> Change:
    """Symbols of units and currencies beside numbers become others of the same dimension."""

    def edits(segment: Segment, random: np.random.Generator) -> list[Edit]:
        found = _patterns()["unit"].finditer(segment.text)
        return [Edit(*match.span(), picked(_OTHER_UNITS[match.group()], random)) for match in found]

    return graded(edits)


@functools.cache
def _patterns() -> dict[str, re.Pattern[str]]:
    letter = rf"[^\W\d_{UNSPACED}]"  # in scripts without word boundaries, a number stands beside letters
    dates = (
        r"(?P<y1>\d{4})(?P<sep1>[-/.])(?P<m1>0[1-9]|1[0-2])(?P=sep1)(?P<d1>[0-2]\d|3[01])",
        r"(?P<d2>[0-2]?\d|3[01])(?P<sep2>[./-])(?P<m2>0?[1-9]|1[0-2])(?P=sep2)(?P<y2>\d{4})",
        r"(?P<m3>0?[1-9]|1[0-2])(?P<sep3>[./-])(?P<d3>[0-2]?\d|3[01])(?P=sep3)(?P<y3>\d{4})",
        r"(?:(?P<y4>\d{4})年)?(?P<m4>0?[1-9]|1[0-2])月(?:(?P<d4>[0-2]?\d|3[01])[日号號])?",
        r"(?P<y5>\d{4})年",
    )
    units = "|".join(map(re.escape, sorted(_OTHER_UNITS, key=len, reverse=True)))
    spaces = "|".join(rf"(?<=\d{space})" for space in (" ", "\u00a0", "\u202f"))
    return {
        # Not COVID-19, B2 and 1st.
        "number": re.compile(
            rf"(?<!{letter})(?<!{letter}-)(?<![\d_])\d+(?:[.,:'’\u00a0\u202f٫٬]\d+)*(?!\d)(?!(?:st|nd|rd|th)\b)"
        ),
        "year": re.compile("(?:19|20)[0-9]{2}"),
        "date": re.compile(rf"(?<![\d.,/-])(?:{'|'.join(dates)})(?![\d/-])", re.ASCII),
        # A single letter only after a space: not 802.11g.
        "unit": re.compile(
            rf"(?:{spaces}|(?<=\d)(?![glh](?!{letter})))(?:{units})(?!{letter})|[{_CURRENCIES}](?=[ \u00a0\u202f]?\d)"
        ),
    }


def _other_number(text: str, random: np.random.Generator) -> str:
    """Zeros at the beginning stay, and no others are put there."""
    places = [place for place, character in enumerate(text) if character.isdecimal()]
    first = next(
        (number for number, place in enumerate(places) if unicodedata.decimal(text[place])), len(places) - 1
    )
    if _patterns()["year"].fullmatch(text):
        first = 2  # a year of the same century
    free = places[first:]
    values = [int(random.integers(1, 10)), *random.integers(10, size=len(free) - 1).tolist()]
    if values == [unicodedata.decimal(text[place]) for place in free]:
        values[0] = values[0] % 9 + 1
    new = list(text)
    for place, value in zip(free, values, strict=True):
        new[place] = _digit_like(text[place], value)
    return "".join(new)


def _other_part(part: str, text: str, random: np.random.Generator) -> str:
    """Another day, month or year with as many digits."""
    value = int(text)
    if part == "y":
        values = [year for year in range(max(value - _YEARS, 0), value + _YEARS + 1) if year < 10**4]
    else:
        values = list(range(1, _LAST[part] + 1))
    least = 1 if text.startswith("0") else 10 ** (len(text) - 1)
    fitting = [each for each in values if each != value and least <= each < 10 ** len(text)]
    return str(picked(fitting, random)).zfill(len(text))


def _digit_like(digit: str, value: int) -> str:
    """A digit in the script of another; the ten of each script follow each other in Unicode."""
    return chr(ord(digit) - unicodedata.decimal(digit) + value)
