"""Tables of scores, in columns: from TSV or CSV files with a header, and from the files of mt-metrics-eval."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from understudy.comparison.evidence import Floats
from understudy.comparison.score_files import SCORE_NAMES, SEGMENT_NAMES, is_number, position
from understudy.corpus.files import read_all, without_compression
from understudy.corpus.lines import decoded
from understudy.corpus.source import name_of
from understudy.errors import BadInput

JUDGE_NAMES = ("judge", "rater", "annotator")
MEASURE_NAMES = ("measure", "question", "metric")
REFERENCE_NAME = "reference"  # beside a metric: the same one with another reference is another measure
NOT_SCORES = ("n", "n_judgments", "n_segments", "minor", "major", "type")  # what tables say beside scores
MISSING = ("", "none", "nan", "na")  # a translation that was not judged

NO_SEGMENT = 0  # they count from 1

Path = str | os.PathLike[str]


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


def table_rows(path: Path, *, by_people: bool = False) -> dict[str, ScoreRows]:
    """All measures of a file. Where they are not named, theirs is the file's name. People may score a translation
    several times, metrics may not.
    """
    where = os.fspath(path)
    lines = _lines(where)
    header = [name.strip().lower() for name in lines[0]]
    if "system" not in header:
        if len(lines[0]) == 2 and _is_score(lines[0][1]):
            return {name_of(where): mt_metrics_eval_rows(path)}
        raise BadInput(
            f"'{where}': line 1 has the columns {', '.join(lines[0])}, expected a header with 'system', 'seg' and "
            "'score', or lines of a system and a score."
        )
    if len(lines) == 1:
        raise BadInput(f"'{where}' has a header and no scores.")
    return _rows_under_header(where, lines, header, by_people=by_people)


def mt_metrics_eval_rows(path: Path) -> ScoreRows:
    """Lines of a system and a score, the segments of a system in their order; `None` for what is missing. A system that
    is named once has one score of its own.
    """
    where = os.fspath(path)
    lines = _lines(where, blanks=True)
    _check_widths(where, lines, 2, first=1)
    systems = [fields[0] for fields in lines]
    scores = _scores(where, [fields[1] for fields in lines], first=1)
    seen: dict[str, int] = {}
    places = []
    for system in systems:
        seen[system] = seen.get(system, 0) + 1
        places.append(seen[system])
    segments = np.array(places, dtype=np.int64)
    if max(seen.values()) == 1:
        return ScoreRows(systems, np.full(len(systems), NO_SEGMENT), [""] * len(systems), scores)
    counts = sorted(seen.items(), key=lambda item: item[1])
    if counts[0][1] != counts[-1][1]:
        raise BadInput(
            f"'{where}': '{counts[0][0]}' has {counts[0][1]:,} scores, '{counts[-1][0]}' has {counts[-1][1]:,}. "
            "Expected one for every segment, and None for what is missing."
        )
    return ScoreRows(systems, segments, [""] * len(systems), scores)


def system_rows(path: Path) -> ScoreRows:
    """Lines of a system and its own score."""
    rows = mt_metrics_eval_rows(path)
    if (rows.segments != NO_SEGMENT).any():
        raise BadInput(f"'{os.fspath(path)}': system '{rows.systems[0]}' has several scores, expected one.")
    return rows


def _rows_under_header(
    where: str, lines: Sequence[Sequence[str]], header: Sequence[str], *, by_people: bool
) -> dict[str, ScoreRows]:
    system, segment = header.index("system"), position(header, SEGMENT_NAMES)
    judge, measure = position(header, JUDGE_NAMES), position(header, MEASURE_NAMES)
    reference, score = position(header, (REFERENCE_NAME,)), position(header, SCORE_NAMES)
    known = {system, segment, judge, measure, reference}
    columns = (
        [score]
        if score is not None
        else [place for place, name in enumerate(header) if place not in known and name not in NOT_SCORES]
    )
    if not columns:
        raise BadInput(
            f"'{where}': line 1 has no column of scores, expected 'score', or one for each measure."
        )
    _check_widths(where, lines[1:], len(header), first=2)
    by_column = list(zip(*lines[1:], strict=True))
    systems, count = list(by_column[system]), len(lines) - 1
    segments = np.full(count, NO_SEGMENT) if segment is None else _segments(where, by_column[segment])
    judges = [""] * count if judge is None else list(by_column[judge])
    suffixes = None if reference is None else [f"-{name}" if name else "" for name in by_column[reference]]
    found: dict[str, ScoreRows] = {}
    for column in columns:
        scores = _scores(where, by_column[column], first=2)
        unnamed = name_of(where) if score is not None else lines[0][column]
        names = [unnamed] * count if measure is None else list(by_column[measure])
        if suffixes is not None:
            names = [name + suffix for name, suffix in zip(names, suffixes, strict=True)]
        for name, places in _places(names).items():
            rows = ScoreRows(
                [systems[place] for place in places],
                segments[places],
                [judges[place] for place in places],
                scores[places],
            )
            if not by_people:
                _check_once(where, rows, places)
            found[name] = found[name] + rows if name in found else rows
    return found


def _places(names: Sequence[str]) -> dict[str, NDArray[np.intp]]:
    """In which rows each name stands, the names in order of their first."""
    distinct = list(dict.fromkeys(names))
    if len(distinct) == 1:
        return {distinct[0]: np.arange(len(names))}
    number = {name: place for place, name in enumerate(distinct)}
    of_row = np.array([number[name] for name in names])
    return {name: np.flatnonzero(of_row == place) for name, place in number.items()}


def _check_once(where: str, rows: ScoreRows, places: NDArray[np.intp]) -> None:
    keys = list(zip(rows.systems, rows.segments.tolist(), strict=True))
    if len(set(keys)) == len(keys):
        return
    seen: dict[tuple[str, int], int] = {}
    for key, place in zip(keys, places.tolist(), strict=True):
        if key in seen:
            what = "" if key[1] == NO_SEGMENT else f", segment {key[1]}"
            raise BadInput(
                f"'{where}': line {place + 2} scores system '{key[0]}'{what} again, after line {seen[key] + 2}. "
                "Expected one score of a metric."
            )
        seen[key] = place


def _lines(where: str, *, blanks: bool = False) -> list[list[str]]:
    """The fields of every line, between tabs; where there are none, if need be, between blanks."""
    text = decoded(read_all(where), where)
    lines = [line.rstrip("\r") for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise BadInput(f"'{where}' is empty, expected scores.")
    if without_compression(where).endswith(".csv"):
        return list(csv.reader(lines))
    return [line.split() if blanks and "\t" not in line else line.split("\t") for line in lines]


def _check_widths(where: str, lines: Sequence[Sequence[str]], expected: int, *, first: int) -> None:
    for number, fields in enumerate(lines, start=first):
        if len(fields) != expected:
            raise BadInput(f"'{where}': line {number} has {len(fields)} columns, expected {expected}.")


def _segments(where: str, texts: Sequence[str]) -> NDArray[np.int64]:
    for number, text in enumerate(texts, start=2):
        if not text.isdecimal() or int(text) < 1:
            raise BadInput(
                f"'{where}': line {number} has the segment '{text}', expected a whole number from 1 on."
            )
    return np.array(list(map(int, texts)), dtype=np.int64)


def _is_score(text: str) -> bool:
    return text.strip().lower() in MISSING or is_number(text)


def _scores(where: str, texts: Sequence[str], *, first: int) -> Floats:
    try:
        scores = np.array(list(map(float, texts)))
    except ValueError:  # something is missing, or no number
        scores = np.full(len(texts), np.inf)
    for place in np.flatnonzero(~np.isfinite(scores)).tolist():
        scores[place] = _score(where, place + first, texts[place])
    return scores


def _score(where: str, number: int, text: str) -> float:
    if text.strip().lower() in MISSING:
        return float("nan")
    value = float(text) if is_number(text) else float("inf")
    if not np.isfinite(value):
        raise BadInput(f"'{where}': line {number} has the score '{text}', expected a number, or None.")
    return value
