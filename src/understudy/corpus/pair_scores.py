"""Scores of the good and the incorrect translations of a challenge set, computed by other tools.

A table has two columns per metric, `NAME-good` and `NAME-bad` (or `NAME-incorrect`), as ACES' program writes them, and
one row per pair. A column `item` has the numbers of the pairs, from 1 in the order of the challenge set, or a column
`id` their ids, with `phenomenon` where several phenomena share ids; without either, rows are in the order of the
challenge set. Any other score file of understudy will do, too, if its systems are called `good` and `incorrect` (or
`bad`): segment i is pair i.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import Floats
from understudy.corpus.columns import listed
from understudy.corpus.files import shown
from understudy.corpus.score_files import MT_METRICS_EVAL, read_score_rows, with_choice
from understudy.corpus.score_tables import (
    NO_SEGMENT,
    NumberedLines,
    ScoreRows,
    is_file,
    numbered_lines,
    one_score,
    score_table_name,
)
from understudy.errors import BadInput, LengthMismatch, did_you_mean
from understudy.wording import number_of

if TYPE_CHECKING:
    from understudy.corpus.challenge_sets import ChallengeSet
    from understudy.corpus.tables import TableRows

_GOOD, _INCORRECT = "good", ("bad", "incorrect")
_COLUMN = re.compile(r"(.+?)[-_. ]+(good|bad|incorrect)", re.IGNORECASE)
_ITEM, _ID, _PHENOMENON = ("item",), ("id", "item-id", "item_id"), ("phenomenon", "phenomena", "pert_name")


def scores_beside(tables: Sequence[TableRows]) -> dict[str, Floats]:
    """By metric, the scores that the tables of a challenge set have beside the translations [rows, 2]; NaN: missing."""
    found: dict[str, Floats] = {}
    count, start = sum(len(table.rows) for table in tables), 0
    for table in tables:
        for metric, columns in _score_columns(table.columns).items():
            scores = found.setdefault(metric, np.full((count, 2), np.nan))
            for place, (number, row) in enumerate(table.rows, start=start):
                scores[place] = [_score(table.path, number, row.get(column)) for column in columns]
        start += len(table.rows)
    return found


def read_pair_scores(given: Any, challenge: ChallengeSet) -> dict[str, Floats]:
    """By metric, the scores in a file or a table in memory [pairs, 2]; NaN: missing. `FILE:NAME1,NAME2` selects some
    metrics. A mapping of names to pairs of arrays has the scores of the good and of the incorrect translations.
    """
    if isinstance(given, Mapping) and given and all(_is_two_columns(value) for value in given.values()):
        return {str(name): _of_arrays(str(name), both, challenge) for name, both in given.items()}
    where, chosen = with_choice(os.fspath(given)) if is_file(given) else (score_table_name(given), [])
    table = where if is_file(given) else given
    lines = numbered_lines(table) if _is_table(table) else [(1, [])]
    if columns := _score_columns(lines[0][1]):
        found = _of_columns(where, lines, columns, challenge)
    else:
        found = _of_systems(table, challenge)
    for name in chosen:
        if name not in found:
            raise BadInput(f"{shown(where)}: unknown metric '{name}'. {did_you_mean(name, found)}")
    return {name: found[name] for name in chosen or found}


# --- columns -------------------------------------------------------------------------------------------------


def _score_columns(columns: Sequence[str]) -> dict[str, tuple[str, str]]:
    """By metric, the columns with the scores of the good and of the incorrect translations.

    >>> _score_columns(["good-translation", "BLEU-good", "BLEU-bad", "chrF-good"])
    {'BLEU': ('BLEU-good', 'BLEU-bad')}
    """
    found: dict[str, dict[bool, str]] = {}
    for column in columns:
        if match := _COLUMN.fullmatch(column.strip()):
            found.setdefault(match[1], {})[match[2].lower() == _GOOD] = column
    return {metric: (sides[True], sides[False]) for metric, sides in found.items() if len(sides) == 2}


def _of_columns(
    where: str, lines: NumberedLines, columns: Mapping[str, tuple[str, str]], challenge: ChallengeSet
) -> dict[str, Floats]:
    (_, header), *others = lines
    for number, fields in others:
        if len(fields) != len(header):
            raise BadInput(
                f"{shown(where)}, line {number}: {number_of(len(fields), 'column')}, expected {len(header)}."
            )
    rows = [(number, dict(zip(header, fields, strict=True))) for number, fields in others]
    places = _places(where, header, rows, challenge)
    found = {}
    for metric, both in columns.items():
        scores = np.full((challenge.read, 2), np.nan)
        scores[places] = [[_score(where, number, row[column]) for column in both] for number, row in rows]
        found[metric] = scores[_kept(challenge)]
    return found


def _score(where: str, number: int, value: Any) -> float:
    return one_score(where, number, "" if value is None else str(value))


def _is_table(given: Any) -> bool:
    return not is_file(given) or not (os.path.isdir(given) or os.fspath(given).endswith(MT_METRICS_EVAL))


def _kept(challenge: ChallengeSet) -> NDArray[np.intp]:
    return np.array([pair.number - 1 for pair in challenge.pairs], dtype=np.intp)


# --- which pair a row is of ----------------------------------------------------------------------------------


def _places(
    where: str, header: Sequence[str], rows: Sequence[tuple[int, Mapping[str, str]]], challenge: ChallengeSet
) -> NDArray[np.intp]:
    """The positions of rows among all pairs that were read."""
    item, identifier, phenomenon = (_column(header, names) for names in (_ITEM, _ID, _PHENOMENON))
    if item is not None:
        places = [_numbered(where, number, row[item], challenge) for number, row in rows]
    elif identifier is not None:
        places = _by_identifier(where, rows, identifier, phenomenon, challenge)
    elif len(rows) == challenge.read:
        places = list(range(len(rows)))
    else:
        raise LengthMismatch(
            f"{shown(where)} has scores of {number_of(len(rows), 'pair')}, the challenge set has {challenge.read:,}. "
            "Add the numbers of the pairs in a column 'item'."
        )
    seen: dict[int, int] = {}
    for place, (number, _) in zip(places, rows, strict=True):
        if place in seen:
            raise BadInput(
                f"{shown(where)}: lines {seen[place]} and {number} both score pair {place + 1}. Remove one of them."
            )
        seen[place] = number
    return np.array(places, dtype=np.intp)


def _column(header: Sequence[str], names: Sequence[str]) -> str | None:
    return next((column for column in header if column.strip().lower() in names), None)


def _numbered(where: str, number: int, text: str, challenge: ChallengeSet) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10 and 1 <= int(text) <= challenge.read):
        raise BadInput(
            f"{shown(where)}, line {number}: item '{text}', expected an integer from 1 to {challenge.read}, the "
            "number of a pair."
        )
    return int(text) - 1


def _by_identifier(
    where: str,
    rows: Sequence[tuple[int, Mapping[str, str]]],
    identifier: str,
    phenomenon: str | None,
    challenge: ChallengeSet,
) -> list[int]:
    known: dict[tuple[str, str], int] = {}
    for place, (name, of_pair) in enumerate(challenge.identities):
        key = (name, of_pair if phenomenon else "")
        if key in known:
            cure = "Add a column 'item' with their numbers"
            cure = cure if phenomenon else f"{cure}, or a column 'phenomenon'"
            raise BadInput(
                f"{shown(where)}: pairs {known[key] + 1} and {place + 1} have the same id '{name}'. {cure}."
            )
        known[key] = place
    places = []
    for number, row in rows:
        key = (row[identifier], row[phenomenon] if phenomenon else "")
        if key not in known:
            ids = list(dict.fromkeys(each for each, _ in known if each))
            hint = did_you_mean(key[0], ids) if len(ids) < 100 else "Is this another challenge set?"
            raise BadInput(f"{shown(where)}, line {number}: unknown pair '{key[0]}'. {hint}")
        places.append(known[key])
    return places


# --- other layouts -------------------------------------------------------------------------------------------


def _of_systems(given: Any, challenge: ChallengeSet) -> dict[str, Floats]:
    """Scores of two systems, the good and the incorrect translations."""
    where = score_table_name(given)
    found = {}
    for metric, rows in read_score_rows(given).items():
        systems = {name.lower() for name in rows.systems}
        if _GOOD not in systems or not systems & {*_INCORRECT}:
            raise BadInput(
                f"{shown(where)}: no scores of pairs, expected columns such as {metric}-good and {metric}-bad, or the "
                f"systems good and incorrect. Got the systems {', '.join(list(dict.fromkeys(rows.systems))[:5])}."
            )
        found[metric] = _of_rows(where, rows, challenge)
    return found


def _of_rows(where: str, rows: ScoreRows, challenge: ChallengeSet) -> Floats:
    scores = np.full((challenge.read, 2), np.nan)
    for system, segment, score in zip(
        rows.systems, rows.segments.tolist(), rows.scores.tolist(), strict=True
    ):
        if system.lower() != _GOOD and system.lower() not in _INCORRECT:
            continue
        if segment == NO_SEGMENT or segment > challenge.read:
            raise BadInput(
                f"{shown(where)}: a score of '{system}' for segment {segment}, expected segments 1 to "
                f"{challenge.read}, one per pair."
            )
        scores[segment - 1, int(system.lower() != _GOOD)] = score
    return scores[_kept(challenge)]


def _is_two_columns(value: Any) -> bool:
    return hasattr(value, "__len__") and len(value) == 2 and all(_is_long(value[side]) for side in (0, 1))


def _is_long(values: Any) -> bool:
    return hasattr(values, "__len__") and not isinstance(values, str)


def _of_arrays(name: str, both: Sequence[Any], challenge: ChallengeSet) -> Floats:
    found = []
    for side, values in zip((_GOOD, _INCORRECT[1]), both, strict=True):
        scores = listed(values, f"scores '{name}'")
        if len(scores) != challenge.read:
            raise LengthMismatch(
                f"scores '{name}': {number_of(len(scores), 'score')} of {side} translations, the challenge set has "
                f"{number_of(challenge.read, 'pair')}."
            )
        found.append(
            [_score(f"scores of {name}", number, value) for number, value in enumerate(scores, start=1)]
        )
    return np.array(found).T[_kept(challenge)]
