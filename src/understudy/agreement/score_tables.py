"""Tables of scores, as rows of cells: from TSV files with a header, and from the files of mt-metrics-eval."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from understudy.comparison.score_files import SCORE_NAMES, SEGMENT_NAMES, is_number, position
from understudy.corpus.files import read_all
from understudy.corpus.lines import decoded
from understudy.corpus.source import name_of
from understudy.errors import BadInput

JUDGE_NAMES = ("judge", "rater", "annotator")
MEASURE_NAMES = ("measure", "question", "metric")
REFERENCE_NAME = "reference"  # beside a metric: the same one with another reference is another measure
NOT_SCORES = ("n", "n_judgments", "n_segments", "minor", "major", "type")  # what tables say beside scores
MISSING = ("", "none", "nan", "na")  # a translation that was not judged

Path = str | os.PathLike[str]


class Cell(NamedTuple):
    """One score of one translation, or of one system if there is no segment."""

    measure: str
    system: str
    segment: int | None
    judge: str  # empty if not named
    score: float  # NaN: missing


def table_cells(path: Path, *, by_people: bool = False) -> tuple[list[Cell], list[str]]:
    """All cells of a file, and the measures in it. Where they are not named, theirs is the file's name. People may
    score a translation several times, metrics may not.
    """
    where = os.fspath(path)
    lines = _lines(where)
    header = [name.strip().lower() for name in lines[0]]
    if "system" not in header:
        if len(lines[0]) == 2 and _is_score(lines[0][1]):
            cells = mt_metrics_eval_cells(path, name_of(where))
            return cells, list(dict.fromkeys(cell.measure for cell in cells))
        raise BadInput(
            f"'{where}': line 1 has the columns {', '.join(lines[0])}, expected a header with 'system', 'seg' and "
            "'score', or lines of a system and a score."
        )
    cells = _cells_under_header(where, lines, header, by_people=by_people)
    if not cells:
        raise BadInput(f"'{where}' has a header and no scores.")
    return cells, list(dict.fromkeys(cell.measure for cell in cells))


def mt_metrics_eval_cells(path: Path, measure: str) -> list[Cell]:
    """Lines of a system and a score, the segments of a system in their order; `None` for what is missing. A system that
    is named once has one score of its own.
    """
    where = os.fspath(path)
    seen: dict[str, int] = {}
    cells = []
    for number, fields in enumerate(_lines(where, blanks=True), start=1):
        _check_width(where, number, fields, 2)
        seen[fields[0]] = seen.get(fields[0], 0) + 1
        cells.append(Cell(measure, fields[0], seen[fields[0]], "", _score(where, number, fields[1])))
    if max(seen.values()) == 1:
        return [cell._replace(segment=None) for cell in cells]
    counts = sorted(seen.items(), key=lambda item: item[1])
    if counts[0][1] != counts[-1][1]:
        raise BadInput(
            f"'{where}': '{counts[0][0]}' has {counts[0][1]:,} scores, '{counts[-1][0]}' has {counts[-1][1]:,}. "
            "Expected one for every segment, and None for what is missing."
        )
    return cells


def system_cells(path: Path, measure: str) -> list[Cell]:
    """Lines of a system and its own score."""
    cells = mt_metrics_eval_cells(path, measure)
    for cell in cells:
        if cell.segment is not None:
            raise BadInput(f"'{os.fspath(path)}': system '{cell.system}' has several scores, expected one.")
    return cells


def _cells_under_header(
    where: str, lines: Sequence[Sequence[str]], header: Sequence[str], *, by_people: bool
) -> list[Cell]:
    system, segment = header.index("system"), position(header, SEGMENT_NAMES)
    judge, measure = position(header, JUDGE_NAMES), position(header, MEASURE_NAMES)
    reference = position(header, (REFERENCE_NAME,))
    unnamed = name_of(where)
    score = position(header, SCORE_NAMES)
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
    cells: list[Cell] = []
    seen: dict[tuple[str, str, int | None], int] = {}
    for number, fields in enumerate(lines[1:], start=2):
        _check_width(where, number, fields, len(header))
        place = None if segment is None else _segment(where, number, fields[segment])
        who = "" if judge is None else fields[judge]
        for column in columns:
            name = (
                fields[measure]
                if measure is not None
                else (unnamed if score is not None else lines[0][column])
            )
            if reference is not None and fields[reference]:
                name = f"{name}-{fields[reference]}"
            key = (name, fields[system], place)
            if not by_people and key in seen:
                what = "" if place is None else f", segment {place}"
                raise BadInput(
                    f"'{where}': line {number} scores system '{fields[system]}'{what} again, after line {seen[key]}. "
                    "Expected one score of a metric."
                )
            seen[key] = number
            cells.append(Cell(name, fields[system], place, who, _score(where, number, fields[column])))
    return cells


def _lines(where: str, *, blanks: bool = False) -> list[list[str]]:
    """The fields of every line, between tabs; where there are none, if need be, between blanks."""
    text = decoded(read_all(where), where)
    lines = [line.rstrip("\r") for line in text.split("\n")]
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise BadInput(f"'{where}' is empty, expected scores.")
    return [line.split() if blanks and "\t" not in line else line.split("\t") for line in lines]


def _check_width(where: str, number: int, fields: Sequence[str], expected: int) -> None:
    if len(fields) != expected:
        raise BadInput(f"'{where}': line {number} has {len(fields)} columns, expected {expected}.")


def _segment(where: str, number: int, text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise BadInput(
            f"'{where}': line {number} has the segment '{text}', expected a whole number from 1 on."
        )
    return int(text)


def _is_score(text: str) -> bool:
    return text.strip().lower() in MISSING or is_number(text)


def _score(where: str, number: int, text: str) -> float:
    if text.strip().lower() in MISSING:
        return float("nan")
    value = float(text) if is_number(text) else float("inf")
    if not np.isfinite(value):
        raise BadInput(f"'{where}': line {number} has the score '{text}', expected a number, or None.")
    return value
