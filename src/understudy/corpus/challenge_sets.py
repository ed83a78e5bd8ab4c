"""Challenge sets: a good and an incorrect translation of the same segment, with the phenomenon and its severity.

A table (TSV, CSV, JSON Lines, a JSON array or Parquet, compressed or not) has one pair of translations per row. Columns
are recognized by name, see `_ROLES`; only the two translations are required. A JSON reference may be a list of
references; in other tables, columns such as `ref1` and `ref2` are several references. Without a column of phenomena,
the phenomenon is the name of the file. Columns such as `COMET-good` and `COMET-bad` are scores of another tool. The
files of DEMETR (Karpinska et al. 2022) and of ACES (Amrhein et al. 2022) are such tables, and are read as published.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from understudy.arrays import Floats
from understudy.corpus.challenge_set_tables import named_tables
from understudy.corpus.columns import kind_of
from understudy.corpus.files import shown
from understudy.corpus.languages import language_tag
from understudy.corpus.pair_scores import scores_beside
from understudy.corpus.segment_label_files import SEGMENT_NAMES
from understudy.corpus.segment_sources import name_of
from understudy.corpus.tables import USUAL_REFERENCE, TableRows
from understudy.errors import BadInput, BadParameter, InvalidText
from understudy.text.languages import language_of

_DEMETR, _ACES, _TABLE = "demetr", "aces", "table"  # layouts
_NOT_APPLIED = "perturbation not applied"  # why a pair is left out

# Names of columns, in lower case with hyphens. Those of a later group count only if there is none of an earlier one.
_ROLES: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "source": (("source", "src", "src-sent", "source-sentence"),),
    "good": (
        ("good", "good-translation", "good-mt", "correct", "correct-translation"),
        ("mt", "mt-sent", "hyp", "hypothesis", "translation"),
    ),
    "incorrect": (
        ("incorrect", "incorrect-translation", "bad", "bad-translation", "bad-mt", "wrong"),
        ("perturbed", "perturbed-translation", "pert-sent", "damaged"),
    ),
    "phenomenon": (
        ("phenomenon", "phenomena"),
        ("pert-name", "perturbation"),
        ("category", "error-type", "error-category"),
    ),
    "severity": (("severity",),),
    "langpair": (("langpair", "lang-pair", "language-pair", "lp"), ("lang", "language", "tgt-lang")),
    "segment": ((*SEGMENT_NAMES, "segment-id", "seg-id", "sentence-id"),),
    "id": (("id", "item-id"),),
    "applied": (("pert-check",),),
}
_REFERENCE_OF_DEMETR = "eng-sent"  # its target language is English
_OF_DEMETR = {"src-sent", _REFERENCE_OF_DEMETR, "mt-sent", "pert-sent"}
_OF_ACES = {"good-translation", "incorrect-translation", "phenomena"}


@dataclass(frozen=True)
class TranslationPair:
    """One item of a challenge set."""

    number: int  # from 1, in the order of all that was read
    where: str  # file and line
    good: str
    incorrect: str
    references: tuple[str, ...]
    source: str | None
    phenomenon: str
    severity: str  # in lower case; empty if not known
    language: str | None  # of the translations
    segment: str  # the same for pairs of the same segment
    identifier: str  # empty if not given


@dataclass(frozen=True, eq=False)
class ChallengeSet:
    """The pairs of a challenge set."""

    name: str  # files and folders, with commas
    layout: str  # demetr, aces or table
    columns: Mapping[str, str]  # of the first file: role to name
    pairs: tuple[TranslationPair, ...]
    identities: tuple[
        tuple[str, str], ...
    ]  # id and phenomenon of all that was read, including what is left out
    left_out: Mapping[str, int]  # pairs, by reason
    # By metric [pairs, 2]: scores of the good and the incorrect translation that the file has; NaN: missing.
    scores: Mapping[str, Floats] = field(default_factory=dict)

    @property
    def read(self) -> int:
        """The number of pairs, including those left out."""
        return len(self.identities)


def read_challenge_set(pairs: Any) -> ChallengeSet:
    """A challenge set from files, folders of files, or in memory: a data frame, columns by name, or a list of mappings.

    >>> found = read_challenge_set([{"good": "He slept.", "bad": "He did not sleep.", "phenomenon": "negation"}])
    >>> found.layout, found.columns["incorrect"], found.pairs[0].phenomenon
    ('table', 'bad', 'negation')
    """
    if isinstance(pairs, ChallengeSet):
        return pairs
    name, tables = named_tables(pairs)
    readings = [_Reading.of(table) for table in tables]
    found: list[TranslationPair] = []
    identities: list[tuple[str, str]] = []
    for reading in readings:
        for number, row in reading.table.rows:
            identities.append(reading.identity(number, row))
            if reading.applies(number, row):
                found.append(reading.pair(number, row, len(identities)))
    left_out = len(identities) - len(found)
    if not found:
        names = ", ".join(shown(table.path) for table in tables)
        reason = f", {left_out:,} left out: {_NOT_APPLIED}" if left_out else ""
        raise BadInput(f"{names}: no pairs of translations{reason}.")
    layouts = {reading.layout for reading in readings}
    kept = np.array([pair.number - 1 for pair in found])
    return ChallengeSet(
        name,
        layouts.pop() if len(layouts) == 1 else _TABLE,
        readings[0].columns,
        tuple(found),
        tuple(identities),
        {_NOT_APPLIED: left_out} if left_out else {},
        {metric: scores[kept] for metric, scores in scores_beside(tables).items()},
    )


# --- one table -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Reading:
    """A table, and the meaning of its columns."""

    table: TableRows
    layout: str
    places: Mapping[str, str]  # role to column
    references: tuple[str, ...]  # columns

    @classmethod
    def of(cls, table: TableRows) -> _Reading:
        plain = {column: re.sub(r"[-_ ]+", "-", column.strip().lower()) for column in table.columns}
        places = {role: place for role in _ROLES if (place := _place(table, role, plain)) is not None}
        for role in ("good", "incorrect"):
            if role not in places:
                known = ", ".join(name for group in _ROLES[role] for name in group)
                raise BadInput(
                    f"{shown(table.path)}: no column of the {role} translation, expected {known}. It has "
                    f"{', '.join(table.columns[:12]) or 'no columns'}. Rename the column."
                )
        names = set(plain.values())
        layout = _DEMETR if names >= _OF_DEMETR else _ACES if names >= _OF_ACES else _TABLE
        references = tuple(
            column
            for column, name in plain.items()
            if USUAL_REFERENCE.fullmatch(name) or (layout == _DEMETR and name == _REFERENCE_OF_DEMETR)
        )
        return cls(table, layout, places, references)

    @property
    def columns(self) -> dict[str, str]:
        return {**self.places, **({"reference": ", ".join(self.references)} if self.references else {})}

    def applies(self, number: int, row: Mapping[str, Any]) -> bool:
        """Whether the perturbation changed the translation, where the file says so, as DEMETR does."""
        if "applied" not in self.places:
            return True
        said = row.get(self.places["applied"])
        applied = {"true": True, "1": True, "false": False, "0": False}.get(str(said).strip().lower())
        if applied is None:
            raise BadInput(
                f"{self.table.at(number)}: {self.places['applied']!r} is {said!r}, expected true or false."
            )
        return applied

    def identity(self, number: int, row: Mapping[str, Any]) -> tuple[str, str]:
        """Its id, and its phenomenon."""
        phenomenon = self._label(number, row, "phenomenon") or name_of(self.table.path)
        return self._label(number, row, "id"), phenomenon

    def pair(self, number: int, row: Mapping[str, Any], count: int) -> TranslationPair:
        """The pair of one row. An empty incorrect translation is one, an empty good one is an error."""
        identifier, phenomenon = self.identity(number, row)
        # In DEMETR's baseline, the "perturbed" translation is the reference, and better than the machine translation.
        reversed_roles = self.layout == _DEMETR and phenomenon.endswith("_reference")
        roles = ("incorrect", "good") if reversed_roles else ("good", "incorrect")
        good, incorrect = (self._text(number, row, role) for role in roles)
        if not good:
            raise BadInput(f"{self.table.at(number)}: no good translation in {self.places[roles[0]]!r}.")
        if incorrect is None:
            raise BadInput(f"{self.table.at(number)}: no incorrect translation in {self.places[roles[1]]!r}.")
        source = self._text(number, row, "source")
        references = tuple(self._references(number, row))
        language = "en" if self.layout == _DEMETR else _language(self._label(number, row, "langpair"))
        return TranslationPair(
            count,
            self.table.at(number),
            good,
            incorrect,
            references,
            source or None,
            phenomenon,
            self._label(number, row, "severity").lower(),
            language,
            self._label(number, row, "segment") or _same_segment(source, references, language, count),
            identifier,
        )

    def _text(self, number: int, row: Mapping[str, Any], role: str) -> str | None:
        column = self.places.get(role, "")
        return _checked(row.get(column), column, self.table.at(number))

    def _references(self, number: int, row: Mapping[str, Any]) -> Iterator[str]:
        for column in self.references:
            cell: Any = row.get(column)
            texts = cell.tolist() if hasattr(cell, "tolist") else cell  # a list in a data frame
            for text in texts if isinstance(texts, (list, tuple)) else [texts]:
                if found := _checked(text, column, self.table.at(number)):
                    yield found

    def _label(self, number: int, row: Mapping[str, Any], role: str) -> str:
        """A text, or an integer: pandas makes it a float if another is missing."""
        value = row.get(self.places.get(role, ""))
        if isinstance(value, (int, np.integer)) and not isinstance(value, bool):
            return str(value)
        if isinstance(value, float) and value.is_integer():
            return str(int(value))
        return (_checked(value, self.places.get(role, ""), self.table.at(number)) or "").strip()


def _place(table: TableRows, role: str, plain: Mapping[str, str]) -> str | None:
    for names in _ROLES[role]:
        found = [column for column, name in plain.items() if name in names]
        if len(found) > 1:
            raise BadInput(
                f"{shown(table.path)}: the columns {found[0]!r} and {found[1]!r} have the same meaning. Remove one."
            )
        if found:
            return found[0]
    return None


def _checked(value: Any, column: str, at: str) -> str | None:
    """A text; None if it is missing, also as NaN or as NA of pandas."""
    if value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ == "NAType":
        return None
    if not isinstance(value, str):
        raise BadInput(f"{at}: {column!r} is {kind_of(value)}, expected a string.")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidText(f"{at}: {column!r} has a lone surrogate. Was a character split?") from None
    return value


def _language(said: str) -> str | None:
    """The target language of a language pair, or a language; None if it is neither.

    >>> _language("en-de"), _language("Chinese"), _language("unknown")
    ('de', 'zh', None)
    """
    try:
        return language_of(said).code if said else None
    except BadParameter:
        tag = language_tag(said)
        return None if tag is None else language_of(tag).code


def _same_segment(source: str | None, references: Sequence[str], language: str | None, number: int) -> str:
    """What pairs of the same segment share: the source, else the references. Without either, each is of its own."""
    texts = [source] if source else list(references)
    return "\t".join([language or "", *texts]) if texts else f"\t{number}"
