"""Score tables: metric or human scores in the columns of a TSV or CSV file.

The first line determines the layout, one of four:

- the long table that all commands write: columns `system`, `score` (or `value`), and optionally `segment` (or `seg`),
  `metric` (or `measure`, `question`) and `judge` (or `rater`, `annotator`);
- a column `system`, optionally a column `segment`, and one column per metric;
- one column per system, with the system names in the first line, and optionally a column `segment`;
- lines of a system and a score without a header, as in mt-metrics-eval.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from understudy.arrays import LARGEST_EXACT, LARGEST_SCORE, Floats
from understudy.corpus.columns import columns_of_table, listed
from understudy.corpus.delimited import Kind, records_in
from understudy.corpus.files import Path, read_all, shown, without_compression
from understudy.corpus.lines import decoded
from understudy.corpus.numbers import as_number, is_number
from understudy.corpus.segment_label_files import SEGMENT_NAMES
from understudy.corpus.segment_sources import name_of
from understudy.errors import BadInput, LengthMismatch, WrongType
from understudy.wording import number_of

SYSTEM_NAMES = ("system",)
SCORE_NAMES = ("value", "score")
JUDGE_NAMES = ("judge", "rater", "annotator")
MEASURE_NAMES = ("measure", "question", "metric")
_REFERENCE_NAMES = ("reference",)  # beside a metric: the same one with another reference is another measure
_NOT_SCORES = ("n", "n_judgments", "n_segments", "minor", "major", "type")  # what tables say beside scores
_MISSING = ("", "none", "nan", "na")  # a translation that was not scored

_IN_MEMORY = "table of scores"  # what a table is called that is in no file

NO_SEGMENT = 0  # they count from 1

Table = Any  # the path of a file, or a table in memory: a data frame, or columns by name
_Lines = Sequence[Sequence[str]]
NumberedLines = Sequence[tuple[int, Sequence[str]]]


@dataclass(frozen=True, eq=False)
class ScoreRows:
    """Scores of one measure, in columns: whose translation of which segment was scored, by whom, and how."""

    systems: list[str]
    segments: NDArray[np.int64]  # NO_SEGMENT: the system as a whole
    judges: list[str]  # empty if not named
    scores: Floats  # NaN: missing

    def __add__(self, other: ScoreRows) -> ScoreRows:
        return ScoreRows(
            self.systems + other.systems,
            np.concatenate([self.segments, other.segments]),
            self.judges + other.judges,
            np.concatenate([self.scores, other.scores]),
        )

    def at(self, rows: NDArray[np.intp]) -> ScoreRows:
        """Some of them."""
        return ScoreRows(
            [self.systems[row] for row in rows],
            self.segments[rows],
            [self.judges[row] for row in rows],
            self.scores[rows],
        )

    def places(self) -> ScorePositions:
        """Systems are in the order in which they first occur, segments in that of numbers."""
        systems = tuple(dict.fromkeys(self.systems))
        number = {system: place for place, system in enumerate(systems)}
        segments = np.unique(self.segments[self.segments != NO_SEGMENT])
        return ScorePositions(
            systems,
            segments,
            np.array([number[system] for system in self.systems], dtype=np.int64),
            np.where(
                self.segments == NO_SEGMENT, len(segments), np.searchsorted(segments, self.segments)
            ).astype(np.int64),
        )


@dataclass(frozen=True, eq=False)
class ScorePositions:
    """Positions of scores in a table of systems and segments."""

    systems: tuple[str, ...]
    segments: NDArray[np.int64]
    row: NDArray[np.int64]  # of each score
    column: NDArray[np.int64]  # of each score; the one behind all segments: the system as a whole


def table_rows(table: Table, *, by_people: bool = False) -> dict[str, ScoreRows]:
    """All measures of a file, or of a table in memory. Where they are not named, theirs is the file's name. A rater who
    is named may score a translation several times, a metric may not.
    """
    where = score_table_name(table)
    lines = [fields for _, fields in numbered_lines(table)]
    header = [name.strip().lower() for name in lines[0]]
    _refuse_error_annotations(where, lines, header)
    if "system" in header:
        if len(lines) == 1:
            raise BadInput(f"{shown(where)} has a header and no scores.")
        return _rows_under_header(where, lines, header, by_people=by_people)
    if len(header) == 2 and _is_score(header[1]):
        _refuse_names_that_are_scores(where, lines)
        return {name_of(where): _rows_without_header(where, lines)}
    return {name_of(where): _rows_of_system_columns(where, lines, header)}


def numbered_lines(table: Table) -> NumberedLines:
    """The fields of every line of a file with its number, the header first; or of a table in memory."""
    if not is_file(table):
        return list(enumerate(_lines_of_table(table), start=1))
    where = os.fspath(table)
    kind: Kind = "csv" if without_compression(where).lower().endswith(".csv") else "tsv"
    return list(records_in(_lines(where), where, kind))


def is_file(table: Table) -> bool:
    """Whether it is the path of a file, or a table in memory."""
    return isinstance(table, (str, os.PathLike))


def score_table_name(table: Table) -> str:
    """The name of a file or of a table in memory, for messages."""
    return os.fspath(table) if is_file(table) else _IN_MEMORY


def _lines_of_table(table: Table) -> _Lines:
    """The lines of a table as if it were a file, with numbers at full precision."""
    names = list(table) if isinstance(table, Mapping) else columns_of_table(table, _IN_MEMORY)
    if not names:
        raise WrongType(
            f"{_IN_MEMORY}: got {type(table).__name__}, expected a file, a data frame or columns by name, with the "
            "columns system, seg and score."
        )
    columns = [listed(table[name], f"{_IN_MEMORY}, column {name!r}") for name in names]
    for name, column in zip(names, columns, strict=True):
        if len(column) != len(columns[0]):
            raise LengthMismatch(
                f"{_IN_MEMORY}: column {name!r} has {len(column):,} rows, {names[0]!r} has {len(columns[0]):,}."
            )
    return [list(map(str, names)), *([_cell(cell) for cell in row] for row in zip(*columns, strict=True))]


def _cell(value: Any) -> str:
    whole = (
        isinstance(value, float) and value.is_integer()
    )  # a column of pandas with gaps has numbers of segments so
    return "" if value is None else str(int(value) if whole else value)


def mt_metrics_eval_rows(path: Path) -> ScoreRows:
    """Lines of a system and a score, the segments of a system in their order; `None` for what is missing. A system that
    is named once has one score of its own.
    """
    where = os.fspath(path)
    lines = _lines(where)
    return _rows_without_header(where, [line.split("\t") if "\t" in line else line.split() for line in lines])


def system_rows(path: Path) -> ScoreRows:
    """Lines of a system and its own score."""
    rows = mt_metrics_eval_rows(path)
    if (rows.segments != NO_SEGMENT).any():
        raise BadInput(f"'{os.fspath(path)}': system '{rows.systems[0]}' has several scores, expected one.")
    return rows


# --- the layouts ---------------------------------------------------------------------------------------------


def _rows_without_header(where: str, lines: _Lines) -> ScoreRows:
    _check_widths(where, lines, 2, first=1)
    systems = [fields[0] for fields in lines]
    scores = _scores(where, [fields[1] for fields in lines], first=1)
    return ScoreRows(systems, _in_order(where, systems), [""] * len(systems), scores)


def _rows_of_system_columns(where: str, lines: _Lines, header: Sequence[str]) -> ScoreRows:
    ambiguous = {*SCORE_NAMES, *MEASURE_NAMES, *JUDGE_NAMES} & set(header)
    systems = [place for place, name in enumerate(header) if name not in SEGMENT_NAMES]
    if ambiguous or not systems:
        raise BadInput(
            f"{shown(where)}, line 1: columns {', '.join(lines[0])}, expected a header with 'system', 'seg' and "
            "'score', one column per system, or lines with a system and a score."
        )
    if len(lines) == 1:
        raise BadInput(f"{shown(where)} has a header and no scores.")
    _check_names(where, lines[0], "system")
    segment = _position(where, header, SEGMENT_NAMES)
    _check_widths(where, lines[1:], len(header), first=2)
    by_column = list(zip(*lines[1:], strict=True))
    count = len(lines) - 1
    segments = np.arange(1, count + 1) if segment is None else _segments(where, by_column[segment])
    found = ScoreRows(
        [lines[0][system] for system in systems for _ in range(count)],
        np.tile(segments, len(systems)),
        [""] * (len(systems) * count),
        np.concatenate([_scores(where, by_column[system], first=2) for system in systems]),
    )
    _check_once(where, found, np.tile(np.arange(count), len(systems)))
    return found


def _rows_under_header(
    where: str, lines: _Lines, header: Sequence[str], *, by_people: bool
) -> dict[str, ScoreRows]:
    system, segment, judge, measure, reference, score = (
        _position(where, header, names)
        for names in (
            SYSTEM_NAMES,
            SEGMENT_NAMES,
            JUDGE_NAMES,
            MEASURE_NAMES,
            _REFERENCE_NAMES,
            SCORE_NAMES,
        )
    )
    assert system is not None
    columns = _score_columns(where, header, {system, segment, judge, measure, reference}, score)
    if score is None:
        _check_names(where, lines[0], "metric")
    if measure is not None and len(columns) > 1:
        several = ", ".join(f"'{lines[0][column]}'" for column in columns)
        raise BadInput(
            f"{shown(where)}, line 1: column '{lines[0][measure]}' and the columns {several}, expected one score "
            "column. Rename it to 'score'."
        )
    _check_widths(where, lines[1:], len(header), first=2)
    by_column = list(zip(*lines[1:], strict=True))
    systems, count = list(by_column[system]), len(lines) - 1
    _check_named(where, systems)
    judges = [""] * count if judge is None else list(by_column[judge])
    if any(judges) and not all(judges):
        raise BadInput(
            f"{shown(where)}, line {judges.index('') + 2}: no {lines[0][judge or 0]}, but other lines have one. "
            "Name every rater, or remove the column."
        )
    suffixes = [""] * count if reference is None else [name and f"-{name}" for name in by_column[reference]]
    segments = np.full(count, NO_SEGMENT) if segment is None else _segments(where, by_column[segment])
    found: dict[str, ScoreRows] = {}
    for column in columns:
        unnamed = name_of(where) if score is not None else lines[0][column]
        names = [unnamed] * count if measure is None else list(by_column[measure])
        whole = ScoreRows(systems, segments, judges, _scores(where, by_column[column], first=2))
        for name, places in _places([name + end for name, end in zip(names, suffixes, strict=True)]).items():
            rows = whole.at(places)
            if segment is None and not by_people:
                rows = ScoreRows(rows.systems, _in_order(where, rows.systems), rows.judges, rows.scores)
            _check_once(where, rows, places, by_people=by_people)
            found[name] = rows
    return found


def _score_columns(
    where: str, header: Sequence[str], others: Collection[int | None], score: int | None
) -> list[int]:
    if score is not None:
        return [score]
    found = [place for place, name in enumerate(header) if place not in others and name not in _NOT_SCORES]
    if not found:
        raise BadInput(
            f"{shown(where)}, line 1: no score column, expected 'score', or one column per measure."
        )
    return found


def _in_order(where: str, systems: Sequence[str]) -> NDArray[np.int64]:
    """The segments of scores that are not numbered: those of a system are in order. A system that is named once has one
    score of its own.
    """
    seen: dict[str, int] = {}
    places = []
    for system in systems:
        seen[system] = seen.get(system, 0) + 1
        places.append(seen[system])
    if max(seen.values()) == 1:
        return np.full(len(systems), NO_SEGMENT)
    counts = sorted(seen.items(), key=lambda item: item[1])
    if counts[0][1] != counts[-1][1]:
        raise BadInput(
            f"{shown(where)}: '{counts[0][0]}' has {counts[0][1]:,} scores, '{counts[-1][0]}' has "
            f"{counts[-1][1]:,}. Expected one score per segment, and None for missing scores."
        )
    return np.array(places, dtype=np.int64)


def _places(names: Sequence[str]) -> dict[str, NDArray[np.intp]]:
    """In which rows each name stands, the names in order of their first."""
    distinct = list(dict.fromkeys(names))
    if len(distinct) == 1:
        return {distinct[0]: np.arange(len(names))}
    number = {name: place for place, name in enumerate(distinct)}
    of_row = np.array([number[name] for name in names])
    return {name: np.flatnonzero(of_row == place) for name, place in number.items()}


# --- what is refused -----------------------------------------------------------------------------------------


def _refuse_error_annotations(where: str, lines: _Lines, header: Sequence[str]) -> None:
    """Rows of single errors, as MQM has them, are not scores, even with a column of the weight of each error."""
    place = header.index("severity") if "severity" in header else None
    if place is None or len(lines) == 1 or len(lines[1]) <= place or _is_score(lines[1][place]):
        return
    raise BadInput(
        f"{shown(where)} has MQM annotations, one row per error with its severity, expected one score per segment. Use "
        "--human-spans (understudy.span_agreement) for error spans with the columns start and end. For scores, sum the "
        "error weights of each rater in a table with the columns system, seg, score and judge."
    )


def _check_once(where: str, rows: ScoreRows, places: NDArray[np.intp], *, by_people: bool = False) -> None:
    """Of people, only where no rater is named and there is a score: the same line twice would count as two opinions."""
    if by_people:
        kept = np.array([not name for name in rows.judges], dtype=bool) & ~np.isnan(rows.scores)
        rows, places = rows.at(np.flatnonzero(kept)), places[kept]
    keys = list(zip(rows.systems, rows.segments.tolist(), strict=True))
    if len(set(keys)) == len(keys):
        return
    seen: dict[tuple[str, int], int] = {}
    for key, place in zip(keys, places.tolist(), strict=True):
        if key in seen:
            what = f"system '{key[0]}'" + ("" if key[1] == NO_SEGMENT else f", segment {key[1]}")
            cure = (
                "no rater is given. Add the raters in a column 'judge', or remove one of the lines."
                if by_people
                else "a metric has one score. Remove one of the lines."
            )
            raise BadInput(
                f"{shown(where)}: lines {seen[key] + 2} and {place + 2} both score {what}, but {cure}"
            )
        seen[key] = place


def _check_names(where: str, names: Sequence[str], what: str) -> None:
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise BadInput(
            f"{shown(where)} has two columns '{twice[0]}', expected one column per {what}. Rename one."
        )


def _check_named(where: str, systems: Sequence[str]) -> None:
    unnamed = next((number for number, name in enumerate(systems, start=2) if not name.strip()), None)
    if unnamed is not None:
        raise BadInput(
            f"{shown(where)}, line {unnamed}: no system name. Add it, or remove the line if it is empty."
        )


def _refuse_names_that_are_scores(where: str, lines: _Lines) -> None:
    """Two columns under the names of two systems, the second of them a number, look like systems and their scores."""
    if len(lines) > 1 and all(_is_score(fields[0]) for fields in lines[1:]):
        raise BadInput(
            f"{shown(where)}: line 1, '{lines[0][0]}' and '{lines[0][1]}', may be a header or scores. Add a header "
            "with 'system', 'seg' and 'score'."
        )


def _check_widths(where: str, lines: _Lines, expected: int, *, first: int) -> None:
    for number, fields in enumerate(lines, start=first):
        if len(fields) != expected:
            raise BadInput(
                f"{shown(where)}, line {number}: {number_of(len(fields), 'column')}, expected {expected}."
            )


# --- fields --------------------------------------------------------------------------------------------------


def _lines(where: str) -> list[str]:
    text = decoded(read_all(where), where)
    lines = [line.rstrip("\r") for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise BadInput(f"{shown(where)} is empty, expected scores.")
    return lines


def _position(where: str, header: Sequence[str], names: Sequence[str]) -> int | None:
    """Position of the column with one of these names, if there is one."""
    found = [place for place, name in enumerate(header) if name in names]
    if len(found) > 1:
        raise BadInput(
            f"{shown(where)}, line 1: the columns '{header[found[0]]}' and '{header[found[1]]}' have the same "
            "meaning. Remove one."
        )
    return found[0] if found else None


def _segments(where: str, texts: Sequence[str]) -> NDArray[np.int64]:
    for number, text in enumerate(texts, start=2):
        if not text.isdecimal() or not 1 <= int(text) <= LARGEST_EXACT:
            cure = " Add 1 to every segment number." if text.strip("0") == "" and text else ""
            raise BadInput(
                f"{shown(where)}, line {number}: segment '{text}', expected an integer of at least 1.{cure}"
            )
    return np.array(list(map(int, texts)), dtype=np.int64)


def _scores(where: str, texts: Sequence[str], *, first: int) -> Floats:
    try:
        scores = np.array(list(map(as_number, texts)))
    except ValueError:  # something is missing, or no number
        scores = np.full(len(texts), np.inf)
    for place in np.flatnonzero(~(np.abs(scores) <= LARGEST_SCORE)).tolist():
        scores[place] = one_score(where, place + first, texts[place])
    return scores


def one_score(where: str, number: int, text: str) -> float:
    """A score as it stands in this line of a file; NaN: missing."""
    if text.strip().lower() in _MISSING:
        return float("nan")
    value = as_number(text) if is_number(text) else float("inf")
    if not np.isfinite(value):
        raise BadInput(f"{shown(where)}, line {number}: score '{text}', expected a number, or None.")
    if abs(value) > LARGEST_SCORE:
        raise BadInput(
            f"{shown(where)}, line {number}: score '{text}', expected an absolute value of at most "
            f"{LARGEST_SCORE:g}. Rescale the scores, or use None for a missing score."
        )
    return value


def _is_score(text: str) -> bool:
    return text.strip().lower() in _MISSING or is_number(text)
