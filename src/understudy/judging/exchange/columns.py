"""Columns of a table by their names, and the fields of its lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from understudy.arrays import LARGEST_EXACT
from understudy.corpus.files import shown
from understudy.corpus.score_tables import NumberedLines
from understudy.errors import BadInput


@dataclass(frozen=True)
class Row:
    """One line of a table."""

    where: str
    number: int
    fields: Mapping[str, str]

    def text(self, name: str) -> str:
        """A field that must not be empty."""
        if not (found := self.fields[name].strip()):
            raise self.problem(f"no {name}.")
        return found

    def whole(self, name: str, what: str, *, least: int = 1) -> int:
        """An integer."""
        text = self.fields[name].strip()
        digits = text.removeprefix("-") if least < 0 else text
        if not (digits.isascii() and digits.isdecimal()) or not least <= int(text) <= LARGEST_EXACT:
            raise self.problem(f"{what} '{text}', expected an integer of at least {least}.")
        return int(text)

    def problem(self, what: str) -> BadInput:
        return BadInput(f"{shown(self.where)}, line {self.number}: {what}")


def rows_with(
    where: str, lines: NumberedLines, columns: Mapping[str, Sequence[str]], optional: Sequence[str] = ()
) -> list[Row]:
    """The lines below the header, with the columns that have one of these names, by their names here. Columns that are
    not optional must be there.
    """
    header = [name.strip().lower() for name in lines[0][1]]
    places = {}
    for name, names in columns.items():
        # The first name that is there: a table may have several, one better than the other.
        found = next((header.index(each) for each in names if each in header), None)
        if found is not None:
            places[name] = found
        elif name not in optional:
            raise BadInput(
                f"{shown(where)}: line 1 has no column '{names[0]}', expected "
                f"{', '.join(columns[each][0] for each in columns if each not in optional)}. It has "
                f"{', '.join(header[:8])}."
            )
    if len(lines) == 1:
        raise BadInput(f"{shown(where)} has a header and no judgments.")
    rows = []
    for number, fields in lines[1:]:
        if len(fields) != len(header):
            raise BadInput(f"{shown(where)}, line {number}: {len(fields)} columns, expected {len(header)}.")
        rows.append(Row(where, number, {name: fields[place] for name, place in places.items()}))
    return rows


def one_language_pair(
    where: str, pairs: Mapping[str, int], wanted: str | None
) -> str | None:  # None: the file names none
    """The only language pair of a file, or the one that is wanted."""
    if wanted is None and len(pairs) <= 1:
        return next(iter(pairs), None)
    if wanted in pairs:
        return wanted
    known = ", ".join(pairs) or "none"
    if wanted is None:
        raise BadInput(
            f"{shown(where)} has the language pairs {known}, expected one. Select one with --language-pair "
            "(language_pair= in Python)."
        )
    raise BadInput(f"{shown(where)} has no language pair '{wanted}'. It has {known}.")
